// NFKC_Casefold by ICU, and the two whole-value comparisons that rest on it.
#include "retrieval/text/fold.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

#include "retrieval/text/latin.h"

namespace emptor::retrieval {
namespace {

std::string CaseFold(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(error);
  std::string folded;
  if (U_FAILURE(error) || text.size() > INT32_MAX) return folded;
  icu::StringByteSink<std::string> sink(&folded);
  normalizer->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())),
                            sink, nullptr, error);
  return folded;
}

void AppendCodePoint(UChar32 c, std::string& out) {
  char buffer[U8_MAX_LENGTH];
  int32_t length = 0;
  U8_APPEND_UNSAFE(buffer, length, c);
  out.append(buffer, static_cast<size_t>(length));
}

/// Collects words: the characters that FoldWords keeps, gaps as one blank.
class WordSink {
 public:
  explicit WordSink(std::string& out) : out_(out) {}

  void Take(UChar32 c) {
    if (IsWordCharacter(c)) {
      Separate();
      AppendCodePoint(c, out_);
    } else if (c != '\'' && c != kRightQuote) {
      gap_ = true;
    }
  }

  /// Like Take, without the accents of Latin letters.
  void TakePlain(UChar32 c) {
    if (after_latin_ && u_charType(c) == U_NON_SPACING_MARK) return;
    after_latin_ = IsLatin(static_cast<char32_t>(c));
    if (const std::string_view plain = PlainLatin(static_cast<char32_t>(c)); !plain.empty()) {
      Separate();
      out_ += plain;
    } else {
      Take(c);
    }
  }

 private:
  static constexpr UChar32 kRightQuote = 0x2019;

  static bool IsWordCharacter(UChar32 c) {
    return u_isalnum(c) || u_charType(c) == U_NON_SPACING_MARK ||
           u_charType(c) == U_COMBINING_SPACING_MARK;
  }

  void Separate() {
    if (gap_ && !out_.empty()) out_.push_back(' ');
    gap_ = false;
  }

  std::string& out_;
  bool gap_ = false;
  bool after_latin_ = false;
};

}  // namespace

bool IsValidUtf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    UChar32 c;
    U8_NEXT(text.data(), i, text.size(), c);
    if (c < 0) return false;
  }
  return true;
}

std::string FoldForComparison(std::string_view text) {
  const std::string folded = CaseFold(text);
  std::string out;
  out.reserve(folded.size());
  bool blank = false;
  for (size_t i = 0; i < folded.size();) {
    UChar32 c;
    U8_NEXT_OR_FFFD(folded.data(), i, folded.size(), c);
    if (u_isUWhiteSpace(c)) {
      blank = !out.empty();
      continue;
    }
    if (blank) out.push_back(' ');
    blank = false;
    AppendCodePoint(c, out);
  }
  return out;
}

std::string FoldIdentifier(std::string_view text) {
  const std::string folded = CaseFold(text);
  std::string out;
  for (size_t i = 0; i < folded.size();) {
    UChar32 c;
    U8_NEXT_OR_FFFD(folded.data(), i, folded.size(), c);
    if (u_isalnum(c)) AppendCodePoint(c, out);
  }
  return out;
}

std::string FoldWords(std::string_view text, bool keep_accents) {
  const std::string folded = CaseFold(text);
  std::string out;
  out.reserve(folded.size());
  WordSink sink(out);
  const bool ascii = std::all_of(folded.begin(), folded.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (keep_accents || ascii) {
    for (size_t i = 0; i < folded.size();) {
      UChar32 c;
      U8_NEXT_OR_FFFD(folded.data(), i, folded.size(), c);
      sink.Take(c);
    }
    return out;
  }
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  if (U_FAILURE(error)) return out;
  const icu::UnicodeString decomposed =
      nfd->normalize(icu::UnicodeString::fromUTF8(
                         icu::StringPiece(folded.data(), static_cast<int32_t>(folded.size()))),
                     error);
  for (int32_t i = 0; i < decomposed.length();) {
    const UChar32 c = decomposed.char32At(i);
    i += U16_LENGTH(c);
    sink.TakePlain(c);
  }
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);  // kana, Hangul
  std::string composed;
  icu::StringByteSink<std::string> bytes(&composed);
  nfc->normalizeUTF8(0, icu::StringPiece(out.data(), static_cast<int32_t>(out.size())), bytes,
                     nullptr, error);
  return U_FAILURE(error) ? out : composed;
}

}  // namespace emptor::retrieval

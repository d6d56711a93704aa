// ICU segmentation, and the rules that turn segments into terms.
#include "retrieval/text/analyzer.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/unistr.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "retrieval/text/english.h"
#include "retrieval/text/latin.h"
#include "retrieval/text/quantity.h"
#include "retrieval/text/stop_words.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxCompoundParts = 5;
constexpr char16_t kHyphen = 0x2010;  // also what NFKC makes of the non-breaking hyphen
constexpr char16_t kRightQuote = 0x2019;
constexpr char16_t kRightDoubleQuote = 0x201D;
constexpr char16_t kPrime = 0x2032;  // NFKC turns the double prime into two of these

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsNumber(std::string_view s) {
  return !s.empty() && IsDigit(s[0]) &&
         s.find_first_not_of("0123456789.,") == std::string_view::npos;
}

/// One segment that is a word or a number, with its place in the folded UTF-16 text.
struct Piece {
  int32_t begin = 0;
  int32_t end = 0;
  bool cjk = false;
  std::string text;  // UTF-8, without accents and apostrophes; empty when cjk
};

std::string ToUtf8(const char16_t* begin, int32_t length) {
  std::string out;
  out.reserve(static_cast<size_t>(length));
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    U16_NEXT(begin, i, length, c);
    char buffer[U8_MAX_LENGTH];
    int32_t n = 0;
    U8_APPEND_UNSAFE(buffer, n, c);
    out.append(buffer, static_cast<size_t>(n));
  }
  return out;
}

/// Takes the accents off Latin letters, and only those: the marks of kana or Indic scripts stay.
std::string FoldLatinAccents(const icu::Normalizer2& nfd, const icu::Normalizer2& nfc,
                             const char16_t* begin, int32_t length) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::UnicodeString decomposed =
      nfd.normalize(icu::UnicodeString(false, begin, length), error);
  icu::UnicodeString kept;
  bool after_latin = false;
  for (int32_t i = 0; i < decomposed.length();) {
    const UChar32 c = decomposed.char32At(i);
    i += U16_LENGTH(c);
    if (after_latin && u_charType(c) == U_NON_SPACING_MARK) continue;
    after_latin = IsLatin(static_cast<char32_t>(c));
    if (const std::string_view plain = PlainLatin(static_cast<char32_t>(c)); !plain.empty()) {
      kept += icu::UnicodeString::fromUTF8(icu::StringPiece(plain.data(), plain.size()));
    } else {
      kept += c;
    }
  }
  std::string out;
  nfc.normalize(kept, error).toUTF8String(out);
  return out;
}

/// "kid's" -> "kid", "l'eau" -> "eau", "don't" -> "dont".
void FoldApostrophes(std::string& word) {
  for (size_t at; (at = word.find("\u2019")) != std::string::npos;) word.replace(at, 3, 1, '\'');
  const size_t at = word.find('\'');
  if (at == std::string::npos) return;
  if (word.ends_with("'s")) word.resize(word.size() - 2);
  const std::string_view before = std::string_view(word).substr(0, at);
  const bool elided =
      before == "qu" || (before.size() == 1 &&
                         std::string_view("cdjlmnst").find(before[0]) != std::string_view::npos);
  if (elided && word.size() > at + 2) word.erase(0, at + 1);
  std::erase(word, '\'');
}

/// Length of the leading number of "3.5mm"; 0 when the word does not begin with a digit.
size_t NumberPrefix(std::string_view word) {
  if (word.empty() || !IsDigit(word[0])) return 0;
  const size_t end = word.find_first_not_of("0123456789.,");
  return end == std::string_view::npos ? word.size() : end;
}

}  // namespace

struct Analyzer::Impl {
  const icu::Normalizer2* casefold = nullptr;
  const icu::Normalizer2* nfd = nullptr;
  const icu::Normalizer2* nfc = nullptr;
  std::unique_ptr<icu::BreakIterator> words;  // never moved itself: cloned for each text
};

namespace {

/// One pass over one text.
class Pass {
 public:
  Pass(const icu::UnicodeString& text, std::vector<Piece> pieces, TextRole role, bool keep_all,
       const std::function<void(std::string_view)>& sink)
      : text_(text), pieces_(std::move(pieces)), role_(role), keep_all_(keep_all), sink_(sink) {}

  /// Returns the number of terms.
  size_t Run() {
    for (size_t i = 0; i < pieces_.size();) {
      if (pieces_[i].cjk) {
        i = EmitCjkRun(i);
      } else if (const size_t next = EmitQuantity(i); next > i) {
        i = next;
      } else {
        i = EmitCompound(i);
      }
    }
    return emitted_;
  }

 private:
  void Emit(std::string_view term) {
    if (term.empty() || term.size() > Analyzer::kMaxTermBytes) return;
    sink_(term);
    ++emitted_;
  }

  char16_t CharAt(int32_t at) const { return at < text_.length() ? text_.charAt(at) : u'\0'; }

  bool IsConnector(int32_t at) const {
    const char16_t c = CharAt(at);
    return c == u'-' || c == kHyphen || c == u'&';
  }

  bool Connected(size_t i) const {  // piece i and i + 1 are one compound
    return i + 1 < pieces_.size() && !pieces_[i + 1].cjk &&
           pieces_[i + 1].begin == pieces_[i].end + 1 && IsConnector(pieces_[i].end);
  }

  bool IsInchMark(int32_t at) const {
    const char16_t c = CharAt(at);
    return c == u'"' || c == kRightDoubleQuote || (c == kPrime && CharAt(at + 1) == kPrime);
  }

  void EmitWord(const std::string& word) {
    if (!keep_all_ && IsStopWord(word)) return;
    if (!keep_all_ && role_ == TextRole::kQuery && IsRequestWord(word)) return;
    if (IsPlainWord(word)) {
      std::string folded = word;
      FoldEnglish(folded);
      Emit(folded);
      return;
    }
    Emit(IsNumber(word) ? NormalizeNumber(word) : word);
    EmitNameAndNumber(word);
  }

  /// "iphone15": also "iphone" and "15".
  void EmitNameAndNumber(const std::string& word) {
    const auto digits = std::find_if_not(word.begin(), word.end(), IsLower);
    const auto name_length = digits - word.begin();
    const auto digit_count = word.end() - digits;
    if (name_length < 3 || digit_count > 4 || !std::all_of(digits, word.end(), IsDigit)) return;
    std::string name(word.begin(), digits);
    FoldEnglish(name);
    Emit(name);
    Emit(std::string(digits, word.end()));
  }

  void EmitAmount(std::string_view number, std::string_view unit) {
    const std::string amount = NormalizeNumber(number);
    Emit(amount + std::string(unit));
    Emit(amount);
    if (unit.size() > 1) Emit(unit);
  }

  /// Number and unit, together or apart. Returns the index behind what was read, `i` if nothing.
  size_t EmitQuantity(size_t i) {
    const Piece& piece = pieces_[i];
    const size_t digits = NumberPrefix(piece.text);
    if (digits == 0) return i;
    if (digits < piece.text.size()) {  // "3.5mm"
      const std::string_view unit = CanonicalUnit(std::string_view(piece.text).substr(digits));
      if (unit.empty() || Connected(i)) return i;
      EmitAmount(std::string_view(piece.text).substr(0, digits), unit);
      return i + 1;
    }
    if (IsInchMark(piece.end)) {
      EmitAmount(piece.text, "inch");
      return i + 1;
    }
    if (i + 1 >= pieces_.size() || pieces_[i + 1].cjk) return i;
    const Piece& next = pieces_[i + 1];
    const bool near =
        next.begin == piece.end ||
        (next.begin == piece.end + 1 && (CharAt(piece.end) == u' ' || IsConnector(piece.end)));
    const std::string_view unit = CanonicalUnit(next.text);
    if (!near || unit.empty() || Connected(i + 1)) return i;
    const bool number_follows = i + 2 < pieces_.size() && NumberPrefix(pieces_[i + 2].text) > 0;
    if (next.text == "in" && number_follows) return i;  // "2 in 1"
    EmitAmount(piece.text, unit);
    return i + 2;
  }

  /// A word, or words joined by hyphens: the joined form, then each part.
  size_t EmitCompound(size_t first) {
    size_t last = first;
    while (last - first + 1 < kMaxCompoundParts && Connected(last)) ++last;
    if (last == first) {
      EmitWord(pieces_[first].text);
      return first + 1;
    }
    std::string joined;
    bool any_letter = false;
    for (size_t i = first; i <= last; ++i) {
      joined += pieces_[i].text;
      any_letter = any_letter || !IsNumber(pieces_[i].text);
    }
    if (any_letter) {  // "10-15" is a range, not a name
      if (IsPlainWord(joined)) FoldEnglish(joined);
      Emit(joined);
    }
    for (size_t i = first; i <= last; ++i) {
      const std::string& part = pieces_[i].text;
      if (part.size() > 1 || IsDigit(part.empty() ? '\0' : part[0])) EmitWord(part);
    }
    return last + 1;
  }

  /// Adjacent Chinese, Japanese or Korean pieces: each word, then every bigram of the run that is
  /// not already one of the words.
  size_t EmitCjkRun(size_t first) {
    size_t last = first;
    while (last + 1 < pieces_.size() && pieces_[last + 1].cjk &&
           pieces_[last + 1].begin == pieces_[last].end) {
      ++last;
    }
    std::vector<std::pair<int32_t, int32_t>> two_character_words;
    for (size_t i = first; i <= last; ++i) {
      const Piece& piece = pieces_[i];
      Emit(ToUtf8(text_.getBuffer() + piece.begin, piece.end - piece.begin));
      if (text_.countChar32(piece.begin, piece.end - piece.begin) == 2) {
        two_character_words.emplace_back(piece.begin, piece.end);
      }
    }
    const int32_t end = pieces_[last].end;
    for (int32_t i = pieces_[first].begin; i < end;) {
      const int32_t second = text_.moveIndex32(i, 1);
      if (second >= end) break;
      const int32_t third = text_.moveIndex32(second, 1);
      if (!std::binary_search(two_character_words.begin(), two_character_words.end(),
                              std::pair(i, third))) {
        Emit(ToUtf8(text_.getBuffer() + i, third - i));
      }
      i = second;
    }
    return last + 1;
  }

  const icu::UnicodeString& text_;
  const std::vector<Piece> pieces_;
  const TextRole role_;
  const bool keep_all_;
  const std::function<void(std::string_view)>& sink_;
  size_t emitted_ = 0;
};

bool IsHangul(char16_t c) { return c >= 0xAC00 && c <= 0xD7A3; }

std::vector<Piece> Segment(const icu::BreakIterator& prototype, const icu::Normalizer2& nfd,
                           const icu::Normalizer2& nfc, const icu::UnicodeString& text) {
  std::vector<Piece> pieces;
  const std::unique_ptr<icu::BreakIterator> words(prototype.clone());
  words->setText(text);
  const char16_t* units = text.getBuffer();
  int32_t begin = words->first();
  for (int32_t end = words->next(); end != icu::BreakIterator::DONE;
       begin = end, end = words->next()) {
    const int32_t status = words->getRuleStatus();
    if (status < UBRK_WORD_NUMBER) continue;
    Piece piece{.begin = begin, .end = end, .cjk = false, .text = {}};
    piece.cjk = status >= UBRK_WORD_KANA || IsHangul(units[begin]);
    if (!piece.cjk) {
      const bool plain = std::all_of(units + begin, units + end,
                                     [](char16_t c) { return c < 0x80 || c == kRightQuote; });
      piece.text = plain ? ToUtf8(units + begin, end - begin)
                         : FoldLatinAccents(nfd, nfc, units + begin, end - begin);
      FoldApostrophes(piece.text);
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace

Analyzer::Analyzer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

absl::StatusOr<Analyzer> Analyzer::Create() {
  UErrorCode error = U_ZERO_ERROR;
  auto impl = std::make_shared<Impl>();
  impl->casefold = icu::Normalizer2::getNFKCCasefoldInstance(error);
  impl->nfd = icu::Normalizer2::getNFDInstance(error);
  impl->nfc = icu::Normalizer2::getNFCInstance(error);
  impl->words.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  if (U_FAILURE(error)) {
    return absl::InternalError(std::string("analyzer: ICU data: found ") + u_errorName(error));
  }
  return Analyzer(std::move(impl));
}

void Analyzer::ForEachTerm(std::string_view text, TextRole role,
                           const std::function<void(std::string_view)>& sink) const {
  constexpr size_t kMaxTextBytes = size_t{64} << 20;
  text = text.substr(0, kMaxTextBytes);
  UErrorCode error = U_ZERO_ERROR;
  const icu::UnicodeString folded =
      impl_->casefold->normalize(icu::UnicodeString::fromUTF8(icu::StringPiece(
                                     text.data(), static_cast<int32_t>(text.size()))),
                                 error);
  if (U_FAILURE(error) || folded.isEmpty()) return;
  std::vector<Piece> pieces = Segment(*impl_->words, *impl_->nfd, *impl_->nfc, folded);
  if (role == TextRole::kRecord) {
    Pass(folded, std::move(pieces), role, false, sink).Run();
  } else if (Pass(folded, pieces, role, false, sink).Run() == 0) {
    Pass(folded, std::move(pieces), role, true, sink).Run();
  }
}

std::vector<std::string> Analyzer::Analyze(std::string_view text, TextRole role) const {
  std::vector<std::string> terms;
  ForEachTerm(text, role, [&terms](std::string_view term) { terms.emplace_back(term); });
  return terms;
}

}  // namespace emptor::retrieval

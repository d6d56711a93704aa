// NFKC_Casefold by ICU, and the two whole-value comparisons that rest on it.
#include "retrieval/text/fold.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdint>

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

}  // namespace emptor::retrieval

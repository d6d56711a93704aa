// Word classes through ICU, with tables for ASCII.
#include "engine/tokenizer/word_splitter.h"

#include <array>
#include <cassert>

#include "unicode/uchar.h"

namespace emptor::engine {
namespace {

/// \w
bool IsWordCharacter(int32_t c) {
  if (u_hasBinaryProperty(c, UCHAR_ALPHABETIC) || u_hasBinaryProperty(c, UCHAR_JOIN_CONTROL)) {
    return true;
  }
  constexpr uint32_t kWord = U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;
  return (U_MASK(u_charType(c)) & kWord) != 0;
}

WordClass Classify(WordSplit split, int32_t c) {
  if (c < 0) return split == WordSplit::kWordOrMarks ? WordClass::kMark : WordClass::kLetter;
  if (u_isUWhiteSpace(c)) return WordClass::kBlank;
  switch (split) {
    case WordSplit::kNone:
    case WordSplit::kBlanks:
      return WordClass::kLetter;
    case WordSplit::kBert:
      return IsBertPunctuation(c) ? WordClass::kSingle : WordClass::kLetter;
    case WordSplit::kWordOrMarks:
      return IsWordCharacter(c) ? WordClass::kLetter : WordClass::kMark;
  }
  return WordClass::kLetter;
}

using AsciiTable = std::array<WordClass, 128>;
AsciiTable MakeTable(WordSplit split) {
  AsciiTable table{};
  for (int c = 0; c < 128; ++c) table[static_cast<size_t>(c)] = Classify(split, c);
  return table;
}
const std::array<AsciiTable, 4> kAscii = {
    MakeTable(WordSplit::kNone), MakeTable(WordSplit::kBlanks), MakeTable(WordSplit::kBert),
    MakeTable(WordSplit::kWordOrMarks)};

}  // namespace

bool IsBertPunctuation(int32_t c) {
  if (c < 128) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
  }
  // Was and is no longer a mark, and the reverse.
  if (c == 0x166d || c == 0x111c9) return true;
  return (U_MASK(u_charType(c)) & U_GC_P_MASK) != 0 && IsOfUnicode(c, 8);
}

WordClass ClassifyForSplit(WordSplit split, int32_t c) {
  assert(split != WordSplit::kNone);
  if (c >= 0 && c < 128) return kAscii[static_cast<size_t>(split)][static_cast<size_t>(c)];
  return Classify(split, c);
}

}  // namespace emptor::engine

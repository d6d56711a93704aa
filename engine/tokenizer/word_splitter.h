// Cuts text into the words that WordPiece and its kin never match across.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/tokenizer/unicode_class.h"

namespace emptor::engine {

enum class WordSplit : uint8_t {
  kNone,         // the text is one word
  kBlanks,       // words between blanks; the blanks go
  kBert,         // kBlanks, and every punctuation mark is a word of its own
  kWordOrMarks,  // \w+|[^\w\s]+; the blanks go
};

/// How a character takes part in a split.
enum class WordClass : uint8_t { kLetter, kBlank, kMark, kSingle };

/// Punctuation as BERT has it: ASCII's marks and symbols, and Unicode's category P.
bool IsBertPunctuation(int32_t code_point);

/// The class of a character (-1: a byte that is not UTF-8). REQUIRES: split is not kNone.
WordClass ClassifyForSplit(WordSplit split, int32_t code_point);

/// Calls `on_word` for each word of `text`, in order.
template <typename OnWord>
void ForEachSplitWord(WordSplit split, std::string_view text, OnWord&& on_word) {
  if (split == WordSplit::kNone) {
    if (!text.empty()) on_word(text);
    return;
  }
  size_t begin = 0;
  WordClass run = WordClass::kBlank;
  const auto end_word = [&](size_t end) {
    if (run != WordClass::kBlank && end > begin) on_word(text.substr(begin, end - begin));
    begin = end;
  };
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = CodePointAt(text, at);
    const WordClass found = ClassifyForSplit(split, c.value);
    if (found != run || found == WordClass::kSingle) end_word(at);
    run = found;
    at += c.bytes;
  }
  end_word(text.size());
}

}  // namespace emptor::engine

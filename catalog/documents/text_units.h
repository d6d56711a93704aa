// Splits the text of a document into headings and sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::catalog {

/// A word counts 2, an ideograph 1.
using HalfWords = size_t;

/// A heading, or a sentence of a paragraph, [begin, end) of the text without blanks at its ends.
struct TextUnit {
  size_t begin = 0, end = 0;
  HalfWords cost = 0;  // of a sentence
  int level = 0;       // 1..6 of a heading, 0 of a sentence
  bool starts_paragraph = false;
};

/// Longest heading; a longer line behind "#" is a paragraph.
inline constexpr size_t kMaxHeadingBytes = 200;

/// In order. No sentence costs more than `max_cost`: longer ones are split between words, and
/// longer words between characters. An empty line separates paragraphs; a line "## Heading" is a
/// heading. REQUIRES: text is well-formed UTF-8, max_cost >= 4.
std::vector<TextUnit> SplitIntoUnits(std::string_view text, HalfWords max_cost);

/// "Heading" of "## Heading ##".
std::string HeadingText(std::string_view line);

/// 1..6 for a line that is a heading, else 0.
int HeadingLevel(std::string_view line);

}  // namespace emptor::catalog

// Lines and columns of the text files of an evaluation. Used by eval/ alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

/// Walks over the lines of a text, blank ones left out. The text outlives it.
class LineWalk {
 public:
  explicit LineWalk(std::string_view text) : rest_(text) {}

  /// The next line without "\n" or "\r\n"; nothing at the end.
  std::optional<std::string_view> Next();
  /// Number of the line that Next gave last, from 1.
  size_t number() const { return number_; }

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

std::vector<std::string_view> SplitTabs(std::string_view line);
/// Words between blanks and tabs.
std::vector<std::string_view> SplitBlanks(std::string_view line);

/// The whole text as a finite decimal number within ±limit; nothing else.
std::optional<double> ParseDecimal(std::string_view text, double limit);

/// At most the first 40 bytes of what was found, for messages; cut between characters.
std::string Excerpt(std::string_view text);

}  // namespace emptor::retrieval

// A message as it was typed, and cut at its folded words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// The words between two places of a text, as they were typed. Borrows the text.
class TypedText {
 public:
  explicit TypedText(std::string_view text);

  /// Folded; "i'll" is two.
  const std::vector<std::string>& words() const { return words_; }

  /// A comma stands before the folded word.
  bool BreaksBefore(size_t at) const;

  /// The text from the folded word `begin` on and before `end`, without marks behind it; words of
  /// which only a part lies between are left out.
  std::string Between(size_t begin, size_t end) const;

 private:
  struct TypedWord {
    std::string_view typed;
    size_t folded = 0;  // count of its folded words
  };

  std::vector<TypedWord> typed_;
  std::vector<std::string> words_;
  std::vector<size_t> breaks_;  // rising
};

}  // namespace emptor::services

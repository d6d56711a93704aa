// Names of table-driven cases: what the case is about, made of what GoogleTest allows in a name, so
// that a name is the same in every run.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::testing {

/// "07_kettle_under_50" of the case at `index`: letters and digits of `text`, at most 40 of them.
inline std::string CaseName(size_t index, std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string name = (index < 10 ? "0" : "") + std::to_string(index);
  bool in_word = false;
  for (const char c : text) {
    const bool is_plain = static_cast<unsigned char>(c) < 0x80 && std::isalnum(c) != 0;
    if (is_plain && !in_word) name += '_';
    if (is_plain) name += c;
    in_word = is_plain;
    if (name.size() >= kLongest) break;
  }
  return name;
}

}  // namespace emptor::testing

// Strings of a chat template that remember which of their bytes came out of a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::engine::jinja {

/// Where the bytes come from: the template (or other content of the model file), or a message.
enum class Origin : uint8_t { kMarkup, kContent };

/// Bytes with the origin of each. Operations keep the origin byte for byte. A plain value.
/// Invariant: the runs cover the bytes, none is empty, neighbours differ in origin.
class Text {
 public:
  struct Run {
    size_t end;  // behind the run's last byte
    Origin origin;
  };

  Text() = default;
  Text(std::string bytes, Origin origin);
  /// Markup.
  explicit Text(std::string_view bytes) : Text(std::string(bytes), Origin::kMarkup) {}

  const std::string& bytes() const { return bytes_; }
  const std::vector<Run>& runs() const { return runs_; }
  size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// What the text costs in memory, about.
  size_t weight() const { return bytes_.size() + 16 * runs_.size(); }

  void Append(std::string_view bytes, Origin origin);
  void Append(const Text& other) { Append(other, 0, other.size()); }
  /// REQUIRES: begin <= end <= other.size().
  void Append(const Text& other, size_t begin, size_t end);
  Text Slice(size_t begin, size_t end) const;

  /// Calls fn(std::string_view bytes, Origin) for each run in order.
  template <typename Fn>
  void ForEachRun(Fn fn) const {
    size_t begin = 0;
    for (const Run& run : runs_) {
      fn(std::string_view(bytes_).substr(begin, run.end - begin), run.origin);
      begin = run.end;
    }
  }

 private:
  std::string bytes_;
  std::vector<Run> runs_;
};

/// Bytes of the first character of a text that is not empty; a byte that begins no well-formed
/// UTF-8 is a character of its own.
size_t CharacterBytes(std::string_view text);
/// The code point of a text that is one character; a stray byte gives U+FFFD.
char32_t CodePoint(std::string_view character);
size_t CountCharacters(std::string_view text);
/// The byte offset of each character, and of the end.
std::vector<size_t> CharacterOffsets(std::string_view text);
/// What Python's str.isspace and \s of its regular expressions take for white space.
bool IsSpace(char32_t character);

/// The range of bytes that is left after characters are taken from its ends.
struct Ends {
  bool left = true, right = true;
};
/// White space when `characters` is null, else the characters of that text.
std::pair<size_t, size_t> Strip(std::string_view text, const std::string* characters, Ends ends);

/// Linear in the sum of the sizes; npos where `part` is absent.
size_t Find(std::string_view text, std::string_view part, size_t from = 0);

enum class LetterCase { kUpper, kLower, kTitle, kCapital };
/// Python's upper, lower, title, capitalize, by the rules of Unicode.
Text ChangeCase(const Text& text, LetterCase letter_case);

}  // namespace emptor::engine::jinja

// One pass over the bytes of a text.
#include "services/assistant/schema/counted_terms.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxDigits = 5;
constexpr size_t kGradeDigits = 2;    // of the second number of "5W-30"
constexpr size_t kMinSideDigits = 2;  // "2 x 16 GB" are no sides
constexpr size_t kMinLetters = 3;     // "2 x", "8 gb": signs and units are read as such

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Behind the number that begins at `at`; `at` where it is too long, or part of a model's name.
size_t EndOfNumber(std::string_view text, size_t at) {
  const bool is_inside =
      at > 0 && (IsLetter(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '-');
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  if (is_inside || end - at > kMaxDigits) return at;
  const bool has_fraction =
      end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && IsDigit(text[end + 1]);
  if (!has_fraction) return end;
  for (++end; end < text.size() && IsDigit(text[end]);) ++end;
  return end;
}

/// Two sides: "160x80", "70 x 37 mm".
struct Sides {
  size_t end = 0;  // behind the second number
  std::string term;
};

/// A grade of two numbers, "5W-30": no watts.
std::optional<Sides> GradeAt(std::string_view text, size_t at, size_t end) {
  size_t next = end;
  if (next >= text.size() || !IsLetter(text[next]) ||
      static_cast<unsigned char>(text[next]) >= 0x80)
    return std::nullopt;
  const char letter = static_cast<char>(text[next] | 0x20);
  ++next;
  const bool is_joined = next < text.size() && text[next] == '-';
  if (is_joined) ++next;
  size_t behind = next;
  while (behind < text.size() && IsDigit(text[behind])) ++behind;
  const bool ends = behind == text.size() || !IsLetter(text[behind]);
  if (behind - next != kGradeDigits || !ends || letter == 'x') return std::nullopt;
  return Sides{behind, std::string(text.substr(at, end - at)) + letter +
                           std::string(text.substr(next, kGradeDigits))};
}

size_t BehindBlanks(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

/// Whose first number stands at `at` and ends at `end`.
std::optional<Sides> SidesAt(std::string_view text, size_t at, size_t end) {
  size_t next = BehindBlanks(text, end);
  bool joins = false;
  for (const std::string_view joint : {"x", "X", "\xC3\x97", "by ", "*"}) {
    if (joins || !text.substr(next).starts_with(joint)) continue;
    next = BehindBlanks(text, next + joint.size());
    joins = true;
  }
  size_t behind = next;
  while (behind < text.size() && IsDigit(text[behind])) ++behind;
  const size_t digits = behind - next;
  if (!joins || digits < kMinSideDigits || digits > kMaxDigits || end - at < kMinSideDigits) {
    return std::nullopt;
  }
  std::string first(text.substr(at, end - at)), second(text.substr(next, digits));
  if (first.find_first_of(".,") != std::string::npos) return std::nullopt;
  const bool is_less =
      first.size() < second.size() || (first.size() == second.size() && first < second);
  if (is_less) std::swap(first, second);
  return Sides{behind, first + "x" + second};
}

}  // namespace

std::string WithoutSides(std::string_view text) {
  std::string rest(text);
  for (size_t at = 0; at < rest.size(); ++at) {
    if (!IsDigit(rest[at])) continue;
    const size_t end = EndOfNumber(rest, at);
    if (const auto grade = end == at ? std::nullopt : GradeAt(rest, at, end)) {
      rest.replace(at, grade->end - at, grade->end - at, ' ');
    } else if (const auto sides = end == at ? std::nullopt : SidesAt(rest, at, end)) {
      size_t unit = BehindBlanks(rest, sides->end);
      while (unit < rest.size() && IsLetter(rest[unit])) ++unit;
      rest.replace(at, unit - at, unit - at, ' ');
    }
    while (at < rest.size() && IsDigit(rest[at])) ++at;
  }
  return rest;
}

std::vector<CountedTerm> FindCountedTerms(std::string_view text) {
  std::vector<CountedTerm> terms;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!IsDigit(text[at])) continue;
    const size_t end = EndOfNumber(text, at);
    if (end == at) {
      while (at < text.size() && IsDigit(text[at])) ++at;
      continue;
    }
    if (const auto sides = SidesAt(text, at, end)) {
      terms.push_back({retrieval::FoldWords(text.substr(at, sides->end - at)), sides->term});
    }
    if (const auto grade = GradeAt(text, at, end)) {
      terms.push_back({retrieval::FoldWords(text.substr(at, grade->end - at)), grade->term});
    }
    size_t word = end;
    if (word < text.size() && (text[word] == ' ' || text[word] == '-')) ++word;
    size_t behind = word;
    while (behind < text.size() && IsLetter(text[behind])) ++behind;
    if (behind - word >= kMinLetters) {
      std::string number(text.substr(at, end - at));
      const size_t comma = number.find(',');
      if (comma != std::string::npos) number[comma] = '.';
      const std::string counted = retrieval::FoldWords(text.substr(word, behind - word));
      terms.push_back(
          {retrieval::FoldWords(text.substr(at, behind - at)), number + " " + StemOf(counted)});
    }
    at = behind > end ? behind - 1 : end - 1;
  }
  return terms;
}

}  // namespace emptor::services

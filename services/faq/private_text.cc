// One pass over the text: at each word, what it may be the beginning of.
#include "services/faq/private_text.h"

#include <algorithm>
#include <cstddef>

namespace emptor::services {
namespace {

constexpr size_t kNumberDigits = 7;
constexpr size_t kCodeDigits = 5;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool IsInAddress(char c) {
  return IsDigit(c) || IsLetter(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-';
}

size_t CountDigits(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), IsDigit));
}

/// Length of the e-mail address at the beginning; 0: there is none.
size_t EmailAt(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && IsInAddress(text[at])) ++at;
  if (at == 0 || at + 1 >= text.size() || text[at] != '@') return 0;
  size_t end = at + 1;
  while (end < text.size() && IsInAddress(text[end])) ++end;
  while (end > at + 1 && (text[end - 1] == '.' || text[end - 1] == '-')) --end;  // of the sentence
  const bool has_domain = text.substr(at + 1, end - at - 1).find('.') != std::string_view::npos;
  return has_domain ? end : 0;
}

/// Length of the digits with signs between them at the beginning.
size_t NumberAt(std::string_view text) {
  if (text.empty() || (!IsDigit(text[0]) && text[0] != '+' && text[0] != '(')) return 0;
  size_t end = 0, last_digit = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (IsDigit(c)) last_digit = end + 1;
    const bool joins = c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')';
    if (!IsDigit(c) && !joins && !(c == '+' && end == 0)) break;
    if (end >= last_digit + 2) break;  // at most two signs between digits
  }
  return CountDigits(text.substr(0, last_digit)) >= kNumberDigits ? last_digit : 0;
}

/// Length of a word of letters and digits with many digits.
size_t CodeAt(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || IsLetter(text[end]) || text[end] == '-')) {
    ++end;
  }
  while (end > 0 && text[end - 1] == '-') --end;
  const std::string_view word = text.substr(0, end);
  const bool has_letter = std::any_of(word.begin(), word.end(), IsLetter);
  return has_letter && CountDigits(word) >= kCodeDigits ? end : 0;
}

}  // namespace

std::string MaskPrivate(std::string_view text) {
  std::string masked;
  while (!text.empty()) {
    const size_t email = EmailAt(text);
    const size_t code = email > 0 ? 0 : CodeAt(text);
    const size_t number = email > 0 || code > 0 ? 0 : NumberAt(text);
    if (email + code + number > 0) {
      masked += email > 0 ? "<email>" : "<number>";
      text.remove_prefix(email + code + number);
      continue;
    }
    // The rest of the word, and what follows up to the next one.
    size_t next = 1;
    if (IsInAddress(text[0])) {
      while (next < text.size() && IsInAddress(text[next])) ++next;
    }
    masked += text.substr(0, next);
    text.remove_prefix(next);
  }
  return masked;
}

}  // namespace emptor::services

// Digits around a point or a comma.
#include "services/assistant/words/exact_price.h"

#include <string>

namespace emptor::services {

std::optional<int64_t> ExactPriceIn(std::string_view text) {
  constexpr int64_t kHundredths = 100;
  constexpr size_t kMaxDigits = 9;
  const auto is_digit = [&](size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  for (size_t i = 1; i + 2 < text.size(); ++i) {
    const bool is_mark = text[i] == '.' || text[i] == ',';
    const bool is_amount =
        is_mark && is_digit(i - 1) && is_digit(i + 1) && is_digit(i + 2) && !is_digit(i + 3);
    if (!is_amount) continue;
    size_t begin = i;
    while (begin > 0 && is_digit(begin - 1)) --begin;
    if (i - begin > kMaxDigits) continue;
    return std::stoll(std::string(text.substr(begin, i - begin))) * kHundredths +
           std::stoll(std::string(text.substr(i + 1, 2)));
  }
  return std::nullopt;
}

}  // namespace emptor::services

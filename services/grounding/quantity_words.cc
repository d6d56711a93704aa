// Quantities by data/phrases, units by data/lexicon/values.txt.
#include "services/grounding/quantity_words.h"

#include <algorithm>
#include <optional>

#include "services/grounding/phrases.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

bool IsNumber(std::string_view word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9' &&
         word.find_first_not_of("0123456789.,") == std::string_view::npos;
}

/// The unit in a language; a symbol ("kg") is the same in all. Nothing: a word without translation.
std::optional<std::string> UnitIn(std::string_view unit, std::string_view language) {
  constexpr size_t kMaxSymbol = 2;  // letters
  if (std::string own = TranslateValue(unit, language); !own.empty()) return own;
  if (unit.size() <= kMaxSymbol) return std::string(unit);
  return std::nullopt;
}

}  // namespace

std::string TranslateQuantity(std::string_view value, std::string_view language) {
  constexpr std::string_view kTo = " to ", kUp = " and up";
  if (language == "en") return "";
  const bool is_open = value.ends_with(kUp);
  if (is_open) value.remove_suffix(kUp.size());
  std::string_view least;
  if (const size_t at = value.find(kTo); at != std::string_view::npos) {
    least = value.substr(0, at);
    value.remove_prefix(at + kTo.size());
  }
  const size_t end = std::min(value.find(' '), value.size());
  const std::string_view number = value.substr(0, end);
  const std::string_view unit = value.substr(std::min(end + 1, value.size()));
  if (!IsNumber(number) || (!least.empty() && !IsNumber(least)) ||
      (least.empty() && unit.empty())) {
    return "";
  }
  const std::string written =
      least.empty() ? std::string(number)
                    : Phrase(language, "value.range", 0,
                             {{"from", std::string(least)}, {"to", std::string(number)}});
  if (unit.empty()) return written;
  const bool is_one = number == "1" && least.empty();
  if (is_open) {
    // "Ab 3 Jahren": the form of the unit depends on the phrase.
    std::string key = unit.starts_with("year") ? "value.years_up" : "value.months_up";
    if (!unit.starts_with("year") && !unit.starts_with("month")) return "";
    if (is_one) key += "_one";
    return Phrase(language, key, 0, {{"number", written}});
  }
  const std::optional<std::string> own = UnitIn(unit, language);
  // Of one, the unit is a word that the lexicon has in the plural.
  if (!own || (is_one && *own != unit && language != "zh")) return "";
  return *own == unit && least.empty() ? "" : written + " " + *own;
}

}  // namespace emptor::services

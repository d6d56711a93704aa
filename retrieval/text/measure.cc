// Scales of units, and a scanner for numbers with a unit behind them.
#include "retrieval/text/measure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "retrieval/text/quantity.h"

namespace emptor::retrieval {
namespace {

struct Scale {
  std::string_view unit;  // as CanonicalUnit names it
  UnitScale scale;
};

// Sorted by unit. Source: NIST SP 811, appendix B.8 (international foot and pound, US gallon).
constexpr std::array kScales = {
    Scale{"ah", {"mah", 1000}},  Scale{"cc", {"ml", 1}},        Scale{"cl", {"ml", 10}},
    Scale{"cm", {"mm", 10}},     Scale{"cup", {"ml", 236.588}}, Scale{"ft", {"mm", 304.8}},
    Scale{"g", {"g", 1}},        Scale{"gal", {"ml", 3785.41}}, Scale{"gb", {"mb", 1000}},
    Scale{"ghz", {"hz", 1e9}},   Scale{"h", {"h", 1}},          Scale{"hz", {"hz", 1}},
    Scale{"inch", {"mm", 25.4}}, Scale{"kg", {"g", 1000}},      Scale{"khz", {"hz", 1e3}},
    Scale{"km", {"mm", 1e6}},    Scale{"kw", {"w", 1000}},      Scale{"l", {"ml", 1000}},
    Scale{"lb", {"g", 453.592}}, Scale{"m", {"mm", 1000}},      Scale{"mg", {"g", 0.001}},
    Scale{"mhz", {"hz", 1e6}},   Scale{"oz", {"g", 28.3495}},   Scale{"tb", {"mb", 1e6}},
};
static_assert(std::is_sorted(kScales.begin(), kScales.end(),
                             [](const Scale& a, const Scale& b) { return a.unit < b.unit; }));

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Walks over a text from number to number.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// Moves to the next number that begins a word. False at the end.
  bool NextNumber() {
    while (at_ < text_.size()) {
      const bool begins =
          IsDigit(text_[at_]) && (at_ == 0 || (!IsLetter(text_[at_ - 1]) && text_[at_ - 1] != '/' &&
                                               text_[at_ - 1] != '.' && !IsDigit(text_[at_ - 1])));
      if (begins) {
        ReadNumber();
        return true;
      }
      ++at_;
    }
    return false;
  }

  double value() const { return value_; }

  /// The unit behind the number, at most a blank or a hyphen between them.
  std::optional<UnitScale> ReadUnit() {
    size_t at = at_;
    if (at < text_.size() && (text_[at] == '"' || text_.substr(at).starts_with("\xE2\x80\xB3"))) {
      return UnitScale{"mm", 25.4};
    }
    if (at < text_.size() && (text_[at] == ' ' || text_[at] == '-')) ++at;
    std::string word;
    while (at < text_.size() && IsLetter(text_[at]) && word.size() < 12) {
      word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at++]))));
    }
    if (word.empty() || (at < text_.size() && (IsLetter(text_[at]) || IsDigit(text_[at])))) {
      return std::nullopt;
    }
    const auto unit = FindUnit(word);
    if (unit) at_ = at;
    return unit;
  }

 private:
  void ReadNumber() {
    const size_t begin = at_;
    while (at_ < text_.size() && (IsDigit(text_[at_]) || IsPoint(at_))) ++at_;
    const std::string number = NormalizeNumber(text_.substr(begin, at_ - begin));
    value_ = std::strtod(number.c_str(), nullptr);
  }

  bool IsPoint(size_t at) const {
    return (text_[at] == '.' || text_[at] == ',') && at + 1 < text_.size() &&
           IsDigit(text_[at + 1]);
  }

  std::string_view text_;
  size_t at_ = 0;
  double value_ = 0;
};

}  // namespace

std::optional<UnitScale> FindUnit(std::string_view word) {
  const std::string_view unit = CanonicalUnit(word);
  if (unit.empty()) return std::nullopt;
  const auto found =
      std::lower_bound(kScales.begin(), kScales.end(), unit,
                       [](const Scale& scale, std::string_view name) { return scale.unit < name; });
  if (found != kScales.end() && found->unit == unit) return found->scale;
  return UnitScale{unit, 1};
}

double MeasureTolerance(std::string_view base) {
  return base == "mb" ? kDataTolerance : kMeasureTolerance;
}

std::vector<Measure> FindMeasures(std::string_view text, size_t limit) {
  std::vector<Measure> measures;
  Scanner scanner(text);
  while (measures.size() < limit && scanner.NextNumber()) {
    const double value = scanner.value();
    if (const auto unit = scanner.ReadUnit(); unit && std::isfinite(value)) {
      measures.push_back({unit->base, value * unit->factor});
    }
  }
  return measures;
}

std::optional<double> ParsePlainNumber(std::string_view text) {
  if (text.empty() || text.size() > 16 || !IsDigit(text.front()) || !IsDigit(text.back()) ||
      text.find_first_not_of("0123456789.,") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string number = NormalizeNumber(text);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (end != number.c_str() + number.size()) return std::nullopt;
  return value;
}

}  // namespace emptor::retrieval

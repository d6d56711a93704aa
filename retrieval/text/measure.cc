// Scales of units, and a scanner for numbers with a unit behind them.
#include "retrieval/text/measure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "retrieval/text/quantity.h"

namespace emptor::retrieval {
namespace {

struct Scale {
  std::string_view unit;  // as CanonicalUnit names it
  UnitScale scale;
};

// Sorted by unit. Source: NIST SP 811, appendix B.8 (international foot and pound, US gallon).
constexpr std::array kScales = {
    Scale{"ah", {"mah", 1000}},     Scale{"cc", {"ml", 1}},        Scale{"cl", {"ml", 10}},
    Scale{"cm", {"mm", 10}},        Scale{"cup", {"ml", 236.588}}, Scale{"ft", {"mm", 304.8}},
    Scale{"ft2", {"m2", 0.092903}}, Scale{"g", {"g", 1}},          Scale{"gal", {"ml", 3785.41}},
    Scale{"gb", {"mb", 1000}},      Scale{"ghz", {"hz", 1e9}},     Scale{"h", {"h", 1}},
    Scale{"hz", {"hz", 1}},         Scale{"inch", {"mm", 25.4}},   Scale{"kg", {"g", 1000}},
    Scale{"khz", {"hz", 1e3}},      Scale{"km", {"mm", 1e6}},      Scale{"kva", {"va", 1000}},
    Scale{"kw", {"w", 1000}},       Scale{"l", {"ml", 1000}},      Scale{"lb", {"g", 453.592}},
    Scale{"m", {"mm", 1000}},       Scale{"mg", {"g", 0.001}},     Scale{"mhz", {"hz", 1e6}},
    Scale{"oz", {"g", 28.3495}},    Scale{"tb", {"mb", 1e6}},
};
static_assert(std::is_sorted(kScales.begin(), kScales.end(),
                             [](const Scale& a, const Scale& b) { return a.unit < b.unit; }));

/// Units in Chinese; what begins with another one stands before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kHanUnits = {
    {{"平方米", "m2"},
     {"平米", "m2"},
     {"英寸", "inch"},
     {"厘米", "cm"},
     {"毫米", "mm"},
     {"公斤", "kg"},
     {"千克", "kg"},
     {"毫升", "ml"},
     {"毫安", "mah"},
     {"伏安", "va"},
     {"小时", "h"},
     {"瓦", "w"},
     {"升", "l"},
     {"克", "g"},
     {"寸", "inch"},
     {"米", "m"},
     {"兆", "mb"}}};

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
    for (const std::string_view mark : {"\"", "\xE2\x80\xB3"}) {
      if (!text_.substr(at).starts_with(mark)) continue;
      at_ += mark.size();
      return UnitScale{"mm", 25.4};
    }
    if (at < text_.size() && (text_[at] == ' ' || text_[at] == '-')) ++at;
    for (const auto& [name, unit] : kHanUnits) {
      if (!text_.substr(at).starts_with(name)) continue;
      at_ = at + name.size();
      return FindUnit(unit);
    }
    std::string word;
    while (at < text_.size() && IsLetter(text_[at]) && word.size() < 12) {
      word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at++]))));
    }
    if (word == "square" || word == "sq") word = SquaredUnit(at);
    if ((word == "m" || word == "ft") && IsSquared(at)) word += '2';
    if (word.empty() || (at < text_.size() && (IsLetter(text_[at]) || IsDigit(text_[at])))) {
      return std::nullopt;
    }
    if (word == "in" && IsPreposition(at, text_[at_] == ' ')) return std::nullopt;
    const auto unit = FindUnit(word);
    if (unit) at_ = at;
    return unit;
  }

  bool at_end() const { return at_ == text_.size(); }

 private:
  /// The unit of "square metres", whose second word begins behind `at`, which moves behind it.
  std::string SquaredUnit(size_t& at) const {
    std::string word;
    size_t end = at;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '.')) ++end;
    while (end < text_.size() && IsLetter(text_[end])) {
      word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(text_[end++]))));
    }
    const std::string_view unit = CanonicalUnit(word);
    if (unit != "m" && unit != "ft") return {};
    at = end;
    return std::string(unit) + "2";
  }

  /// "m2", "m²": moves `at` behind the square.
  bool IsSquared(size_t& at) const {
    for (const std::string_view square : {"2", "\xC2\xB2"}) {
      if (!text_.substr(at).starts_with(square)) continue;
      at += square.size();
      return true;
    }
    return false;
  }

  /// Whether "in" is a preposition, judged by the text after it: in "2-in-1", "2 in 1" and
  /// "K 326 In-Ear", but not in "24-in-wide" or "4 in x 6 in".
  bool IsPreposition(size_t behind, bool after_blank) const {
    if (behind + 1 >= text_.size()) return false;
    const char joint = text_[behind], next = text_[behind + 1];
    if (IsDigit(next)) return joint == '-' || joint == ' ';
    return joint == '-' && after_blank && IsLetter(next);
  }

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

std::optional<Measure> ParseMeasure(std::string_view text) {
  Scanner scanner(text);
  if (text.empty() || !IsDigit(text.front()) || !scanner.NextNumber()) return std::nullopt;
  const double value = scanner.value();
  const auto unit = scanner.ReadUnit();
  if (!unit || !scanner.at_end() || !std::isfinite(value)) return std::nullopt;
  return Measure{unit->base, value * unit->factor};
}

std::vector<std::string> SameQuantities(const Measure& measure, std::string_view unit) {
  constexpr std::array<std::string_view, 12> kCommon = {"mm", "cm", "m",  "inch", "ft", "ml",
                                                        "l",  "g",  "kg", "lb",   "gb", "tb"};
  constexpr double kMin = 0.05, kMax = 1e5;
  constexpr int kDecimals = 2;
  std::vector<std::string> spellings;
  for (const std::string_view other : kCommon) {
    const auto scale = FindUnit(other);
    if (!scale || scale->base != measure.base || CanonicalUnit(unit) == other) continue;
    const double value = measure.value / scale->factor;
    if (value < kMin || value > kMax) continue;
    std::string before;
    for (int decimals = 0; decimals <= kDecimals; ++decimals) {
      std::array<char, 32> text;
      const int size = std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
      const std::string number = NormalizeNumber({text.data(), static_cast<size_t>(size)});
      const double error = std::abs(std::strtod(number.c_str(), nullptr) - value);
      if (number == before || error > value * MeasureTolerance(measure.base)) continue;
      spellings.push_back(number + std::string(other));
      before = number;
    }
  }
  return spellings;
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

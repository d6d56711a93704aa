// Number spelling and the table of units.
#include "retrieval/text/quantity.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emptor::retrieval {
namespace {

using Unit = std::pair<std::string_view, std::string_view>;

// Sorted by the first member: spelling, canonical name.
constexpr std::array kUnits = {
    Unit{"ah", "ah"},
    Unit{"btu", "btu"},
    Unit{"cc", "cc"},
    Unit{"centimeter", "cm"},
    Unit{"centimeters", "cm"},
    Unit{"centimetre", "cm"},
    Unit{"centimetres", "cm"},
    Unit{"centimetro", "cm"},
    Unit{"centimetros", "cm"},
    Unit{"cl", "cl"},
    Unit{"cm", "cm"},
    Unit{"cup", "cup"},
    Unit{"cups", "cup"},
    Unit{"db", "db"},
    Unit{"dpi", "dpi"},
    Unit{"feet", "ft"},
    Unit{"foot", "ft"},
    Unit{"fps", "fps"},
    Unit{"ft", "ft"},
    Unit{"ft2", "ft2"},
    Unit{"g", "g"},
    Unit{"gallon", "gal"},
    Unit{"gallons", "gal"},
    Unit{"gb", "gb"},
    Unit{"ghz", "ghz"},
    Unit{"gigabyte", "gb"},
    Unit{"gigabytes", "gb"},
    Unit{"gigaoctets", "gb"},
    Unit{"gigas", "gb"},
    Unit{"gram", "g"},
    Unit{"gramm", "g"},
    Unit{"gramme", "g"},
    Unit{"grammes", "g"},
    Unit{"gramo", "g"},
    Unit{"gramos", "g"},
    Unit{"grams", "g"},
    Unit{"heure", "h"},
    Unit{"heures", "h"},
    Unit{"hora", "h"},
    Unit{"horas", "h"},
    Unit{"hour", "h"},
    Unit{"hours", "h"},
    Unit{"hp", "hp"},
    Unit{"hr", "h"},
    Unit{"hrs", "h"},
    Unit{"hz", "hz"},
    Unit{"in", "inch"},
    Unit{"inch", "inch"},
    Unit{"inches", "inch"},
    Unit{"kg", "kg"},
    Unit{"khz", "khz"},
    Unit{"kilo", "kg"},
    Unit{"kilogram", "kg"},
    Unit{"kilogramm", "kg"},
    Unit{"kilogramme", "kg"},
    Unit{"kilogrammes", "kg"},
    Unit{"kilogramo", "kg"},
    Unit{"kilogramos", "kg"},
    Unit{"kilograms", "kg"},
    Unit{"kilos", "kg"},
    Unit{"km", "km"},
    Unit{"kva", "kva"},
    Unit{"kw", "kw"},
    Unit{"l", "l"},
    Unit{"lb", "lb"},
    Unit{"lbs", "lb"},
    Unit{"liter", "l"},
    Unit{"liters", "l"},
    Unit{"litre", "l"},
    Unit{"litres", "l"},
    Unit{"litro", "l"},
    Unit{"litros", "l"},
    Unit{"m", "m"},
    Unit{"m2", "m2"},
    Unit{"mah", "mah"},
    Unit{"mb", "mb"},
    Unit{"mbps", "mbps"},
    Unit{"megapixel", "mp"},
    Unit{"megapixels", "mp"},
    Unit{"meter", "m"},
    Unit{"meters", "m"},
    Unit{"metre", "m"},
    Unit{"metres", "m"},
    Unit{"metro", "m"},
    Unit{"metros", "m"},
    Unit{"mg", "mg"},
    Unit{"mhz", "mhz"},
    Unit{"mililitros", "ml"},
    Unit{"milimetro", "mm"},
    Unit{"milimetros", "mm"},
    Unit{"milliliter", "ml"},
    Unit{"millilitre", "ml"},
    Unit{"millilitres", "ml"},
    Unit{"millimeter", "mm"},
    Unit{"millimeters", "mm"},
    Unit{"millimetre", "mm"},
    Unit{"millimetres", "mm"},
    Unit{"ml", "ml"},
    Unit{"mm", "mm"},
    Unit{"mp", "mp"},
    Unit{"ms", "ms"},
    Unit{"ounce", "oz"},
    Unit{"ounces", "oz"},
    Unit{"oz", "oz"},
    Unit{"pack", "pack"},
    Unit{"pcs", "pc"},
    Unit{"pouce", "inch"},
    Unit{"pouces", "inch"},
    Unit{"pound", "lb"},
    Unit{"pounds", "lb"},
    Unit{"pulgada", "inch"},
    Unit{"pulgadas", "inch"},
    Unit{"qm", "m2"},
    Unit{"quadratmeter", "m2"},
    Unit{"rpm", "rpm"},
    Unit{"sqft", "ft2"},
    Unit{"sqm", "m2"},
    Unit{"stunde", "h"},
    Unit{"stunden", "h"},
    Unit{"tb", "tb"},
    Unit{"terabyte", "tb"},
    Unit{"terabytes", "tb"},
    Unit{"v", "v"},
    Unit{"va", "va"},
    Unit{"vatio", "w"},
    Unit{"vatios", "w"},
    Unit{"volt", "v"},
    Unit{"voltampere", "va"},
    Unit{"voltio", "v"},
    Unit{"voltios", "v"},
    Unit{"volts", "v"},
    Unit{"w", "w"},
    Unit{"watt", "w"},
    Unit{"watts", "w"},
    Unit{"wh", "wh"},
    Unit{"zentimeter", "cm"},
    Unit{"zoll", "inch"},
};

constexpr bool BySpelling(const Unit& a, const Unit& b) { return a.first < b.first; }
static_assert(std::is_sorted(kUnits.begin(), kUnits.end(), BySpelling));

bool IsGrouped(std::string_view number) {  // d{1,3}(,ddd)+ with a leading digit that is not 0
  const size_t first = number.find(',');
  if (first == 0 || first > 3 || number[0] == '0') return false;
  for (size_t i = first; i < number.size(); i += 4) {
    if (number[i] != ',' || i + 4 > number.size()) return false;
    if (number.substr(i + 1, 3).find_first_of(",.") != std::string_view::npos) return false;
  }
  return true;
}

void DropTrailingZeros(std::string& number) {
  const size_t point = number.find('.');
  if (point == std::string::npos || number.find('.', point + 1) != std::string::npos) return;
  if (number.size() - point - 1 == 3) return;
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
}

}  // namespace

std::string NormalizeNumber(std::string_view number) {
  if (number.find_first_not_of("0123456789.,") != std::string_view::npos) {
    return std::string(number);
  }
  std::string out(number);
  const size_t comma = number.rfind(',');
  if (comma == std::string_view::npos) {
    DropTrailingZeros(out);
    return out;
  }
  const size_t point = number.rfind('.');
  const char decimal = point != std::string_view::npos && point > comma ? '.' : ',';
  if (point == std::string_view::npos && IsGrouped(number)) {
    std::erase(out, ',');
    return out;
  }
  std::erase(out, decimal == '.' ? ',' : '.');
  std::replace(out.begin(), out.end(), ',', '.');
  DropTrailingZeros(out);
  return out;
}

std::string_view CanonicalUnit(std::string_view word) {
  const auto found = std::lower_bound(kUnits.begin(), kUnits.end(), Unit{word, {}}, BySpelling);
  return found != kUnits.end() && found->first == word ? found->second : std::string_view();
}

}  // namespace emptor::retrieval

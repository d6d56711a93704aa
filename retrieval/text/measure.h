// Measured quantities in text, in one base unit for each dimension: "27 inch" is "68.6 cm".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::retrieval {

/// A unit of measure: `base` is the unit that all units of its dimension are counted in.
struct UnitScale {
  std::string_view base;  // "mm", "ml", "g", "mb", ...
  double factor = 1;      // base units in one of it
};

/// The scale of a unit as people write it ("inches", "TB", "zoll"). A unit that stands alone in its
/// dimension ("hz") is its own base. Data is decimal: 1 TB is 1000 GB. Empty when `word` is no
/// unit; `word` is folded.
std::optional<UnitScale> FindUnit(std::string_view word);

/// `value` in base units. Equal quantities in different units differ by rounding, up to a per cent
/// when a shop rounded: compare with kMeasureTolerance.
struct Measure {
  std::string_view base;
  double value = 0;
};
inline constexpr double kMeasureTolerance = 0.01;
/// For storage sizes, which are stated in powers of two and of ten: 1 TB, 1024 GB.
inline constexpr double kDataTolerance = 0.025;
double MeasureTolerance(std::string_view base);

/// Every quantity in `text` that names its unit, in order: "1,7 l", "27-inch", "500GB", "27\"".
/// At most `limit` of them. Pure; linear in the text.
std::vector<Measure> FindMeasures(std::string_view text, size_t limit);

/// The quantity that is the whole of `text` ("27 inch", "2.5l", "27\""); nothing for other text.
std::optional<Measure> ParseMeasure(std::string_view text);

/// The same quantity in the other units that catalogs use, spelled as the analyzer spells a number
/// with its unit: "1700ml" for 1.7 l; "68.6cm" and "69cm" for 27 inch, since shops round within
/// the tolerance. `unit` is that of the quantity and left out. At most 16.
std::vector<std::string> SameQuantities(const Measure& measure, std::string_view unit);

/// The number that is the whole of `text` ("4", "1,299.50"); nothing for other text.
std::optional<double> ParsePlainNumber(std::string_view text);

}  // namespace emptor::retrieval

// A report as one HTML file that needs nothing else: tables, and charts drawn as inline SVG.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace emptor::services {

/// A horizontal bar; the whisker from `least` to `most` is drawn where they differ.
struct Bar {
  std::string label;
  double value = 0;
  double least = 0, most = 0;
  std::string note;  // next to the value
};

/// A curve through its points, in order of x.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Axes {
  std::string x, y;  // axis labels, with the unit
};

/// Builds the page top down. All text is escaped here. No script, no outside resource; readable on
/// a phone and in the dark. The output is well-formed XML as well.
class HtmlReport {
 public:
  explicit HtmlReport(std::string_view title);

  void AddHeading(std::string_view heading);
  void AddText(std::string_view text);
  /// The first row is the head; the first column is text, the others are numbers.
  void AddTable(const std::vector<std::vector<std::string>>& rows);
  /// Nothing is drawn without bars; values that are negative or not finite count as 0.
  void AddBars(std::string_view unit, const std::vector<Bar>& bars);
  /// At most six curves have distinct colours. Points that are not finite are left out.
  void AddCurves(const Axes& axes, const std::vector<Curve>& curves);

  /// The whole page.
  std::string Finish() const;
  /// Errors: kUnavailable (the file cannot be written).
  absl::Status WriteTo(const std::string& path) const;

 private:
  std::string title_;
  std::string body_;
};

/// Three or so significant digits: "0.042", "3.14", "81.5", "1,234".
std::string ShortNumber(double value);

}  // namespace emptor::services

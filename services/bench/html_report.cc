// Strings of HTML and SVG.
#include "services/bench/html_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "catalog/encoding/html.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5d6b7c;--line:#d9dfe6;--paper:#fff;--card:#f6f8fa;
--c0:#1f6feb;--c1:#d1570c;--c2:#1a7f37;--c3:#8250df;--c4:#bf3989;--c5:#6e7781}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa7b5;--line:#30363d;--paper:#0d1117;
--card:#161b22;--c0:#58a6ff;--c1:#f0883e;--c2:#3fb950;--c3:#bc8cff;--c4:#f778ba;--c5:#8b949e}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;
padding:1rem;max-width:60rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
p{max-width:45rem;color:var(--soft);overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left;padding-left:0}
svg{display:block;width:100%;max-width:34rem;background:var(--card);border-radius:6px;margin:.5rem 0}
svg text{font:11px system-ui,sans-serif;fill:var(--ink)}svg .soft{fill:var(--soft)}
svg .grid{stroke:var(--line);stroke-width:1}svg .whisker{stroke:var(--ink);stroke-width:1.5}
.f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--c5)}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}
)css";

constexpr double kWidth = 360;  // of a phone; wider screens scale up
constexpr size_t kColours = 6;

double Drawable(double value) { return std::isfinite(value) && value > 0 ? value : 0; }

/// 1, 2 or 5 times a power of ten, so that about `steps` of them reach `span`.
double NiceStep(double span, int steps) {
  if (!(span > 0)) return 1;
  const double rough = span / steps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

/// The drawing area of a line chart and how values become places.
struct Plane {
  double left = 46, right = kWidth - 12, top = 12, bottom = 190;
  double least_x = 0, most_x = 1, most_y = 1;
  bool whole_x = true;  // counts, not measures

  double X(double value) const {
    return left + (value - least_x) / (most_x - least_x) * (right - left);
  }
  double Y(double value) const { return bottom - value / most_y * (bottom - top); }
};

bool IsPoint(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

Plane PlaneOf(const std::vector<Curve>& curves) {
  Plane plane;
  bool any = false;
  for (const Curve& curve : curves) {
    for (const auto& point : curve.points) {
      if (!IsPoint(point)) continue;
      plane.least_x = any ? std::min(plane.least_x, point.first) : point.first;
      plane.most_x = any ? std::max(plane.most_x, point.first) : point.first;
      plane.whole_x = plane.whole_x && point.first == std::floor(point.first);
      plane.most_y = std::max(any ? plane.most_y : 0, point.second);
      any = true;
    }
  }
  if (plane.least_x > 0 && plane.least_x < plane.most_x / 3) plane.least_x = 0;
  if (!(plane.most_x > plane.least_x)) plane.most_x = plane.least_x + 1;
  if (!(plane.most_y > 0)) plane.most_y = 1;
  const double step = NiceStep(plane.most_y, 4);
  plane.most_y = std::ceil(plane.most_y / step) * step;
  return plane;
}

std::string DrawGrid(const Plane& plane, const Axes& axes) {
  std::string svg;
  const double step_y = NiceStep(plane.most_y, 4);
  for (double y = 0; y <= plane.most_y * 1.001; y += step_y) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
        plane.left, plane.Y(y), plane.right, plane.Y(y), plane.left - 5, plane.Y(y) + 4,
        ShortNumber(y));
  }
  double step_x = NiceStep(plane.most_x - plane.least_x, 5);
  if (plane.whole_x) step_x = std::max(1.0, step_x);
  for (double x = std::ceil(plane.least_x / step_x) * step_x; x <= plane.most_x * 1.0001;
       x += step_x) {
    svg += fmt::format(
        "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
        plane.X(x), plane.bottom + 15, ShortNumber(x));
  }
  svg += fmt::format(
      "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>"
      "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
      plane.right, plane.bottom + 30, catalog::EscapeHtml(axes.x), plane.left + 4, plane.top + 2,
      catalog::EscapeHtml(axes.y));
  return svg;
}

std::string DrawCurve(const Plane& plane, const Curve& curve, size_t index) {
  const size_t colour = std::min(index, kColours - 1);
  std::string points, dots;
  for (const auto& point : curve.points) {
    if (!IsPoint(point)) continue;
    const double x = plane.X(point.first), y = plane.Y(std::max(0.0, point.second));
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    if (curve.points.size() <= 24) {
      dots += fmt::format("<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", colour,
                          x, y);
    }
  }
  const double row = plane.bottom + 46 + 16 * static_cast<double>(index);
  return fmt::format(
      "<polyline class=\"s{0}\" fill=\"none\" stroke-width=\"2\" points=\"{1}\"/>{2}"
      "<rect class=\"f{0}\" x=\"{3:.1f}\" y=\"{4:.1f}\" width=\"12\" height=\"8\"/>"
      "<text x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>",
      colour, points, dots, plane.left, row - 8, plane.left + 18, row,
      catalog::EscapeHtml(curve.name));
}

std::string DrawBar(const Bar& bar, double y, double most) {
  constexpr double kLeft = 10;
  const double scale = (kWidth - 2 * kLeft - 110) / most;
  const double width = Drawable(bar.value) * scale;
  std::string svg = fmt::format(
      "<text x=\"{0}\" y=\"{1:.1f}\">{2}</text>"
      "<rect class=\"f0\" x=\"{0}\" y=\"{3:.1f}\" width=\"{4:.1f}\" height=\"10\" rx=\"2\"/>",
      kLeft, y, catalog::EscapeHtml(bar.label), y + 5, std::max(width, 0.5));
  double end = width;
  if (Drawable(bar.most) > Drawable(bar.least)) {
    svg += fmt::format(
        "<line class=\"whisker\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>",
        kLeft + Drawable(bar.least) * scale, y + 10, kLeft + Drawable(bar.most) * scale);
    end = std::max(end, Drawable(bar.most) * scale);
  }
  const std::string note = bar.note.empty() ? "" : ", " + bar.note;
  svg += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}{}</text>", kLeft + end + 6,
                     y + 14, ShortNumber(bar.value), catalog::EscapeHtml(note));
  return svg;
}

}  // namespace

std::string ShortNumber(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::fabs(value);
  if (size >= 1000) {
    std::string digits = fmt::format("{:.0f}", size);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return value < 0 ? "-" + digits : digits;
  }
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

HtmlReport::HtmlReport(std::string_view title) : title_(catalog::EscapeHtml(title)) {}

void HtmlReport::AddHeading(std::string_view heading) {
  body_ += "<h2>" + catalog::EscapeHtml(heading) + "</h2>\n";
}

void HtmlReport::AddText(std::string_view text) {
  body_ += "<p>" + catalog::EscapeHtml(text) + "</p>\n";
}

void HtmlReport::AddTable(const std::vector<std::vector<std::string>>& rows) {
  body_ += "<div class=\"scroll\"><table>\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string_view tag = i == 0 ? "th" : "td";
    body_ += "<tr>";
    for (const std::string& cell : rows[i]) {
      body_ += fmt::format("<{0}>{1}</{0}>", tag, catalog::EscapeHtml(cell));
    }
    body_ += "</tr>\n";
  }
  body_ += "</table></div>\n";
}

void HtmlReport::AddBars(std::string_view unit, const std::vector<Bar>& bars) {
  if (bars.empty()) return;
  double most = 0;
  for (const Bar& bar : bars) most = std::max({most, Drawable(bar.value), Drawable(bar.most)});
  if (!(most > 0)) most = 1;
  const double height = 24 + 30 * static_cast<double>(bars.size());
  body_ += fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">"
      "<text class=\"soft\" x=\"{}\" y=\"14\" text-anchor=\"end\">{}</text>\n",
      kWidth, height, catalog::EscapeHtml(unit), kWidth - 10, catalog::EscapeHtml(unit));
  for (size_t i = 0; i < bars.size(); ++i) {
    body_ += DrawBar(bars[i], 30 + 30 * static_cast<double>(i), most) + "\n";
  }
  body_ += "</svg>\n";
}

void HtmlReport::AddCurves(const Axes& axes, const std::vector<Curve>& curves) {
  if (curves.empty()) return;
  const Plane plane = PlaneOf(curves);
  const double height = plane.bottom + 42 + 16 * static_cast<double>(curves.size());
  body_ += fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kWidth, height,
                       catalog::EscapeHtml(axes.y + " over " + axes.x));
  body_ += DrawGrid(plane, axes);
  for (size_t i = 0; i < curves.size(); ++i) body_ += DrawCurve(plane, curves[i], i) + "\n";
  body_ += "</svg>\n";
}

std::string HtmlReport::Finish() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
      "<title>{0}</title><style>{1}</style></head>\n<body><h1>{0}</h1>\n{2}</body></html>\n",
      title_, kStyle, body_);
}

absl::Status HtmlReport::WriteTo(const std::string& path) const {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << Finish();
  file.close();
  if (file) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: cannot be written", path));
}

}  // namespace emptor::services

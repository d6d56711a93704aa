// Pages: well-formed, escaped, and nothing from elsewhere.
#include "services/bench/html_report.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace emptor::services {
namespace {

/// Where the tags of the page stop being balanced; nothing when they are. Attribute values may not
/// hold `<`.
std::optional<std::string> FindImbalance(std::string_view page) {
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != std::string_view::npos; at = page.find('<', at + 1)) {
    const size_t end = page.find_first_of("<>", at + 1);
    if (end == std::string_view::npos || page[end] == '<') {
      return "unclosed tag: " + std::string(page.substr(at, 40));
    }
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    if (tag.starts_with("!DOCTYPE") || tag.ends_with('/')) continue;
    const std::string name(tag.substr(0, tag.find_first_of(" \n", 1)));
    if (!name.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return "unexpected " + name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? std::nullopt : std::optional("open: " + open.back());
}

HtmlReport MakeReport(const std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  HtmlReport report(text);
  report.AddHeading(text);
  report.AddText(text);
  report.AddTable({{text, text}, {text, text}});
  report.AddBars(text,
                 {{text, 10, 8, 12, text}, {text, kInfinity, 0, 0, ""}, {text, -1, 0, 0, ""}});
  report.AddBars(text, {});
  report.AddCurves({text, text}, {{text, {{1, 2}, {2, std::nan("")}, {3, 4}}}, {text, {}}});
  report.AddCurves({text, text}, {{text, {{5, 0}}}});
  return report;
}

TEST(HtmlReportTest, IsWellFormedWhateverTheText) {
  for (const std::string text : {"plain", "<script>alert(1)</script>", "\"'&<>", "a\x01\nb", ""}) {
    const std::string page = MakeReport(text).Finish();
    EXPECT_EQ(FindImbalance(page), std::nullopt) << page;
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("nan"), std::string::npos);
    EXPECT_EQ(page.find("inf,"), std::string::npos);
  }
}

TEST(HtmlReportTest, NeedsNothingFromElsewhereAndFitsAPhoneByNight) {
  const std::string page = MakeReport("speed").Finish();
  for (const char* outside : {"http:", "https:", "src=", "href=", "url(", "@import", "<link"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(page.find("width=device-width"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

TEST(ShortNumberTest, KeepsThreeDigitsOrSo) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},          {0.0421, "0.0421"}, {0.5, "0.5"},       {3.14159, "3.14"},
      {81.53, "81.5"},   {100, "100"},       {999.6, "1000"},    {1234567.4, "1,234,567"},
      {-1234, "-1,234"}, {-0.00001, "0"},    {std::nan(""), "-"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(ShortNumber(value), text);
}

TEST(HtmlReportTest, SaysWhenItCannotBeWritten) {
  EXPECT_EQ(HtmlReport("x").WriteTo("/nowhere/report.html").code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace emptor::services

// By the first character, then by the names in the first line.
#include "catalog/feed/format_detector.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/feed/amount.h"
#include "catalog/feed/shopify_feed.h"
#include "catalog/feed/shopify_inventory.h"
#include "catalog/feed/table_parser.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMarkupBytes = 4096;
constexpr std::array<View, 3> kLinkedNames = {"\"@type\"", "\"@context\"", "\"@graph\""};

// Elements that a page, or a part of one, begins with.
constexpr std::array<View, 19> kPageElements = {
    "html", "head", "body",    "script",  "meta", "link",   "title", "style",    "base", "noscript",
    "div",  "main", "section", "article", "nav",  "header", "p",     "template", "span"};

bool EqualsIgnoringCase(View text, View lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

// The first element or the document type distinguishes HTML from XML, never later markup, which
// descriptions may hold. An XML declaration may precede XHTML.
FeedFormat DetectMarkup(View head) {
  while (true) {
    const size_t tag = head.find('<');
    if (tag == View::npos) return FeedFormat::kGoogleXml;
    head.remove_prefix(tag);
    View end = ">";
    if (head.starts_with("<!--")) end = "-->";
    if (head.starts_with("<?")) end = "?>";
    const bool is_element = end == ">" && !head.starts_with("<!");
    if (is_element || EqualsIgnoringCase(head.substr(0, 9), "<!doctype")) break;
    head.remove_prefix(std::min(head.size(), head.find(end)));
  }
  const View element = head.substr(1, head.find_first_of(" \t\r\n/>") - 1);
  if (EqualsIgnoringCase(element, "!doctype")) {
    const View type = Trimmed(head.substr(element.size() + 1));
    return EqualsIgnoringCase(type.substr(0, 4), "html") ? FeedFormat::kJsonLd
                                                         : FeedFormat::kGoogleXml;
  }
  const bool is_page = std::any_of(kPageElements.begin(), kPageElements.end(),
                                   [&](View each) { return EqualsIgnoringCase(element, each); });
  return is_page ? FeedFormat::kJsonLd : FeedFormat::kGoogleXml;
}

// ACP's products are lists of variants; an attribute may have that name, too.
bool IsAcp(View line) {
  if (line.find("\"variants\"") == View::npos) return false;
  const auto value = ParseJson(line);
  if (!value.ok() || !value->is_object()) return true;
  return value->Find("variants") != nullptr;
}

// JSON-LD names a type or context; an array of objects is no JSON lines. A whole object in the
// first line is enough.
std::optional<DetectedFormat> DetectJson(View text, bool enough) {
  const size_t end = text.find('\n');
  const View line = Trimmed(text.substr(0, end));
  const bool is_whole = end != View::npos && line.back() == '}';
  if (!enough && !is_whole) return std::nullopt;
  const View seen = is_whole ? line : text;
  const bool linked = std::any_of(kLinkedNames.begin(), kLinkedNames.end(),
                                  [&](View name) { return seen.find(name) != View::npos; });
  if (linked || text[0] == '[') return DetectedFormat{.format = FeedFormat::kJsonLd};
  return DetectedFormat{.format = FeedFormat::kJsonl, .is_acp = IsAcp(line)};
}

DetectedFormat DetectTable(View head) {
  const View line = head.substr(0, head.find_first_of("\r\n"));
  DetectedFormat detected;
  TableParser parser('\0', [&](const TableRecord& record) {
    detected.is_inventory = IsShopifyInventoryHeader(record.cells);
    if (detected.is_inventory || IsShopifyHeader(record.cells)) {
      detected.format = FeedFormat::kShopifyCsv;
    }
    return absl::OkStatus();
  });
  const bool read = parser.Push(line).ok() && parser.Finish().ok();
  if (read && detected.format == FeedFormat::kCsv && parser.delimiter() == '\t') {
    detected.format = FeedFormat::kGoogleTsv;
  }
  return detected;
}

}  // namespace

std::optional<DetectedFormat> DetectFormat(View head, bool is_all) {
  const bool enough = is_all || head.size() >= kDetectBytes;
  head = head.substr(0, kDetectBytes);
  const View trimmed = Trimmed(head);
  if (trimmed.empty()) {
    return enough ? std::optional(DetectedFormat{}) : std::nullopt;
  }
  const View text = head.substr(static_cast<size_t>(trimmed.data() - head.data()));
  if (text[0] == '<') {
    if (!enough && text.size() < kMarkupBytes) return std::nullopt;
    return DetectedFormat{.format = DetectMarkup(text.substr(0, kMarkupBytes))};
  }
  if (text[0] == '{' || text[0] == '[') return DetectJson(text, enough);
  if (!enough && text.find_first_of("\r\n") == View::npos) return std::nullopt;
  return DetectTable(text);
}

}  // namespace emptor::catalog

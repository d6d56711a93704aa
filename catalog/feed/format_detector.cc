// First the first character, then the names that stand in the first line.
#include "catalog/feed/format_detector.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "catalog/feed/amount.h"
#include "catalog/feed/shopify_feed.h"
#include "catalog/feed/shopify_inventory.h"
#include "catalog/feed/table_parser.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMarkupBytes = 4096;
constexpr std::array<View, 3> kLinkedNames = {"\"@type\"", "\"@context\"", "\"@graph\""};

bool ContainsIgnoringCase(View text, View lower) {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

// HTML is told from XML by its first elements; an XML declaration may stand in front of XHTML.
FeedFormat DetectMarkup(View head) {
  for (View sign : {"<!doctype html", "<html", "<head", "<body", "<script"}) {
    if (ContainsIgnoringCase(head, sign)) return FeedFormat::kJsonLd;
  }
  return FeedFormat::kGoogleXml;
}

// JSON-LD names a type or context; an array of objects is no JSON lines. A whole object in the
// first line tells enough.
std::optional<DetectedFormat> DetectJson(View text, bool enough) {
  const size_t end = text.find('\n');
  const View line = Trimmed(text.substr(0, end));
  const bool is_whole = end != View::npos && line.back() == '}';
  if (!enough && !is_whole) return std::nullopt;
  const View seen = is_whole ? line : text;
  const bool linked = std::any_of(kLinkedNames.begin(), kLinkedNames.end(),
                                  [&](View name) { return seen.find(name) != View::npos; });
  if (linked || text[0] == '[') return DetectedFormat{.format = FeedFormat::kJsonLd};
  return DetectedFormat{.format = FeedFormat::kJsonl,
                        .is_acp = line.find("\"variants\"") != View::npos};
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

// First the first character, then the names that stand in the first line.
#include "catalog/feed/format_detector.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "catalog/feed/amount.h"
#include "catalog/feed/shopify_feed.h"
#include "catalog/feed/table_parser.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

bool ContainsIgnoringCase(View text, View lower) {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

// HTML is told from XML by its first elements; an XML declaration may stand in front of XHTML.
FeedFormat DetectMarkup(View head) {
  for (View sign : {"<!doctype html", "<html", "<head", "<body", "<script"}) {
    if (ContainsIgnoringCase(head.substr(0, 4096), sign)) return FeedFormat::kJsonLd;
  }
  return FeedFormat::kGoogleXml;
}

// JSON-LD names a type or context; an array of objects is no JSON lines.
DetectedFormat DetectJson(View head) {
  const View line = head.substr(0, head.find('\n'));
  const bool linked = head.find("\"@type\"") != View::npos ||
                      head.find("\"@context\"") != View::npos ||
                      head.find("\"@graph\"") != View::npos;
  if (linked || head[0] == '[') return {FeedFormat::kJsonLd, false};
  return {FeedFormat::kJsonl, line.find("\"variants\"") != View::npos};
}

FeedFormat DetectTable(View head) {
  const View line = head.substr(0, head.find_first_of("\r\n"));
  FeedFormat format = FeedFormat::kCsv;
  TableParser parser('\0', [&](const TableRecord& record) {
    if (IsShopifyHeader(record.cells)) format = FeedFormat::kShopifyCsv;
    return absl::OkStatus();
  });
  const bool read = parser.Push(line).ok() && parser.Finish().ok();
  if (!read || format != FeedFormat::kCsv) return format;
  return parser.delimiter() == '\t' ? FeedFormat::kGoogleTsv : FeedFormat::kCsv;
}

}  // namespace

std::optional<DetectedFormat> DetectFormat(View head, bool is_all) {
  const View text = Trimmed(head);
  const bool enough = is_all || head.size() >= kDetectBytes;
  if (text.empty()) {
    if (!enough) return std::nullopt;
    return DetectedFormat{};
  }
  if (text[0] == '<') {
    if (!enough && text.size() < 4096) return std::nullopt;
    return DetectedFormat{DetectMarkup(text), false};
  }
  if (text[0] == '{' || text[0] == '[') {
    if (!enough) return std::nullopt;
    return DetectJson(text);
  }
  if (!enough && text.find_first_of("\r\n") == View::npos) return std::nullopt;
  return DetectedFormat{DetectTable(text), false};
}

}  // namespace emptor::catalog

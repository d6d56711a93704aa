// Feeds as text in tests: read whole, and each row as one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/money.h"
#include "catalog/product_json.h"
#include "fmt/format.h"
#include "tests/support/feed_report.h"

namespace emptor::testing {

/// "2-3 {...product as JSON...} field: reason; field: reason"; "deleted id", "patch id fields" and
/// "unusable" stand for other records. A `more` row ends with "+".
inline std::string Describe(const catalog::FeedRow& row) {
  std::string text = fmt::format("{}-{} ", row.line, row.end_line);
  if (const auto* product = std::get_if<catalog::Product>(&row.record)) {
    text += catalog::ToJson(*product);
  } else if (const auto* deletion = std::get_if<catalog::RecordDeletion>(&row.record)) {
    text += "deleted " + deletion->id;
  } else if (const auto* patch = std::get_if<catalog::ProductPatch>(&row.record)) {
    text += "patch " + patch->values.id;
    for (const std::string& field : patch->fields) text += " " + field;
  } else {
    text += "unusable";
  }
  for (const auto& [field, reason] : row.problems) text += fmt::format(" {}: {};", field, reason);
  return text + (row.more ? " +" : "");
}

struct ReadText {
  std::vector<std::string> rows;
  std::string error;  // of the reading
  catalog::FeedFormat format;
  std::string broken;  // promise
};

/// Reads the text in pieces of 7 bytes.
inline ReadText Read(std::string_view text, const catalog::FeedOptions& options = {}) {
  const FeedReport report = ReadFeed(text, options, 7);
  ReadText read{{}, std::string(report.status.message()), report.format, FindBrokenPromise(report)};
  for (const catalog::FeedRow& row : report.rows) read.rows.push_back(Describe(row));
  return read;
}

}  // namespace emptor::testing

// Any bytes as a mapping of columns, in YAML and as an option's text, then a feed behind it:
// refused, or such that it goes through text unchanged and reads a table as any options do.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/feed/column_mapping.h"
#include "services/ingest/mapping_file.h"
#include "tests/support/feed_report.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void Use(const emptor::catalog::FeedOptions& options, std::string_view feed) {
  const std::string text = emptor::catalog::ColumnsText(options);
  emptor::catalog::FeedOptions again;
  Require(emptor::catalog::SetColumns(text, again).ok());
  Require(emptor::catalog::ColumnsText(again) == text);
  Require(emptor::testing::FindBrokenPromise(emptor::testing::ReadFeed(feed, options)).empty());
}

}  // namespace

/// The mapping ends at the first line "---"; the feed stands behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kMark = "\n---\n";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find(kMark);
  const std::string_view mapping = text.substr(0, end);
  const std::string_view feed =
      end == std::string_view::npos ? std::string_view() : text.substr(end + kMark.size());
  emptor::catalog::FeedOptions options;
  if (emptor::services::ApplyMappingYaml(mapping, "m.yaml", options).ok()) Use(options, feed);
  emptor::catalog::FeedOptions listed;
  if (emptor::catalog::SetColumns(mapping, listed).ok()) Use(listed, feed);
  return 0;
}

// The names of the formats, and the reader of each.
#include "catalog/feed/feed_reader.h"

#include <array>
#include <utility>

#include "catalog/feed/jsonl_reader.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "auto", "jsonl", "google-tsv", "google-xml", "shopify-csv", "jsonld", "csv"};

/// Says of a format without a reader that it has none.
class UnknownFormat final : public FeedReader {
 public:
  explicit UnknownFormat(FeedFormat format) : format_(format) {}
  absl::Status Push(std::string_view) override { return Why(); }
  absl::Status Finish() override { return Why(); }
  FeedFormat format() const override { return format_; }

 private:
  absl::Status Why() const {
    return absl::InvalidArgumentError(
        fmt::format("format: expected jsonl, found {}", ToString(format_)));
  }
  const FeedFormat format_;
};

}  // namespace

std::string_view ToString(FeedFormat format) { return kNames.at(static_cast<size_t>(format)); }

std::optional<FeedFormat> ParseFeedFormat(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FeedFormat>(i);
  }
  return std::nullopt;
}

std::unique_ptr<FeedReader> MakeFeedReader(const FeedOptions& options, RowSink sink) {
  if (options.format == FeedFormat::kAuto || options.format == FeedFormat::kJsonl) {
    return MakeJsonlReader(options, std::move(sink));
  }
  return std::make_unique<UnknownFormat>(options.format);
}

}  // namespace emptor::catalog

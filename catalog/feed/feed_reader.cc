// The stages of a feed: decompress, decode, detect the format, read.
#include "catalog/feed/feed_reader.h"

#include <array>
#include <utility>

#include "catalog/feed/acp_feed.h"
#include "catalog/feed/decompressor.h"
#include "catalog/feed/format_detector.h"
#include "catalog/feed/json_ld_feed.h"
#include "catalog/feed/jsonl_reader.h"
#include "catalog/feed/shopify_feed.h"
#include "catalog/feed/shopify_inventory.h"
#include "catalog/feed/table_feed.h"
#include "catalog/feed/text_decoder.h"
#include "catalog/feed/xml_feed.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "auto", "jsonl", "google-tsv", "google-xml", "shopify-csv", "jsonld", "csv"};

std::unique_ptr<FeedReader> MakeTextReader(const FeedOptions& options,
                                           const DetectedFormat& detected, RowSink sink) {
  switch (detected.format) {
    case FeedFormat::kGoogleXml:
      return MakeXmlReader(options, std::move(sink));
    case FeedFormat::kShopifyCsv:
      return detected.is_inventory ? MakeShopifyInventoryReader(options, std::move(sink))
                                   : MakeShopifyReader(options, std::move(sink));
    case FeedFormat::kJsonLd:
      return MakeJsonLdReader(options, std::move(sink));
    case FeedFormat::kJsonl:
      return detected.is_acp ? MakeAcpReader(options, std::move(sink))
                             : MakeJsonlReader(options, std::move(sink));
    case FeedFormat::kGoogleTsv:
    case FeedFormat::kCsv:
    case FeedFormat::kAuto:
      break;
  }
  return MakeTableReader(options, detected.format, std::move(sink));
}

// Refuses options that do not apply to the feed: ignoring them would misread it.
std::string FindMisfit(const FeedOptions& options, FeedFormat format) {
  const bool is_table = format == FeedFormat::kCsv || format == FeedFormat::kGoogleTsv;
  const bool of_table =
      !options.columns.empty() || !options.constants.empty() || options.delimiter != 0;
  if (of_table && !is_table) {
    return fmt::format("columns: a mapping is for csv and google-tsv, the feed is {}",
                       ToString(format));
  }
  if (!options.markets.empty() && format != FeedFormat::kShopifyCsv) {
    return fmt::format("columns: markets are for shopify-csv, the feed is {}", ToString(format));
  }
  return {};
}

class AutoReader final : public FeedReader {
 public:
  AutoReader(const FeedOptions& options, RowSink sink)
      : options_(options),
        sink_(std::move(sink)),
        decoder_([this](std::string_view text) { return text_status_ = TakeText(text); }),
        decompressor_([this](std::string_view bytes) { return decoder_.Push(bytes); }) {}

  absl::Status Push(std::string_view bytes) override {
    if (status_.ok()) status_ = EndAt(decompressor_.Push(bytes));
    return status_;
  }
  absl::Status Finish() override {
    if (status_.ok()) status_ = EndAt(decompressor_.Finish());
    if (status_.ok()) status_ = decoder_.Finish();
    if (status_.ok() && !reader_) status_ = Begin(true);
    if (status_.ok()) status_ = reader_->Finish();
    return status_;
  }
  FeedFormat format() const override { return reader_ ? reader_->format() : FeedFormat::kAuto; }
  std::string_view preamble() const override {
    return reader_ ? reader_->preamble() : std::string_view();
  }
  std::string_view postamble() const override {
    return reader_ ? reader_->postamble() : std::string_view();
  }
  std::vector<std::string> notes() const override {
    return reader_ ? reader_->notes() : std::vector<std::string>();
  }
  std::string_view encoding() const override { return decoder_.encoding(); }

 private:
  absl::Status TakeText(std::string_view text) {
    if (reader_) return reader_->Push(text);
    head_ += text;
    return Begin(false);
  }

  // Where the compressed data is damaged, the complete rows before the damage are emitted.
  absl::Status EndAt(absl::Status decompressed) {
    if (decompressed.ok() || !text_status_.ok()) return decompressed;
    absl::Status before = decoder_.Finish();
    if (before.ok() && !reader_) before = Begin(true);
    return before.ok() ? decompressed : before;
  }

  absl::Status Begin(bool is_all) {
    auto detected = DetectFormat(head_, is_all);
    if (!detected) return absl::OkStatus();
    // The kind of a table is detected only if no format or mapping was given.
    if (options_.format != FeedFormat::kAuto) {
      detected->format = options_.format;
    } else if (!options_.columns.empty()) {
      detected->format = FeedFormat::kCsv;
    }
    if (const std::string fault = FindMisfit(options_, detected->format); !fault.empty()) {
      return absl::InvalidArgumentError(fault);
    }
    reader_ = MakeTextReader(options_, *detected, sink_);
    const std::string head = std::move(head_);
    return reader_->Push(head);
  }

  const FeedOptions options_;
  const RowSink sink_;
  std::string head_;
  std::unique_ptr<FeedReader> reader_;  // null until the format is known
  TextDecoder decoder_;
  Decompressor decompressor_;
  absl::Status text_status_;  // of the stages after the decompressor
  absl::Status status_;
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
  return std::make_unique<AutoReader>(options, std::move(sink));
}

}  // namespace emptor::catalog

// Splits the text into nodes, wherever it comes from, and reads each.
#include "catalog/feed/json_ld_feed.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "catalog/feed/html_scripts.h"
#include "catalog/feed/json_ld_product.h"
#include "catalog/feed/json_splitter.h"
#include "catalog/feed/product_builder.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr std::array<View, 3> kLinkedNames = {"@type", "@context", "@graph"};

class JsonLdReader final : public FeedReader {
 public:
  JsonLdReader(const FeedOptions& options, RowSink sink)
      : options_(options), sink_(std::move(sink)), builder_(options_) {}

  absl::Status Push(View bytes) override {
    if (bytes.empty()) return status_;
    if (!json_ && !html_) Begin(bytes);
    if (!status_.ok()) return status_;
    whole_.end_offset += bytes.size();
    whole_.end_line += static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    if (rows_end_ == 0) head_ += bytes.substr(0, FeedRow::kMaxRawBytes - head_.size());
    status_ = html_ ? html_->Push(bytes) : json_ ? json_->Push(bytes) : absl::OkStatus();
    return status_;
  }
  absl::Status Finish() override {
    if (!status_.ok()) return status_;
    status_ = html_ ? html_->Finish() : json_ ? json_->Finish() : absl::OkStatus();
    if (status_.ok() && rows_end_ == 0 && (html_ || any_value_)) status_ = ReportNoProducts();
    return status_;
  }
  FeedFormat format() const override { return FeedFormat::kJsonLd; }

 private:
  void Begin(View bytes) {
    const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != View::npos && bytes[first] == '<') {
      html_.emplace(HtmlScripts::Events{
          [this](uint64_t line, uint64_t offset) { BeginScript(line, offset); },
          [this](View text) { return TakeScript(text); }, [this] { return EndScript(); }});
    } else {
      json_.emplace([this](const JsonText& text) { return Take(text); });
    }
  }

  void BeginScript(uint64_t line, uint64_t offset) {
    json_.emplace([this](const JsonText& text) { return Take(text); }, line, offset);
    script_status_ = absl::OkStatus();
    place_ = JsonText{.text = {}, .line = line, .end_line = line, .end_offset = offset};
    script_.clear();
  }
  // A fault ends the script, not the page. script_ is the text after its last row.
  absl::Status TakeScript(View text) {
    const uint64_t rows_end = rows_end_;
    place_.end_offset += text.size();
    for (char c : text) place_.end_line += c == '\n' ? 1 : 0;
    if (script_status_.ok()) script_status_ = json_->Push(text);
    if (rows_end_ != rows_end) {
      script_.clear();
      text.remove_prefix(text.size() - static_cast<size_t>(place_.end_offset - rows_end_));
    }
    script_ += text.substr(0, FeedRow::kMaxRawBytes - script_.size());
    return sink_status_;
  }
  absl::Status EndScript() {
    if (script_status_.ok()) script_status_ = json_->Finish();
    json_.reset();
    const bool is_reported = script_status_.ok() || Trimmed(script_).empty();
    if (!sink_status_.ok() || is_reported) return sink_status_;
    place_.text = script_;
    return Emit(Unusable(std::string(script_status_.message())), place_);
  }

  // A feed without any product is an error row, not an empty feed.
  absl::Status ReportNoProducts() {
    whole_.text = head_;
    if (head_.ends_with('\n')) --whole_.end_line;
    return Emit(Unusable("expected a Product or ProductGroup of schema.org, found none"), whole_);
  }

  // Skips nodes of other types. An object without a type is refused, unless the feed is a page.
  static bool IsLinked(const JsonValue& value) {
    return std::any_of(kLinkedNames.begin(), kLinkedNames.end(),
                       [&](View name) { return value.Find(name) != nullptr; });
  }

  absl::Status Take(const JsonText& text) {
    any_value_ = true;
    if (text.is_too_long) {
      return Emit(Unusable(fmt::format("longer than {} bytes", kMaxRecordBytes)), text);
    }
    const auto value = ParseJson(text.text, {.max_bytes = kMaxRecordBytes + 1});
    if (!value.ok()) return Emit(Unusable(std::string(value.status().message())), text);
    const auto nodes = FindProductNodes(*value);
    if (nodes.empty() && !html_ && value->is_object() && !IsLinked(*value)) {
      return Emit(Unusable("expected an object of schema.org with \"@type\"; records of ours stand "
                           "on a line each, without brackets around them"),
                  text);
    }
    for (const JsonValue* node : nodes) {
      for (FeedRow& row : ReadProductNode(*node, builder_)) {
        row.more = row.more || node != nodes.back();
        if (absl::Status status = Emit(std::move(row), text); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  static FeedRow Unusable(std::string reason) {
    FeedRow row;
    row.problems.push_back({"row", std::move(reason)});
    return row;
  }

  absl::Status Emit(FeedRow row, const JsonText& text) {
    row.line = text.line;
    row.end_line = text.end_line;
    row.end_offset = text.end_offset;
    if (std::holds_alternative<std::monostate>(row.record)) {
      row.raw = std::string(text.text.substr(0, FeedRow::kMaxRawBytes));
    }
    rows_end_ = text.end_offset;
    place_.line = text.end_line;
    sink_status_ = sink_(std::move(row));
    return sink_status_;
  }

  const FeedOptions options_;
  const RowSink sink_;
  ProductBuilder builder_;
  std::optional<JsonSplitter> json_;
  std::optional<HtmlScripts> html_;
  std::string script_;
  JsonText place_;    // of script_
  std::string head_;  // of the feed; until there is a row
  JsonText whole_{.text = {}, .line = 1, .end_line = 1};
  bool any_value_ = false;
  uint64_t rows_end_ = 0;  // offset after the last row
  absl::Status script_status_;
  absl::Status sink_status_;
  absl::Status status_;
};

}  // namespace

std::unique_ptr<FeedReader> MakeJsonLdReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<JsonLdReader>(options, std::move(sink));
}

}  // namespace emptor::catalog

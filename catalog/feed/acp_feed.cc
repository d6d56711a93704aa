// Source of the field names: agentic-commerce-protocol, spec/2026-04-17, schema.feed.json.
#include "catalog/feed/acp_feed.h"

#include <array>
#include <string>
#include <utility>

#include "catalog/feed/vocabulary.h"
#include "catalog/money.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

std::string TextOf(const JsonValue* value) {
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

const JsonValue::Array& ListOf(const JsonValue* value) {
  static const JsonValue::Array kNone;
  return value != nullptr && value->is_array() ? value->as_array() : kNone;
}

class VariantReader {
 public:
  VariantReader(const JsonValue& product, ProductBuilder& builder)
      : product_(product), builder_(builder) {}

  FeedRow Read(const JsonValue& variant) {
    builder_.Add({Field::kId, {}}, "id", TextOf(variant.Find("id")));
    for (const JsonValue* node : {&variant, &product_}) {
      builder_.Add({Field::kTitle, {}}, "title", TextOf(node->Find("title")));
      AddDescription(node->Find("description"));
      builder_.Add({Field::kLink, {}}, "url", TextOf(node->Find("url")));
      for (const JsonValue& media : ListOf(node->Find("media"))) {
        if (TextOf(media.Find("type")) != "image") continue;
        builder_.Add({Field::kImage, {}}, "media.url", TextOf(media.Find("url")));
      }
    }
    builder_.Add({Field::kItemGroup, {}}, "id", TextOf(product_.Find("id")));
    AddPrices(variant);
    AddAvailability(variant.Find("availability"));
    AddLists(variant);
    return builder_.Finish();
  }

 private:
  void AddDescription(const JsonValue* description) {
    if (description == nullptr) return;
    for (View form : {"plain", "html", "markdown"}) {
      builder_.Add({Field::kDescription, {}}, "description", TextOf(description->Find(form)));
    }
  }

  std::optional<Money> ReadPrice(const JsonValue& variant, View name) {
    const JsonValue* price = variant.Find(name);
    if (price == nullptr) return std::nullopt;
    const JsonValue* amount = price->Find("amount");
    const std::string currency = TextOf(price->Find("currency"));
    if (amount == nullptr || !amount->is_int() || amount->as_int() < 0 ||
        amount->as_int() > kMaxAmount) {
      Refuse(name, "amount", "expected an integer of minor units");
    } else if (!IsKnownCurrency(currency)) {
      Refuse(name, "currency", fmt::format("unknown currency {}", Quoted(currency)));
    } else {
      return Money{amount->as_int(), currency};
    }
    return std::nullopt;
  }

  void Refuse(View price, View part, const std::string& reason) {
    const std::string field = fmt::format("{}.{}", price, part);
    if (price != "price") return builder_.AddProblem(field, reason);
    builder_.RefusePrice(field, absl::InvalidArgumentError(reason));
  }

  void AddPrices(const JsonValue& variant) {
    const auto price = ReadPrice(variant, "price");
    const auto list = ReadPrice(variant, "list_price");
    const bool is_sale =
        price && list && list->currency == price->currency && list->amount > price->amount;
    if (is_sale) {
      builder_.AddPrice(*list);
      builder_.AddSalePrice(*price);
    } else if (price) {
      builder_.AddPrice(*price);
    }
  }

  // "available" states whether the product can be bought, "status" how.
  void AddAvailability(const JsonValue* availability) {
    if (availability == nullptr) return;
    const JsonValue* available = availability->Find("available");
    const std::string status = TextOf(availability->Find("status"));
    const bool is_stated = available != nullptr && available->is_bool();
    const auto read = ReadAvailability(status);
    const bool contradicts = is_stated && !available->as_bool() && read == Availability::kInStock;
    if (contradicts || (is_stated && status.empty())) {
      const bool is_there = !contradicts && available->as_bool();
      builder_.Add({Field::kAvailability, {}}, "availability.available",
                   is_there ? "in_stock" : "out_of_stock");
    } else {
      builder_.Add({Field::kAvailability, {}}, "availability.status", status);
    }
  }

  void AddLists(const JsonValue& variant) {
    for (const JsonValue& code : ListOf(variant.Find("barcodes"))) {
      builder_.Add({Field::kGtin, {}}, "barcodes.value", TextOf(code.Find("value")));
    }
    for (const JsonValue& category : ListOf(variant.Find("categories"))) {
      builder_.Add({Field::kCategory, {}}, "categories.value", TextOf(category.Find("value")));
    }
    for (const JsonValue& condition : ListOf(variant.Find("condition"))) {
      builder_.Add({Field::kCondition, {}}, "condition", TextOf(&condition));
    }
    for (const JsonValue& option : ListOf(variant.Find("variant_options"))) {
      const std::string name = TextOf(option.Find("name"));
      if (!Trimmed(name).empty()) {
        builder_.Add({Field::kOption, name}, "variant_options", TextOf(option.Find("value")));
      }
    }
  }

  const JsonValue& product_;
  ProductBuilder& builder_;
};

class AcpReader final : public FeedReader {
 public:
  AcpReader(const FeedOptions& options, RowSink sink)
      : options_(options), sink_(std::move(sink)), builder_(options_) {}

  absl::Status Push(View bytes) override {
    while (status_.ok() && !bytes.empty()) {
      const size_t end = bytes.find('\n');
      AddToLine(bytes.substr(0, end));
      if (end == View::npos) break;
      ++offset_;
      bytes.remove_prefix(end + 1);
      status_ = EndLine();
    }
    return status_;
  }
  absl::Status Finish() override {
    if (status_.ok() && !line_.empty()) status_ = EndLine();
    return status_;
  }
  FeedFormat format() const override { return FeedFormat::kJsonl; }

 private:
  void AddToLine(View bytes) {
    offset_ += bytes.size();
    const size_t room = kMaxRecordBytes + 4 - std::min(line_.size(), kMaxRecordBytes + 4);
    is_too_long_ = is_too_long_ || bytes.size() > room;
    line_ += bytes.substr(0, room);
  }

  absl::Status EndLine() {
    ++line_number_;
    const std::string line(Trimmed(line_));
    line_.clear();
    const bool was_too_long = std::exchange(is_too_long_, false);
    if (line.empty()) return absl::OkStatus();
    if (was_too_long) return Emit({}, line, fmt::format("longer than {} bytes", kMaxRecordBytes));
    const auto value = ParseJson(line, {.max_bytes = kMaxRecordBytes + 4});
    if (!value.ok()) return Emit({}, line, std::string(value.status().message()));
    if (!IsAcpProduct(*value)) return Emit({}, line, "expected a product with variants");
    auto rows = ReadAcpProduct(*value, builder_);
    if (rows.empty()) return Emit({}, line, "expected at least one variant");
    for (FeedRow& row : rows) {
      if (absl::Status status = Emit(std::move(row), line, {}); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status Emit(FeedRow row, const std::string& line, std::string fault) {
    if (!fault.empty()) row.problems.push_back({"row", std::move(fault)});
    row.line = row.end_line = line_number_;
    row.end_offset = offset_;
    if (std::holds_alternative<std::monostate>(row.record)) {
      row.raw = line.substr(0, FeedRow::kMaxRawBytes);
    }
    return sink_(std::move(row));
  }

  const FeedOptions options_;
  const RowSink sink_;
  ProductBuilder builder_;
  std::string line_;
  bool is_too_long_ = false;
  uint64_t line_number_ = 0;
  uint64_t offset_ = 0;
  absl::Status status_;
};

}  // namespace

bool IsAcpProduct(const JsonValue& value) {
  const JsonValue* variants = value.Find("variants");
  return variants != nullptr && variants->is_array();
}

std::vector<FeedRow> ReadAcpProduct(const JsonValue& value, ProductBuilder& builder) {
  std::vector<FeedRow> rows;
  VariantReader reader(value, builder);
  for (const JsonValue& variant : value.Find("variants")->as_array()) {
    rows.push_back(reader.Read(variant));
    rows.back().more = true;
  }
  if (!rows.empty()) rows.back().more = false;
  return rows;
}

std::unique_ptr<FeedReader> MakeAcpReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<AcpReader>(options, std::move(sink));
}

}  // namespace emptor::catalog

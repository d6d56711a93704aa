// Options in, JSON out.
#include "services/ingest/quarantine_operations.h"

#include <fmt/format.h>

#include <charconv>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

constexpr size_t kDefaultLimit = 100, kMaxLimit = 1000;

absl::Status Unknown(const std::string& name, std::string_view expected) {
  return absl::InvalidArgumentError(fmt::format("{}: expected {}", name.substr(0, 64), expected));
}

absl::StatusOr<size_t> LimitOf(const std::string& text) {
  size_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || limit < 1 || limit > kMaxLimit) return Unknown("limit", "1 to 1000");
  return limit;
}

}  // namespace

absl::StatusOr<std::string> ListQuarantine(ShopDirectory& shops, const std::string& shop,
                                           const OperationOptions& options) {
  absl::StatusOr<size_t> limit = kDefaultLimit;
  for (const auto& [name, value] : options) {
    if (name != "limit") return Unknown(name, "limit");
    limit = LimitOf(value);
    if (!limit.ok()) return limit.status();
  }
  const auto found = shops.Find(shop);
  if (!found.ok()) return found.status();
  const auto list = (*found)->writer().ListQuarantine(*limit);
  if (!list.ok()) return list.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop).Member("total", list->total);
  writer.Key("records").BeginArray();
  for (const QuarantinedRecord& record : list->records) {
    writer.BeginObject().Member("kind", record.is_document ? "document" : "product");
    writer.Member("id", record.id).Member("title", record.title).Member("reason", record.reason);
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

absl::StatusOr<std::string> ReleaseRecord(ShopDirectory& shops, const std::string& shop,
                                          const OperationOptions& options) {
  std::string id;
  bool is_document = false;
  for (const auto& [name, value] : options) {
    if (name == "id") {
      id = value;
    } else if (name == "kind" && (value == "product" || value == "document")) {
      is_document = value == "document";
    } else {
      return Unknown(name, "id, kind=product or kind=document");
    }
  }
  if (id.empty()) return Unknown("id", "the record's");
  const auto found = shops.Find(shop);
  if (!found.ok()) return found.status();
  if (absl::Status status = (*found)->writer().Release(is_document, id); !status.ok())
    return status;
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop).Member("id", id).Member("released", true).EndObject();
  return writer.Take();
}

}  // namespace emptor::services

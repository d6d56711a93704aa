// Strict reading of request bodies.
#include "services/api/request_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <utility>

#include "catalog/money.h"
#include "catalog/validation.h"

namespace emptor::services {
namespace {

using catalog::DescribeKind;
using catalog::JsonValue;

constexpr size_t kMaxFilterValues = 50, kMaxFilterText = 256;
constexpr int kMaxOffset = 900;

absl::Status Invalid(std::string_view where, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", where, what));
}

/// Reads members of one object; the first error sticks.
class ObjectReader {
 public:
  ObjectReader(const JsonValue& value, std::string where)
      : value_(value), where_(std::move(where)) {
    if (!value.is_object()) {
      Fail("", fmt::format("expected an object, found {}", DescribeKind(value.kind())));
    }
  }

  void Allow(std::initializer_list<std::string_view> names) {
    if (!status_.ok()) return;
    for (const catalog::JsonMember& member : value_.as_object()) {
      if (std::find(names.begin(), names.end(), member.name) == names.end()) {
        return Fail(member.name.substr(0, 64), "unknown field");
      }
    }
  }

  const JsonValue* Find(std::string_view name) const {
    const JsonValue* found = status_.ok() ? value_.Find(name) : nullptr;
    return found != nullptr && found->is_null() ? nullptr : found;
  }

  void Text(std::string_view name, size_t max_bytes, std::string& out) {
    const JsonValue* value = Find(name);
    if (value == nullptr) return;
    if (!value->is_string()) return Expected(name, "a string", *value);
    if (value->as_string().size() > max_bytes) {
      return Fail(name, fmt::format("longer than {} bytes", max_bytes));
    }
    out = value->as_string();
  }

  void Integer(std::string_view name, int64_t low, int64_t high, std::optional<int64_t>& out) {
    const JsonValue* value = Find(name);
    if (value == nullptr) return;
    if (!value->is_int()) return Expected(name, "an integer", *value);
    if (value->as_int() < low || value->as_int() > high) {
      return Fail(name, fmt::format("must be from {} to {}", low, high));
    }
    out = value->as_int();
  }

  void Flag(std::string_view name, bool& out) {
    const JsonValue* value = Find(name);
    if (value == nullptr) return;
    if (!value->is_bool()) return Expected(name, "a boolean", *value);
    out = value->as_bool();
  }

  void Texts(std::string_view name, std::vector<std::string>& out) {
    const JsonValue* value = Find(name);
    if (value == nullptr) return;
    if (!value->is_array()) return Expected(name, "an array", *value);
    if (value->as_array().size() > kMaxFilterValues) return Fail(name, "too many values");
    for (const JsonValue& item : value->as_array()) {
      const bool is_good = item.is_string() && !item.as_string().empty() &&
                           item.as_string().size() <= kMaxFilterText;
      if (!is_good) return Fail(name, "expected strings of 1 to 256 bytes");
      out.push_back(item.as_string());
    }
  }

  void Fail(std::string_view name, std::string_view what) {
    if (!status_.ok()) return;
    std::string path = where_;
    if (!path.empty() && !name.empty()) path += '.';
    path += name;
    status_ = Invalid(path.empty() ? "body" : path, what);
  }
  void Take(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  const absl::Status& status() const { return status_; }

 private:
  void Expected(std::string_view name, std::string_view kind, const JsonValue& value) {
    Fail(name, fmt::format("expected {}, found {}", kind, DescribeKind(value.kind())));
  }

  const JsonValue& value_;
  const std::string where_;
  absl::Status status_;
};

absl::StatusOr<JsonValue> ParseBody(std::string_view json) {
  catalog::JsonLimits limits;
  limits.max_bytes = 64 * 1024;
  limits.max_depth = 8;
  limits.max_nodes = 2000;
  auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return Invalid("body", std::string(value.status().message()));
  return value;
}

void ReadPage(ObjectReader& reader, AssistRequest& request) {
  const JsonValue* page = reader.Find("page");
  if (page == nullptr) return;
  ObjectReader inner(*page, "page");
  inner.Allow({"product_id"});
  inner.Text("product_id", 64, request.page_product_id);
  if (inner.status().ok() && !request.page_product_id.empty() &&
      !catalog::IsValidId(request.page_product_id)) {
    inner.Fail("product_id", "not a product id");
  }
  reader.Take(inner.status());
}

void ReadFilter(ObjectReader& reader, retrieval::Filter& filter) {
  const JsonValue* value = reader.Find("filters");
  if (value == nullptr) return;
  auto parsed = FilterFromJson(*value, "filters");
  if (parsed.ok()) {
    filter = *std::move(parsed);
  } else {
    reader.Take(parsed.status());
  }
}

void ReadPrice(ObjectReader& reader, retrieval::Filter& filter) {
  const JsonValue* price = reader.Find("price");
  if (price == nullptr) return;
  ObjectReader inner(*price, "filters.price");
  inner.Allow({"min", "max", "currency"});
  inner.Integer("min", 0, catalog::kMaxAmount, filter.min_price);
  inner.Integer("max", 0, catalog::kMaxAmount, filter.max_price);
  inner.Text("currency", 3, filter.currency);
  if (inner.status().ok() && !catalog::IsCurrencyCode(filter.currency)) {
    inner.Fail("currency", "expected three capital letters");
  }
  reader.Take(inner.status());
}

}  // namespace

absl::StatusOr<retrieval::Filter> FilterFromJson(const JsonValue& value, const std::string& where) {
  retrieval::Filter filter;
  ObjectReader reader(value, where);
  reader.Allow({"price", "brands", "categories", "availability", "locale"});
  ReadPrice(reader, filter);
  reader.Texts("brands", filter.brands);
  reader.Texts("categories", filter.categories);
  reader.Text("locale", 35, filter.locale);
  std::vector<std::string> availability;
  reader.Texts("availability", availability);
  for (const std::string& name : availability) {
    const auto parsed = catalog::ParseAvailability(name);
    if (!parsed) {
      reader.Fail("availability", "expected in_stock, out_of_stock, preorder or backorder");
      break;
    }
    filter.availability.push_back(*parsed);
  }
  if (!reader.status().ok()) return reader.status();
  return filter;
}

void WriteFilter(const retrieval::Filter& filter, catalog::JsonWriter& writer) {
  const auto texts = [&](std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    writer.Key(name).BeginArray();
    for (const std::string& value : values) writer.String(value);
    writer.EndArray();
  };
  writer.BeginObject();
  if (filter.min_price || filter.max_price) {
    writer.Key("price").BeginObject();
    if (filter.min_price) writer.Member("min", *filter.min_price);
    if (filter.max_price) writer.Member("max", *filter.max_price);
    writer.Member("currency", filter.currency).EndObject();
  }
  texts("brands", filter.brands);
  texts("categories", filter.categories);
  if (!filter.availability.empty()) {
    writer.Key("availability").BeginArray();
    for (const auto availability : filter.availability) {
      writer.String(catalog::ToString(availability));
    }
    writer.EndArray();
  }
  if (!filter.locale.empty()) writer.Member("locale", filter.locale);
  writer.EndObject();
}

absl::StatusOr<AssistBody> ParseAssistBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  AssistBody body;
  AssistRequest& request = body.request;
  ObjectReader reader(*value, "");
  reader.Allow({"message", "conversation_id", "locale", "currency", "filters", "page", "max_tokens",
                "stream"});
  reader.Text("message", kMaxMessageBytes, request.message);
  reader.Text("conversation_id", 64, request.conversation_id);
  reader.Text("locale", 35, request.locale);
  reader.Text("currency", 3, request.currency);
  reader.Flag("stream", body.stream);
  std::optional<int64_t> max_tokens;
  reader.Integer("max_tokens", 1, kMaxAnswerTokens, max_tokens);
  ReadPage(reader, request);
  ReadFilter(reader, request.filter);
  if (!reader.status().ok()) return reader.status();
  const bool is_blank = request.message.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank) return Invalid("message", "must not be empty");
  if (!request.locale.empty() && !catalog::IsValidLocale(request.locale)) {
    return Invalid("locale", "expected a BCP 47 tag");
  }
  if (!request.currency.empty() && !catalog::IsCurrencyCode(request.currency)) {
    return Invalid("currency", "expected three capital letters");
  }
  if (max_tokens) request.max_tokens = static_cast<int>(*max_tokens);
  return body;
}

absl::StatusOr<SearchBody> ParseSearchBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  SearchBody body;
  ObjectReader reader(*value, "");
  reader.Allow({"query", "limit", "cursor", "filters"});
  reader.Text("query", kMaxMessageBytes, body.request.query);
  std::optional<int64_t> limit;
  reader.Integer("limit", 1, kMaxSearchLimit, limit);
  std::string cursor;
  reader.Text("cursor", 16, cursor);
  ReadFilter(reader, body.request.filter);
  if (!reader.status().ok()) return reader.status();
  if (body.request.query.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Invalid("query", "must not be empty");
  }
  if (limit) body.request.limit = static_cast<int>(*limit);
  if (!cursor.empty()) {
    const char* end = cursor.data() + cursor.size();
    const auto read = std::from_chars(cursor.data() + 1, end, body.offset);
    const bool is_good = cursor[0] == 'o' && read.ec == std::errc() && read.ptr == end &&
                         body.offset >= 0 && body.offset <= kMaxOffset;
    if (!is_good) return Invalid("cursor", "not a cursor of this service");
  }
  return body;
}

}  // namespace emptor::services

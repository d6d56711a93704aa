// Strict reading of request bodies.
#include "services/api/request_codec.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "catalog/money.h"
#include "catalog/validation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/stemmer.h"
#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr int kMaxOffset = 900;

absl::StatusOr<JsonValue> ParseBody(std::string_view json) {
  catalog::JsonLimits limits;
  limits.max_bytes = 64 * 1024;
  limits.max_depth = 8;
  limits.max_nodes = 2000;
  auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return InvalidField("body", std::string(value.status().message()));
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
  if (is_blank) return InvalidField("message", "must not be empty");
  if (!request.locale.empty() && !catalog::IsValidLocale(request.locale)) {
    return InvalidField("locale", "expected a BCP 47 tag");
  }
  if (!request.currency.empty() && !catalog::IsCurrencyCode(request.currency)) {
    return InvalidField("currency", "expected three capital letters");
  }
  if (max_tokens) request.max_tokens = static_cast<int>(*max_tokens);
  return body;
}

absl::StatusOr<SearchBody> ParseSearchBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  SearchBody body;
  ObjectReader reader(*value, "");
  reader.Allow({"query", "limit", "cursor", "filters", "language", "correct"});
  reader.Text("query", kMaxMessageBytes, body.request.query);
  std::optional<int64_t> limit;
  reader.Integer("limit", 1, kMaxSearchLimit, limit);
  std::string cursor;
  reader.Text("cursor", 16, cursor);
  std::string language;
  reader.Text("language", 35, language);
  reader.Flag("correct", body.request.correct);
  ReadFilter(reader, body.request.filter);
  if (!reader.status().ok()) return reader.status();
  if (body.request.query.find_first_not_of(" \t\r\n") == std::string::npos) {
    return InvalidField("query", "must not be empty");
  }
  if (limit) body.request.limit = static_cast<int>(*limit);
  // A language without a stemmer is no error: its words are searched as they are.
  body.request.language =
      retrieval::LanguageOfLocale(language.empty() ? body.request.filter.locale : language);
  if (!cursor.empty()) {
    const char* end = cursor.data() + cursor.size();
    const auto read = std::from_chars(cursor.data() + 1, end, body.offset);
    const bool is_good = cursor[0] == 'o' && read.ec == std::errc() && read.ptr == end &&
                         body.offset >= 0 && body.offset <= kMaxOffset;
    if (!is_good) return InvalidField("cursor", "not a cursor of this service");
  }
  return body;
}

absl::StatusOr<AutocompleteQuery> ParseAutocompleteQuery(
    const std::vector<std::pair<std::string, std::string>>& query) {
  AutocompleteQuery parsed;
  bool has_text = false;
  bool has_limit = false;
  for (const auto& [name, value] : query) {
    bool* seen = name == "q" ? &has_text : name == "limit" ? &has_limit : nullptr;
    if (seen == nullptr) return InvalidField(name, "unknown field");
    if (std::exchange(*seen, true)) return InvalidField(name, "given twice");
    if (name == "q") {
      parsed.text = value;
      continue;
    }
    const auto read = std::from_chars(value.data(), value.data() + value.size(), parsed.limit);
    const bool is_good = read.ec == std::errc() && read.ptr == value.data() + value.size() &&
                         parsed.limit >= 1 && parsed.limit <= kMaxCompletions;
    if (!is_good) {
      return InvalidField(name, "expected 1 to " + std::to_string(kMaxCompletions));
    }
  }
  if (parsed.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return InvalidField("q", "must not be empty");
  }
  if (parsed.text.size() > kMaxTypedBytes) {
    return InvalidField("q", "expected at most " + std::to_string(kMaxTypedBytes) + " bytes");
  }
  if (!retrieval::IsValidUtf8(parsed.text)) return InvalidField("q", "expected UTF-8");
  return parsed;
}

}  // namespace emptor::services

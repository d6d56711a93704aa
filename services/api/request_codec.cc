// Strict reading of request bodies.
#include "services/api/request_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "catalog/encoding/fnv.h"
#include "catalog/money.h"
#include "catalog/validation.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/stemmer.h"
#include "services/api/filter_codec.h"
#include "services/api/object_reader.h"
#include "services/api/search_cursor.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

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

/// Its wire name; empty: none is given.
std::string ReadSort(ObjectReader& reader, retrieval::SortOrder& sort) {
  std::string name;
  reader.Text("sort", 16, name);
  if (name.empty()) return name;
  const auto parsed = retrieval::ParseSortOrder(name);
  if (!parsed) {
    reader.Fail("sort", "expected relevance, popularity, rating, price_asc, price_desc or newest");
    return name;
  }
  sort = *parsed;
  return name;
}

RequestFilter ReadFilter(ObjectReader& reader) {
  const JsonValue* value = reader.Find("filters");
  if (value == nullptr) return {};
  auto parsed = FilterFromJson(*value, "filters");
  if (parsed.ok()) return *std::move(parsed);
  reader.Take(parsed.status());
  return {};
}

}  // namespace

void ReadConversationId(ObjectReader& reader, std::string& id) {
  reader.Text("conversation_id", kMaxConversationIdBytes, id);
  const bool is_valid = std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ||
           c == ':';
  });
  if (!is_valid) reader.Fail("conversation_id", "expected letters, digits, '-', '_', '.' or ':'");
}

void ReadMarket(ObjectReader& reader, std::string& locale, std::string& currency) {
  reader.Text("locale", 35, locale);
  reader.Text("currency", 3, currency);
  if (!locale.empty() && !catalog::IsValidLocale(locale)) {
    reader.Fail("locale", "expected a BCP 47 tag");
  }
  if (!currency.empty() && !catalog::IsCurrencyCode(currency)) {
    reader.Fail("currency", "expected three capital letters");
  }
}

void ReadQuestionText(ObjectReader& reader, std::string_view name, AssistRequest& request) {
  reader.Text(name, kMaxMessageBytes, request.message);
  const bool is_blank = request.message.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank) reader.Fail(name, "must not be empty");
}

void AddChatMessage(std::string_view role, std::string_view text,
                    std::vector<HistoryTurn>& history) {
  if (role == "assistant" && !history.empty()) history.back().answer += text;
  if (role != "user") return;
  const bool is_blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const bool is_asked = !is_blank && text.size() <= kMaxMessageBytes;
  history.push_back({is_asked ? std::string(text) : std::string(), {}});
}

void ReadQuestionMembers(ObjectReader& reader, AssistRequest& request) {
  ReadConversationId(reader, request.conversation_id);
  std::optional<int64_t> max_tokens;
  reader.Integer("max_tokens", 1, kMaxAnswerTokens, max_tokens);
  if (max_tokens) request.max_tokens = static_cast<int>(*max_tokens);
  ReadPage(reader, request);
  RequestFilter filter = ReadFilter(reader);
  request.filter = std::move(filter.filter);
  request.named_filters = filter.named;
  ReadMarket(reader, request.locale, request.currency);
}

absl::StatusOr<AssistBody> ParseAssistBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  AssistBody body;
  ObjectReader reader(*value, "");
  reader.Allow(kQuestionMembers, {"message", "stream", "resumable"});
  ReadQuestionText(reader, "message", body.request);
  ReadQuestionMembers(reader, body.request);
  reader.Flag("stream", body.stream);
  reader.Flag("resumable", body.resumable);
  if (!reader.ok()) return reader.status();
  return body;
}

absl::StatusOr<SearchBody> ParseSearchBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  return ReadSearchBody(*value);
}

absl::StatusOr<SearchBody> ReadSearchBody(const JsonValue& value) {
  SearchBody body;
  ProductSearchInput& input = body.input;
  ObjectReader reader(value, "");
  reader.Allow({"query", "limit", "cursor", "filters", "facets", "language", "correct", "sort",
                "variants", "diversity"});
  reader.Text("query", kMaxMessageBytes, input.query);
  const std::string sort = ReadSort(reader, input.sort);
  reader.Integer("limit", 1, kMaxSearchLimit, input.limit);
  reader.Text("cursor", kMaxCursorTextBytes, body.cursor);
  reader.Flag("facets", input.facets);
  std::string language;
  reader.Text("language", 35, language);
  reader.Flag("correct", input.correct);
  std::string variants = "best";
  reader.Text("variants", 4, variants);
  reader.Number("diversity", 0, 1, input.diversity);
  RequestFilter filter = ReadFilter(reader);
  if (!reader.status().ok()) return reader.status();
  const bool is_blank = input.query.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank && value.Find("filters") == nullptr) {
    return InvalidField("query", "must not be empty where no filters are given");
  }
  if (variants != "best" && variants != "all") {
    return InvalidField("variants", "expected best or all");
  }
  input.group_variants = variants == "best";
  input.filter = std::move(filter.filter);
  input.named = filter.named;
  // A language without a stemmer is allowed: its words are searched unstemmed.
  input.language = retrieval::LanguageOfLocale(language.empty() ? input.filter.locale : language);
  body.locale = language.empty() ? input.filter.locale : language;
  catalog::JsonWriter filters;
  WriteFilter(input.filter, filters);
  std::string how = fmt::format("{}{}\n{}\n{} {}", language, input.correct ? "" : "!", sort,
                                variants, input.diversity);
  // A part that is named and empty overrides the words of the query.
  for (const auto& [name, part] : FilterMembers()) {
    if (input.named.contains(part)) how.append(" ").append(name);
  }
  body.fingerprint = catalog::Fnv1a64(input.query + '\0' + filters.text() + '\0' + how);
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

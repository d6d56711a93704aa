// JSON bodies of requests, read strictly: an unknown field, a wrong type or a value out of its
// range is kInvalidArgument with the field's name in front.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/json.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "services/assistant/assist_events.h"

namespace emptor::services {

inline constexpr size_t kMaxMessageBytes = 4096;
inline constexpr int kMaxAnswerTokens = 1024;
inline constexpr int kMaxSearchLimit = 100;

struct AssistBody {
  AssistRequest request;
  bool stream = true;
};
absl::StatusOr<AssistBody> ParseAssistBody(std::string_view json);

/// `cursor` is the opaque text of an earlier reply; it holds the offset.
struct SearchBody {
  retrieval::SearchRequest request;
  int offset = 0;
};
absl::StatusOr<SearchBody> ParseSearchBody(std::string_view json);

/// `?q=&limit=` of GET /v1/autocomplete: each name once, no other. `q` is 1 to kMaxTypedBytes bytes
/// of UTF-8 with something in it, `limit` 1 to kMaxCompletions.
struct AutocompleteQuery {
  std::string text;
  int limit = 8;
};
inline constexpr size_t kMaxTypedBytes = 128;
inline constexpr int kMaxCompletions = 20;
absl::StatusOr<AutocompleteQuery> ParseAutocompleteQuery(
    const std::vector<std::pair<std::string, std::string>>& query);

/// {"price":{"min","max","currency"},"brands":[],"categories":[],"availability":[],"locale"}
/// Amounts are integer minor units.
absl::StatusOr<retrieval::Filter> FilterFromJson(const catalog::JsonValue& value,
                                                 const std::string& where);
void WriteFilter(const retrieval::Filter& filter, catalog::JsonWriter& writer);

}  // namespace emptor::services

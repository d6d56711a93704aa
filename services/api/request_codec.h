// JSON bodies of requests, read strictly: an unknown field, a wrong type or a value out of its
// range is kInvalidArgument, and the message begins with the field's name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "services/api/object_reader.h"
#include "services/assistant/events/assist_events.h"
#include "services/shop/search_input.h"

namespace emptor::services {

inline constexpr size_t kMaxMessageBytes = 4096;
inline constexpr int kMaxAnswerTokens = 1024;
inline constexpr int kMaxSearchLimit = 100;

inline constexpr size_t kMaxConversationIdBytes = 64;

struct AssistBody {
  AssistRequest request;
  bool stream = true;
  bool resumable = false;  // the stream may be taken up again; a client that leaves stops nothing
};
absl::StatusOr<AssistBody> ParseAssistBody(std::string_view json);

/// The members that a question has whatever it comes in.
inline constexpr std::array<std::string_view, 6> kQuestionMembers = {
    "conversation_id", "locale", "currency", "filters", "page", "max_tokens"};
void ReadQuestionMembers(ObjectReader& reader, AssistRequest& request);
/// The member of that name, 1 byte to kMaxMessageBytes, not blank.
void ReadQuestionText(ObjectReader& reader, std::string_view name, AssistRequest& request);

/// Adds a message of a chat to the turns that it tells: a user's begins one, what the assistant
/// says up to the next is its answer. Other roles, and the assistant's words before the first
/// question, are no part of it. A question that would be refused (blank, over kMaxMessageBytes) is
/// empty.
void AddChatMessage(std::string_view role, std::string_view text,
                    std::vector<HistoryTurn>& history);

/// `conversation_id`: one that an earlier reply gave, or the client's own.
void ReadConversationId(ObjectReader& reader, std::string& id);
/// `locale` and `currency`; empty where they are absent.
void ReadMarket(ObjectReader& reader, std::string& locale, std::string& currency);

struct SearchBody {
  ProductSearchInput input;  // shown and relaxed come from the cursor
  std::string cursor;        // of an earlier reply; empty: the first page
  uint64_t fingerprint = 0;  // of query and filters
  std::string locale;        // of the shopper; empty: the request names none
};
absl::StatusOr<SearchBody> ParseSearchBody(std::string_view json);
absl::StatusOr<SearchBody> ReadSearchBody(const catalog::JsonValue& value);

/// `?q=&limit=` of GET /v1/autocomplete: each name at most once, no other. `q` is 1 to
/// kMaxTypedBytes bytes of UTF-8, not blank; `limit` is 1 to kMaxCompletions.
struct AutocompleteQuery {
  std::string text;
  int limit = 8;
};
inline constexpr size_t kMaxTypedBytes = 128;
inline constexpr int kMaxCompletions = 20;
absl::StatusOr<AutocompleteQuery> ParseAutocompleteQuery(
    const std::vector<std::pair<std::string, std::string>>& query);

}  // namespace emptor::services

// Who a shopper is to the API, and what shoppers report: bodies of POST /v1/feedback and
// POST /v1/events, and the change of a conversation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/dialogue/answer_activity.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// A token that a shopper's browser makes for itself: 22 to 64 of A-Z, a-z, 0-9, '-', '_', at least
/// 128 random bits. Conversations that begin with it can be read with it alone.
inline constexpr std::string_view kShopperHeader = "x-emptor-shopper";
inline constexpr size_t kMinShopperBytes = 22, kMaxShopperBytes = 64;

/// The hash under which the token's conversations of that shop are stored; empty: no token was
/// sent. The token itself is stored nowhere. Errors: kInvalidArgument.
absl::StatusOr<std::string> OwnerOf(const Request& request, std::string_view shop);

/// True for what may be the id of a conversation or an answer.
bool IsPlainId(std::string_view id);

inline constexpr size_t kMaxCommentCharacters = 1000;
inline constexpr size_t kMaxTitleCharacters = 120;
inline constexpr size_t kMaxEventsOfRequest = 50;

/// {"answer_id" or "request_id", "conversation_id"?, "rating": "up"|"down", "reason"?, "comment"?}
struct FeedbackBody {
  std::string answer_id, request_id, conversation_id;
  bool is_up = false;
  std::string reason;  // "wrong", "not_relevant", "incomplete", "too_long", "unsafe", "other"
  std::string comment;
};
// Errors of each: kInvalidArgument, "field: what is wrong".
absl::StatusOr<FeedbackBody> ParseFeedbackBody(std::string_view json);

struct ReportedEvent {
  ShopperEvent kind = ShopperEvent::kView;
  std::string product_id, answer_id;
};
/// {"events":[{"type","product_id","answer_id"?}]}, 1 to kMaxEventsOfRequest.
absl::StatusOr<std::vector<ReportedEvent>> ParseEventsBody(std::string_view json);

/// {"title"}: 1 to kMaxTitleCharacters characters on one line.
absl::StatusOr<std::string> ParseTitleBody(std::string_view json);

}  // namespace emptor::services

// Handlers of feedback and events.
#include "services/api/activity_routes.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "services/api/api_errors.h"
#include "services/api/object_reader.h"
#include "services/api/shopper.h"
#include "services/api/submit.h"
#include "services/assistant/answer_trace.h"
#include "services/faq/private_text.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using Outcome = absl::StatusOr<std::string>;  // JSON

constexpr size_t kListedFeedback = 100, kMaxListedFeedback = 1000;

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeErrorResponse(status, exchange.request().id));
}

void Respond(Exchange& exchange, int status, std::string body) {
  Response response;
  response.status = status;
  if (body.empty()) response.content_type = "";
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

/// Runs on the workers.
void TakeFeedback(const ActivityRoutesParts& parts, Exchange& exchange, const std::string& owner,
                  FeedbackBody body) {
  ConversationStore& conversations = parts.conversations;
  if (body.answer_id.empty()) {
    body.answer_id = conversations.activity().AnswerOfRequest(body.request_id).value_or("");
  }
  auto conversation = conversations.activity().ConversationOf(body.answer_id);
  // After a restart, the conversation knows its answers.
  if (!conversation && !body.conversation_id.empty() &&
      conversations.HasAnswer(body.conversation_id, owner, body.answer_id)) {
    conversation = body.conversation_id;
  }
  const bool is_known = conversation && (conversation->empty() ||
                                         conversations.FindHead(*conversation, owner).has_value());
  if (!is_known) {
    return RespondError(exchange, absl::NotFoundError("answer_id: no such answer of this shopper"));
  }
  const bool is_new = conversations.activity().CountRating(body.answer_id, body.is_up);
  if (is_new && parts.on_rating) parts.on_rating(body.is_up);
  if (const auto& archive = conversations.archive(); archive != nullptr) {
    archive->SaveFeedback(
        {body.answer_id, *conversation, parts.now_unix(), body.is_up, body.reason, body.comment});
  }
  Respond(exchange, 204, "");
}

void TakeEvents(const ActivityRoutesParts& parts, Exchange& exchange) {
  const auto events = ParseEventsBody(exchange.request().body);
  if (!events.ok()) return RespondError(exchange, events.status());
  int64_t attributed = 0;
  for (const ReportedEvent& event : *events) {
    const Attribution by =
        parts.conversations.activity().CountEvent(event.kind, event.answer_id, event.product_id);
    if (by != Attribution::kNone) ++attributed;
    if (parts.on_event) parts.on_event(event.kind, by);
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("accepted", static_cast<int64_t>(events->size()));
  Respond(exchange, 202, writer.Member("attributed", attributed).EndObject().Take());
}

absl::StatusOr<size_t> LimitOf(const Request& request) {
  size_t limit = kListedFeedback;
  for (const auto& [name, value] : request.query) {
    const auto read = std::from_chars(value.data(), value.data() + value.size(), limit);
    const bool is_good = name == "limit" && read.ec == std::errc() &&
                         read.ptr == value.data() + value.size() && limit >= 1 &&
                         limit <= kMaxListedFeedback;
    if (!is_good) {
      return InvalidField(name.substr(0, 64),
                          fmt::format("expected limit, 1 to {}", kMaxListedFeedback));
    }
  }
  return limit;
}

void WriteCounts(const ActivityCounts& counts, catalog::JsonWriter& writer) {
  writer.Member("answers", static_cast<int64_t>(counts.answers));
  writer.Key("ratings").BeginObject().Member("up", static_cast<int64_t>(counts.up));
  writer.Member("down", static_cast<int64_t>(counts.down)).EndObject();
  writer.Key("events").BeginObject();
  for (size_t event = 0; event < kShopperEvents; ++event) {
    writer.Key(ToString(static_cast<ShopperEvent>(event))).BeginObject();
    for (size_t by = 0; by < kAttributions; ++by) {
      writer.Member(ToString(static_cast<Attribution>(by)),
                    static_cast<int64_t>(counts.events[event][by]));
    }
    writer.EndObject();
  }
  writer.EndObject();
}

/// Answers of the archive by conversation and id: those that a list names.
class StoredAnswers {
 public:
  /// `listed`: has answer_id and conversation_id. Reads each conversation once.
  template <typename Listed>
  StoredAnswers(const ConversationArchive* archive, const std::vector<Listed>& listed)
      : archive_(archive) {
    if (archive == nullptr) return;
    std::map<std::string, std::set<std::string>> wanted;  // by conversation
    for (const Listed& each : listed) wanted[each.conversation_id].insert(each.answer_id);
    for (const auto& [conversation, ids] : wanted) {
      for (ConversationAnswer& answer : archive->FindAnswers(conversation)) {
        if (!ids.contains(answer.id)) continue;
        std::string id = answer.id;
        answers_.insert_or_assign({conversation, std::move(id)}, std::move(answer));
      }
    }
  }

  /// Masks the question.
  void Write(const std::string& conversation_id, const std::string& answer_id,
             catalog::JsonWriter& writer) const {
    const auto found = answers_.find({conversation_id, answer_id});
    if (found != answers_.end()) {
      const ConversationAnswer& answer = found->second;
      writer.Member("asked_at", catalog::FormatRfc3339(answer.asked_unix));
      writer.Member("question", MaskPrivate(answer.question)).Member("text", answer.text);
      writer.Member("answer_step", answer.answer_step).Member("model", answer.model);
    }
    writer.Member("has_trace",
                  archive_ != nullptr && archive_->HasTrace(conversation_id, answer_id));
  }

 private:
  const ConversationArchive* archive_;  // null: none
  std::map<std::pair<std::string, std::string>, ConversationAnswer> answers_;
};

Outcome ListFeedback(ConversationStore& conversations, const Request& request,
                     const std::string& shop) {
  const auto limit = LimitOf(request);
  if (!limit.ok()) return limit.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop).Key("feedback").BeginArray();
  const auto& archive = conversations.archive();
  const auto list =
      archive == nullptr ? std::vector<AnswerFeedback>() : archive->ListFeedback(*limit);
  const StoredAnswers answers(archive.get(), list);
  for (const AnswerFeedback& each : list) {
    writer.BeginObject().Member("answer_id", each.answer_id);
    writer.Member("conversation_id", each.conversation_id);
    writer.Member("created_at", catalog::FormatRfc3339(each.made_unix));
    writer.Member("rating", each.is_up ? "up" : "down").Member("reason", each.reason);
    writer.Member("comment", each.comment);
    answers.Write(each.conversation_id, each.answer_id, writer);
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

/// The latest answers since the shop was opened; with question and text where the conversation is
/// stored.
Outcome ListAnswers(ConversationStore& conversations, const Request& request,
                    const std::string& shop) {
  const auto limit = LimitOf(request);
  if (!limit.ok()) return limit.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop).Key("answers").BeginArray();
  const auto& archive = conversations.archive();
  const auto list = conversations.activity().Latest(*limit);
  const StoredAnswers answers(archive.get(), list);
  for (const auto& each : list) {
    writer.BeginObject().Member("answer_id", each.answer_id);
    writer.Member("conversation_id", each.conversation_id);
    answers.Write(each.conversation_id, each.answer_id, writer);
    writer.EndObject();
  }
  writer.EndArray().Member("keeps_traces", archive != nullptr && archive->keeps_traces());
  return writer.EndObject().Take();
}

Outcome ListUnanswered(ConversationStore& conversations, const Request& request,
                       const std::string& shop, int64_t now_unix) {
  const auto limit = LimitOf(request);
  if (!limit.ok()) return limit.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop).Key("questions").BeginArray();
  const auto& archive = conversations.archive();
  for (const UnansweredGroup& group : conversations.unanswered().List(*limit, now_unix)) {
    const UnansweredQuestion& last = group.last;
    writer.BeginObject().Member("kind", ToString(last.kind)).Member("question", last.text);
    writer.Member("count", static_cast<int64_t>(group.count));
    if (!last.locale.empty()) writer.Member("locale", last.locale);
    if (!last.product_id.empty()) writer.Member("product_id", last.product_id);
    writer.Member("last_asked", catalog::FormatRfc3339(last.asked_unix));
    if (!last.answer_id.empty()) writer.Member("answer_id", last.answer_id);
    const bool has_trace =
        archive != nullptr && archive->HasTrace(last.conversation_id, last.answer_id);
    writer.Member("has_trace", has_trace).EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

Outcome ShowActivity(ConversationStore& conversations, const Request&, const std::string& shop) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", shop);
  WriteCounts(conversations.activity().counts(), writer);
  return writer.EndObject().Take();
}

Outcome ShowTrace(ConversationStore& conversations, const Request& request, const std::string&) {
  const std::string id(request.Query("answer_id"));
  if (!IsPlainId(id)) return InvalidField("answer_id", "expected the id of an answer");
  const auto& archive = conversations.archive();
  const auto bytes = archive == nullptr ? std::nullopt : archive->FindTrace(id);
  if (!bytes) {
    return absl::NotFoundError(
        "answer_id: no trace of it is kept (see the setting trace_megabytes)");
  }
  const auto trace = AnswerTrace::Parse(*bytes);
  if (!trace.ok()) return trace.status();
  return trace->ToJson();
}

}  // namespace

std::vector<Route> MakeActivityRoutes(const ActivityRoutesParts& given) {
  const auto parts = std::make_shared<const ActivityRoutesParts>(given);
  return {Replayed({"POST", "/v1/feedback", Access::kAsk,
                    [parts](const ExchangePtr& exchange, std::string_view) {
                      auto owner = OwnerOf(exchange->request(), parts->shop_name);
                      if (!owner.ok()) return RespondError(*exchange, owner.status());
                      auto body = ParseFeedbackBody(exchange->request().body);
                      if (!body.ok()) return RespondError(*exchange, body.status());
                      SubmitOrRefuse(
                          parts->workers, exchange,
                          [parts, exchange, owner = *std::move(owner), body = *std::move(body)] {
                            TakeFeedback(*parts, *exchange, owner, body);
                          });
                    }}),
          Replayed({"POST", "/v1/events", Access::kAsk,
                    [parts](const ExchangePtr& exchange, std::string_view) {
                      TakeEvents(*parts, *exchange);
                    }})};
}

std::vector<Route> MakeActivityAdminRoutes(const ConversationsOf& conversations,
                                           WorkerPool& workers, std::function<int64_t()> now_unix) {
  using Operation = std::function<Outcome(ConversationStore&, const Request&, const std::string&)>;
  const auto route = [&](const char* pattern, const Operation& operation) {
    return Route(
        "GET", pattern, Access::kAdmin,
        [conversations, &workers, operation](const ExchangePtr& exchange, std::string_view name) {
          SubmitOrRefuse(workers, exchange,
                         [conversations, operation, exchange, shop = std::string(name)] {
                           const auto store = conversations(shop);
                           if (!store.ok()) return RespondError(*exchange, store.status());
                           Outcome outcome = operation(**store, exchange->request(), shop);
                           if (!outcome.ok()) return RespondError(*exchange, outcome.status());
                           Respond(*exchange, 200, *std::move(outcome));
                         });
        });
  };
  return {route("/admin/shops/{name}/feedback", ListFeedback),
          route("/admin/shops/{name}/activity", ShowActivity),
          route("/admin/shops/{name}/answers", ListAnswers),
          route("/admin/shops/{name}/unanswered",
                [now = std::move(now_unix)](ConversationStore& store, const Request& request,
                                            const std::string& shop) {
                  return ListUnanswered(store, request, shop, now());
                }),
          route("/admin/shops/{name}/trace", ShowTrace)};
}

}  // namespace emptor::services

// Handlers of conversations. They read records and the disk, so they run on the workers.
#include "services/api/conversation_routes.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <utility>

#include "services/api/api_errors.h"
#include "services/api/conversation_reply.h"
#include "services/api/object_reader.h"
#include "services/api/shop_routes.h"
#include "services/api/shopper.h"
#include "services/api/submit.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;

constexpr size_t kListed = 20, kMaxListed = 100;

absl::Status NoSuchConversation() { return absl::NotFoundError("id: no such conversation"); }

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeErrorResponse(status, exchange.request().id));
}

Response MakeJson(std::string body) {
  Response response;
  response.body = std::move(body);
  // Of one shopper: no cache may keep it without asking again.
  response.headers.emplace_back("Cache-Control", "private, no-cache");
  response.headers.emplace_back("Vary", "Authorization, X-Emptor-Shopper");
  AddSecurityHeaders(response);
  return response;
}

/// ?limit=1..100&cursor=ID
struct ListQuery {
  size_t limit = kListed;
  std::string cursor;
};
absl::StatusOr<ListQuery> ParseListQuery(const Request& request) {
  ListQuery query;
  for (const auto& [name, value] : request.query) {
    if (name == "cursor") {
      if (!IsPlainId(value)) return InvalidField("cursor", "expected next_cursor of a reply");
      query.cursor = value;
    } else if (name == "limit") {
      const auto read = std::from_chars(value.data(), value.data() + value.size(), query.limit);
      const bool is_good = read.ec == std::errc() && read.ptr == value.data() + value.size() &&
                           query.limit >= 1 && query.limit <= kMaxListed;
      if (!is_good) return InvalidField("limit", fmt::format("expected 1 to {}", kMaxListed));
    } else {
      return InvalidField(name.substr(0, 64), "expected limit or cursor");
    }
  }
  return query;
}

class ConversationHandlers {
 public:
  explicit ConversationHandlers(ConversationRoutesParts parts) : parts_(std::move(parts)) {}

  void List(Exchange& exchange, const std::string& owner) const {
    const auto query = ParseListQuery(exchange.request());
    if (!query.ok()) return RespondError(exchange, query.status());
    if (owner.empty()) {
      return RespondError(exchange, InvalidField(kShopperHeader, "send the shopper's token"));
    }
    auto listed = parts_.conversations.List(owner, query->cursor, query->limit + 1);
    std::string next;
    if (listed.size() > query->limit) {
      listed.resize(query->limit);
      next = listed.back().id;
    }
    exchange.Respond(MakeJson(ConversationListJson(listed, next)));
  }

  void Get(Exchange& exchange, const std::string& owner, const std::string& id) const {
    const auto body = BodyOf(exchange.request(), owner, id);
    if (!body) return RespondError(exchange, NoSuchConversation());
    Response response = MakeJson(*body);
    const std::string etag = EtagOf(*body);
    response.headers.emplace_back("ETag", etag);
    if (exchange.request().Header("if-none-match") == etag) {
      response.status = 304;
      response.body.clear();
    }
    exchange.Respond(std::move(response));
  }

  void Export(Exchange& exchange, const std::string& owner, const std::string& id) const {
    const auto body = BodyOf(exchange.request(), owner, id);
    if (!body) return RespondError(exchange, NoSuchConversation());
    Response response = MakeJson(*body);
    response.headers.emplace_back("Content-Disposition",
                                  "attachment; filename=\"conversation-" + id + ".json\"");
    exchange.Respond(std::move(response));
  }

  void Rename(Exchange& exchange, const std::string& owner, const std::string& id) const {
    const Request& request = exchange.request();
    const auto title = ParseTitleBody(request.body);
    if (!title.ok()) return RespondError(exchange, title.status());
    if (const std::string_view match = request.Header("if-match"); !match.empty()) {
      const auto body = BodyOf(request, owner, id);
      if (!body) return RespondError(exchange, NoSuchConversation());
      if (match != "*" && match != EtagOf(*body)) {
        return exchange.Respond(MakeErrorResponse(
            412, "precondition_failed", "if-match: it has changed", "if-match", request.id));
      }
    }
    const auto head = parts_.conversations.Rename(id, owner, *title);
    if (!head) return RespondError(exchange, NoSuchConversation());
    exchange.Respond(MakeJson(ConversationHeadJson(id, *head)));
  }

  void Erase(const ExchangePtr& exchange, const std::string& owner, const std::string& id) const {
    if (!parts_.conversations.HoldsAnything(id, owner)) {
      return RespondError(*exchange, NoSuchConversation());
    }
    parts_.conversations.Erase(id, [exchange](const absl::Status& status) {
      if (!status.ok()) return RespondError(*exchange, absl::UnavailableError("not erased"));
      Response response = MakeJson("");
      response.status = 204;
      response.content_type = "";
      exchange->Respond(std::move(response));
    });
  }

  const ConversationRoutesParts& parts() const { return parts_; }

 private:
  std::optional<std::string> BodyOf(const Request& request, const std::string& owner,
                                    const std::string& id) const {
    auto record = parts_.conversations.Find(id, owner);
    if (!record) return std::nullopt;
    ConversationReply reply;
    reply.id = id;
    reply.record = *std::move(record);
    reply.base_url = BaseUrl(parts_.public_url, request);
    reply.now_unix = parts_.now_unix();
    reply.find_product = [this](const std::string& product) {
      auto found = parts_.shop.FindProduct(product);
      return found.ok() ? *std::move(found) : std::optional<catalog::Product>();
    };
    reply.find_feedback = [this, &id](const std::string& answer) {
      const auto& archive = parts_.conversations.archive();
      return archive == nullptr ? std::nullopt : archive->FindFeedback(id, answer);
    };
    return ConversationJson(reply);
  }

  const ConversationRoutesParts parts_;
};

}  // namespace

std::vector<Route> MakeConversationRoutes(const ConversationRoutesParts& parts) {
  const auto handlers = std::make_shared<const ConversationHandlers>(parts);
  using Operation = std::function<void(const ConversationHandlers&, const ExchangePtr&,
                                       const std::string& owner, const std::string& id)>;
  const auto route = [&](const char* method, const char* pattern, const Operation& operation) {
    return Route(method, pattern, Access::kAsk,
                 [handlers, operation](const ExchangePtr& exchange, std::string_view tail) {
                   auto owner = OwnerOf(exchange->request(), handlers->parts().shop_name);
                   if (!owner.ok()) return RespondError(*exchange, owner.status());
                   if (!tail.empty() && !IsPlainId(tail)) {
                     return RespondError(*exchange, NoSuchConversation());
                   }
                   SubmitOrRefuse(
                       handlers->parts().workers, exchange,
                       [handlers, operation, exchange, owner = *std::move(owner),
                        id = std::string(tail)] { operation(*handlers, exchange, owner, id); });
                 });
  };
  const auto plain = [](void (ConversationHandlers::*method)(Exchange&, const std::string&,
                                                             const std::string&) const) {
    return [method](const ConversationHandlers& all, const ExchangePtr& exchange,
                    const std::string& owner,
                    const std::string& id) { (all.*method)(*exchange, owner, id); };
  };
  return {route("GET", "/v1/conversations",
                [](const ConversationHandlers& all, const ExchangePtr& exchange,
                   const std::string& owner, const std::string&) { all.List(*exchange, owner); }),
          route("GET", "/v1/conversations/{id}", plain(&ConversationHandlers::Get)),
          route("PATCH", "/v1/conversations/{id}", plain(&ConversationHandlers::Rename)),
          route("DELETE", "/v1/conversations/{id}",
                [](const ConversationHandlers& all, const ExchangePtr& exchange,
                   const std::string& owner,
                   const std::string& id) { all.Erase(exchange, owner, id); }),
          route("GET", "/v1/conversations/{id}/export", plain(&ConversationHandlers::Export))};
}

}  // namespace emptor::services

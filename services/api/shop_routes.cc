// Handlers. They run on HTTP threads and pass everything that waits to the workers.
#include "services/api/shop_routes.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include "catalog/money.h"
#include "catalog/validation.h"
#include "services/api/api_errors.h"
#include "services/api/assist_listeners.h"
#include "services/api/cache_directives.h"
#include "services/api/openapi_text.h"
#include "services/api/request_codec.h"
#include "services/api/shop_answers.h"
#include "services/api/shopper.h"
#include "services/api/storefront_routes.h"
#include "services/api/submit.h"
#include "services/api/ui_message_request.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using std::chrono::steady_clock;

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeErrorResponse(status, exchange.request().id));
}

void RespondJson(Exchange& exchange, std::string body) {
  Response response;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

void RespondOpenApi(Exchange& exchange) {
  static const std::string etag = EtagOf(OpenApiText());
  Response response;
  response.headers = {{"Cache-Control", "no-cache"}, {"ETag", etag}};
  AddSecurityHeaders(response);
  if (exchange.request().Header("if-none-match") == etag) {
    response.status = 304;
  } else {
    response.body = OpenApiText();
  }
  exchange.Respond(std::move(response));
}

/// What the shopper chose to see. A language is none: pages name it by themselves.
bool HasConditions(retrieval::Filter filter) {
  filter.locale.clear();
  return !filter.empty();
}

/// Of the header Last-Event-ID; 0: none was read.
absl::StatusOr<int64_t> LastEventId(const Request& request) {
  const std::string_view text = request.Header("last-event-id");
  int64_t id = 0;
  if (text.empty()) return id;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_good = read.ec == std::errc() && read.ptr == text.data() + text.size() && id >= 0;
  if (!is_good) return absl::InvalidArgumentError("last-event-id: expected the id of an event");
  return id;
}

/// Selects one of a record's prices: ?locale=de-AT&currency=EUR.
absl::StatusOr<catalog::Market> MarketOfQuery(const Request& request) {
  catalog::Market market;
  for (const auto& [name, value] : request.query) {
    if (name == "locale") {
      if (!catalog::IsValidLocale(value)) {
        return absl::InvalidArgumentError("locale: expected a BCP 47 tag");
      }
      market.region = catalog::RegionOfLocale(value);
    } else if (name == "currency") {
      if (!catalog::IsCurrencyCode(value)) {
        return absl::InvalidArgumentError("currency: expected three capital letters");
      }
      market.currency = value;
    }
  }
  return market;
}

/// The handlers share their options and parts.
class ShopHandlers : public std::enable_shared_from_this<ShopHandlers> {
 public:
  ShopHandlers(ShopRoutesOptions options, ShopRoutesParts parts)
      : options_(std::move(options)), parts_(std::move(parts)) {}

  void Assist(ExchangePtr exchange) const {
    auto body = ParseAssistBody(exchange->request().body);
    if (!body.ok()) return RespondError(*exchange, body.status());
    const std::string base_url = BaseUrl(options_.public_url, exchange->request());
    if (exchange->request().Header(kUiMessageHeader) == "v1" && body->stream) {
      if (body->resumable) {
        return RespondError(*exchange, InvalidField("resumable", "not of a UI message stream"));
      }
      return StreamUiMessage(std::move(exchange), std::move(body->request), base_url);
    }
    AssistRequest request = std::move(body->request);
    if (!Identify(*exchange, request)) return;
    if (body->stream) {
      AnswerFormat format = MakeEventFormat(base_url, request.request_id);
      auto listener =
          std::make_shared<StreamListener>(std::move(exchange), std::move(format),
                                           body->resumable ? streams_ : nullptr, request.owner);
      request.stop = listener->stop_token();
      return parts_.assistant.Ask(std::move(request), std::move(listener));
    }
    auto listener = MakeJsonListener(exchange, base_url);
    request.stop = listener->stop_token();
    parts_.assistant.Ask(std::move(request), std::move(listener));
  }

  void AssistUiMessages(ExchangePtr exchange) const {
    auto request = ParseUiMessageBody(exchange->request().body);
    if (!request.ok()) return RespondError(*exchange, request.status());
    const std::string base_url = BaseUrl(options_.public_url, exchange->request());
    StreamUiMessage(std::move(exchange), *std::move(request), base_url);
  }

  /// Takes a stream up after the event that the client had last.
  void Resume(Exchange& exchange, std::string_view id) const {
    const auto after = LastEventId(exchange.request());
    if (!after.ok()) return RespondError(exchange, after.status());
    const auto stream = FindStream(exchange, id);
    if (stream == nullptr) return;
    if (!stream->CanResume()) return RespondError(exchange, NoSuchAnswer());
    const std::string base_url = BaseUrl(options_.public_url, exchange.request());
    auto sink = exchange.StartSse(MakeEventFormat(base_url, exchange.request().id).options);
    if (sink != nullptr && !stream->Attach(sink, *after)) sink->Finish();
  }

  void Stop(Exchange& exchange, std::string_view id) const {
    const auto stream = FindStream(exchange, id);
    if (stream == nullptr) return;
    stream->Stop();
    stream->Finish();
    Response response;
    response.status = 204;
    response.content_type = "";
    AddSecurityHeaders(response);
    exchange.Respond(std::move(response));
  }

  void Search(const ExchangePtr& exchange) const {
    auto body = ParseSearchBody(exchange->request().body);
    if (!body.ok()) return RespondError(*exchange, body.status());
    SubmitOrRefuse(parts_.workers, exchange,
                   [self = shared_from_this(), exchange, body = *std::move(body)] {
                     self->RunSearch(*exchange, body);
                   });
  }

  void Autocomplete(const ExchangePtr& exchange) const {
    auto query = ParseAutocompleteQuery(exchange->request().query);
    if (!query.ok()) return RespondError(*exchange, query.status());
    SubmitOrRefuse(parts_.workers, exchange,
                   [self = shared_from_this(), exchange, query = *std::move(query)] {
                     self->RunAutocomplete(*exchange, query);
                   });
  }

  void Product(Exchange& exchange, std::string_view id) const {
    const auto market = MarketOfQuery(exchange.request());
    if (!market.ok()) return RespondError(exchange, market.status());
    const std::string base_url = BaseUrl(options_.public_url, exchange.request());
    auto answer = AnswerProduct(parts_.shop, id, *market, ContextOf(base_url));
    if (!answer.ok()) return RespondError(exchange, answer.status());
    RespondJson(exchange, std::move(answer->json));
  }

  void File(Exchange& exchange, const StaticFiles& files) const {
    const StaticFile* file = files.Find(exchange.request().path);
    if (file == nullptr) return RespondError(exchange, absl::NotFoundError("no such file"));
    exchange.Respond(
        MakeFileResponse(*file, exchange.request(), PagePolicy(options_, parts_.shop)));
  }

  const ShopRoutesParts& parts() const { return parts_; }

 private:
  /// Who asks, and under which id. False: the exchange was answered.
  bool Identify(Exchange& exchange, AssistRequest& request) const {
    auto owner = OwnerOf(exchange.request(), options_.shop);
    if (!owner.ok()) {
      RespondError(exchange, owner.status());
      return false;
    }
    request.owner = *std::move(owner);
    request.request_id = exchange.request().id;
    request.cache_control = CacheControlOf(exchange.request().Header("cache-control"));
    return true;
  }

  /// The page that reads it is most often of another origin: its links are absolute.
  void StreamUiMessage(ExchangePtr exchange, AssistRequest request,
                       const std::string& base_url) const {
    if (!Identify(*exchange, request)) return;
    request.link_base = base_url;
    auto listener =
        std::make_shared<StreamListener>(std::move(exchange), MakeUiMessageFormat(base_url));
    request.stop = listener->stop_token();
    parts_.assistant.Ask(std::move(request), std::move(listener));
  }

  AnswerContext ContextOf(std::string_view base_url) const {
    return {options_.shop, base_url, parts_.now_unix()};
  }

  static absl::Status NoSuchAnswer() {
    return absl::NotFoundError("id: no answer of that id can be taken up");
  }

  /// Null: the exchange was answered.
  std::shared_ptr<AnswerStream> FindStream(Exchange& exchange, std::string_view id) const {
    const auto owner = OwnerOf(exchange.request(), options_.shop);
    if (!owner.ok()) {
      RespondError(exchange, owner.status());
      return nullptr;
    }
    auto stream = streams_->Find(std::string(id), *owner);
    if (stream == nullptr) RespondError(exchange, NoSuchAnswer());
    return stream;
  }

  void RunAutocomplete(Exchange& exchange, const AutocompleteQuery& query) const {
    catalog::JsonWriter writer;
    writer.BeginObject().Key("suggestions").BeginArray();
    const auto limit = static_cast<size_t>(query.limit);
    for (const retrieval::Completion& completion : parts_.shop.Complete(query.text, limit)) {
      writer.BeginObject()
          .Member("text", completion.text)
          .Member("kind", ToString(completion.kind))
          .Member("count", static_cast<int64_t>(completion.count));
      if (!completion.id.empty()) writer.Member("id", completion.id);
      writer.EndObject();
    }
    writer.EndArray().EndObject();
    RespondJson(exchange, writer.Take());
  }

  void RunSearch(Exchange& exchange, SearchBody body) const {
    const auto begun = steady_clock::now();
    const std::string base_url = BaseUrl(options_.public_url, exchange.request());
    const std::string query = body.input.query, locale = body.locale;
    const bool is_first_page = body.cursor.empty();
    const bool is_filtered = HasConditions(body.input.filter);
    auto answer = AnswerSearch(parts_.shop, std::move(body), ContextOf(base_url));
    if (!answer.ok()) return RespondError(exchange, answer.status());
    const bool is_empty = is_first_page && !is_filtered && answer->result.items.empty();
    RespondJson(exchange, std::move(answer->json));
    if (is_empty && !query.empty() && parts_.on_empty_search) {
      parts_.on_empty_search(query, locale);
    }
    if (parts_.on_search) {
      parts_.on_search(std::chrono::duration<double>(steady_clock::now() - begun).count());
    }
  }

  const ShopRoutesOptions options_;
  const ShopRoutesParts parts_;
  const std::shared_ptr<AnswerStreams> streams_ =
      std::make_shared<AnswerStreams>(steady_clock::now);
};

}  // namespace

std::string BaseUrl(const std::string& public_url, const Request& request) {
  if (!public_url.empty()) return public_url;
  const std::string_view host = request.Header("host");
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
  const bool is_plain = !host.empty() && host.find_first_not_of(kAllowed) == std::string_view::npos;
  return is_plain ? "http://" + std::string(host) : std::string();
}

std::vector<Route> MakeShopRoutes(const ShopRoutesOptions& options, const ShopRoutesParts& parts) {
  const auto handlers = std::make_shared<ShopHandlers>(options, parts);
  const auto file = [handlers](const StaticFiles& files) {
    return [handlers, &files](const ExchangePtr& exchange, std::string_view) {
      handlers->File(*exchange, files);
    };
  };
  std::vector<Route> routes = {
      Replayed(Generating({"POST", "/v1/assist", Access::kAsk,
                           [handlers](ExchangePtr exchange, std::string_view) {
                             handlers->Assist(std::move(exchange));
                           }}),
               kReplayTimeOfAnswers),
      // Chats send what was shown before with each question.
      Generating({"POST", "/v1/assist/ui-messages", Access::kAsk,
                  [handlers](ExchangePtr exchange, std::string_view) {
                    handlers->AssistUiMessages(std::move(exchange));
                  },
                  kRecordBody}),
      {"GET", "/v1/assist/{id}", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view id) {
         handlers->Resume(*exchange, id);
       }},
      {"DELETE", "/v1/assist/{id}", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view id) {
         handlers->Stop(*exchange, id);
       }},
      {"POST", "/v1/search", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view) { handlers->Search(exchange); }},
      {"GET", "/v1/autocomplete", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view) {
         handlers->Autocomplete(exchange);
       }},
      {"GET", "/v1/products/{id}", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view id) {
         handlers->Product(*exchange, id);
       }},
      {"GET", "/", Access::kOpen, file(parts.pages)},
      {"GET", "/openapi.json", Access::kOpen,
       [](const ExchangePtr& exchange, std::string_view) { RespondOpenApi(*exchange); }},
      {"GET", "/assets/{file}", Access::kOpen, file(parts.pages)},
      {"GET", "/widget.js", Access::kOpen, file(parts.pages)},
      {"GET", "/images/{file}", Access::kOpen, file(parts.images)},
  };
  for (Route& route : MakeStorefrontRoutes(options, parts)) routes.push_back(std::move(route));
  return routes;
}

}  // namespace emptor::services

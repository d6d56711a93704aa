// Handlers of the OpenAI-compatible routes.
#include "services/llm_api/openai_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "catalog/encoding/base64.h"
#include "services/api/cache_directives.h"
#include "services/api/request_codec.h"
#include "services/api/shop_routes.h"
#include "services/api/shopper.h"
#include "services/llm_api/assistant_chat.h"
#include "services/llm_api/openai_answer.h"
#include "services/llm_api/openai_request.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using std::chrono::steady_clock;

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeOpenAiError(status, exchange.request().id));
}

/// The first `dimensions` of an embedding, normalised to length 1.
std::span<float> Shortened(std::span<float> embedding, int dimensions) {
  const std::span<float> kept = embedding.first(static_cast<size_t>(dimensions));
  if (kept.size() == embedding.size()) return kept;
  double squares = 0;
  for (const float value : kept) squares += double{value} * double{value};
  if (squares <= 0) return kept;
  const auto scale = static_cast<float>(1 / std::sqrt(squares));
  for (float& value : kept) value *= scale;
  return kept;
}

/// Clients of TGI that were given no model name one of these; they mean what the server serves.
bool MeansActiveModel(std::string_view name) { return name == "tgi" || name == "dummy"; }

void WriteModel(const ModelStatus& status, catalog::JsonWriter& writer) {
  writer.BeginObject().Member("id", status.spec.name).Member("object", "model");
  writer.Member("created", status.loaded_at).Member("owned_by", "emptor");
  if (!status.parent.empty()) writer.Member("parent", status.parent);
  if (status.info.context_length > 0) writer.Member("max_model_len", status.info.context_length);
  writer.EndObject();
}

class OpenAiHandlers : public std::enable_shared_from_this<OpenAiHandlers> {
 public:
  explicit OpenAiHandlers(LlmRoutesParts parts)
      : parts_(std::move(parts)), started_(parts_.now_unix()) {}

  /// Parsing, tokenizing and compiling do not block, but may take milliseconds.
  void OnWorker(const ExchangePtr& exchange, void (OpenAiHandlers::*handle)(const ExchangePtr&)) {
    const bool taken = parts_.workers.TrySubmit(
        [self = shared_from_this(), exchange, handle] { (self.get()->*handle)(exchange); });
    if (!taken) RespondError(*exchange, absl::ResourceExhaustedError("the queue is full"));
  }

  void Chat(const ExchangePtr& exchange) {
    Generate(exchange, ParseChatBody(exchange->request().body));
  }
  void Complete(const ExchangePtr& exchange) {
    Generate(exchange, ParseCompletionBody(exchange->request().body));
  }
  void Embed(const ExchangePtr& exchange);
  void ListModels(Exchange& exchange) const;
  void ShowModel(Exchange& exchange, std::string_view name) const;

 private:
  void Generate(const ExchangePtr& exchange, absl::StatusOr<TextBody> body);
  void AskAssistant(const ExchangePtr& exchange, const TextBody& body);
  OpenAiFormat FormatOf(const Request& request, const TextBody& body) const;
  absl::Status SetDeadline(const Request& request, TextBody& body) const;
  ModelStatus AssistantModel() const;

  const LlmRoutesParts parts_;
  const int64_t started_;
};

OpenAiFormat OpenAiHandlers::FormatOf(const Request& request, const TextBody& body) const {
  OpenAiFormat format;
  format.chat = body.chat;
  format.logprobs = body.requests.front().sampling.logprobs.has_value();
  format.include_usage = body.include_usage;
  format.id = (body.chat ? "chatcmpl-" : "cmpl-") + request.id;
  format.model = body.model;
  format.created = parts_.now_unix();
  return format;
}

/// The earlier deadline of header and body; without either, the default of the service.
absl::Status OpenAiHandlers::SetDeadline(const Request& request, TextBody& body) const {
  std::chrono::milliseconds timeout = body.timeout.value_or(parts_.default_timeout);
  if (const std::string_view header = request.Header("x-request-timeout"); !header.empty()) {
    const auto parsed = ParseTimeoutHeader(header);
    if (!parsed.ok()) return parsed.status();
    timeout = body.timeout ? std::min(timeout, *parsed) : *parsed;
  }
  const auto deadline = steady_clock::now() + timeout;
  for (engine::GenerationRequest& one : body.requests) one.deadline = deadline;
  return absl::OkStatus();
}

void OpenAiHandlers::Generate(const ExchangePtr& exchange, absl::StatusOr<TextBody> body) {
  const Request& request = exchange->request();
  if (!body.ok()) return RespondError(*exchange, body.status());
  if (body->chat && parts_.assistant != nullptr && body->model == kAssistantModel) {
    return AskAssistant(exchange, *body);
  }
  auto model = parts_.models.FindLanguageModel(body->model);
  if (absl::IsNotFound(model.status()) && MeansActiveModel(body->model)) {
    model = parts_.models.FindLanguageModel("");
  }
  if (!model.ok()) return RespondError(*exchange, model.status());
  body->model = (*model)->name();
  if (absl::Status status = SetDeadline(request, *body); !status.ok()) {
    return RespondError(*exchange, status);
  }
  const int n = body->requests.front().n;
  for (engine::GenerationRequest& one : body->requests) {
    one.id = request.id;
    ScopeToShop(parts_.shop, one);
    if (one.max_tokens == 0) one.max_tokens = (*model)->info().context_length;
  }
  OpenAiFormat format = FormatOf(request, *body);
  const size_t prompts = body->requests.size();
  std::shared_ptr<GenerationReply> reply;
  if (body->stream) {
    reply = std::make_shared<OpenAiStreamReply>(exchange, std::move(format), prompts, n);
  } else {
    reply =
        std::make_shared<OpenAiWholeReply>(exchange, std::move(format), prompts, n, parts_.workers);
  }
  StartGenerations(*model, std::move(body->requests), std::move(reply));
}

void OpenAiHandlers::AskAssistant(const ExchangePtr& exchange, const TextBody& body) {
  if (!body.not_for_assistant.empty()) {
    return RespondError(*exchange, absl::UnimplementedError(body.not_for_assistant +
                                                            ": is not supported by model " +
                                                            std::string(kAssistantModel)));
  }
  const bool is_blank = body.question.find_first_not_of(" \t\r\n") == std::string::npos;
  if (is_blank || body.question.size() > kMaxMessageBytes) {
    return RespondError(
        *exchange,
        absl::InvalidArgumentError("messages: the last user message must have 1 to 4096 bytes"));
  }
  AssistRequest request;
  request.message = body.question;
  request.is_stored = body.conversation_id.has_value();
  request.conversation_id = body.conversation_id.value_or("");
  auto owner = OwnerOf(exchange->request(), parts_.shop);
  if (!owner.ok()) return RespondError(*exchange, owner.status());
  request.owner = *std::move(owner);
  request.history = HistoryOf(body.requests.front().messages);
  request.history.pop_back();  // the question itself, and what follows it
  request.locale = body.locale;
  request.request_id = exchange->request().id;
  request.cache_control = CacheControlOf(exchange->request().Header("cache-control"));
  request.link_base = BaseUrl(parts_.public_url, exchange->request());
  const int max_tokens = body.requests.front().max_tokens;
  if (max_tokens > 0) request.max_tokens = std::min(max_tokens, kMaxAnswerTokens);
  auto listener = std::make_shared<AssistantChatListener>(
      exchange, FormatOf(exchange->request(), body), body.stream);
  request.stop = listener->stop_token();
  parts_.assistant->Ask(std::move(request), std::move(listener));
}

void OpenAiHandlers::Embed(const ExchangePtr& exchange) {
  auto body = ParseEmbeddingBody(exchange->request().body);
  if (!body.ok()) return RespondError(*exchange, body.status());
  const auto encoder = parts_.models.FindEncoder(body->model);
  if (!encoder.ok()) return RespondError(*exchange, encoder.status());
  if (body->model.empty()) body->model = parts_.models.ActiveName(ModelKind::kEncoder);
  const int width = (*encoder)->dimension();
  if (body->dimensions > width) {
    return RespondError(*exchange, absl::InvalidArgumentError("dimensions: must be from 1 to " +
                                                              std::to_string(width)));
  }
  for (const std::vector<int32_t>& tokens : body->tokens) {
    auto text = (*encoder)->Detokenize(tokens);
    if (!text.ok()) return RespondError(*exchange, text.status());
    body->texts.push_back(*std::move(text));
  }
  const size_t size = static_cast<size_t>(width);
  std::vector<float> floats(body->texts.size() * size);
  const absl::Status status = body->queries ? (*encoder)->EmbedQueriesInto(body->texts, floats)
                                            : (*encoder)->EmbedInto(body->texts, floats);
  if (!status.ok()) return RespondError(*exchange, status);
  size_t tokens = 0;
  catalog::JsonWriter writer;
  writer.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (size_t i = 0; i < body->texts.size(); ++i) {
    tokens += (*encoder)->Tokenize(body->texts[i]).size();
    const std::span<float> embedding = Shortened(std::span(floats).subspan(i * size, size),
                                                 body->dimensions == 0 ? width : body->dimensions);
    writer.BeginObject().Member("object", "embedding").Member("index", i).Key("embedding");
    if (body->base64) {
      writer.String(catalog::EncodeBase64(
          {reinterpret_cast<const char*>(embedding.data()), embedding.size_bytes()}));
    } else {
      writer.BeginArray();
      for (const float value : embedding) writer.Raw(fmt::format("{}", value));
      writer.EndArray();
    }
    writer.EndObject();
  }
  writer.EndArray().Member("model", body->model).Key("usage").BeginObject();
  writer.Member("prompt_tokens", tokens).Member("total_tokens", tokens).EndObject().EndObject();
  exchange->Respond(LlmResponse(writer.Take()));
}

ModelStatus OpenAiHandlers::AssistantModel() const {
  ModelStatus status;
  status.spec.name = kAssistantModel;
  status.loaded_at = started_;
  return status;
}

void OpenAiHandlers::ListModels(Exchange& exchange) const {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("object", "list").Key("data").BeginArray();
  if (parts_.assistant != nullptr) WriteModel(AssistantModel(), writer);
  for (const ModelStatus& status : parts_.models.List()) {
    if (status.state == ModelState::kAvailable) WriteModel(status, writer);
  }
  writer.EndArray().EndObject();
  exchange.Respond(LlmResponse(writer.Take()));
}

void OpenAiHandlers::ShowModel(Exchange& exchange, std::string_view name) const {
  const bool is_assistant = parts_.assistant != nullptr && name == kAssistantModel;
  const auto status =
      is_assistant ? absl::StatusOr<ModelStatus>(AssistantModel()) : parts_.models.Status(name);
  if (!status.ok()) return RespondError(exchange, status.status());
  catalog::JsonWriter writer;
  WriteModel(*status, writer);
  exchange.Respond(LlmResponse(writer.Take()));
}

}  // namespace

std::vector<Route> MakeOpenAiRoutes(const LlmRoutesParts& parts) {
  const auto handlers = std::make_shared<OpenAiHandlers>(parts);
  const auto on_worker = [handlers](void (OpenAiHandlers::*handle)(const ExchangePtr&)) {
    return [handlers, handle](const ExchangePtr& exchange, std::string_view) {
      handlers->OnWorker(exchange, handle);
    };
  };
  return {
      Generating({"POST", "/v1/chat/completions", Access::kAsk, on_worker(&OpenAiHandlers::Chat),
                  kMaxLlmBodyBytes}),
      Generating({"POST", "/v1/completions", Access::kAsk, on_worker(&OpenAiHandlers::Complete),
                  kMaxLlmBodyBytes}),
      {"POST", "/v1/embeddings", Access::kAsk, on_worker(&OpenAiHandlers::Embed), kMaxLlmBodyBytes},
      {"GET", "/v1/models", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view) {
         handlers->ListModels(*exchange);
       }},
      {"GET", "/v1/models/{id}", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view name) {
         handlers->ShowModel(*exchange, name);
       }},
  };
}

}  // namespace emptor::services

// Handlers of the TGI-compatible routes.
#include "services/llm_api/tgi_routes.h"

#include <chrono>
#include <memory>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/api/version.h"
#include "services/llm_api/openai_request.h"
#include "services/llm_api/tgi_reply.h"
#include "services/llm_api/tgi_request.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using std::chrono::steady_clock;

enum class Mode { kWhole, kStream, kEither };

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeTgiError(status, exchange.request().id));
}

/// Keeps only the last tokens of the prompt.
absl::Status Truncate(const LanguageModel& model, TgiBody& body) {
  if (body.truncate == 0) return absl::OkStatus();
  auto tokens = model.engine().Tokenize(body.request.prompt);
  if (!tokens.ok()) return tokens.status();
  const auto keep = static_cast<size_t>(body.truncate);
  if (tokens->size() <= keep) return absl::OkStatus();
  tokens->erase(tokens->begin(), tokens->end() - static_cast<std::ptrdiff_t>(keep));
  body.request.prompt_tokens = *std::move(tokens);
  body.request.prompt.clear();
  return absl::OkStatus();
}

class TgiHandlers : public std::enable_shared_from_this<TgiHandlers> {
 public:
  explicit TgiHandlers(LlmRoutesParts parts) : parts_(std::move(parts)) {}

  void OnWorker(const ExchangePtr& exchange, Mode mode) {
    const bool taken = parts_.workers.TrySubmit(
        [self = shared_from_this(), exchange, mode] { self->Generate(exchange, mode); });
    if (!taken) RespondError(*exchange, absl::ResourceExhaustedError("the queue is full"));
  }

  void Info(Exchange& exchange) const;

 private:
  void Generate(const ExchangePtr& exchange, Mode mode);
  const LlmRoutesParts parts_;
};

void TgiHandlers::Generate(const ExchangePtr& exchange, Mode mode) {
  const auto begun = steady_clock::now();
  const Request& request = exchange->request();
  auto body = ParseTgiBody(request.body);
  if (!body.ok()) return RespondError(*exchange, body.status());
  const auto model = parts_.models.FindLanguageModel("");
  if (!model.ok()) return RespondError(*exchange, model.status());
  TgiContext context;
  context.inputs = body->request.prompt;
  context.seed = body->request.sampling.seed;
  context.details = body->details;
  context.return_full_text = body->return_full_text;
  context.top_tokens = body->request.sampling.logprobs.value_or(0);
  context.max_new_tokens = body->request.max_tokens;
  if (absl::Status status = Truncate(**model, *body); !status.ok()) {
    return RespondError(*exchange, status);
  }
  body->request.id = request.id;
  ScopeToShop(parts_.shop, body->request);
  std::chrono::milliseconds timeout = parts_.default_timeout;
  if (const std::string_view header = request.Header("x-request-timeout"); !header.empty()) {
    const auto parsed = ParseTimeoutHeader(header);
    if (!parsed.ok()) return RespondError(*exchange, parsed.status());
    timeout = *parsed;
  }
  body->request.deadline = begun + timeout;
  context.validation_seconds = std::chrono::duration<double>(steady_clock::now() - begun).count();
  std::shared_ptr<GenerationReply> reply;
  if (mode == Mode::kStream || (mode == Mode::kEither && body->stream)) {
    reply = std::make_shared<TgiStreamReply>(exchange, std::move(context));
  } else {
    reply = std::make_shared<TgiWholeReply>(exchange, std::move(context), parts_.workers);
  }
  StartGenerations(*model, {std::move(body->request)}, std::move(reply));
}

void TgiHandlers::Info(Exchange& exchange) const {
  const auto model = parts_.models.FindLanguageModel("");
  if (!model.ok()) return RespondError(exchange, model.status());
  const engine::ModelInfo& info = (*model)->info();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("model_id", (*model)->name()).Key("model_sha").Null();
  writer.Member("model_dtype", info.file_type).Member("model_device_type", "cpu");
  writer.Member("model_pipeline_tag", "text-generation");
  writer.Member("max_concurrent_requests", parts_.max_concurrent).Member("max_best_of", 1);
  writer.Member("max_stop_sequences", 4).Member("max_top_n_tokens", 5);
  writer.Member("max_input_tokens", info.context_length - 1);
  writer.Member("max_total_tokens", info.context_length);
  writer.Member("max_client_batch_size", 1).Member("router", "emptor");
  writer.Member("version", kVersion).Key("sha").Null().Key("docker_label").Null();
  writer.EndObject();
  exchange.Respond(LlmResponse(writer.Take()));
}

}  // namespace

std::vector<Route> MakeTgiRoutes(const LlmRoutesParts& parts) {
  const auto handlers = std::make_shared<TgiHandlers>(parts);
  const auto generate = [handlers](const char* pattern, Mode mode) {
    return Generating({"POST", pattern, Access::kAsk,
                       [handlers, mode](const ExchangePtr& exchange, std::string_view) {
                         handlers->OnWorker(exchange, mode);
                       },
                       kMaxLlmBodyBytes});
  };
  return {generate("/generate", Mode::kWhole),
          generate("/generate_stream", Mode::kStream),
          generate("/", Mode::kEither),
          {"GET", "/info", Access::kAsk, [handlers](const ExchangePtr& exchange, std::string_view) {
             handlers->Info(*exchange);
           }}};
}

}  // namespace emptor::services

// TGI's shapes and headers.
#include "services/llm_api/tgi_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/api/api_errors.h"
#include "services/llm_api/openai_reply.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;
using engine::FinishReason;
using engine::SampledToken;

struct ErrorWords {
  int http = 500;
  std::string_view type = "generation";
  std::string message;
};

ErrorWords WordsOf(const absl::Status& status) {
  const std::string message = std::string(status.message()).substr(0, 500);
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kUnimplemented:
      return {422, "validation", "Input validation error: " + message};
    case absl::StatusCode::kResourceExhausted:
      return {429, "overloaded", "Model is overloaded"};
    case absl::StatusCode::kUnavailable:
      return {503, "unhealthy",
              message.rfind("model: ", 0) == 0 ? message : "the service takes no requests now"};
    case absl::StatusCode::kCancelled:
      return {503, "unhealthy", "the generation was ended by the service"};
    case absl::StatusCode::kDeadlineExceeded:
      return {504, "incomplete_generation", "the deadline passed"};
    default:
      return {424, "generation", "Request failed during generation"};
  }
}

std::string_view ReasonName(FinishReason reason, bool by_stop) {
  if (reason == FinishReason::kStop) return by_stop ? "stop_sequence" : "eos_token";
  return "length";
}

void WriteToken(const SampledToken& token, std::string_view text, bool is_special,
                JsonWriter& writer) {
  writer.BeginObject().Member("id", token.id).Member("text", text);
  writer.Member("logprob", static_cast<double>(std::max(token.logprob, -9999.0f)));
  writer.Member("special", is_special).EndObject();
}

void WriteTopTokens(const std::vector<engine::TokenLogprob>& top, JsonWriter& writer) {
  writer.BeginArray();
  for (const engine::TokenLogprob& other : top) {
    writer.BeginObject().Member("id", other.id).Member("text", other.bytes);
    writer.Member("logprob", static_cast<double>(std::max(other.logprob, -9999.0f)));
    writer.Member("special", false).EndObject();
  }
  writer.EndArray();
}

/// The token that ends a text is counted but not sent; the tokens of a stop string are both.
bool EndedByStop(const engine::Usage& usage, size_t tokens) {
  return static_cast<size_t>(usage.completion_tokens) == tokens;
}

std::string Milliseconds(double seconds) {
  return std::to_string(std::llround(std::max(seconds, 0.0) * 1000));
}

}  // namespace

std::string TgiErrorJson(const absl::Status& status, std::string_view request_id) {
  const ErrorWords words = WordsOf(status);
  JsonWriter writer;
  writer.BeginObject().Member("error", words.message).Member("error_type", words.type);
  writer.Member("request_id", request_id).EndObject();
  return writer.Take();
}

Response MakeTgiError(const absl::Status& status, std::string_view request_id) {
  Response response;
  response.status = WordsOf(status).http;
  response.body = TgiErrorJson(status, request_id);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (response.status == 429 || response.status == 503) {
    const int seconds = engine::RetryAfterSeconds(status).value_or(1);
    response.headers.emplace_back("Retry-After", std::to_string(seconds));
  }
  AddSecurityHeaders(response);
  return response;
}

// ---- Whole

TgiWholeReply::TgiWholeReply(std::shared_ptr<Exchange> exchange, TgiContext context,
                             WorkerPool& workers)
    : exchange_(std::move(exchange)), context_(std::move(context)), workers_(workers) {}

void TgiWholeReply::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeTgiError(status, exchange_->request().id));
}

void TgiWholeReply::OnStarted(std::function<void()> cancel) {
  exchange_->OnPeerGone(std::move(cancel));
}

void TgiWholeReply::OnText(int, const engine::TextPiece& piece) {
  text_ += piece.text;
  tokens_.insert(tokens_.end(), piece.tokens.begin(), piece.tokens.end());
}

void TgiWholeReply::OnEnd(int, const engine::GenerationEnd& end) {
  exchange_->CountTokens(end.usage.prompt_tokens + end.usage.completion_tokens);
  workers_.Submit([self = shared_from_this(), end] {
    const absl::Status failure = FailureOf(end);
    self->exchange_->Respond(failure.ok() ? self->Write(end)
                                          : MakeTgiError(failure, self->exchange_->request().id));
  });
}

Response TgiWholeReply::Write(const engine::GenerationEnd& end) const {
  const engine::Usage& usage = end.usage;
  const std::string text = context_.return_full_text ? context_.inputs + text_ : text_;
  JsonWriter writer;
  writer.BeginObject().Member("generated_text", text);
  if (context_.details) {
    writer.Key("details").BeginObject();
    writer.Member("finish_reason", ReasonName(end.reason, EndedByStop(usage, tokens_.size())));
    writer.Member("generated_tokens", usage.completion_tokens).Member("seed", context_.seed);
    writer.Key("prefill").BeginArray().EndArray().Key("tokens").BeginArray();
    for (const SampledToken& token : tokens_) WriteToken(token, token.bytes, false, writer);
    writer.EndArray();
    if (context_.top_tokens > 0) {
      writer.Key("top_tokens").BeginArray();
      for (const SampledToken& token : tokens_) WriteTopTokens(token.top, writer);
      writer.EndArray();
    }
    writer.EndObject();
  }
  writer.EndObject();
  Response response = LlmResponse(writer.Take());
  const double inference = usage.total_seconds - usage.queue_seconds;
  const double total = usage.total_seconds + context_.validation_seconds;
  const std::pair<const char*, std::string> headers[] = {
      {"x-compute-type", "cpu"},
      {"x-compute-time", fmt::format("{:.6f}", total)},
      {"x-compute-characters", std::to_string(context_.inputs.size())},
      {"x-total-time", Milliseconds(total)},
      {"x-validation-time", Milliseconds(context_.validation_seconds)},
      {"x-queue-time", Milliseconds(usage.queue_seconds)},
      {"x-inference-time", Milliseconds(inference)},
      {"x-time-per-token", Milliseconds(inference / std::max(usage.completion_tokens, 1))},
      {"x-prompt-tokens", std::to_string(usage.prompt_tokens)},
      {"x-generated-tokens", std::to_string(usage.completion_tokens)}};
  for (const auto& [name, value] : headers) response.headers.emplace_back(name, value);
  return response;
}

// ---- Stream

TgiStreamReply::TgiStreamReply(std::shared_ptr<Exchange> exchange, TgiContext context)
    : exchange_(std::move(exchange)), context_(std::move(context)) {}

void TgiStreamReply::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeTgiError(status, exchange_->request().id));
}

void TgiStreamReply::OnStarted(std::function<void()> cancel) {
  const std::string last_words =
      "data:" + TgiErrorJson(absl::UnavailableError("restarting"), exchange_->request().id) +
      "\n\n";
  StreamOptions options = LlmStreamOptions(cancel, last_words);
  options.headers.emplace_back("x-compute-type", "cpu");
  options.headers.emplace_back("x-compute-characters", std::to_string(context_.inputs.size()));
  if (!pipe_.Open(*exchange_, std::move(options), "")) cancel();
}

std::string TgiStreamReply::Event(const Pending& pending, bool is_special,
                                  const engine::GenerationEnd* end) {
  JsonWriter writer;
  writer.BeginObject().Member("index", ++index_).Key("token");
  WriteToken(pending.token, pending.text, is_special, writer);
  if (context_.top_tokens > 0) {
    writer.Key("top_tokens");
    WriteTopTokens(pending.token.top, writer);
  }
  writer.Key("generated_text");
  if (end == nullptr) {
    writer.Null().Key("details").Null().EndObject();
    return "data:" + writer.Take() + "\n\n";
  }
  writer.String(context_.return_full_text ? context_.inputs + text_ : text_).Key("details");
  writer.BeginObject().Member("finish_reason",
                              ReasonName(end->reason, end->usage.completion_tokens < index_));
  writer.Member("generated_tokens", end->usage.completion_tokens).Member("seed", context_.seed);
  writer.Member("input_length", end->usage.prompt_tokens).EndObject().EndObject();
  return "data:" + writer.Take() + "\n\n";
}

void TgiStreamReply::OnText(int, const engine::TextPiece& piece) {
  text_ += piece.text;
  std::string events;
  for (size_t i = 0; i < piece.tokens.size(); ++i) {
    // Tokens may be parts of characters, or held back together: the last one carries the text.
    const bool is_last = i + 1 == piece.tokens.size();
    Pending pending{piece.tokens[i], is_last ? std::string(piece.text) : std::string()};
    if (index_ + 1 >= context_.max_new_tokens) {
      last_ = std::move(pending);
    } else {
      events += Event(pending, false, nullptr);
    }
  }
  if (!events.empty()) pipe_.Push(events);
}

void TgiStreamReply::OnEnd(int, const engine::GenerationEnd& end) {
  exchange_->CountTokens(end.usage.prompt_tokens + end.usage.completion_tokens);
  const absl::Status failure = FailureOf(end);
  if (!failure.ok()) {
    pipe_.Push("data:" + TgiErrorJson(failure, exchange_->request().id) + "\n\n");
  } else {
    pipe_.Push(last_ ? Event(*last_, false, &end) : Event({}, true, &end));
  }
  pipe_.Finish();
}

}  // namespace emptor::services

// OpenAI's shapes.
#include "services/llm_api/openai_reply.h"

#include <algorithm>
#include <span>

#include "catalog/encoding/json.h"
#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;
using engine::FinishReason;
using engine::SampledToken;

constexpr size_t kMaxMessage = 500;

/// A status in OpenAI's terms.
struct ErrorWords {
  int http = 500;
  std::string_view type = "server_error";
  std::string_view code = "internal";
  std::string message = "something went wrong inside";
  std::string param = {};
};

/// "messages[1].content" of "messages[1].content: must not be empty".
std::string ParamOf(std::string_view message) {
  const size_t colon = message.find(": ");
  if (colon == std::string_view::npos || colon > 64) return {};
  const std::string_view name = message.substr(0, colon);
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_.-[]";
  const bool is_name = name != "body" && name.find_first_not_of(kAllowed) == std::string_view::npos;
  if (name == "format") return "response_format";  // as the engine calls it
  return std::string(is_name ? name : std::string_view());
}

ErrorWords WordsOf(const absl::Status& status) {
  const std::string message = std::string(status.message()).substr(0, kMaxMessage);
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return {400, "invalid_request_error",
              IsContextExceeded(status) ? "context_length_exceeded" : "invalid_value", message,
              ParamOf(message)};
    case absl::StatusCode::kUnimplemented:
      return {400, "invalid_request_error", "unsupported_parameter", message, ParamOf(message)};
    case absl::StatusCode::kNotFound:
      return {404, "invalid_request_error", "model_not_found", message, "model"};
    case absl::StatusCode::kResourceExhausted:
      return {429, "rate_limit_error", "overloaded", "the service is busy, please try again"};
    case absl::StatusCode::kDeadlineExceeded:
      return {504, "server_error", "deadline_exceeded", "the deadline passed"};
    case absl::StatusCode::kCancelled:
      return {503, "server_error", "unavailable", "the generation was ended by the service"};
    case absl::StatusCode::kUnavailable:
      return {503, "server_error", "unavailable",
              message.rfind("model: ", 0) == 0 ? message : "the service takes no requests now"};
    default:
      return {};
  }
}

std::string ErrorBody(const ErrorWords& words, std::string_view request_id) {
  JsonWriter writer;
  writer.BeginObject().Key("error").BeginObject();
  writer.Member("message", words.message).Member("type", words.type).Key("param");
  if (words.param.empty()) {
    writer.Null();
  } else {
    writer.String(words.param);
  }
  writer.Member("code", words.code).Member("request_id", request_id).EndObject().EndObject();
  return writer.Take();
}

/// JSON has no infinity: an impossible token gets a very low log-probability.
double Finite(float logprob) { return logprob < -9999.0f ? -9999.0 : static_cast<double>(logprob); }

void WriteBytes(std::string_view bytes, JsonWriter& writer) {
  writer.Key("bytes").BeginArray();
  for (const char c : bytes) writer.Int(static_cast<unsigned char>(c));
  writer.EndArray();
}

/// {"content":[{"token","logprob","bytes","top_logprobs":[]}],"refusal":null}
void WriteChatLogprobs(std::span<const SampledToken> tokens, JsonWriter& writer) {
  writer.BeginObject().Key("content").BeginArray();
  for (const SampledToken& token : tokens) {
    writer.BeginObject().Member("token", token.bytes).Member("logprob", Finite(token.logprob));
    WriteBytes(token.bytes, writer);
    writer.Key("top_logprobs").BeginArray();
    for (const engine::TokenLogprob& other : token.top) {
      writer.BeginObject().Member("token", other.bytes).Member("logprob", Finite(other.logprob));
      WriteBytes(other.bytes, writer);
      writer.EndObject();
    }
    writer.EndArray().EndObject();
  }
  writer.EndArray().Key("refusal").Null().EndObject();
}

/// {"text_offset":[],"token_logprobs":[],"tokens":[],"top_logprobs":[{}]}
void WriteCompletionLogprobs(std::span<const SampledToken> tokens, size_t offset,
                             JsonWriter& writer) {
  writer.BeginObject().Key("text_offset").BeginArray();
  for (const SampledToken& token : tokens) {
    writer.Int(static_cast<int64_t>(offset));
    offset += token.bytes.size();
  }
  writer.EndArray().Key("token_logprobs").BeginArray();
  for (const SampledToken& token : tokens) writer.Double(Finite(token.logprob));
  writer.EndArray().Key("tokens").BeginArray();
  for (const SampledToken& token : tokens) writer.String(token.bytes);
  writer.EndArray().Key("top_logprobs").BeginArray();
  for (const SampledToken& token : tokens) {
    writer.BeginObject();
    std::vector<std::string_view> seen;
    for (const engine::TokenLogprob& other : token.top) {
      // Two tokens of the same bytes would be one name twice.
      if (std::find(seen.begin(), seen.end(), other.bytes) != seen.end()) continue;
      seen.push_back(other.bytes);
      writer.Member(other.bytes, Finite(other.logprob));
    }
    writer.EndObject();
  }
  writer.EndArray().EndObject();
}

void WriteUsage(const OpenAiUsage& usage, JsonWriter& writer) {
  writer.BeginObject().Member("prompt_tokens", usage.prompt_tokens);
  writer.Member("completion_tokens", usage.completion_tokens);
  writer.Member("total_tokens", usage.prompt_tokens + usage.completion_tokens);
  writer.Key("prompt_tokens_details").BeginObject().Member("cached_tokens", usage.cached_tokens);
  writer.EndObject().EndObject();
}

void WriteLogprobs(const OpenAiFormat& format, std::span<const SampledToken> tokens, size_t offset,
                   JsonWriter& writer) {
  writer.Key("logprobs");
  if (!format.logprobs) {
    writer.Null();
  } else if (format.chat) {
    WriteChatLogprobs(tokens, writer);
  } else {
    WriteCompletionLogprobs(tokens, offset, writer);
  }
}

/// Opens an object with the members that all chunks have.
void WriteHead(const OpenAiFormat& format, bool is_chunk, JsonWriter& writer) {
  std::string_view object = "text_completion";
  if (format.chat) object = is_chunk ? "chat.completion.chunk" : "chat.completion";
  writer.BeginObject().Member("id", format.id).Member("object", object);
  writer.Member("created", format.created).Member("model", format.model);
  writer.Member("system_fingerprint", "fp_emptor");
  if (!format.conversation_id.empty()) writer.Member("conversation_id", format.conversation_id);
  if (!format.grounding) return;
  const OpenAiGrounding& grounding = *format.grounding;
  writer.Member("answer_step", grounding.answer_step).Key("grounded").BeginObject();
  writer.Member("references", grounding.references).Member("kept", grounding.kept);
  writer.Member("replaced", grounding.replaced).Member("dropped", grounding.dropped).EndObject();
}

void WriteFinish(std::string_view reason, std::string_view cut_by, JsonWriter& writer) {
  writer.Key("finish_reason");
  if (reason.empty()) {
    writer.Null();
  } else {
    writer.String(reason);
  }
  if (!cut_by.empty()) writer.Member("stop_reason", cut_by);
}

std::string Event(const std::string& json) { return "data: " + json + "\n\n"; }

/// Closes the choice and the chunk around it.
std::string EndChunk(const OpenAiFormat& format, JsonWriter& writer) {
  writer.EndObject().EndArray();
  if (format.include_usage) writer.Key("usage").Null();
  writer.EndObject();
  return Event(writer.Take());
}

}  // namespace

bool IsContextExceeded(const absl::Status& status) {
  return absl::IsInvalidArgument(status) &&
         std::string(status.message()).rfind("prompt: expected fewer than ", 0) == 0;
}

Response MakeOpenAiError(const absl::Status& status, std::string_view request_id) {
  const ErrorWords words = WordsOf(status);
  Response response;
  response.status = words.http;
  response.body = ErrorBody(words, request_id);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (words.http == 429 || words.http == 503) {
    const int seconds = engine::RetryAfterSeconds(status).value_or(1);
    response.headers.emplace_back("Retry-After", std::to_string(seconds));
  }
  AddSecurityHeaders(response);
  return response;
}

std::string OpenAiErrorJson(const absl::Status& status, std::string_view request_id) {
  return ErrorBody(WordsOf(status), request_id);
}

absl::Status FailureOf(const engine::GenerationEnd& end) {
  switch (end.reason) {
    case FinishReason::kStop:
    case FinishReason::kLength:
      return absl::OkStatus();
    case FinishReason::kDeadline:
      // The text written so far is kept, as with a token limit.
      if (end.usage.completion_tokens > 0) return absl::OkStatus();
      return absl::DeadlineExceededError("deadline passed");
    case FinishReason::kCancelled:
      return absl::CancelledError("cancelled");
    case FinishReason::kError:
      return end.status.ok() ? absl::InternalError("generation failed") : end.status;
  }
  return absl::InternalError("generation failed");
}

std::string_view FinishReasonName(FinishReason reason) {
  return reason == FinishReason::kStop ? "stop" : "length";
}

std::string OpenAiFormat::Whole(const std::vector<OpenAiChoice>& choices,
                                const OpenAiUsage& usage) const {
  JsonWriter writer;
  WriteHead(*this, false, writer);
  writer.Key("choices").BeginArray();
  for (size_t i = 0; i < choices.size(); ++i) {
    const OpenAiChoice& choice = choices[i];
    writer.BeginObject().Member("index", i);
    if (chat) {
      writer.Key("message").BeginObject().Member("role", "assistant");
      writer.Member("content", choice.text).Key("refusal").Null().EndObject();
    } else {
      writer.Member("text", choice.text);
    }
    WriteLogprobs(*this, choice.tokens, 0, writer);
    WriteFinish(FinishReasonName(choice.reason), choice.cut_by, writer);
    writer.EndObject();
  }
  writer.EndArray().Key("usage");
  WriteUsage(usage, writer);
  writer.EndObject();
  return writer.Take();
}

std::string OpenAiFormat::RoleChunk(int choice) const {
  JsonWriter writer;
  WriteHead(*this, true, writer);
  writer.Key("choices").BeginArray().BeginObject().Member("index", choice);
  writer.Key("delta").BeginObject().Member("role", "assistant").Member("content", "").EndObject();
  writer.Key("logprobs").Null();
  WriteFinish("", "", writer);
  return EndChunk(*this, writer);
}

std::string OpenAiFormat::TextChunk(int choice, const engine::TextPiece& piece,
                                    size_t offset) const {
  JsonWriter writer;
  WriteHead(*this, true, writer);
  writer.Key("choices").BeginArray().BeginObject().Member("index", choice);
  if (chat) {
    writer.Key("delta").BeginObject().Member("content", piece.text).EndObject();
  } else {
    writer.Member("text", piece.text);
  }
  WriteLogprobs(*this, piece.tokens, offset, writer);
  WriteFinish("", "", writer);
  return EndChunk(*this, writer);
}

std::string OpenAiFormat::FinishChunk(int choice, std::string_view reason,
                                      std::string_view cut_by) const {
  JsonWriter writer;
  WriteHead(*this, true, writer);
  writer.Key("choices").BeginArray().BeginObject().Member("index", choice);
  if (chat) {
    writer.Key("delta").BeginObject().EndObject();
  } else {
    writer.Member("text", "");
  }
  writer.Key("logprobs").Null();
  WriteFinish(reason, cut_by, writer);
  return EndChunk(*this, writer);
}

std::string OpenAiFormat::UsageChunk(const OpenAiUsage& usage) const {
  JsonWriter writer;
  WriteHead(*this, true, writer);
  writer.Key("choices").BeginArray().EndArray().Key("usage");
  WriteUsage(usage, writer);
  writer.EndObject();
  return Event(writer.Take());
}

std::string OpenAiFormat::ErrorEvent(const absl::Status& status, std::string_view request_id) {
  return Event(OpenAiErrorJson(status, request_id));
}

}  // namespace emptor::services

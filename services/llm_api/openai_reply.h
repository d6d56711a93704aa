// Replies of the OpenAI-compatible routes as JSON: objects, chunks of streams, errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/engine.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// {"error":{"message","type","param","code","request_id"}} with the HTTP status for it.
/// kUnimplemented is a 400 that names the field; messages of kInvalidArgument, kNotFound and
/// kUnimplemented go out, and those of kUnavailable that speak of a model.
Response MakeOpenAiError(const absl::Status& status, std::string_view request_id);
/// The body alone, for errors inside a stream.
std::string OpenAiErrorJson(const absl::Status& status, std::string_view request_id);

/// True when `status` says that a prompt is longer than the model's context.
bool IsContextExceeded(const absl::Status& status);

/// Why a generation ended badly; OK when its text stands.
absl::Status FailureOf(const engine::GenerationEnd& end);
/// "stop" or "length".
std::string_view FinishReasonName(engine::FinishReason reason);

/// One finished answer.
struct OpenAiChoice {
  std::string text;
  std::vector<engine::SampledToken> tokens;  // kept when log-probabilities are wanted
  engine::FinishReason reason = engine::FinishReason::kStop;
  std::string cut_by;  // what ended it when neither the model nor max_tokens did: "deadline"
};

struct OpenAiUsage {
  int prompt_tokens = 0, cached_tokens = 0, completion_tokens = 0;
};

/// How the assistant made an answer: members of its own, next to those of the OpenAI format.
struct OpenAiGrounding {
  std::string answer_step;                                  // "model", "mixed", "code"
  int references = 0, kept = 0, replaced = 0, dropped = 0;  // as `grounded` of /v1/assist
};

/// The common part of all chunks of one reply.
struct OpenAiFormat {
  bool chat = false;
  bool logprobs = false;
  bool include_usage = false;  // in a stream
  std::string id;              // "chatcmpl-..." or "cmpl-..."
  std::string model;
  int64_t created = 0;                            // Unix seconds
  std::string conversation_id = {};               // of the assistant, where the request asks for it
  std::optional<OpenAiGrounding> grounding = {};  // of the assistant, once the answer has ended

  /// The whole reply of a request that is not streamed.
  std::string Whole(const std::vector<OpenAiChoice>& choices, const OpenAiUsage& usage) const;

  // Events of a stream, ready to send.
  std::string RoleChunk(int choice) const;
  /// `offset`: where the text lies in the answer, in bytes.
  std::string TextChunk(int choice, const engine::TextPiece& piece, size_t offset) const;
  std::string FinishChunk(int choice, std::string_view reason, std::string_view cut_by) const;
  std::string UsageChunk(const OpenAiUsage& usage) const;
  static std::string Done() { return "data: [DONE]\n\n"; }
  static std::string ErrorEvent(const absl::Status& status, std::string_view request_id);
};

}  // namespace emptor::services

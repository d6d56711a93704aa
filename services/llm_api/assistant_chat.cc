// Events of an answer as chat completions.
#include "services/llm_api/assistant_chat.h"

#include <utility>
#include <variant>

#include "services/api/request_codec.h"

namespace emptor::services {
namespace {

absl::Status StatusOf(const ErrorEvent& error) {
  if (error.code == "overloaded") return absl::ResourceExhaustedError(error.message);
  if (error.code == "deadline_exceeded") return absl::DeadlineExceededError(error.message);
  if (error.code == "unavailable") return absl::UnavailableError(error.message);
  return absl::InternalError(error.message);
}

engine::FinishReason ReasonOf(const DoneEvent& done) {
  return done.finish_reason == "length" ? engine::FinishReason::kLength
                                        : engine::FinishReason::kStop;
}

}  // namespace

std::vector<HistoryTurn> HistoryOf(const std::vector<engine::ChatMessage>& messages) {
  std::vector<HistoryTurn> history;
  for (const engine::ChatMessage& message : messages) {
    AddChatMessage(message.role, message.content, history);
  }
  return history;
}

AssistantChatListener::AssistantChatListener(std::shared_ptr<Exchange> exchange,
                                             OpenAiFormat format, bool stream)
    : exchange_(std::move(exchange)), format_(std::move(format)), stream_(stream) {}

void AssistantChatListener::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeOpenAiError(status, exchange_->request().id));
}

bool AssistantChatListener::Begin(const StartEvent& start) {
  format_.conversation_id = start.conversation_id;
  const auto cancel = [stop = stop_]() mutable { stop.request_stop(); };
  if (!stream_) {
    exchange_->OnPeerGone(cancel);
    return true;
  }
  const std::string last_words = OpenAiFormat::ErrorEvent(
      absl::UnavailableError("the service is restarting"), exchange_->request().id);
  if (pipe_.Open(*exchange_, LlmStreamOptions(cancel, last_words), format_.RoleChunk(0))) {
    return true;
  }
  stop_.request_stop();
  return false;
}

bool AssistantChatListener::Write(const DeltaEvent& delta) {
  if (!stream_) {
    text_ += delta.text;
    return !stop_.stop_requested();
  }
  return pipe_.Push(format_.TextChunk(0, {.text = delta.text}, 0));
}

void AssistantChatListener::End(const DoneEvent& done) {
  const OpenAiUsage usage{done.prompt_tokens, 0, done.completion_tokens};
  exchange_->CountTokens(done.prompt_tokens + done.completion_tokens);
  format_.grounding =
      OpenAiGrounding{done.answer_step, done.references, done.kept, done.replaced, done.dropped};
  if (!stream_) {
    OpenAiChoice choice;
    choice.text = std::move(text_);
    choice.reason = ReasonOf(done);
    return exchange_->Respond(LlmResponse(format_.Whole({choice}, usage)));
  }
  std::string events = format_.FinishChunk(0, FinishReasonName(ReasonOf(done)), "");
  if (format_.include_usage) events += format_.UsageChunk(usage);
  pipe_.Push(events + OpenAiFormat::Done());
  pipe_.Finish();
}

void AssistantChatListener::Fail(const ErrorEvent& error) {
  const std::string& id = exchange_->request().id;
  if (!stream_) return exchange_->Respond(MakeOpenAiError(StatusOf(error), id));
  pipe_.Push(OpenAiFormat::ErrorEvent(StatusOf(error), id));
  pipe_.Finish();
}

bool AssistantChatListener::OnEvent(const AssistEvent& event) {
  if (const auto* start = std::get_if<StartEvent>(&event)) return Begin(*start);
  if (const auto* delta = std::get_if<DeltaEvent>(&event)) return Write(*delta);
  if (const auto* done = std::get_if<DoneEvent>(&event)) End(*done);
  if (const auto* error = std::get_if<ErrorEvent>(&event)) Fail(*error);
  return true;
}

}  // namespace emptor::services

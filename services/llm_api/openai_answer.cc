// From the engine's callbacks to HTTP.
#include "services/llm_api/openai_answer.h"

#include <utility>

namespace emptor::services {

namespace {

int64_t TokensOf(const OpenAiUsage& usage) { return usage.prompt_tokens + usage.completion_tokens; }

}  // namespace

std::string_view CutBy(engine::FinishReason reason) {
  return reason == engine::FinishReason::kDeadline ? "deadline" : "";
}

bool AnswerTally::Add(int choice, const engine::GenerationEnd& end) {
  if (choice % n_ == 0) {  // shared by the answers to one prompt
    usage_.prompt_tokens += end.usage.prompt_tokens;
    usage_.cached_tokens += end.usage.cached_tokens;
  }
  usage_.completion_tokens += end.usage.completion_tokens;
  return --open_ == 0;
}

OpenAiWholeReply::OpenAiWholeReply(std::shared_ptr<Exchange> exchange, OpenAiFormat format,
                                   size_t prompts, int n, WorkerPool& workers)
    : exchange_(std::move(exchange)),
      format_(std::move(format)),
      workers_(workers),
      tally_(prompts, n),
      choices_(prompts * static_cast<size_t>(n)) {}

void OpenAiWholeReply::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeOpenAiError(status, exchange_->request().id));
}

void OpenAiWholeReply::OnStarted(std::function<void()> cancel) {
  exchange_->OnPeerGone(std::move(cancel));
}

void OpenAiWholeReply::OnText(int choice, const engine::TextPiece& piece) {
  OpenAiChoice& answer = choices_.at(static_cast<size_t>(choice));
  answer.text += piece.text;
  if (format_.logprobs) {
    answer.tokens.insert(answer.tokens.end(), piece.tokens.begin(), piece.tokens.end());
  }
}

void OpenAiWholeReply::OnEnd(int choice, const engine::GenerationEnd& end) {
  OpenAiChoice& answer = choices_.at(static_cast<size_t>(choice));
  answer.reason = end.reason;
  answer.cut_by = CutBy(end.reason);
  if (const absl::Status failure = FailureOf(end); failure_.ok()) failure_ = failure;
  if (!tally_.Add(choice, end)) return;
  exchange_->CountTokens(TokensOf(tally_.usage()));
  workers_.Submit([self = shared_from_this()] {
    self->exchange_->Respond(
        self->failure_.ok() ? LlmResponse(self->format_.Whole(self->choices_, self->tally_.usage()))
                            : MakeOpenAiError(self->failure_, self->exchange_->request().id));
  });
}

OpenAiStreamReply::OpenAiStreamReply(std::shared_ptr<Exchange> exchange, OpenAiFormat format,
                                     size_t prompts, int n)
    : exchange_(std::move(exchange)),
      format_(std::move(format)),
      tally_(prompts, n),
      offsets_(prompts * static_cast<size_t>(n)) {}

void OpenAiStreamReply::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeOpenAiError(status, exchange_->request().id));
}

void OpenAiStreamReply::OnStarted(std::function<void()> cancel) {
  std::string first;
  for (size_t i = 0; format_.chat && i < offsets_.size(); ++i) {
    first += format_.RoleChunk(static_cast<int>(i));
  }
  const std::string last_words = OpenAiFormat::ErrorEvent(
      absl::UnavailableError("the service is restarting"), exchange_->request().id);
  if (!pipe_.Open(*exchange_, LlmStreamOptions(cancel, last_words), first)) cancel();
}

void OpenAiStreamReply::OnText(int choice, const engine::TextPiece& piece) {
  if (failed_ || (piece.text.empty() && !format_.logprobs)) return;
  size_t& offset = offsets_.at(static_cast<size_t>(choice));
  pipe_.Push(format_.TextChunk(choice, piece, offset));
  offset += piece.text.size();
}

void OpenAiStreamReply::OnEnd(int choice, const engine::GenerationEnd& end) {
  const bool is_last = tally_.Add(choice, end);
  if (is_last) exchange_->CountTokens(TokensOf(tally_.usage()));
  const absl::Status failure = FailureOf(end);
  if (!failure.ok() && !failed_) {  // an error ends the whole stream
    failed_ = true;
    pipe_.Push(OpenAiFormat::ErrorEvent(failure, exchange_->request().id));
    pipe_.Finish();
  }
  if (failed_) return;
  std::string events = format_.FinishChunk(choice, FinishReasonName(end.reason), CutBy(end.reason));
  if (is_last && format_.include_usage) events += format_.UsageChunk(tally_.usage());
  if (is_last) events += OpenAiFormat::Done();
  pipe_.Push(events);
  if (is_last) pipe_.Finish();
}

}  // namespace emptor::services

// Generations as streams of gRPC.
#include "services/engine_server/generate_call.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <deque>
#include <mutex>
#include <utility>

#include "services/llm_api/openai_reply.h"
#include "services/llm_api/openai_request.h"
#include "services/proto/engine.grpc.pb.h"

namespace emptor::services {
namespace {

namespace v1 = emptor::engine::v1;
using std::chrono::steady_clock;
using std::chrono::system_clock;

grpc::Status ToGrpc(const absl::Status& status) {
  // The codes are the same by design.
  return {static_cast<grpc::StatusCode>(status.code()), std::string(status.message())};
}

void FillToken(const engine::SampledToken& token, bool logprobs, v1::Token& out) {
  out.set_id(token.id);
  out.set_bytes(token.bytes);
  if (!logprobs) return;
  out.set_logprob(token.logprob);
  for (const engine::TokenLogprob& other : token.top) {
    v1::TokenLogprob& top = *out.add_top();
    top.set_id(other.id);
    top.set_bytes(other.bytes);
    top.set_logprob(other.logprob);
  }
}

void FillEnd(const engine::GenerationEnd& end, v1::GenerateEvent::End& out) {
  switch (end.reason) {
    case engine::FinishReason::kStop:
      out.set_reason(v1::FINISH_REASON_STOP);
      break;
    case engine::FinishReason::kDeadline:
      out.set_reason(v1::FINISH_REASON_DEADLINE);
      break;
    default:
      out.set_reason(v1::FINISH_REASON_LENGTH);
  }
  v1::Usage& usage = *out.mutable_usage();
  usage.set_prompt_tokens(end.usage.prompt_tokens);
  usage.set_cached_tokens(end.usage.cached_tokens);
  usage.set_completion_tokens(end.usage.completion_tokens);
  usage.set_queue_seconds(end.usage.queue_seconds);
  usage.set_ttft_seconds(end.usage.ttft_seconds);
  usage.set_total_seconds(end.usage.total_seconds);
}

/// Lives until gRPC has reported OnDone and the engine has released it.
class GenerateCall final : public grpc::ServerWriteReactor<v1::GenerateEvent>,
                           public GenerationReply {
 public:
  GenerateCall(int choices, bool logprobs) : open_(choices), logprobs_(logprobs) {}

  /// From this call on gRPC owns it too, until OnDone.
  void Keep(std::shared_ptr<GenerateCall> self) { self_ = std::move(self); }

  // From the engine.
  void OnRefused(const absl::Status& status) override { End(status); }
  void OnStarted(std::function<void()> cancel) override {
    bool late = false;
    {
      const std::lock_guard lock(mutex_);
      cancel_ = cancel;
      late = cancelled_;
    }
    if (late) cancel();
  }
  void OnText(int choice, const engine::TextPiece& piece) override {
    v1::GenerateEvent event;
    event.set_choice(choice);
    event.mutable_piece()->set_text(piece.text.data(), piece.text.size());
    for (const engine::SampledToken& token : piece.tokens) {
      FillToken(token, logprobs_, *event.mutable_piece()->add_tokens());
    }
    Send(std::move(event));
  }
  void OnEnd(int choice, const engine::GenerationEnd& end) override {
    const bool is_last = --open_ == 0;
    if (const absl::Status failure = FailureOf(end); !failure.ok()) return End(failure);
    v1::GenerateEvent event;
    event.set_choice(choice);
    FillEnd(end, *event.mutable_end());
    Send(std::move(event));
    if (is_last) End(absl::OkStatus());
  }

  // From gRPC.
  void OnWriteDone(bool ok) override {
    {
      const std::lock_guard lock(mutex_);
      writing_ = false;
      if (!queue_.empty()) queue_.pop_front();
      if (!ok) queue_.clear();
    }
    if (!ok) OnCancel();
    Advance();
  }
  void OnCancel() override {
    std::function<void()> cancel;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      cancel = cancel_;
    }
    if (cancel) cancel();
  }
  void OnDone() override { const auto last = std::move(self_); }

 private:
  void Send(v1::GenerateEvent event) {
    {
      const std::lock_guard lock(mutex_);
      if (status_) return;
      queue_.push_back(std::move(event));
    }
    Advance();
  }
  void End(const absl::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      if (status_) return;
      status_ = status;
    }
    Advance();
  }
  /// Writes the next event, or the status after the last one. gRPC may call back before StartWrite
  /// returns, so no lock is held.
  void Advance() {
    const v1::GenerateEvent* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (writing_ || finished_) return;
      if (!queue_.empty()) {
        writing_ = true;
        next = &queue_.front();
      } else if (status_) {
        finished_ = true;
      } else {
        return;
      }
    }
    if (next != nullptr) return StartWrite(next);
    Finish(ToGrpc(*status_));
  }

  int open_;  // answers that have not ended; engine's thread
  const bool logprobs_;
  std::shared_ptr<GenerateCall> self_;
  std::mutex mutex_;
  std::deque<v1::GenerateEvent> queue_;  // guarded by mutex_; the front is being written
  std::optional<absl::Status> status_;   // guarded by mutex_, set once
  std::function<void()> cancel_;         // guarded by mutex_
  bool writing_ = false;                 // guarded by mutex_
  bool finished_ = false;                // guarded by mutex_
  bool cancelled_ = false;               // guarded by mutex_
};

steady_clock::time_point DeadlineOf(const grpc::CallbackServerContext& context) {
  const auto deadline = context.deadline();
  const auto now = system_clock::now();
  if (deadline - now > std::chrono::hours(24)) return steady_clock::time_point::max();
  return steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(deadline - now);
}

void ReadSampling(const v1::Sampling& from, engine::SamplingParams& to) {
  to.temperature = from.temperature();
  to.top_k = from.top_k();
  to.top_p = from.top_p() == 0 ? 1 : from.top_p();
  to.min_p = from.min_p();
  to.repetition_penalty = from.repetition_penalty() == 0 ? 1 : from.repetition_penalty();
  to.presence_penalty = from.presence_penalty();
  to.frequency_penalty = from.frequency_penalty();
  to.seed = from.seed();
  to.min_tokens = from.min_tokens();
  to.ignore_end = from.ignore_end();
  to.stop = {from.stop().begin(), from.stop().end()};
  to.stop_tokens = {from.stop_tokens().begin(), from.stop_tokens().end()};
  if (from.has_logprobs()) to.logprobs = from.logprobs();
  for (const auto& [token, bias] : from.logit_bias()) to.logit_bias.emplace_back(token, bias);
}

}  // namespace

absl::StatusOr<engine::GenerationRequest> FromProto(const v1::GenerateRequest& request) {
  engine::GenerationRequest out;
  out.id = request.id();
  for (const v1::Message& message : request.messages()) {
    out.messages.push_back({message.role(), message.content()});
  }
  out.prompt = request.prompt();
  out.prompt_tokens = {request.prompt_tokens().ids().begin(), request.prompt_tokens().ids().end()};
  if (out.messages.empty() && out.prompt.empty() && out.prompt_tokens.empty()) {
    return absl::InvalidArgumentError("prompt: empty");
  }
  if (request.max_tokens() < 0 || request.max_tokens() > kMaxNewTokens) {
    return absl::InvalidArgumentError("max_tokens: out of range");
  }
  if (request.n() < 0 || request.n() > kMaxChoices) {
    return absl::InvalidArgumentError("n: out of range");
  }
  out.max_tokens = request.max_tokens();
  out.n = request.n() == 0 ? 1 : request.n();
  ReadSampling(request.sampling(), out.sampling);
  using Kind = engine::OutputFormat::Kind;
  if (request.format().has_regex()) out.format = {Kind::kRegex, request.format().regex()};
  if (request.format().has_json_schema()) {
    out.format = {Kind::kJsonSchema, request.format().json_schema()};
  }
  if (request.format().json_object()) out.format = {Kind::kJsonObject, {}};
  if (request.has_references()) {
    out.references = {request.references().texts().begin(), request.references().texts().end()};
  }
  if (request.priority() == v1::PRIORITY_BATCH) out.priority = engine::Priority::kBatch;
  out.tenant = request.tenant();
  out.cache_salt = request.cache_salt();
  return out;
}

grpc::ServerWriteReactor<v1::GenerateEvent>* StartGenerateCall(
    const grpc::CallbackServerContext& context, const v1::GenerateRequest& request,
    ModelRegistry& models) {
  auto parsed = FromProto(request);
  const int choices = parsed.ok() ? parsed->n : 1;
  const auto call =
      std::make_shared<GenerateCall>(choices, parsed.ok() && parsed->sampling.logprobs.has_value());
  call->Keep(call);
  if (!parsed.ok()) {
    call->OnRefused(parsed.status());
    return call.get();
  }
  const auto model = models.FindLanguageModel(request.model());
  if (!model.ok()) {
    call->OnRefused(model.status());
    return call.get();
  }
  parsed->deadline = DeadlineOf(context);
  if (parsed->max_tokens == 0) parsed->max_tokens = (*model)->info().context_length;
  StartGenerations(*model, {*std::move(parsed)}, call);
  return call.get();
}

}  // namespace emptor::services

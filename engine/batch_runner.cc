// The life of requests, one step at a time.
#include "engine/batch_runner.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {
namespace {

/// What the request says of choosing one of its answers.
ChoiceSpec ToChoiceSpec(const PreparedRequest& request, int choice) {
  return {.sampling = request.sampling,
          .choice = choice,
          .prompt = request.prompt,
          .references = request.references ? &*request.references : nullptr,
          .grammar = request.grammar};
}

int MaxSequenceTokens(const Model& model, const SchedulerLimits& limits, int blocks) {
  const int64_t capacity = int64_t{blocks} * limits.block_tokens;
  return static_cast<int>(std::min<int64_t>(capacity, model.context_length()));
}

TokenTable MakeTokenTable(const Tokenizer& tokenizer) {
  std::vector<std::string> bytes;
  std::vector<TokenId> ends;
  for (TokenId id = 0; id < tokenizer.vocabulary().size(); ++id) {
    bytes.push_back(tokenizer.vocabulary().Bytes(id));
    if (tokenizer.IsEnd(id)) ends.push_back(id);
  }
  return TokenTable(std::move(bytes), std::move(ends));
}

}  // namespace

BatchRunner::Generation::Generation(PreparedRequest prepared, const Vocabulary& vocabulary,
                                    const TokenTable& table)
    : request(std::move(prepared)),
      sampler(table, ToChoiceSpec(request, 0)),
      detokenizer(vocabulary),
      stops(request.sampling.stop) {
  usage.prompt_tokens = static_cast<int>(request.prompt.size());
}

BatchRunner::BatchRunner(Model& model, const Tokenizer& tokenizer, const SchedulerLimits& limits,
                         int blocks, Clock clock)
    : model_(model),
      tokenizer_(tokenizer),
      token_table_(MakeTokenTable(tokenizer)),
      clock_(std::move(clock)),
      max_sequence_tokens_(MaxSequenceTokens(model, limits, blocks)),
      pool_(blocks),
      scheduler_(limits, pool_) {}

double BatchRunner::SecondsSince(std::chrono::steady_clock::time_point begin) const {
  return std::chrono::duration<double>(clock_() - begin).count();
}

void BatchRunner::Add(PreparedRequest request) {
  const uint64_t handle = request.handle;
  scheduler_.Add(SequenceId{handle}, request.prompt);
  generations_.emplace(handle, std::make_unique<Generation>(std::move(request),
                                                            tokenizer_.vocabulary(), token_table_));
}

void BatchRunner::Cancel(uint64_t handle) {
  End(handle, FinishReason::kCancelled, absl::CancelledError("cancelled"));
}

void BatchRunner::CancelAll() {
  while (!generations_.empty()) Cancel(generations_.begin()->first);
}

void BatchRunner::EndLate() {
  const auto now = clock_();
  std::vector<uint64_t> late;
  for (const auto& [handle, generation] : generations_) {
    if (generation->request.deadline <= now) late.push_back(handle);
  }
  std::sort(late.begin(), late.end());
  for (const uint64_t handle : late) {
    End(handle, FinishReason::kDeadline, absl::DeadlineExceededError("deadline passed"));
  }
}

void BatchRunner::MarkStarted(const std::vector<ScheduledWork>& work) {
  for (const ScheduledWork& item : work) {
    Generation& generation = *generations_.at(static_cast<uint64_t>(item.id));
    if (generation.started) continue;
    generation.started = true;
    generation.usage.queue_seconds = SecondsSince(generation.request.submitted);
    stats_.prompt_tokens += generation.request.prompt.size();
  }
}

bool BatchRunner::Step() {
  EndLate();
  const std::vector<ScheduledWork> work = scheduler_.Schedule();
  if (work.empty()) return false;
  MarkStarted(work);
  if (after_schedule_) after_schedule_();
  std::vector<SequenceStep> steps;
  size_t rows = 0;
  for (const ScheduledWork& item : work) {
    steps.push_back({item.tokens, item.position, item.blocks, item.samples});
    rows += item.samples ? 1 : 0;
  }
  const auto vocabulary = static_cast<size_t>(model_.vocabulary_size());
  logits_.resize(rows * vocabulary);
  model_.ComputeInto(steps, logits_);
  ++stats_.steps;
  std::span<float> rest(logits_);
  for (const ScheduledWork& item : work) {
    if (item.samples) {
      TakeToken(item, rest.first(vocabulary));
      rest = rest.subspan(vocabulary);
    } else {
      scheduler_.Advance(item.id, static_cast<int>(item.tokens.size()), nullptr);
    }
  }
  return true;
}

void BatchRunner::TakeToken(const ScheduledWork& work, std::span<float> logits) {
  const auto handle = static_cast<uint64_t>(work.id);
  Generation& generation = *generations_.at(handle);
  std::optional<SampledToken> token = generation.sampler.Next(logits);
  if (!token) {
    End(handle, FinishReason::kError, generation.sampler.failure());
    return;
  }
  const TokenId id = token->id;
  if (generation.usage.completion_tokens == 0) {
    generation.usage.ttft_seconds = SecondsSince(generation.request.submitted);
  }
  ++generation.usage.completion_tokens;
  ++stats_.generated_tokens;
  const int length = generation.usage.prompt_tokens + generation.usage.completion_tokens;
  if (generation.sampler.ended() || !Emit(generation, std::move(*token)) ||
      generation.sampler.complete()) {
    End(handle, FinishReason::kStop, absl::OkStatus());
  } else if (generation.usage.completion_tokens >= generation.request.max_tokens ||
             length >= max_sequence_tokens_) {
    End(handle, FinishReason::kLength, absl::OkStatus());
  } else {
    scheduler_.Advance(work.id, static_cast<int>(work.tokens.size()), &id);
  }
}

bool BatchRunner::Emit(Generation& generation, SampledToken token) {
  std::string text = generation.detokenizer.Append(token.id);
  generation.unsent.push_back(std::move(token));
  if (generation.sampler.may_stop()) text = generation.stops.Append(text);
  if (generation.stops.stopped()) {
    SendText(generation, text);
    return false;
  }
  // Tokens travel with the piece of text that completes them.
  const bool complete = !generation.detokenizer.holding() && !generation.stops.holding();
  if (!text.empty() || complete) SendText(generation, text);
  return true;
}

void BatchRunner::SendText(Generation& generation, const std::string& text) {
  if (generation.request.callbacks.on_text) {
    generation.request.callbacks.on_text({.text = text, .tokens = generation.unsent});
  }
  generation.unsent.clear();
}

void BatchRunner::End(uint64_t handle, FinishReason reason, const absl::Status& status) {
  const auto found = generations_.find(handle);
  if (found == generations_.end()) return;
  const std::unique_ptr<Generation> generation = std::move(found->second);
  generations_.erase(found);
  scheduler_.Remove(SequenceId{handle});
  ++(reason == FinishReason::kCancelled ? stats_.cancelled : stats_.finished);
  const bool tell_rest = reason != FinishReason::kCancelled && reason != FinishReason::kError;
  if (tell_rest && !generation->stops.stopped()) {
    std::string text = generation->stops.Append(generation->detokenizer.Flush());
    text += generation->stops.Flush();
    if (!text.empty() || !generation->unsent.empty()) SendText(*generation, text);
  }
  generation->usage.total_seconds = SecondsSince(generation->request.submitted);
  if (generation->request.callbacks.on_end) {
    generation->request.callbacks.on_end(
        {.reason = reason, .usage = generation->usage, .status = status});
  }
}

EngineStats BatchRunner::stats() const {
  EngineStats stats = stats_;
  stats.running = scheduler_.running();
  stats.waiting = scheduler_.waiting();
  stats.kv_blocks_total = pool_.capacity();
  stats.kv_blocks_free = pool_.free_count();
  stats.preemptions = scheduler_.preemptions();
  return stats;
}

}  // namespace emptor::engine

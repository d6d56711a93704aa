// The life of requests, one step at a time.
#include "engine/batch_runner.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "fmt/format.h"

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

/// What two requests must have in common to share cached keys and values, which are those of one
/// adapter, tenant and salt. The lengths keep the parts apart.
std::string CacheSalt(const PreparedRequest& request) {
  return fmt::format("{} {} {}{}", request.adapter, request.tenant.size(), request.tenant,
                     request.cache_salt);
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

/// Prompt tokens of the work; a decode has none.
int PromptTokens(const ScheduledWork& work) {
  return work.decodes ? 0 : static_cast<int>(work.tokens.size());
}

/// Tokens of the work whose logits choose a token.
int LogitRows(const ScheduledWork& work) { return work.samples ? 1 + work.drafts : 0; }

}  // namespace

BatchRunner::Choice::Choice(const PreparedRequest& request, int choice,
                            const Vocabulary& vocabulary, const TokenTable& table)
    : number(choice),
      sampler(table, ToChoiceSpec(request, choice)),
      detokenizer(vocabulary),
      stops(request.sampling.stop) {
  usage.prompt_tokens = static_cast<int>(request.prompt.size());
}

BatchRunner::BatchRunner(Model& model, const Tokenizer& tokenizer, const SchedulerLimits& limits,
                         const KvOptions& kv, Clock clock, std::unique_ptr<Speculator> speculator)
    : model_(model),
      tokenizer_(tokenizer),
      token_table_(MakeTokenTable(tokenizer)),
      clock_(std::move(clock)),
      max_sequence_tokens_(MaxSequenceTokens(model, limits, kv.blocks)),
      block_tokens_(limits.block_tokens),
      pool_(kv.blocks),
      cache_(kv.prefix_cache ? std::optional<PrefixCache>(std::in_place, pool_, limits.block_tokens)
                             : std::nullopt),
      scheduler_(limits, pool_, cache_ ? &*cache_ : nullptr),
      speculator_(std::move(speculator)),
      least_measured_(std::min(32, limits.max_step_tokens / 4 + 1)) {}

double BatchRunner::SecondsSince(std::chrono::steady_clock::time_point begin) const {
  return std::chrono::duration<double>(clock_() - begin).count();
}

void BatchRunner::Add(PreparedRequest request) {
  const uint64_t handle = request.handle;
  auto generation = std::make_unique<Generation>();
  generation->request = std::move(request);
  const PreparedRequest& added = generation->request;
  for (int choice = 0; choice < added.n; ++choice) {
    generation->choices.push_back(
        std::make_unique<Choice>(added, choice, tokenizer_.vocabulary(), token_table_));
    Choice& made = *generation->choices.back();
    made.id = SequenceId{++last_sequence_};
    members_[last_sequence_] = {generation.get(), &made};
  }
  generation->open = added.n;
  const int64_t longest = std::ssize(added.prompt) + added.max_tokens;
  scheduler_.Add({.id = generation->choices.front()->id,
                  .tokens = added.prompt,
                  .priority = static_cast<int>(added.priority),
                  .tenant = added.tenant,
                  .salt = CacheSalt(added),
                  .num_seqs = added.n,
                  .most_tokens = static_cast<int>(std::min<int64_t>(longest, max_sequence_tokens_)),
                  .deadline = added.deadline});
  generations_.emplace(handle, std::move(generation));
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

void BatchRunner::EndInfeasible(const std::vector<SequenceId>& infeasible) {
  for (const SequenceId id : infeasible) {
    const Member member = members_.at(static_cast<uint64_t>(id));
    End(member.generation->request.handle, FinishReason::kDeadline,
        absl::DeadlineExceededError("deadline: too near for the prompts that wait before it"));
  }
}

void BatchRunner::MarkStarted(const std::vector<ScheduledWork>& work) {
  for (const ScheduledWork& item : work) {
    Generation& generation = *members_.at(static_cast<uint64_t>(item.id)).generation;
    if (generation.started) continue;
    generation.started = true;
    const double queued = SecondsSince(generation.request.submitted);
    for (const auto& choice : generation.choices) {
      choice->usage.queue_seconds = queued;
      choice->usage.cached_tokens = item.cached_tokens;
    }
    stats_.prompt_tokens += generation.request.prompt.size();
    if (!cache_) continue;
    stats_.prefix_queries += generation.request.prompt.size();
    stats_.prefix_hits += static_cast<uint64_t>(item.cached_tokens);
  }
}

double BatchRunner::Draft() {
  const std::vector<DecodingSequence> decoding = scheduler_.Decoding();
  if (decoding.empty()) return 0;
  const auto begin = clock_();
  // Where prompts take the whole step, drafts would be computed and never verified.
  const bool drafts = speculator_->drafts_are_free() ||
                      scheduler_.HasDraftRoom(begin, stats_.prefill_tokens_per_second);
  std::vector<DraftSlot> slots;
  for (const DecodingSequence& sequence : decoding) {
    const int room = drafts ? sequence.draft_room : 0;
    slots.push_back({static_cast<uint64_t>(sequence.id), sequence.tokens, room});
  }
  speculator_->DraftInto(slots);
  for (DraftSlot& slot : slots) {
    scheduler_.Propose(SequenceId{slot.sequence}, std::move(slot.drafts));
  }
  return SecondsSince(begin);
}

bool BatchRunner::Step() {
  EndLate();
  const double drafting = speculator_ ? Draft() : 0;
  const ScheduledStep step =
      scheduler_.Schedule(clock_(), stats_.prefill_tokens_per_second, drafting);
  EndInfeasible(step.infeasible);
  if (step.work.empty()) return false;
  MarkStarted(step.work);
  if (after_schedule_) after_schedule_();
  const auto begin = clock_();
  Compute(step);
  Measure(step, SecondsSince(begin));
  const auto vocabulary = static_cast<size_t>(model_.vocabulary_size());
  std::span<float> rest(logits_);
  for (const ScheduledWork& item : step.work) {
    scheduler_.Advance(item.id, static_cast<int>(item.tokens.size()) - item.drafts);
  }
  MeasureKv();
  for (const ScheduledWork& item : step.work) {
    const size_t size = static_cast<size_t>(LogitRows(item)) * vocabulary;
    if (size > 0) TakeTokens(item, rest.first(size));
    rest = rest.subspan(size);
  }
  return true;
}

void BatchRunner::Compute(const ScheduledStep& step) {
  for (const BlockCopy& copy : step.copies) model_.CopyBlock(copy.from, copy.to);
  std::vector<SequenceStep> steps;
  size_t rows = 0;
  for (const ScheduledWork& item : step.work) {
    const Member& member = members_.at(static_cast<uint64_t>(item.id));
    const int rows_of_item = LogitRows(item);
    steps.push_back({item.tokens, item.position, item.blocks, rows_of_item,
                     member.generation->request.adapter});
    rows += static_cast<size_t>(rows_of_item);
  }
  // It never shrinks: steps with and without drafts alternate, and growing clears the memory.
  const size_t size = rows * static_cast<size_t>(model_.vocabulary_size());
  if (logits_.size() < size) logits_.resize(size);
  model_.ComputeInto(steps, std::span(logits_).first(size));
}

void BatchRunner::Measure(const ScheduledStep& step, double seconds) {
  int tokens = 0, prompt = 0;
  for (const ScheduledWork& item : step.work) {
    tokens += static_cast<int>(item.tokens.size());
    prompt += PromptTokens(item);
  }
  ++stats_.steps;
  stats_.step_tokens += static_cast<uint64_t>(tokens);
  stats_.step_seconds += seconds;
  const auto bucket = static_cast<size_t>(std::bit_width(static_cast<unsigned>(tokens - 1)));
  ++stats_.steps_by_size[std::min(bucket, stats_.steps_by_size.size() - 1)];
  if (speculator_ && prompt == 0) speculator_->ObserveStep(tokens, seconds);
  if (prompt < least_measured_ || seconds <= 0) return;
  // A slowly decaying maximum: a disturbed step says little about the next one.
  double& rate = stats_.prefill_tokens_per_second;
  rate = std::max(0.99 * rate, tokens / seconds);
}

void BatchRunner::MeasureKv() {
  const int used = pool_.capacity() - pool_.free_count();
  stats_.kv_slots += static_cast<uint64_t>(used) * static_cast<uint64_t>(block_tokens_);
  stats_.kv_fragmented_slots += static_cast<uint64_t>(scheduler_.fragmented_slots());
}

void BatchRunner::TakeTokens(const ScheduledWork& work, std::span<float> logits) {
  const Member member = members_.at(static_cast<uint64_t>(work.id));
  Generation& generation = *member.generation;
  const uint64_t handle = generation.request.handle;
  if (work.drafts > 0) {
    TakeVerified(generation, *member.choice, work, logits);
  } else if (generation.split || generation.choices.size() == 1) {
    TakeToken(generation, *member.choice, logits);
  } else {
    generation.split = true;
    for (size_t i = 1; i < generation.choices.size(); ++i) {
      scheduler_.Fork(work.id, generation.choices[i]->id);
    }
    for (const auto& choice : generation.choices) {
      row_.assign(logits.begin(), logits.end());
      TakeToken(generation, *choice, row_);
    }
  }
  if (generation.open == 0) generations_.erase(handle);
}

void BatchRunner::TakeVerified(Generation& generation, Choice& choice, const ScheduledWork& work,
                               std::span<float> logits) {
  const size_t row = logits.size() / static_cast<size_t>(1 + work.drafts);
  const std::span<const TokenId> drafts = work.tokens.subspan(1);
  int tried = 0, accepted = 0;
  while (true) {
    const auto at = static_cast<size_t>(accepted);
    const std::optional<TokenId> token =
        TakeToken(generation, choice, logits.subspan(at * row, row));
    if (!token) break;
    if (at == drafts.size()) break;
    ++tried;
    if (*token != drafts[at]) break;
    // Its keys and values are those that the step wrote for the draft.
    scheduler_.Advance(work.id, 1);
    ++accepted;
  }
  ++stats_.verified_drafts;
  stats_.draft_tokens += static_cast<uint64_t>(work.drafts);
  stats_.accepted_draft_tokens += static_cast<uint64_t>(accepted);
  if (choice.ended) return;
  scheduler_.DropDrafts(work.id);
  speculator_->Observe(static_cast<uint64_t>(work.id), tried, accepted);
}

std::optional<TokenId> BatchRunner::TakeToken(Generation& generation, Choice& choice,
                                              std::span<float> logits) {
  std::optional<SampledToken> token = choice.sampler.Next(logits);
  if (!token) {
    EndChoice(generation, choice, FinishReason::kError, choice.sampler.failure());
    return std::nullopt;
  }
  const TokenId id = token->id;
  if (choice.usage.completion_tokens == 0) {
    choice.usage.ttft_seconds = SecondsSince(generation.request.submitted);
  }
  ++choice.usage.completion_tokens;
  ++stats_.generated_tokens;
  const int length = choice.usage.prompt_tokens + choice.usage.completion_tokens;
  if (choice.sampler.ended() || !Emit(generation, choice, std::move(*token)) ||
      choice.sampler.complete()) {
    EndChoice(generation, choice, FinishReason::kStop, absl::OkStatus());
  } else if (choice.usage.completion_tokens >= generation.request.max_tokens ||
             length >= max_sequence_tokens_) {
    EndChoice(generation, choice, FinishReason::kLength, absl::OkStatus());
  } else {
    scheduler_.Append(choice.id, id);
    return id;
  }
  return std::nullopt;
}

bool BatchRunner::Emit(const Generation& generation, Choice& choice, SampledToken token) {
  std::string text = choice.detokenizer.Append(token.id);
  choice.unsent.push_back(std::move(token));
  if (choice.sampler.may_stop()) text = choice.stops.Append(text);
  if (choice.stops.stopped()) {
    SendText(generation, choice, text);
    return false;
  }
  // Tokens travel with the piece of text that completes them.
  const bool complete = !choice.detokenizer.holding() && !choice.stops.holding();
  if (!text.empty() || complete) SendText(generation, choice, text);
  return true;
}

void BatchRunner::SendText(const Generation& generation, Choice& choice, const std::string& text) {
  if (generation.request.callbacks.on_text) {
    generation.request.callbacks.on_text(
        {.choice = choice.number, .text = text, .tokens = choice.unsent});
  }
  choice.unsent.clear();
}

void BatchRunner::EndChoice(Generation& generation, Choice& choice, FinishReason reason,
                            const absl::Status& status) {
  assert(!choice.ended);
  choice.ended = true;
  members_.erase(static_cast<uint64_t>(choice.id));
  scheduler_.Remove(choice.id);
  if (speculator_) speculator_->Forget(static_cast<uint64_t>(choice.id));
  if (--generation.open == 0) {
    ++(reason == FinishReason::kCancelled ? stats_.cancelled : stats_.finished);
  }
  const bool tell_rest = reason != FinishReason::kCancelled && reason != FinishReason::kError;
  if (tell_rest && !choice.stops.stopped()) {
    std::string text = choice.stops.Append(choice.detokenizer.Flush());
    text += choice.stops.Flush();
    if (!text.empty() || !choice.unsent.empty()) SendText(generation, choice, text);
  }
  choice.usage.total_seconds = SecondsSince(generation.request.submitted);
  if (generation.request.callbacks.on_end) {
    generation.request.callbacks.on_end(
        {.choice = choice.number, .reason = reason, .usage = choice.usage, .status = status});
  }
}

void BatchRunner::End(uint64_t handle, FinishReason reason, const absl::Status& status) {
  const auto found = generations_.find(handle);
  if (found == generations_.end()) return;
  const std::unique_ptr<Generation> generation = std::move(found->second);
  generations_.erase(found);
  for (const auto& choice : generation->choices) {
    if (!choice->ended) EndChoice(*generation, *choice, reason, status);
  }
}

EngineStats BatchRunner::stats() const {
  EngineStats stats = stats_;
  stats.running = scheduler_.running();
  stats.waiting = scheduler_.waiting();
  stats.kv_blocks_total = pool_.capacity();
  stats.kv_blocks_free = pool_.free_count();
  stats.preemptions = scheduler_.preemptions();
  stats.backlog_tokens = scheduler_.backlog();
  return stats;
}

}  // namespace emptor::engine

// Steps of the smaller model.
#include "engine/speculation/draft_model.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/sampling/sampler.h"

namespace emptor::engine {
namespace {

constexpr int kClass = 3;  // of all its drafts: those of look-ups of middling length begin like it
/// Maximum tokens of a text that are computed with its drafts; Prefill reads longer rests first. So
/// few hardly add to the time of drafting; one or two are new after each draft.
constexpr size_t kMaxLag = 8;
/// Tokens that Prefill reads however slow the machine is, and whose speed is measured.
constexpr size_t kMinPrefill = 32;

}  // namespace

DraftModel::DraftModel(std::unique_ptr<Model> model, const DraftModelOptions& options)
    : model_(std::move(model)), options_(options), pool_(options.blocks) {
  assert(options.max_step_tokens > static_cast<int>(kMaxLag));
  assert(options.max_prefill_tokens >= 1 && options.max_prefill_tokens <= options.max_step_tokens);
}

void DraftModel::CutBack(Text& text, std::span<const int32_t> tokens) {
  const auto added = tokens.subspan(text.known);
  const auto end =
      std::mismatch(text.drafts.begin(), text.drafts.end(), added.begin(), added.end()).first;
  // The newest token is computed again where it was a draft: its logits are wanted.
  const auto confirmed = text.known + static_cast<size_t>(end - text.drafts.begin());
  text.known = std::min(confirmed, tokens.size() - 1);
  text.drafts.clear();
  const auto block = static_cast<size_t>(options_.block_tokens);
  const auto blocks = static_cast<int>((text.known + block - 1) / block);
  text.blocks.Truncate(std::min(text.blocks.size(), blocks));
}

int DraftModel::AvailableBlocks() const {
  int blocks = pool_.free_count();
  for (const auto& [sequence, text] : texts_) {
    if (text.turn != turn_) blocks += text.blocks.size();
  }
  return blocks;
}

bool DraftModel::Reserve(Text& text, size_t tokens) {
  const auto block = static_cast<size_t>(options_.block_tokens);
  const auto needed = static_cast<int>((tokens + block - 1) / block) - text.blocks.size();
  if (needed <= 0) return true;
  if (needed > pool_.free_count() && needed > AvailableBlocks()) return false;
  while (needed > pool_.free_count()) {
    texts_.erase(std::min_element(texts_.begin(), texts_.end(), [](const auto& a, const auto& b) {
      return a.second.turn < b.second.turn;
    }));
  }
  absl::StatusOr<std::vector<Block>> blocks = pool_.Allocate(needed);
  if (!blocks.ok()) return false;
  text.blocks.Append(*std::move(blocks));
  return true;
}

std::optional<int> DraftModel::Classify(uint64_t sequence, std::span<const int32_t> tokens) {
  if (tokens.size() < static_cast<size_t>(model_->context_length())) return kClass;
  texts_.erase(sequence);
  return std::nullopt;
}

size_t DraftModel::PrefillBudget() const {
  const auto most = static_cast<size_t>(options_.max_prefill_tokens);
  const double in_time = options_.max_prefill_seconds * prefill_rate_;
  if (in_time <= 0 || in_time >= static_cast<double>(most)) return most;
  return std::min(most, std::max(kMinPrefill, static_cast<size_t>(in_time)));
}

void DraftModel::Prefill(std::span<const DraftRequest> requests) {
  ++turn_;
  for (const DraftRequest& request : requests) {
    Text& text = texts_[request.sequence];
    text.turn = turn_;
    CutBack(text, request.tokens);
  }
  size_t left = PrefillBudget();
  std::vector<SequenceStep> steps;
  std::vector<Text*> texts;
  for (const DraftRequest& request : requests) {
    Text& text = texts_.at(request.sequence);
    const size_t lag = request.tokens.size() - text.known;
    if (lag <= kMaxLag || left == 0) continue;
    // A text that cannot be read to its end would keep blocks from those that can.
    if (!Reserve(text, request.tokens.size())) {
      text.known = 0;
      text.blocks.Clear();
      continue;
    }
    const auto piece = request.tokens.subspan(text.known, std::min(lag - 1, left));
    left -= piece.size();
    steps.push_back({piece, static_cast<int>(text.known), text.blocks.ids()});
    texts.push_back(&text);
  }
  if (steps.empty()) return;
  const auto begin = options_.clock();
  model_->ComputeInto(steps, {});
  const double seconds = std::chrono::duration<double>(options_.clock() - begin).count();
  size_t tokens = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    texts[i]->known += steps[i].tokens.size();
    tokens += steps[i].tokens.size();
  }
  if (tokens < kMinPrefill || seconds <= 0) return;
  // A slowly decaying maximum: a disturbed step says little about the next one.
  prefill_rate_ = std::max(0.99 * prefill_rate_, static_cast<double>(tokens) / seconds);
}

void DraftModel::ComputeLogits(std::span<const Writer> writers) {
  const auto row = static_cast<size_t>(model_->vocabulary_size());
  if (logits_.size() < row * writers.size()) logits_.resize(row * writers.size());
  for (size_t begin = 0, end = 0; begin < writers.size(); begin = end) {
    std::vector<SequenceStep> steps;
    size_t tokens = 0;
    for (; end < writers.size(); ++end) {
      const Writer& writer = writers[end];
      tokens += writer.pending.size();
      if (end > begin && tokens > static_cast<size_t>(options_.max_step_tokens)) break;
      steps.push_back({writer.pending, static_cast<int>(writer.text->computed()),
                       writer.text->blocks.ids(), 1});
    }
    model_->ComputeInto(steps, std::span(logits_).subspan(row * begin, row * (end - begin)));
  }
}

void DraftModel::Advance(std::span<Writer> writers) {
  ComputeLogits(writers);
  const auto row = static_cast<size_t>(model_->vocabulary_size());
  for (size_t i = 0; i < writers.size(); ++i) {
    Writer& writer = writers[i];
    if (writer.request->drafts.empty()) {
      writer.text->known += writer.pending.size();
    } else {
      writer.text->drafts.push_back(writer.pending.front());
    }
    writer.pending.clear();
    const auto token = GreedyToken(std::span(logits_).subspan(row * i, row));
    if (!token) continue;
    writer.request->drafts.push_back(*token);
    writer.pending.push_back(*token);
  }
}

/// As many tokens as were asked for, fewer where the context or the memory ends.
size_t DraftModel::ReserveDrafts(Text& text, const DraftRequest& request) {
  const size_t known = request.tokens.size();
  size_t end = std::min(known + static_cast<size_t>(request.count) - 1,
                        static_cast<size_t>(model_->context_length()));
  if (!Reserve(text, end)) {
    const int blocks = text.blocks.size() + AvailableBlocks();
    end = static_cast<size_t>(blocks) * static_cast<size_t>(options_.block_tokens);
    if (end < known || !Reserve(text, end)) return 0;
  }
  return end + 1 - known;
}

void DraftModel::DraftInto(std::span<DraftRequest> requests) {
  std::vector<Writer> writers;
  for (DraftRequest& request : requests) {
    request.drafts.clear();
    Text& text = texts_.at(request.sequence);
    const auto pending = request.tokens.subspan(text.known);
    if (pending.size() > kMaxLag) continue;
    const size_t count = ReserveDrafts(text, request);
    if (count == 0) continue;
    writers.push_back({&request, &text, count, {pending.begin(), pending.end()}});
  }
  while (!writers.empty()) {
    Advance(writers);
    std::erase_if(writers, [](const Writer& writer) {
      return writer.pending.empty() || writer.request->drafts.size() >= writer.count;
    });
  }
}

}  // namespace emptor::engine

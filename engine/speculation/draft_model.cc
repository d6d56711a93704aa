// Steps of the smaller model.
#include "engine/speculation/draft_model.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/sampling/sampler.h"

namespace emptor::engine {
namespace {

constexpr int kClass = 3;  // of all its drafts: those of look-ups of middling length begin like it
/// Tokens that a sequence may be behind and still be caught up with as part of drafting.
constexpr size_t kMaxLag = 66;

}  // namespace

DraftModel::DraftModel(std::unique_ptr<Model> model, const DraftModelOptions& options)
    : model_(std::move(model)), options_(options), pool_(options.blocks) {}

void DraftModel::CutBack(Text& text, std::span<const int32_t> tokens) {
  const auto end =
      std::mismatch(text.computed.begin(), text.computed.end(), tokens.begin(), tokens.end()).first;
  // The newest token is computed again where it was a draft: its logits are wanted.
  const auto known = static_cast<size_t>(end - text.computed.begin());
  text.computed.resize(std::min(known, tokens.size() - 1));
  const auto size = static_cast<int>(text.computed.size());
  const int blocks = (size + options_.block_tokens - 1) / options_.block_tokens;
  text.blocks.Truncate(std::min(text.blocks.size(), blocks));
}

bool DraftModel::Reserve(Text& text, size_t tokens) {
  const auto block = static_cast<size_t>(options_.block_tokens);
  const auto needed = static_cast<int>((tokens + block - 1) / block);
  if (needed <= text.blocks.size()) return true;
  absl::StatusOr<std::vector<Block>> blocks = pool_.Allocate(needed - text.blocks.size());
  if (!blocks.ok()) return false;
  text.blocks.Append(*std::move(blocks));
  return true;
}

std::optional<int> DraftModel::Classify(uint64_t sequence, std::span<const int32_t> tokens) {
  if (tokens.size() >= static_cast<size_t>(model_->context_length())) return std::nullopt;
  Text& text = texts_[sequence];
  CutBack(text, tokens);
  if (tokens.size() - text.computed.size() > kMaxLag) {
    const auto lag = tokens.size() - 1 - text.computed.size();
    const auto piece = tokens.subspan(text.computed.size(),
                                      std::min(lag, static_cast<size_t>(options_.max_step_tokens)));
    if (!Reserve(text, text.computed.size() + piece.size())) return std::nullopt;
    const SequenceStep step{piece, static_cast<int>(text.computed.size()), text.blocks.ids()};
    model_->ComputeInto(std::span(&step, 1), {});
    text.computed.insert(text.computed.end(), piece.begin(), piece.end());
  }
  if (tokens.size() - text.computed.size() > kMaxLag) return std::nullopt;
  return kClass;
}

void DraftModel::Advance(std::span<Writer> writers) {
  const auto row = static_cast<size_t>(model_->vocabulary_size());
  logits_.resize(row * writers.size());
  for (size_t begin = 0, end = 0; begin < writers.size(); begin = end) {
    std::vector<SequenceStep> steps;
    size_t tokens = 0;
    for (; end < writers.size(); ++end) {
      Writer& writer = writers[end];
      tokens += writer.pending.size();
      if (end > begin && tokens > static_cast<size_t>(options_.max_step_tokens)) break;
      steps.push_back({writer.pending, static_cast<int>(writer.text->computed.size()),
                       writer.text->blocks.ids(), 1});
    }
    model_->ComputeInto(steps, std::span(logits_).subspan(row * begin, row * (end - begin)));
  }
  for (size_t i = 0; i < writers.size(); ++i) {
    Writer& writer = writers[i];
    std::vector<int32_t>& computed = writer.text->computed;
    computed.insert(computed.end(), writer.pending.begin(), writer.pending.end());
    writer.pending.clear();
    const auto token = GreedyToken(std::span(logits_).subspan(row * i, row));
    if (!token) continue;
    writer.request->drafts.push_back(*token);
    writer.pending.push_back(*token);
  }
}

void DraftModel::DraftInto(std::span<DraftRequest> requests) {
  std::vector<Writer> writers;
  for (DraftRequest& request : requests) {
    request.drafts.clear();
    Text& text = texts_.at(request.sequence);
    const auto context = static_cast<size_t>(model_->context_length());
    const size_t longest = request.tokens.size() + static_cast<size_t>(request.count) - 1;
    if (longest > context || !Reserve(text, longest)) continue;
    const auto pending = request.tokens.subspan(text.computed.size());
    assert(!pending.empty() && pending.size() <= kMaxLag);
    writers.push_back({&request, &text, {pending.begin(), pending.end()}});
  }
  while (!writers.empty()) {
    Advance(writers);
    std::erase_if(writers, [](const Writer& writer) {
      return writer.pending.empty() || std::ssize(writer.request->drafts) >= writer.request->count;
    });
  }
}

}  // namespace emptor::engine

// Classify, choose lengths, draft.
#include "engine/speculation/speculator.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {
namespace {

constexpr double kDraftingRate = 0.2;  // weight of the latest measurement

}  // namespace

Speculator::Speculator(std::unique_ptr<Drafter> drafter, int max_tokens)
    : drafter_(std::move(drafter)), max_tokens_(max_tokens) {}

void Speculator::Record(Sequence& sequence, int tried, int accepted) {
  sequence.acceptance.Observe(sequence.draft_class, tried, accepted);
  acceptance_.Observe(sequence.draft_class, tried, accepted);
}

void Speculator::ObserveUnverified(Sequence& sequence, std::span<const int32_t> tokens) {
  if (!sequence.unverified || tokens.size() <= sequence.position) return;
  Record(sequence, 1, tokens[sequence.position] == *sequence.unverified ? 1 : 0);
  sequence.unverified.reset();
}

void Speculator::Observe(uint64_t sequence, int tried, int accepted) {
  const auto found = sequences_.find(sequence);
  if (found != sequences_.end() && tried > 0) Record(found->second, tried, accepted);
}

void Speculator::ObserveDrafting(int tokens, double seconds) {
  if (tokens == 0 || seconds <= 0) return;
  const double latest = seconds / tokens;
  const double rate = draft_seconds_ == 0 ? 1 : kDraftingRate;
  draft_seconds_ += rate * (latest - draft_seconds_);
}

void Speculator::Forget(uint64_t sequence) {
  sequences_.erase(sequence);
  drafter_->Forget(sequence);
}

void Speculator::DraftInto(std::span<DraftSlot> slots) {
  std::vector<DraftCandidate> candidates(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    Sequence& sequence = sequences_.try_emplace(slots[i].sequence, acceptance_).first->second;
    ObserveUnverified(sequence, slots[i].tokens);
    const std::optional<int> draft_class =
        slots[i].room > 0 ? drafter_->Classify(slots[i].sequence, slots[i].tokens) : std::nullopt;
    if (!draft_class) continue;
    sequence.draft_class = *draft_class;
    candidates[i] = {sequence.acceptance.Of(*draft_class), std::min(slots[i].room, max_tokens_)};
  }
  const std::vector<int> lengths =
      ChooseDraftLengths(candidates, static_cast<int>(slots.size()), cost_, draft_seconds_);
  std::vector<DraftRequest> requests;
  std::vector<size_t> places;
  for (size_t i = 0; i < slots.size(); ++i) {
    const bool watched = candidates[i].most > 0 && drafter_->is_free();
    if (lengths[i] == 0 && !watched) continue;
    requests.push_back({slots[i].sequence, slots[i].tokens, std::max(1, lengths[i])});
    places.push_back(i);
  }
  drafter_->DraftInto(requests);
  for (size_t r = 0; r < requests.size(); ++r) {
    DraftSlot& slot = slots[places[r]];
    if (lengths[places[r]] > 0) {
      slot.drafts = std::move(requests[r].drafts);
    } else if (!requests[r].drafts.empty()) {
      Sequence& sequence = sequences_.at(slot.sequence);
      sequence.unverified = requests[r].drafts.front();
      sequence.position = slot.tokens.size();
    }
  }
}

}  // namespace emptor::engine

// Classify, choose lengths, draft.
#include "engine/speculation/speculator.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {
namespace {

constexpr double kDraftingRate = 0.3;  // weight of the latest measurement
// Of the estimated time of drafting, at each step without drafts that would have some if they took
// no time: so drafts are tried again some time, and measured.
constexpr double kDraftingForgetRate = 0.005;

bool AllZero(const std::vector<int>& lengths) {
  return std::all_of(lengths.begin(), lengths.end(), [](int length) { return length == 0; });
}

}  // namespace

Speculator::Speculator(std::unique_ptr<Drafter> drafter, int max_tokens,
                       std::function<std::chrono::steady_clock::time_point()> clock)
    : drafter_(std::move(drafter)), max_tokens_(max_tokens), clock_(std::move(clock)) {}

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

/// Drafts, and measures how long a token takes where it takes any time to speak of.
void Speculator::Draft(std::span<DraftRequest> requests) {
  if (requests.empty()) return;
  drafter_->Prefill(requests);
  if (drafter_->is_free()) {
    drafter_->DraftInto(requests);
    return;
  }
  const auto begin = clock_();
  drafter_->DraftInto(requests);
  const double seconds = std::chrono::duration<double>(clock_() - begin).count();
  size_t tokens = 0;
  for (const DraftRequest& request : requests) tokens += request.drafts.size();
  if (tokens == 0) return;
  const double rate = draft_seconds_ == 0 ? 1 : kDraftingRate;
  draft_seconds_ += rate * (seconds / static_cast<double>(tokens) - draft_seconds_);
}

void Speculator::Forget(uint64_t sequence) {
  sequences_.erase(sequence);
  drafter_->Forget(sequence);
}

std::vector<int> Speculator::ChooseLengths(std::span<const DraftCandidate> candidates) {
  if (always_) {
    std::vector<int> lengths;
    for (const DraftCandidate& candidate : candidates) lengths.push_back(candidate.most);
    return lengths;
  }
  // A draft token that takes as long as a step never pays. A longer time would only take longer to
  // be forgotten.
  draft_seconds_ = std::min(draft_seconds_, cost_.Of(1));
  const auto batch = static_cast<int>(candidates.size());
  std::vector<int> lengths = ChooseDraftLengths(candidates, batch, cost_, draft_seconds_);
  if (draft_seconds_ > 0 && AllZero(lengths) &&
      !AllZero(ChooseDraftLengths(candidates, batch, cost_, 0))) {
    draft_seconds_ -= kDraftingForgetRate * draft_seconds_;
  }
  return lengths;
}

void Speculator::DraftInto(std::span<DraftSlot> slots) {
  std::vector<DraftCandidate> candidates(slots.size());
  bool any = false;
  for (size_t i = 0; i < slots.size(); ++i) {
    Sequence& sequence = sequences_.try_emplace(slots[i].sequence, acceptance_).first->second;
    ObserveUnverified(sequence, slots[i].tokens);
    const std::optional<int> draft_class =
        slots[i].room > 0 ? drafter_->Classify(slots[i].sequence, slots[i].tokens) : std::nullopt;
    if (!draft_class) continue;
    sequence.draft_class = *draft_class;
    any = true;
    candidates[i] = {sequence.acceptance.CautiousOf(*draft_class),
                     std::min(slots[i].room, max_tokens_)};
  }
  if (!any) return;
  const std::vector<int> lengths = ChooseLengths(candidates);
  std::vector<DraftRequest> requests;
  std::vector<size_t> places;
  for (size_t i = 0; i < slots.size(); ++i) {
    const bool has_draft = candidates[i].most > 0;
    const bool watched = has_draft && drafter_->is_free();
    if (lengths[i] == 0 && has_draft && !watched) {
      Sequence& sequence = sequences_.at(slots[i].sequence);
      sequence.acceptance.Forget(sequence.draft_class);
    }
    if (lengths[i] == 0 && !watched) continue;
    requests.push_back({slots[i].sequence, slots[i].tokens, std::max(1, lengths[i])});
    places.push_back(i);
  }
  Draft(requests);
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

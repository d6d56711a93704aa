// The most likely draft tokens first, for as long as each pays for its time.
#include "engine/speculation/draft_length.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <queue>
#include <utility>

namespace emptor::engine {
namespace {

// The drafts that look best are chosen, so that the gain is less than it looks.
constexpr double kMinGain = 1.2;
constexpr double kMinAcceptance = 0.02;  // below it a token is not looked at

// Speeds of learning, as shares of observed over estimated time. The machine's speed changes all
// sizes alike and fast, the shape of the curve seldom.
constexpr double kScaleRate = 0.4, kShapeRate = 0.05;
constexpr double kFirstShapeRate = 0.5;
// Towards what the next smaller size says, at each observation of another size: a size that seemed
// too slow is tried again some time.
constexpr double kForgetRate = 0.0005;

constexpr double InitialShape(int tokens) { return 1 + 0.1 * (tokens - 1); }

/// Acceptance before anything is observed, and how many observations that is worth.
constexpr std::array<Acceptance, kDraftClasses> kInitial = {
    {{0.3, 0.6}, {0.4, 0.7}, {0.5, 0.8}, {0.6, 0.8}, {0.7, 0.9}, {0.8, 0.9}}};
constexpr double kInitialWeight = 4;
constexpr double kUntriedForgetRate = 0.005;  // of the counts, at each draft that is not tried
constexpr double kDecay = 0.97;               // of the counts, at each observed draft

}  // namespace

StepCost::StepCost() {
  for (size_t i = 0; i < kSizes.size(); ++i) shape_[i] = InitialShape(kSizes[i]);
}

StepCost::Place StepCost::PlaceOf(int tokens) {
  const auto above = std::lower_bound(kSizes.begin(), kSizes.end() - 1, tokens);
  const auto at = static_cast<size_t>(above - kSizes.begin());
  if (at == 0) return {0, 1};
  const double width = kSizes[at] - kSizes[at - 1];
  return {at, std::min(1.0, (tokens - kSizes[at - 1]) / width)};
}

double StepCost::Of(int tokens) const {
  const Place place = PlaceOf(tokens);
  const double above = shape_[place.above];
  const double below = place.above > 0 ? shape_[place.above - 1] : above;
  // So wide a step is bound by arithmetic: beyond the largest size each token costs its full time.
  const double wider = std::max(1.0, static_cast<double>(tokens) / kSizes.back());
  return (scale_ > 0 ? scale_ : 1) * wider * (below + place.share * (above - below));
}

void StepCost::Observe(int tokens, double seconds) {
  assert(tokens >= 1);
  if (seconds <= 0) return;
  if (scale_ == 0) scale_ = seconds / Of(tokens);
  // One disturbed step must not count for many.
  const double ratio = std::clamp(seconds / Of(tokens), 0.5, 2.0);
  scale_ *= 1 + kScaleRate * (ratio - 1);
  const Place place = PlaceOf(tokens);
  const auto learn = [&](size_t i, double share) {
    weight_[i] += share;
    const double rate = std::max(kShapeRate, kFirstShapeRate / (1 + weight_[i]));
    const double factor = 1 + rate * share * (ratio - 1);
    shape_[i] *= factor;
    // What was not measured is as far off as the nearest smaller size.
    for (size_t j = i + 1; j < kSizes.size() && weight_[j] < 1; ++j) shape_[j] *= factor;
  };
  for (size_t i = 1; i < kSizes.size(); ++i) {
    if (i == place.above || i + 1 == place.above || weight_[i] < 1) continue;
    const double grows = InitialShape(kSizes[i]) / InitialShape(kSizes[i - 1]);
    shape_[i] += kForgetRate * (grows * shape_[i - 1] - shape_[i]);
  }
  learn(place.above, place.share);
  if (place.above > 0) learn(place.above - 1, 1 - place.share);
}

AcceptanceMeter::ClassCounts AcceptanceMeter::Begin(const Acceptance& at) {
  return {{kInitialWeight, kInitialWeight * at.first}, {kInitialWeight, kInitialWeight * at.later}};
}

AcceptanceMeter::AcceptanceMeter() {
  std::transform(kInitial.begin(), kInitial.end(), counts_.begin(), Begin);
}

AcceptanceMeter::AcceptanceMeter(const AcceptanceMeter& prior) {
  for (int i = 0; i < kDraftClasses; ++i) counts_[static_cast<size_t>(i)] = Begin(prior.Of(i));
}

void AcceptanceMeter::Observe(int draft_class, int tried, int accepted) {
  assert(tried >= 1 && accepted <= tried && tried <= accepted + 1);
  const auto count = [](Counts& counts, int t, int a) {
    counts.tried = kDecay * counts.tried + t;
    counts.accepted = kDecay * counts.accepted + a;
  };
  ClassCounts& counts = counts_[static_cast<size_t>(draft_class)];
  count(counts.first, 1, std::min(accepted, 1));
  if (tried > 1) count(counts.later, tried - 1, accepted - 1);
}

void AcceptanceMeter::Forget(int draft_class) {
  const auto at = static_cast<size_t>(draft_class);
  const ClassCounts begin = Begin(kInitial[at]);
  const auto move = [](Counts& counts, const Counts& target) {
    counts.tried += kUntriedForgetRate * (target.tried - counts.tried);
    counts.accepted += kUntriedForgetRate * (target.accepted - counts.accepted);
  };
  move(counts_[at].first, begin.first);
  move(counts_[at].later, begin.later);
}

Acceptance AcceptanceMeter::Of(int draft_class) const {
  const ClassCounts& counts = counts_[static_cast<size_t>(draft_class)];
  return {counts.first.accepted / counts.first.tried, counts.later.accepted / counts.later.tried};
}

Acceptance AcceptanceMeter::CautiousOf(int draft_class) const {
  const ClassCounts& counts = counts_[static_cast<size_t>(draft_class)];
  const auto cautious = [](const Counts& at) {
    const double share = at.accepted / at.tried;
    return std::max(0.0, share - std::sqrt(share * (1 - share) / at.tried));
  };
  return {cautious(counts.first), cautious(counts.later)};
}

std::vector<int> ChooseDraftLengths(std::span<const DraftCandidate> candidates, int batch,
                                    const StepCost& cost, double draft_seconds) {
  std::vector<int> lengths(candidates.size(), 0), best = lengths;
  std::priority_queue<std::pair<double, size_t>> next;  // chance of the next token, candidate
  const auto offer = [&](double before, size_t i) {
    const Acceptance& acceptance = candidates[i].acceptance;
    const double chance = before * (lengths[i] == 0 ? acceptance.first : acceptance.later);
    if (lengths[i] < candidates[i].most && chance >= kMinAcceptance) next.emplace(chance, i);
  };
  for (size_t i = 0; i < candidates.size(); ++i) offer(1, i);
  double expected = batch;
  int added = 0;
  double best_rate = kMinGain * batch / cost.Of(batch);
  while (!next.empty()) {
    const auto [chance, i] = next.top();
    next.pop();
    expected += chance;
    ++lengths[i];
    ++added;
    const double rate = expected / (cost.Of(batch + added) + added * draft_seconds);
    if (rate > best_rate) {
      best_rate = rate;
      best = lengths;
    }
    offer(chance, i);
  }
  return best;
}

}  // namespace emptor::engine

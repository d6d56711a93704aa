// One stream of keys, drawn once, for every policy.
#include "services/bench/cache_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "retrieval/cache/tiny_lfu.h"
#include "services/bench/split_mix.h"

namespace emptor::services {
namespace {

struct Drawn {
  uint64_t key;
  size_t bytes;
};

size_t Below(SplitMix& random, size_t bound) {
  return static_cast<size_t>(random.NextUnit() * static_cast<double>(bound));
}

/// Sums of the ranks' weights.
std::vector<double> RankSums(size_t ranks, double skew) {
  std::vector<double> sums(ranks);
  double sum = 0;
  for (size_t k = 0; k < ranks; ++k) {
    sums[k] = sum += 1 / std::pow(static_cast<double>(k + 1), skew);
  }
  return sums;
}

std::vector<Drawn> DrawStream(const ReplayWorkload& workload, const ReplayOptions& options) {
  SplitMix random(options.seed);
  const size_t count = options.entry_bytes.size();
  const std::vector<double> sums = RankSums(count, workload.skew);
  std::vector<size_t> of_rank(count);
  std::iota(of_rank.begin(), of_rank.end(), size_t{0});
  for (size_t i = count; i > 1; --i) std::swap(of_rank[i - 1], of_rank[Below(random, i)]);
  std::vector<Drawn> stream;
  stream.reserve(options.requests);
  for (size_t i = 0; i < options.requests; ++i) {
    if (workload.shift_every > 0 && i > 0 && i % workload.shift_every == 0) {
      for (size_t k = 0; k < count / 10; ++k) std::swap(of_rank[k], of_rank[Below(random, count)]);
    }
    if (random.NextUnit() < workload.once_share) {
      stream.push_back({count + i, options.entry_bytes[Below(random, count)]});
      continue;
    }
    const double at = random.NextUnit() * sums.back();
    const auto rank = std::lower_bound(sums.begin(), sums.end(), at) - sums.begin();
    const size_t question = of_rank[static_cast<size_t>(rank)];
    stream.push_back({question, options.entry_bytes[question]});
  }
  return stream;
}

class Lru {
 public:
  explicit Lru(size_t max_bytes) : max_bytes_(max_bytes) {}
  bool Ask(const Drawn& drawn) {
    if (const auto found = places_.find(drawn.key); found != places_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return true;
    }
    if (drawn.bytes > max_bytes_) return false;
    order_.push_front(drawn);
    places_[drawn.key] = order_.begin();
    bytes_ += drawn.bytes;
    while (bytes_ > max_bytes_) {
      bytes_ -= order_.back().bytes;
      places_.erase(order_.back().key);
      order_.pop_back();
    }
    return false;
  }

 private:
  const size_t max_bytes_;
  size_t bytes_ = 0;
  std::list<Drawn> order_;
  std::unordered_map<uint64_t, std::list<Drawn>::iterator> places_;
};

class WindowTinyLfu {
 public:
  explicit WindowTinyLfu(const retrieval::TinyLfuOptions& options) : policy_(options) {}
  bool Ask(const Drawn& drawn) {
    policy_.Touch(drawn.key);
    if (policy_.Holds(drawn.key)) return true;
    policy_.Insert(drawn.key, drawn.bytes);
    return false;
  }

 private:
  retrieval::TinyLfu policy_;
};

template <typename Policy>
ReplayHits Run(std::string name, Policy policy, const std::vector<Drawn>& stream) {
  double hits = 0, hit_bytes = 0, bytes = 0;
  for (const Drawn& drawn : stream) {
    const auto weight = static_cast<double>(drawn.bytes);
    bytes += weight;
    if (!policy.Ask(drawn)) continue;
    hits += 1;
    hit_bytes += weight;
  }
  return {std::move(name), hits / static_cast<double>(stream.size()), hit_bytes / bytes};
}

}  // namespace

std::vector<ReplayHits> ReplayPolicies(const ReplayWorkload& workload,
                                       const ReplayOptions& options) {
  const std::vector<Drawn> stream = DrawStream(workload, options);
  const auto all = std::accumulate(options.entry_bytes.begin(), options.entry_bytes.end(), 0.0);
  const auto max_bytes = static_cast<size_t>(all * options.budget_share);
  std::vector<ReplayHits> hits = {Run("LRU", Lru(max_bytes), stream)};
  const auto usual = static_cast<size_t>(all / static_cast<double>(options.entry_bytes.size()));
  for (const double window : {0.01, 0.2, 0.5}) {
    retrieval::TinyLfuOptions of_policy{.max_bytes = max_bytes,
                                        .usual_entry_bytes = usual,
                                        .window_share = window,
                                        .seed = options.seed};
    hits.push_back(Run(fmt::format("W-TinyLFU, window {:.0f} %", window * 100),
                       WindowTinyLfu(of_policy), stream));
  }
  return hits;
}

}  // namespace emptor::services

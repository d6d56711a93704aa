// FAISS' HNSW with filters that work.
#pragma once

#include <faiss/IndexHNSW.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace emptor::retrieval {

/// `Base` is faiss::IndexHNSWFlat or IndexHNSWSQ. FAISS 1.7.3 walks its graph with one of two
/// queues: the bounded one is searched in linear time and ignores an efSearch above the index's
/// own, the unbounded one ignores selectors. This one takes the unbounded queue, walks for
/// max(efSearch, k) results and drops those that the selector refuses. So a caller raises efSearch
/// as a selector keeps less.
template <typename Base>
struct HnswIndex final : Base {
  using idx_t = faiss::Index::idx_t;

  template <typename... Arguments>
  explicit HnswIndex(Arguments... arguments) : Base(arguments...) {
    this->hnsw.search_bounded_queue = false;
    this->hnsw.efSearch = 1;  // the number of results decides
  }

  void search(idx_t n, const float* x, idx_t k, float* distances, idx_t* labels,
              const faiss::SearchParameters* params = nullptr) const override {
    const auto* hnsw_params = dynamic_cast<const faiss::SearchParametersHNSW*>(params);
    const idx_t ef_search = hnsw_params != nullptr ? hnsw_params->efSearch : kDefaultEfSearch;
    const idx_t wide = std::max(k, std::min(ef_search, this->ntotal));
    std::vector<float> wide_distances(static_cast<size_t>(n * wide));
    std::vector<idx_t> wide_labels(static_cast<size_t>(n * wide));
    Base::search(n, x, wide, wide_distances.data(), wide_labels.data());
    const faiss::IDSelector* selector = params == nullptr ? nullptr : params->sel;
    for (idx_t i = 0; i < n; ++i) {
      idx_t kept = 0;
      for (idx_t j = i * wide; j < (i + 1) * wide && kept < k; ++j) {  // best first
        const idx_t id = wide_labels[static_cast<size_t>(j)];
        if (id < 0 || (selector != nullptr && !selector->is_member(id))) continue;
        labels[i * k + kept] = id;
        distances[i * k + kept++] = wide_distances[static_cast<size_t>(j)];
      }
      std::fill(labels + i * k + kept, labels + (i + 1) * k, -1);
      std::fill(distances + i * k + kept, distances + (i + 1) * k, kNoScore);
    }
  }

 private:
  static constexpr idx_t kDefaultEfSearch = 512;
  static constexpr float kNoScore = std::numeric_limits<float>::lowest();
};

}  // namespace emptor::retrieval

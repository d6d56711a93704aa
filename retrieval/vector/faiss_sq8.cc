// A query's weights become int8 codes, so that a product with a row's codes is one of integers.
#include "retrieval/vector/faiss_sq8.h"

#include <faiss/impl/DistanceComputer.h>
#include <faiss/impl/FaissAssert.h>
#include <faiss/utils/Heap.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "retrieval/vector/int8_dot.h"
#include "retrieval/vector/quantized_rows.h"
#include "retrieval/vector/record_selector.h"
#include "retrieval/vector/sq8_dot.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr size_t kScoredTogether = 64;

/// FAISS decodes x[j] = low[j] + range[j] * (code[j] + 0.5) / 255. So the product with a query q is
/// a constant and the product of the codes with the weights q[j] * range[j] / 255.
class Sq8Product {
 public:
  Sq8Product(const faiss::ScalarQuantizer& sq, const float* query) : query_(WeightsOf(sq, query)) {
    const float* low = sq.trained.data();
    const float* range = low + sq.d;
    double constant = 0;
    for (size_t j = 0; j < sq.d; ++j) constant += double{query[j]} * (low[j] + range[j] / 510.0);
    constant_ = static_cast<float>(constant);
  }

  /// out [count]; codes [count, d].
  void ScoreInto(const uint8_t* codes, size_t count, float* out) const {
    static const Int8DotFunction dot = SelectInt8Dot();
    const size_t width = query_.coarse.size();
    std::array<int32_t, kScoredTogether> coarse, fine;
    for (size_t done = 0; done < count; done += kScoredTogether) {
      const size_t n = std::min(kScoredTogether, count - done);
      dot(codes + done * width, n, query_.coarse.data(), width, coarse.data());
      dot(codes + done * width, n, query_.fine.data(), width, fine.data());
      for (size_t i = 0; i < n; ++i) {
        const double sum = coarse[i] + fine[i] / 256.0;
        out[done + i] = constant_ + static_cast<float>(sum * query_.scale);
      }
    }
  }
  float Score(const uint8_t* code) const {
    float score = 0;
    ScoreInto(code, 1, &score);
    return score;
  }

 private:
  static QuantizedQuery WeightsOf(const faiss::ScalarQuantizer& sq, const float* query) {
    std::vector<float> weights(sq.d);
    for (size_t j = 0; j < sq.d; ++j) weights[j] = query[j] * sq.trained[sq.d + j] / 255;
    return QuantizedQuery(weights);
  }

  QuantizedQuery query_;
  float constant_ = 0;
};

/// Random access to the codes, for HNSW.
class Sq8Distances final : public faiss::FlatCodesDistanceComputer {
 public:
  explicit Sq8Distances(const faiss::IndexScalarQuantizer& index)
      : faiss::FlatCodesDistanceComputer(index.codes.data(), index.code_size), sq_(index.sq) {}

  void set_query(const float* x) override { query_.emplace(sq_, x); }
  float distance_to_code(const uint8_t* code) override { return query_->Score(code); }
  float symmetric_dis(faiss_id i, faiss_id j) override {
    static const Sq8DotFunction dot = SelectSq8Dot();
    if (lows_.empty()) PrepareRows();
    return dot(codes + static_cast<size_t>(i) * code_size,
               codes + static_cast<size_t>(j) * code_size, lows_.data(), steps_.data(), sq_.d);
  }

 private:
  /// A value is lows_[j] + steps_[j] * code[j].
  void PrepareRows() {
    for (size_t j = 0; j < sq_.d; ++j) {
      const float range = sq_.trained[sq_.d + j];
      lows_.push_back(sq_.trained[j] + range / 510);
      steps_.push_back(range / 255);
    }
  }

  const faiss::ScalarQuantizer& sq_;
  std::optional<Sq8Product> query_;
  std::vector<float> lows_, steps_;  // [d] once two rows were compared
};

/// Scans contiguous codes. FAISS keeps the heap, with the worst score on top.
class Sq8Scanner final : public faiss::InvertedListScanner {
 public:
  Sq8Scanner(const faiss::ScalarQuantizer& sq, bool by_residual, bool store_pairs_in,
             const faiss::IDSelector* selector)
      : faiss::InvertedListScanner(store_pairs_in, selector),
        sq_(sq),
        by_residual_(by_residual),
        known_(dynamic_cast<const RecordSelector*>(selector)) {
    keep_max = true;
    code_size = sq.code_size;
  }

  void set_query(const float* query) override { query_.emplace(sq_, query); }
  void set_list(faiss_id list, float coarse_score) override {
    list_no = list;
    list_score_ = by_residual_ ? coarse_score : 0;
  }
  float distance_to_code(const uint8_t* code) const override {
    return list_score_ + query_->Score(code);
  }

  size_t scan_codes(size_t n, const uint8_t* codes, const faiss_id* ids, float* scores,
                    faiss_id* labels, size_t k) const override {
    size_t updates = 0;
    std::array<float, kScoredTogether> block;
    for (size_t first = 0; first < n; first += kScoredTogether) {
      const size_t count = std::min(kScoredTogether, n - first);
      if (sel == nullptr) query_->ScoreInto(codes + first * code_size, count, block.data());
      for (size_t i = 0; i < count; ++i) {
        const size_t at = first + i;
        const faiss_id id = ids == nullptr ? static_cast<faiss_id>(at) : ids[at];
        if (!IsSelected(id)) continue;
        const float score =
            list_score_ + (sel == nullptr ? block[i] : query_->Score(codes + at * code_size));
        if (score <= scores[0]) continue;
        const faiss_id label =
            store_pairs ? faiss::lo_build(list_no, static_cast<faiss_id>(at)) : id;
        faiss::minheap_replace_top(k, scores, labels, score, label);
        ++updates;
      }
    }
    return updates;
  }

 private:
  bool IsSelected(faiss_id id) const {
    if (known_ != nullptr) return known_->RecordSelector::is_member(id);
    return sel == nullptr || sel->is_member(id);
  }

  const faiss::ScalarQuantizer& sq_;
  const bool by_residual_;
  const RecordSelector* known_;
  std::optional<Sq8Product> query_;
  float list_score_ = 0;
};

}  // namespace

Sq8Index::Sq8Index(int dimension)
    : faiss::IndexScalarQuantizer(dimension, faiss::ScalarQuantizer::QT_8bit,
                                  faiss::METRIC_INNER_PRODUCT) {}

void Sq8Index::search(idx_t n, const float* x, idx_t k, float* distances, idx_t* labels,
                      const faiss::SearchParameters* params) const {
  FAISS_THROW_IF_NOT(k > 0);
  FAISS_THROW_IF_NOT(is_trained);
  const faiss::IDSelector* selector = params == nullptr ? nullptr : params->sel;
  const auto heap_size = static_cast<size_t>(k);
  const auto search_one = [&](idx_t i) {
    Sq8Scanner scanner(sq, false, false, selector);
    scanner.set_query(x + i * d);
    float* scores = distances + i * k;
    faiss::minheap_heapify(heap_size, scores, labels + i * k);
    scanner.scan_codes(static_cast<size_t>(ntotal), codes.data(), nullptr, scores, labels + i * k,
                       heap_size);
    faiss::minheap_reorder(heap_size, scores, labels + i * k);
  };
  if (n == 1) return search_one(0);  // without a team of threads
#pragma omp parallel for schedule(dynamic)
  for (idx_t i = 0; i < n; ++i) search_one(i);
}

faiss::FlatCodesDistanceComputer* Sq8Index::get_FlatCodesDistanceComputer() const {
  return new Sq8Distances(*this);
}

IvfSq8Index::IvfSq8Index(faiss::Index* quantizer_in, int dimension, size_t lists)
    : faiss::IndexIVFScalarQuantizer(quantizer_in, static_cast<size_t>(dimension), lists,
                                     faiss::ScalarQuantizer::QT_8bit, faiss::METRIC_INNER_PRODUCT) {
  own_fields = true;
}

faiss::InvertedListScanner* IvfSq8Index::get_InvertedListScanner(
    bool store_pairs, const faiss::IDSelector* selector) const {
  return new Sq8Scanner(sq, by_residual, store_pairs, selector);
}

}  // namespace emptor::retrieval

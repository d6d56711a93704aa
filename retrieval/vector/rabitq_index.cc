// FAISS' interface over the scans of row_scan.h.
#include "retrieval/vector/rabitq_index.h"

#include <faiss/impl/AuxIndexStructures.h>
#include <faiss/impl/FaissAssert.h>
#include <faiss/impl/IDSelector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "retrieval/record_set.h"
#include "retrieval/vector/record_selector.h"
#include "retrieval/vector/row_scan.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

void CheckFinite(faiss_id n, int dimension, const float* x) {
  const std::span values(x, static_cast<size_t>(n) * static_cast<size_t>(dimension));
  const bool is_finite =
      std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  FAISS_THROW_IF_NOT_MSG(is_finite, "RaBitQ1: expected finite values, found infinity or NaN");
}

/// The rows that a selector keeps, as a bitmap: the selector's own, or one built once per search.
class SelectedRows {
 public:
  SelectedRows(const faiss::IDSelector* selector, size_t rows) {
    if (selector == nullptr) return;
    const auto* known = dynamic_cast<const RecordSelector*>(selector);
    if (known != nullptr && known->set.size() == rows) {
      set_ = &known->set;
      return;
    }
    RecordSet& made = made_.emplace(rows);
    for (size_t row = 0; row < rows; ++row) {
      if (selector->is_member(static_cast<faiss_id>(row))) made.Insert(static_cast<uint32_t>(row));
    }
    set_ = &made;
  }
  SelectedRows(const SelectedRows&) = delete;
  SelectedRows& operator=(const SelectedRows&) = delete;

  const RecordSet* get() const { return set_; }  // null: all
  bool contains(uint32_t row) const { return set_ == nullptr || set_->contains(row); }

 private:
  std::optional<RecordSet> made_;
  const RecordSet* set_ = nullptr;
};

const faiss::IDSelector* SelectorOf(const faiss::SearchParameters* params) {
  return params == nullptr ? nullptr : params->sel;
}

}  // namespace

RaBitQIndex::RaBitQIndex(int dimension, size_t codes_from)
    : RaBitQIndex(QuantizedRows(dimension), codes_from) {}

RaBitQIndex::RaBitQIndex(QuantizedRows rows, size_t codes_from)
    : faiss::Index(rows.dimension(), faiss::METRIC_INNER_PRODUCT),
      rows_(std::move(rows)),
      codes_from_(codes_from) {
  UpdateCodes();
}

size_t RaBitQIndex::byte_size() const {
  return rows_.byte_size() + (codes_.has_value() ? codes_->byte_size() : 0);
}

/// Encodes what was appended; all of it again, around a new centre, when the rows have doubled.
void RaBitQIndex::UpdateCodes() {
  ntotal = static_cast<idx_t>(rows_.size());
  if (rows_.size() < codes_from_ || rows_.size() == 0) {
    codes_.reset();
  } else if (codes_.has_value() && rows_.size() < 2 * codes_->centred_rows()) {
    codes_->Extend(rows_);
  } else {
    codes_.emplace(rows_);
  }
}

void RaBitQIndex::add(idx_t n, const float* x) {
  CheckFinite(n, d, x);
  const auto width = static_cast<size_t>(d);
  for (size_t i = 0; i < static_cast<size_t>(n); ++i) rows_.Add({x + i * width, width});
  UpdateCodes();
}

void RaBitQIndex::SearchOne(const float* x, size_t k, const RecordSet* selected, float* distances,
                            idx_t* labels) const {
  const std::span query(x, static_cast<size_t>(d));
  const std::vector<ScoredRecord> best = codes_.has_value()
                                             ? ScanBitCodes(rows_, *codes_, query, k, selected)
                                             : ScanExactly(rows_, query, k, selected);
  for (size_t i = 0; i < k; ++i) {
    labels[i] = i < best.size() ? static_cast<idx_t>(best[i].record) : -1;
    distances[i] = i < best.size() ? best[i].score : std::numeric_limits<float>::lowest();
  }
}

void RaBitQIndex::search(idx_t n, const float* x, idx_t k, float* distances, idx_t* labels,
                         const faiss::SearchParameters* params) const {
  FAISS_THROW_IF_NOT(k > 0);
  CheckFinite(n, d, x);
  const SelectedRows selected(SelectorOf(params), rows_.size());
  if (n == 1) {  // without a team of threads
    return SearchOne(x, static_cast<size_t>(k), selected.get(), distances, labels);
  }
#pragma omp parallel for schedule(dynamic)
  for (idx_t i = 0; i < n; ++i) {
    SearchOne(x + i * d, static_cast<size_t>(k), selected.get(), distances + i * k, labels + i * k);
  }
}

void RaBitQIndex::range_search(idx_t n, const float* x, float radius,
                               faiss::RangeSearchResult* result,
                               const faiss::SearchParameters* params) const {
  CheckFinite(n, d, x);
  const SelectedRows selected(SelectorOf(params), rows_.size());
  faiss::RangeSearchPartialResult partial(result);
  for (idx_t i = 0; i < n; ++i) {
    const QuantizedQuery query(std::span(x + i * d, static_cast<size_t>(d)));
    faiss::RangeQueryResult& found = partial.new_result(i);
    for (uint32_t row = 0; row < rows_.size(); ++row) {
      if (!selected.contains(row)) continue;
      const float score = rows_.Score(query, row);
      if (score > radius) found.add(score, row);
    }
  }
  partial.finalize();
}

void RaBitQIndex::reset() {
  rows_ = QuantizedRows(d);
  UpdateCodes();
}

size_t RaBitQIndex::remove_ids(const faiss::IDSelector& selector) {
  QuantizedRows kept(d);
  for (size_t row = 0; row < rows_.size(); ++row) {
    if (!selector.is_member(static_cast<idx_t>(row))) kept.AddFrom(rows_, row);
  }
  const size_t removed = rows_.size() - kept.size();
  if (removed == 0) return 0;
  rows_ = std::move(kept);
  codes_.reset();
  UpdateCodes();
  return removed;
}

void RaBitQIndex::reconstruct(idx_t key, float* recons) const {
  FAISS_THROW_IF_NOT_FMT(key >= 0 && key < ntotal, "RaBitQ1: expected an id below %ld, found %ld",
                         static_cast<long>(ntotal), static_cast<long>(key));
  rows_.DecodeInto(static_cast<size_t>(key), {recons, static_cast<size_t>(d)});
}

}  // namespace emptor::retrieval

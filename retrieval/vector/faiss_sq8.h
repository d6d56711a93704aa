// FAISS' 8-bit scalar quantiser with our SIMD products: Debian's FAISS is built without AVX.
#pragma once

#include <faiss/IndexScalarQuantizer.h>

namespace emptor::retrieval {

/// "SQ8" over inner products. The codes are those of FAISS; the products are computed here. For
/// unit vectors they agree with FAISS' within 1e-4.
/// Thread-safety: const methods from any thread.
struct Sq8Index final : faiss::IndexScalarQuantizer {
  explicit Sq8Index(int dimension);

  void search(idx_t n, const float* x, idx_t k, float* distances, idx_t* labels,
              const faiss::SearchParameters* params = nullptr) const override;
  faiss::FlatCodesDistanceComputer* get_FlatCodesDistanceComputer() const override;
};

/// "IVF<lists>,SQ8" over inner products, likewise.
struct IvfSq8Index final : faiss::IndexIVFScalarQuantizer {
  /// Takes the quantizer.
  IvfSq8Index(faiss::Index* quantizer, int dimension, size_t lists);

  faiss::InvertedListScanner* get_InvertedListScanner(
      bool store_pairs, const faiss::IDSelector* selector) const override;
};

}  // namespace emptor::retrieval

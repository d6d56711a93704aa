// Which vector index a shop uses: a factory string and what it means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::retrieval {

/// 1-bit codes scanned, int8 rows to refine: the fastest that finds nearly all, at every size
/// measured (docs/adr/0011, 0012).
inline constexpr std::string_view kDefaultVectorIndex = "RaBitQ1,Refine8";

/// A parsed factory string.
struct VectorIndexSpec {
  enum class Structure { kRaBitQ, kExhaustive, kInvertedLists, kHnsw };

  std::string factory = std::string(kDefaultVectorIndex);
  Structure structure = Structure::kRaBitQ;
  size_t lists = 0;      // kInvertedLists
  size_t links = 0;      // kHnsw: M
  bool has_sq8 = false;  // 8-bit scalar quantiser; else f32. Not of kRaBitQ

  /// Fewer rows cannot train it; they are searched through kDefaultVectorIndex.
  size_t min_rows() const;
  /// Whether it is trained for so long that a file keeps it.
  bool is_kept() const {
    return structure == Structure::kInvertedLists || structure == Structure::kHnsw;
  }
};

/// "RaBitQ1,Refine8", or of faiss::index_factory's strings: "Flat", "SQ8", "IVF<lists>,Flat",
/// "IVF<lists>,SQ8", "HNSW<links>,Flat", "HNSW<links>,SQ8". Errors: kInvalidArgument, with
/// examples.
absl::StatusOr<VectorIndexSpec> ParseVectorIndex(std::string_view factory);

}  // namespace emptor::retrieval

// From how many vectors on which structure keeps them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emptor::retrieval {

struct FaissSizes {
  /// A structure of FAISS from so many vectors on; fewer are scanned by their signs, which finds
  /// more (docs/adr/0011).
  size_t from = SIZE_MAX;
  /// That structure is a graph from so many on; inverted lists below.
  size_t graph_from = SIZE_MAX;
};

}  // namespace emptor::retrieval

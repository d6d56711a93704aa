// Sizes and names of element types.
#include "engine/tensor/dtype.h"

namespace emptor::engine {
namespace {

struct TypeFacts {
  std::string_view name;
  int elements, bytes;  // of a block
};

constexpr TypeFacts Facts(DType type) {
  switch (type) {
    case DType::kF32:
      return {"F32", 1, 4};
    case DType::kF16:
      return {"F16", 1, 2};
    case DType::kBF16:
      return {"BF16", 1, 2};
    case DType::kQ8_0:
      return {"Q8_0", kQuantBlock, sizeof(BlockQ8)};
    case DType::kQ4_0:
      return {"Q4_0", kQuantBlock, sizeof(BlockQ4)};
    case DType::kQ4_K:
      return {"Q4_K", kSuperBlock, sizeof(BlockQ4K)};
    case DType::kQ6_K:
      return {"Q6_K", kSuperBlock, sizeof(BlockQ6K)};
  }
  return {};
}

}  // namespace

int BlockElements(DType type) { return Facts(type).elements; }
int BlockBytes(DType type) { return Facts(type).bytes; }
std::string_view DTypeName(DType type) { return Facts(type).name; }

}  // namespace emptor::engine

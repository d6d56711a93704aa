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
    case DType::kQ4_1:
      return {"Q4_1", kQuantBlock, sizeof(BlockQ4_1)};
    case DType::kQ5_0:
      return {"Q5_0", kQuantBlock, sizeof(BlockQ5_0)};
    case DType::kQ5_1:
      return {"Q5_1", kQuantBlock, sizeof(BlockQ5_1)};
    case DType::kQ2_K:
      return {"Q2_K", kSuperBlock, sizeof(BlockQ2K)};
    case DType::kQ3_K:
      return {"Q3_K", kSuperBlock, sizeof(BlockQ3K)};
    case DType::kQ5_K:
      return {"Q5_K", kSuperBlock, sizeof(BlockQ5K)};
    case DType::kIQ4_NL:
      return {"IQ4_NL", kQuantBlock, sizeof(BlockIQ4NL)};
    case DType::kIQ4_XS:
      return {"IQ4_XS", kSuperBlock, sizeof(BlockIQ4XS)};
  }
  return {};
}

}  // namespace

int BlockElements(DType type) { return Facts(type).elements; }
int BlockBytes(DType type) { return Facts(type).bytes; }
std::string_view DTypeName(DType type) { return Facts(type).name; }

}  // namespace emptor::engine

// Sizes and names of element types.
#include "engine/tensor/dtype.h"

namespace emptor::engine {

int BlockElements(DType type) { return type == DType::kQ8_0 ? kQuantBlock : 1; }

int BlockBytes(DType type) {
  switch (type) {
    case DType::kF32:
      return 4;
    case DType::kF16:
    case DType::kBF16:
      return 2;
    case DType::kQ8_0:
      return sizeof(BlockQ8);
  }
  return 0;
}

std::string_view DTypeName(DType type) {
  switch (type) {
    case DType::kF32:
      return "F32";
    case DType::kF16:
      return "F16";
    case DType::kQ8_0:
      return "Q8_0";
    case DType::kBF16:
      return "BF16";
  }
  return "";
}

}  // namespace emptor::engine

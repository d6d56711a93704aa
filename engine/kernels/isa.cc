// Detection by CPUID, which GCC's built-in does together with the check of the system's support.
#include "engine/kernels/isa.h"

namespace emptor::engine {

Isa DetectIsa() {
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0 &&
                           __builtin_cpu_supports("fma") != 0 &&
                           __builtin_cpu_supports("f16c") != 0;
  return avx2 ? Isa::kAvx2 : Isa::kReference;
}

std::vector<Isa> AvailableIsas() {
  if (DetectIsa() == Isa::kReference) return {Isa::kReference};
  return {Isa::kReference, DetectIsa()};
}

std::string_view IsaName(Isa isa) { return isa == Isa::kAvx2 ? "avx2" : "reference"; }

}  // namespace emptor::engine

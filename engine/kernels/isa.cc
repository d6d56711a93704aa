// Detection by CPUID, which GCC's built-in does together with the check of the system's support.
#include "engine/kernels/isa.h"

namespace emptor::engine {
namespace {

Isa Detect() {
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("f16c") != 0;
  if (!avx2) return Isa::kReference;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512vnni") != 0;
  if (!avx512) return Isa::kAvx2;
  return __builtin_cpu_supports("avx512bf16") != 0 ? Isa::kAvx512Bf16 : Isa::kAvx512;
}

}  // namespace

Isa DetectIsa() {
  static const Isa best = Detect();
  return best;
}

bool HasIsa(Isa isa) { return isa <= DetectIsa(); }

std::vector<Isa> AvailableIsas() {
  std::vector<Isa> isas;
  for (const Isa isa : kAllIsas) {
    if (HasIsa(isa)) isas.push_back(isa);
  }
  return isas;
}

std::string_view IsaName(Isa isa) {
  switch (isa) {
    case Isa::kReference:
      return "reference";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
    case Isa::kAvx512Bf16:
      return "avx512bf16";
  }
  return "";
}

std::optional<Isa> FindIsa(std::string_view name) {
  for (const Isa isa : kAllIsas) {
    if (IsaName(isa) == name) return isa;
  }
  return std::nullopt;
}

}  // namespace emptor::engine

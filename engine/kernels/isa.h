// Which instruction sets the kernels exist for, and which one this machine has.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace emptor::engine {

/// kAvx2 stands for AVX2, FMA and F16C together; kAvx512 for these and AVX-512 F, BW, DQ, VL and
/// VNNI; kAvx512Bf16 for these and AVX-512 BF16. A wider set gets its own entry here, its own
/// <unit>_<set>.cc files with their own compiler flags, and its line in KernelsFor.
enum class Isa { kReference, kAvx2, kAvx512, kAvx512Bf16 };

/// All of them, plain one first.
inline constexpr std::array kAllIsas = {Isa::kReference, Isa::kAvx2, Isa::kAvx512,
                                        Isa::kAvx512Bf16};

/// Whether both the processor and the system support the set. Asked once.
bool HasIsa(Isa isa);
/// The best set that runs here.
Isa DetectIsa();
/// Every set that runs here, plain one first.
std::vector<Isa> AvailableIsas();
/// "reference", "avx2", "avx512", "avx512bf16".
std::string_view IsaName(Isa isa);
/// The set of that name.
std::optional<Isa> FindIsa(std::string_view name);

}  // namespace emptor::engine

// Which instruction sets the kernels exist for, and which one this machine has.
#pragma once

#include <string_view>
#include <vector>

namespace emptor::engine {

/// kAvx2 stands for AVX2, FMA and F16C together. A wider set gets its own entry here, its own
/// kernels_<set>.cc files with its own compiler flags, and its line in Kernels().
enum class Isa { kReference, kAvx2 };

/// The best set that both the processor and the system support. Asked once.
Isa DetectIsa();
/// Every set that runs here, plain one first.
std::vector<Isa> AvailableIsas();
/// "reference", "avx2".
std::string_view IsaName(Isa isa);

}  // namespace emptor::engine

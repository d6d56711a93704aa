// Choice of the kernels at run time.
#include "engine/kernels/kernels.h"

namespace emptor::engine {

const Kernels& KernelsFor(Isa isa) { return isa == Isa::kAvx2 ? kAvx2Kernels : kReferenceKernels; }

}  // namespace emptor::engine

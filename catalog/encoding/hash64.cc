// The project's only use of libxxhash.
#include "catalog/encoding/hash64.h"

#include <xxhash.h>

namespace emptor::catalog {

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  return XXH64(bytes.data(), bytes.size(), seed);
}

}  // namespace emptor::catalog

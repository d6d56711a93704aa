// XXH64, the hash of the storage formats: fast, stable across machines and versions.
#pragma once

#include <cstdint>
#include <string_view>

namespace emptor::catalog {

/// XXH64 of `bytes`, by libxxhash. Guards against accidents, not against an adversary who can write
/// the files.
uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);

}  // namespace emptor::catalog

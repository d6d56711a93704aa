// Digests that distinguish models of the same name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace emptor::engine {

/// "file.gguf:0123456789abcdef": the last part of the path, and the first 8 bytes of SHA-256 over
/// the parts, in hexadecimal.
std::string MakeModelId(const std::string& path,
                        const std::vector<std::span<const std::byte>>& parts);

}  // namespace emptor::engine

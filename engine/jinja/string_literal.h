// The escapes of Python's string literals.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::engine::jinja {

/// The text that the characters between two quotes stand for. An escape that Python does not know
/// stays as it is. Errors: kInvalidArgument (digits that are missing, surrogates, \N).
absl::StatusOr<std::string> DecodeStringLiteral(std::string_view literal);

}  // namespace emptor::engine::jinja

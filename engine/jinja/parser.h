// A template's statements.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "engine/jinja/limits.h"
#include "engine/jinja/syntax.h"

namespace emptor::engine::jinja {

/// Errors: kInvalidArgument, `line 3: what is wrong`: not well-formed, over a limit, or a part of
/// Jinja that is not supported.
absl::StatusOr<Body> ParseTemplate(std::string_view source, const Limits& limits);

}  // namespace emptor::engine::jinja

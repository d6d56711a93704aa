// Dates for templates that tell the model what day it is.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::engine::jinja {

/// strftime in the C locale and the local time zone, with the directives of Python's:
/// %a %A %b %B %d %e %H %I %j %m %M %p %S %y %Y %Z %z %U %W %w %u %F %T %D %x %X %c %%, each also
/// with a '-' that takes the padding away. Errors: kInvalidArgument (another directive, a format of
/// more than 256 bytes).
absl::StatusOr<std::string> FormatDate(std::time_t now, std::string_view format);

}  // namespace emptor::engine::jinja

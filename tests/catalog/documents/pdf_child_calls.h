// Calls that a process which reads a PDF has no use for, made by it nevertheless.
#pragma once

#include <string>

namespace emptor::testing {

/// Makes one by its name and tells what came of it: "possible" or the error's name. An unknown name
/// is "unknown".
std::string MakePdfChildCall(const std::string& name);

/// As under a kernel or a sandbox without filters of calls: asking for one fails from here on.
bool TakeAwayCallFilters();

}  // namespace emptor::testing

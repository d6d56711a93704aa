// Calls that a process which reads a PDF has no use for, made by it nevertheless.
#pragma once

#include <string>

namespace emptor::testing {

/// Makes one by its name and tells what came of it: "possible" or the error's name. An unknown name
/// is "unknown".
std::string MakePdfChildCall(const std::string& name);

/// As under a kernel or a sandbox without filters of calls: asking for one fails from here on.
bool TakeAwayCallFilters();

/// Whether the child tells its crashes in AddressSanitizer's way and asks for more than it may
/// have: a reason to skip what holds it to the system's way.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kChildIsSanitized = true;
#else
inline constexpr bool kChildIsSanitized = false;
#endif

}  // namespace emptor::testing

// Rules for the tests themselves: pure functions from sources to complaints.
#pragma once

#include <vector>

#include "tests/layering/rules.h"

namespace emptor::testing {

/// Every TEST asserts something: in its body, or in a function that it calls and that lies in the
/// same file or in one whose header it includes.
Complaints CheckTestsAssert(const std::vector<SourceFile>& files);

/// No assertion that cannot fail: an unsigned number at least 0, a number above -1, true; and no
/// DISABLED_ test.
Complaints CheckAssertionsCanFail(const std::vector<SourceFile>& files);

}  // namespace emptor::testing

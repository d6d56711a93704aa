// Where what was learned from labelled turns knows better than the rules.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/reading/query_understanding.h"

namespace emptor::services {

/// The products that the message is about, where the rules read it as something else and are often
/// wrong with it: a search, a policy, other products. Empty: what they read holds.
/// `understanding`: of the rules alone. `input`: as they read it. Pure.
std::vector<std::string> ReviewTurn(const Understanding& understanding,
                                    const UnderstandingInput& input);

}  // namespace emptor::services

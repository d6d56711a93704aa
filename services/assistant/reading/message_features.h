// What the act classifier and the policy topics compare of messages.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace emptor::services {

/// Words, pairs of neighbours ("^" before the first, "$" after the last) and runs of four and five
/// letters ("~_send"); of Chinese, runs of one to three characters. Digits are one "0". The
/// function `features` of training/train_acts.py. Pure.
std::unordered_set<std::string> MessageFeatures(std::string_view message);

}  // namespace emptor::services

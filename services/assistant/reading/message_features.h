// What the act classifier and the policy topics compare of messages.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace emptor::services {

/// Words, pairs of neighbours ("^" before the first, "$" after the last) and runs of four and five
/// letters ("~_send"); of Chinese, runs of one to three characters. Digits are one "0". The
/// function `features` of training/train_acts.py. Pure.
std::unordered_set<std::string> MessageFeatures(std::string_view message);

/// Those of MessageFeatures without the runs of letters within words. Pure.
std::unordered_set<std::string> WordFeatures(std::string_view message);

/// Folded words in their order; of Chinese, each two neighbours. Pure.
std::vector<std::string> MatchedWords(std::string_view text);

/// The first letter is Chinese, Japanese or Korean.
bool IsWideWord(std::string_view word);

}  // namespace emptor::services

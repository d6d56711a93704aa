// The merging loop of byte-pair encoding.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/tokenizer/merge_table.h"

namespace emptor::engine {

/// Merges neighbours among tokens[begin..], the lowest rank first, of equal ranks the leftmost,
/// until no pair of the table is left. Cost: n log n in the number of tokens.
/// Source: Sennrich et al. 2016, arXiv:1508.07909.
void MergeWord(const MergeTable& merges, std::vector<TokenId>& tokens, size_t begin);

}  // namespace emptor::engine

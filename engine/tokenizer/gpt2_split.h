// GPT-2's pre-tokenizer: cuts text into the words that BPE never merges across.
#pragma once

#include <cstddef>
#include <string_view>

namespace emptor::engine {

/// Length in bytes of the first word of `text`, by the rules of GPT-2's regular expression:
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// Bytes that are not UTF-8 count as characters of no class. Cost: linear in the length returned,
/// plus one character. REQUIRES: text is not empty. Source: Radford et al. 2019, GPT-2.
size_t Gpt2WordLength(std::string_view text);

}  // namespace emptor::engine

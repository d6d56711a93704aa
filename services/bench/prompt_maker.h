// Prompts of about a given length, in the tokens of a server whose tokenizer is not known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emptor::services {

/// How a server counts words: tokens = per_request + per_word * words.
struct TokenScale {
  double per_request = 0;  // what the chat template and markers add
  double per_word = 1.3;

  /// From what the server counted for two prompts. Keeps the default where the counts do not grow
  /// with the words.
  static TokenScale Fit(int words_a, int tokens_a, int words_b, int tokens_b);
};

/// Made-up text of common words. Equal seeds give equal words.
std::string MakeWords(uint64_t seed, int words);

struct PromptShape {
  int input_tokens = 1;
  int shared_tokens = 0;                     // at the beginning, equal in all prompts
  std::vector<uint64_t> prefix_blocks = {};  // as PlannedRequest has them
  int block_tokens = 512;
};

/// At least one word. Prompts of the same blocks begin with the same text; without blocks, the text
/// is that of `seed` alone, so that a server's prefix cache finds nothing.
std::string MakePrompt(const PromptShape& shape, const TokenScale& scale, uint64_t seed);

}  // namespace emptor::services

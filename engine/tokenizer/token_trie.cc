// Growing of the trie.
#include "engine/tokenizer/token_trie.h"

namespace emptor::engine {

void TokenTrie::Insert(std::string_view text, TokenId token) {
  int32_t node = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    int32_t child = Child(node, byte);
    if (child == kNone) {
      child = static_cast<int32_t>(tokens_.size());
      tokens_.push_back(kNone);
      edges_.Insert(node, byte, {0, child});
    }
    node = child;
  }
  tokens_[static_cast<size_t>(node)] = token;
}

}  // namespace emptor::engine

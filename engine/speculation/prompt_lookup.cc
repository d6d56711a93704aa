// Copies what followed the match.
#include "engine/speculation/prompt_lookup.h"

#include <cassert>

namespace emptor::engine {
namespace {

int ClassOf(int length) {
  if (length <= 3) return length - NgramIndex::kMinTokens;
  if (length <= 5) return 2;
  if (length <= 8) return 3;
  return length <= 15 ? 4 : 5;
}

}  // namespace

std::optional<int> PromptLookup::Classify(uint64_t sequence, std::span<const int32_t> tokens) {
  Text& text = texts_[sequence];
  text.match = text.index.Find(tokens);
  if (text.match.length == 0) return std::nullopt;
  return ClassOf(text.match.length);
}

void PromptLookup::DraftInto(std::span<DraftRequest> requests) {
  for (DraftRequest& request : requests) {
    const NgramIndex::Match& match = texts_.at(request.sequence).match;
    assert(match.length > 0 && match.next < request.tokens.size());
    request.drafts.clear();
    for (size_t i = 0; i < static_cast<size_t>(request.count); ++i) {
      const size_t from = match.next + i;
      request.drafts.push_back(from < request.tokens.size()
                                   ? request.tokens[from]
                                   : request.drafts[from - request.tokens.size()]);
    }
  }
}

}  // namespace emptor::engine

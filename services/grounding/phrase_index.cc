// Looks at the phrases with a beginning that the message has.
#include "services/grounding/phrase_index.h"

#include <algorithm>

namespace emptor::services {

void PhraseIndex::FindIn(const std::vector<Phrase>& phrases, const FoldedMessage& message,
                         std::vector<Match>& found) const {
  for (const Phrase& phrase : phrases) {
    const FoldedMessage::Span span = message.Find(phrase.text);
    if (span.found()) found.push_back({phrase.id, phrase.place, span});
  }
}

std::vector<PhraseIndex::Match> PhraseIndex::Find(const FoldedMessage& message) const {
  std::vector<Match> found;
  const auto& beginnings = message.beginnings();
  for (size_t at = beginnings._Find_first(); at < beginnings.size();
       at = beginnings._Find_next(at)) {
    FindIn(by_beginning_[at], message, found);
  }
  FindIn(by_beginning_.back(), message, found);
  std::sort(found.begin(), found.end(),
            [](const Match& a, const Match& b) { return a.place < b.place; });
  return found;
}

}  // namespace emptor::services

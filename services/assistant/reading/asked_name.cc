// Word by word.
#include "services/assistant/reading/asked_name.h"

#include "retrieval/text/measure.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {

std::optional<NameLead> LeadOfName(const FoldedMessage& message, const ProductType& type) {
  const FoldedMessage::Span name = message.FindLongest(type.words);
  if (!name.found()) return std::nullopt;
  const FoldedMessage::Span request = FindCue(message, Cue::kRequest);
  const size_t begin = request.found() && request.end <= name.begin ? request.end : 0;
  NameLead lead;
  for (const std::string& word : SplitWords(message.text().substr(begin, name.begin - begin))) {
    const FoldedMessage each = FoldedMessage::FromFolded(word);
    ++lead.words;
    const bool is_amount = HasDigit(word) || retrieval::FindUnit(word).has_value();
    const bool is_small = IsOrdinaryWord(word) || HasCue(each, Cue::kDeterminer);
    if (!is_small && !is_amount) ++lead.telling;
    if (HasCue(each, Cue::kPurpose) || IsOwnerWord(word)) lead.is_purpose = true;
  }
  return lead;
}

}  // namespace emptor::services

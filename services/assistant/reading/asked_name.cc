// Word by word.
#include "services/assistant/reading/asked_name.h"

#include "retrieval/text/measure.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {

namespace {

constexpr size_t kMaxOfHad = 2;  // words between "we have a" and the name

}  // namespace

std::optional<NameLead> LeadOfName(const FoldedMessage& message, const ProductType& type) {
  const FoldedMessage::Span name = message.FindLongest(type.words);
  if (!name.found()) return std::nullopt;
  const FoldedMessage::Span request = FindCue(message, Cue::kRequest);
  const size_t begin = request.found() && request.end <= name.begin ? request.end : 0;
  NameLead lead;
  // "We have a scooter and want to stay dry", but not "do you have a scooter".
  const FoldedMessage front(message.text().substr(0, name.begin));
  const FoldedMessage::Span had = FindCue(front, Cue::kHad);
  const bool asks = HasCue(message, Cue::kSells);
  if (had.found() && !asks && SplitWords(front.text().substr(had.end)).size() <= kMaxOfHad) {
    lead.is_purpose = true;
  }
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

bool IsAskedByName(const FoldedMessage& message, const ProductType& type) {
  constexpr size_t kFewQualifiers = 2;
  const auto lead = LeadOfName(message, type);
  return lead && !lead->is_purpose &&
         (lead->telling == 0 || (type.is_whole && lead->telling <= kFewQualifiers));
}

}  // namespace emptor::services

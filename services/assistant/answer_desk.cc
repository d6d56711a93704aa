// Answers of the service desk: a phrase, the hand-over to a person, an entry of the shop.
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/catalog_summary.h"
#include "services/assistant/search/document_finder.h"
#include "services/grounding/phrases.h"

namespace emptor::services {

/// The shop's entry on how to reach customer service.
absl::Status Answer::FindContact() {
  if (understanding_.desk == DeskAct::kElsewhere) return FindPriceMatch();
  if (HandoffKind(understanding_.desk).empty() || understanding_.desk == DeskAct::kCrisis ||
      understanding_.desk == DeskAct::kMedical) {
    return absl::OkStatus();
  }
  const std::string& language = understanding_.language;
  absl::StatusOr<std::optional<Source>> contact = std::nullopt;
  // "How do I cancel my order" has an entry of its own in many shops, as "the vase arrived broken".
  if (understanding_.desk == DeskAct::kComplaint) {
    contact = FindEntrySaid(parts_.shop, message_, FilterLocale(language));
    if (!contact.ok()) return contact.status();
  }
  if (understanding_.desk == DeskAct::kOrder) {
    contact = FindEntryAbout(parts_.shop, message_, FilterLocale(language));
    if (!contact.ok()) return contact.status();
    if (!*contact) contact = FindDocumentOf(parts_.shop, message_, language);
    if (!contact.ok()) return contact.status();
  }
  if (!*contact) contact = FindDocumentOf(parts_.shop, Phrase(language, "contact_query"), language);
  if (!contact.ok()) return contact.status();
  if (*contact) retrieved_.sources.push_back(**std::move(contact));
  return absl::OkStatus();
}

/// Where prices of other shops are asked about: the entry on matching them, where the shop has one.
absl::Status Answer::FindPriceMatch() {
  auto entry = FindEntryAbout(parts_.shop, Phrase("en", "price_match_query"),
                              FilterLocale(understanding_.language));
  if (!entry.ok()) return entry.status();
  if (*entry) retrieved_.sources.push_back(**std::move(entry));
  return absl::OkStatus();
}

/// The desk's phrase, the hand-over, and how to reach customer service.
void Answer::FinishAtDesk() {
  const std::string_view kind = HandoffKind(understanding_.desk);
  if (!kind.empty()) {
    HandoffEvent handoff{std::string(kind), std::nullopt};
    if (!retrieved_.sources.empty()) handoff.contact = *retrieved_.sources[0].document();
    Emit(handoff);
  }
  if (understanding_.desk == DeskAct::kCatalog) {
    Emit(DeltaEvent{DescribeCatalog(parts_.shop, understanding_.language)});
    return;
  }
  Emit(DeltaEvent{Phrase(understanding_.language, PhraseKey(understanding_.desk), turns_.size())});
  if (retrieved_.sources.empty()) return;
  Emit(DeltaEvent{"\n\n"});
  Show(hydrator_->Push("[1:answer] [1]"));
  Show(hydrator_->Finish());
}

}  // namespace emptor::services

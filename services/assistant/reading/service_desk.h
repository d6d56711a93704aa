// Messages that need no search: small talk, customer service, what is refused, and emergencies.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

enum class DeskAct {
  kNone,
  kCrisis,
  kHarmful,
  kMedical,
  kInjection,
  kHuman,
  kComplaint,
  kOrder,
  kOffTopic,
  kIdentity,
  kGreeting,
  kThanks,
  kGoodbye,
  kUndecided,  // "hm ok", "not sure"
  kNonsense,
  kCatalog,    // what the shop sells
  kElsewhere,  // the prices of other shops
  kForecast,   // prices to come
  kPolicy,     // of the shop: its documents answer, no phrase
};

/// "complaint"; kNone for a name that is none of an act.
DeskAct DeskActOf(std::string_view name);

/// By the phrases of data/lexicon/acts.txt; greetings, thanks and nonsense by their words. Pure.
/// Languages: English, German, French, Spanish, Chinese. Thread-safety: any thread.
DeskAct ReadDeskAct(std::string_view message);

/// Key of the phrase that answers it (grounding/phrases.h); empty for kNone, kCatalog and kPolicy.
std::string_view PhraseKey(DeskAct act);

/// Kind of the hand-over to a person: "order", "complaint", "human", "crisis", "medical"; empty:
/// none.
std::string_view HandoffKind(DeskAct act);

}  // namespace emptor::services

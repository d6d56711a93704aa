// Situations: ideas that a message holds in any order (data/lexicon/situations.txt).
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

enum class SituationKind { kNeed, kPolicy, kAct };

struct Situation {
  std::string name;          // of a need, a topic or an act, as their lexicons call it
  FoldedMessage::Span span;  // from the first word of its ideas to the last
  std::vector<FoldedMessage::Span> places;  // of its ideas
  size_t letters = 0;                       // bytes of the words of its ideas
  size_t ideas = 0;
};

/// The situation whose ideas cover most letters of the message: "the parcel was supposed to be here
/// last week" is a late parcel in whatever order it is said. Each idea stands in words of its own,
/// and all within a few words of each other. Pure.
std::optional<Situation> FindSituation(SituationKind kind, const FoldedMessage& message);

/// The ideas of a text, by number: equal for equal ideas in whatever language it is written. Pure.
std::set<size_t> IdeasOf(std::string_view text);

}  // namespace emptor::services

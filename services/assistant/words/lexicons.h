// The texts of data/lexicon that the assistant reads, compiled in; their format is described in
// docs/formats/phrases.md.
#pragma once

#include <span>
#include <string_view>

namespace emptor::services {

extern const std::string_view kAccessoryLexicon;  // accessories.txt
extern const std::string_view kActLexicon;        // acts.txt
extern const std::string_view kContrastLexicon;   // contrasts.txt
extern const std::string_view kCountLexicon;      // counts.txt
extern const std::string_view kCueLexicon;        // cues.txt
extern const std::string_view kDimensionLexicon;  // dimensions.txt
extern const std::string_view kKeyWordLexicon;    // key_words.txt
extern const std::string_view kExclusionLexicon;  // exclusions.txt
extern const std::string_view kFactLexicon;       // facts.txt
extern const std::string_view kKindLexicon;       // kinds.txt
extern const std::string_view kLanguageLexicon;   // languages.txt
extern const std::string_view kLimitLexicon;      // limits.txt
extern const std::string_view kMoveLexicon;       // moves.txt
extern const std::string_view kPartLexicon;       // parts.txt
extern const std::string_view kNeedLexicon;       // needs.txt
extern const std::string_view kPolicyLexicon;     // policies.txt
extern const std::string_view kQuantityLexicon;   // quantities.txt
extern const std::string_view kRankLexicon;       // ranks.txt
extern const std::string_view kSituationLexicon;  // situations.txt
extern const std::string_view kSpellingLexicon;   // spellings.txt
extern const std::string_view kStoryLexicon;      // stories.txt
extern const std::string_view kTitleLexicon;      // titles.txt
extern const std::string_view kTradeNameLexicon;  // trade_names.txt
extern const std::string_view kUnitLexicon;       // units.txt

/// The files of need_examples/.
std::span<const std::string_view> NeedExampleLexicons();

}  // namespace emptor::services

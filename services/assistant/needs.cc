// Matches the phrases of needs.
#include "services/assistant/needs.h"

#include <memory>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/need_lexicon.h"

namespace emptor::services {
namespace {

struct LexiconNeed {
  std::string name;
  std::vector<std::string> types, phrases;
};

/// "cooking : types kettle | pan : loves cooking | ... ; de: kocht gern".
const std::vector<LexiconNeed>& TheNeeds() {
  static const auto* const needs = [] {
    auto parsed = std::make_unique<std::vector<LexiconNeed>>();
    constexpr std::string_view kTypes = "types ";
    ForEachLexiconLine(kNeedLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      const size_t mark = rest.find(" : ");
      if (!rest.starts_with(kTypes) || mark == std::string_view::npos) return;
      LexiconNeed need{retrieval::FoldWords(head), {}, {}};
      need.types = AllPhrases(ParsePhraseGroups(rest.substr(kTypes.size(), mark - kTypes.size())));
      need.phrases = AllPhrases(ParsePhraseGroups(rest.substr(mark + 3)));
      parsed->push_back(std::move(need));
    });
    return parsed.release();
  }();
  return *needs;
}

bool IsVague(const std::string& need) {
  return need.find("gift") != std::string::npos || need.find("present") != std::string::npos;
}

}  // namespace

std::optional<Need> FindNeed(const FoldedMessage& message) {
  std::optional<Need> best;
  for (const LexiconNeed& each : TheNeeds()) {
    const FoldedMessage::Span span = message.FindLongest(each.phrases);
    if (!span.found()) continue;
    const bool is_vague = IsVague(each.name), was_vague = best && IsVague(best->name);
    const bool is_better = !best || (was_vague && !is_vague) ||
                           (was_vague == is_vague && span.size() > best->span.size());
    if (is_better) best = Need{each.name, each.types, span};
  }
  return best;
}

}  // namespace emptor::services

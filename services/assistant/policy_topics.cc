// Matches the phrases of policy topics.
#include "services/assistant/policy_topics.h"

#include <memory>
#include <utility>
#include <vector>

#include "retrieval/text/fold.h"
#include "services/assistant/policy_lexicon.h"

namespace emptor::services {
namespace {

struct LexiconTopic {
  PolicyTopic topic;
  std::vector<std::string> phrases;
};

const std::vector<LexiconTopic>& TheTopics() {
  static const auto* const topics = [] {
    auto parsed = std::make_unique<std::vector<LexiconTopic>>();
    ForEachLexiconLine(kPolicyLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      const size_t mark = head.find(" = ");
      if (mark == std::string_view::npos) return;
      parsed->push_back(
          {{std::string(head.substr(0, mark)), retrieval::FoldWords(head.substr(mark + 3))},
           AllPhrases(ParsePhraseGroups(rest))});
    });
    return parsed.release();
  }();
  return *topics;
}

}  // namespace

std::optional<PolicyTopic> FindPolicyTopic(const FoldedMessage& message) {
  const LexiconTopic* best = nullptr;
  size_t longest = 0;
  for (const LexiconTopic& each : TheTopics()) {
    const FoldedMessage::Span span = message.FindLongest(each.phrases);
    if (!span.found() || span.size() <= longest) continue;
    longest = span.size();
    best = &each;
  }
  if (best == nullptr) return std::nullopt;
  return best->topic;
}

}  // namespace emptor::services

// One look-up, under conditions.
#include "services/assistant/search/faq_source.h"

#include <set>
#include <utility>

#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/search/document_finder.h"
#include "services/faq/faq_answers.h"

namespace emptor::services {
namespace {

/// "Do you deliver on Saturdays, and can I return shoes": no single entry answers.
bool AsksSeveral(const std::string& question) {
  std::set<std::string> topics;
  for (const std::string& part : SplitQuestions(question)) {
    if (const auto topic = FindPolicyTopic(FoldedMessage(part))) topics.insert(topic->name);
  }
  return topics.size() > 1;
}

absl::StatusOr<std::optional<Source>> SourceOfHit(const ShopReader& shop, FaqReply reply,
                                                  const std::string& question) {
  catalog::Document document;
  if (reply.is_document) {
    auto stored = shop.FindDocument(reply.id);
    if (!stored.ok()) return stored.status();
    if (!*stored) return std::nullopt;
    return SourceOf(**stored, {.hit = {.id = reply.id}, .passage_id = ""}, question);
  }
  document.id = std::move(reply.id);
  document.kind = "faq";
  document.title = std::move(reply.question);
  document.text = std::move(reply.answer);
  document.locale = std::move(reply.locale);
  return Source{std::move(document), 1};
}

absl::StatusOr<FaqSource> LookUp(const ShopReader& shop, const FaqSourceInput& input) {
  auto reply = LookUpFaq(shop, {.text = input.question,
                                .locale = input.understanding.language,
                                .market = input.market,
                                .now_unix = input.now_unix});
  if (!reply.ok()) return reply.status();
  FaqSource found{.cache = CacheUse::kMiss, .source = {}};
  if (reply->decision != retrieval::FaqDecision::kHit) return found;
  auto source = SourceOfHit(shop, *std::move(reply), input.question);
  if (!source.ok()) return source.status();
  found.source = *std::move(source);
  if (found.source) found.cache = CacheUse::kHit;
  return found;
}

}  // namespace

absl::StatusOr<FaqSource> FindFaqSource(const ShopReader& shop, const FaqSourceInput& input) {
  // A message that goes on about the question before it does not stand for itself.
  const bool stands_alone = input.understanding.policy_question == input.question;
  const bool is_asked = input.understanding.asks_policy && stands_alone;
  if (!is_asked || AsksSeveral(input.question)) return FaqSource();
  return LookUp(shop, input);
}

absl::StatusOr<std::optional<Source>> FindPolicyEntry(const ShopReader& shop,
                                                      const FaqSourceInput& input,
                                                      const std::string& own) {
  auto hit = LookUp(shop, input);
  if (!hit.ok()) return hit.status();
  if (hit->source) return std::move(hit->source);
  auto entry = FindEntryAbout(shop, input.question, own);
  if (entry.ok() && !*entry && own != "en") entry = FindEntryAbout(shop, input.question, "en");
  return entry;
}

}  // namespace emptor::services

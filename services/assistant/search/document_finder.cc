// Search of documents, and their topics.
#include "services/assistant/search/document_finder.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "catalog/documents/passages.h"
#include "services/assistant/plan/prompt.h"
#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/search/excerpt.h"
#include "services/assistant/search/named_products.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/situations.h"
#include "services/grounding/text_clean.h"
#include "services/shop/product_search.h"

namespace emptor::services {
namespace {

constexpr size_t kFirstWords = 60;     // bytes by which a sentence is found in its document
constexpr size_t kTellingBytes = 4;    // of a word: shorter ones are everywhere
constexpr int kCandidates = 60;        // among which an entry of the topic is looked for
constexpr double kContextShare = 0.4;  // of the question before, in what a question is about
constexpr double kContinued = 0.6;     // of a message that goes on about the question before it
constexpr double kNarrowed = 1.5;      // of the topic that the goods in focus narrow
constexpr double kSearchShare = 0.4;   // of the search's score, next to the topics'
constexpr double kIdeaShare = 0.6;     // of the ideas that question and entry share
constexpr double kOtherTopic = 0.6;    // of an entry that lacks the topic which the question says
constexpr double kMinTopic = 0.35;     // of entries that are about the topic
constexpr double kTextShare = 0.3;     // of an entry's text, next to its title
constexpr size_t kTopicBytes = 400;    // of a text, in which its topics are looked for
constexpr size_t kRemembered = 10000;  // entries whose topics are kept, 1 KB each
constexpr size_t kSharedWords = 2;  // with the question, of an entry that is about no topic of it

/// The words of a topic before a question, which may be as long as a search takes by itself.
std::string WithWords(const std::string& words, const std::string& question) {
  return std::string(CutAtWord(words + " " + question, retrieval::kMaxQueryBytes));
}

/// What a question about a policy is about, with the question that it builds on.
TopicVector TopicsOf(const Understanding& understanding, const std::string& question) {
  const bool continues = understanding.policy_question != question;
  const std::string& context = understanding.policy_context;
  if (understanding.is_policy_narrowed && understanding.policy) {
    return AddTopics(TopicsNear(question), {{understanding.policy->name, 1}}, kNarrowed);
  }
  if (context.empty()) return TopicsNear(question);
  return continues ? AddTopics(TopicsNear(context), TopicsNear(question), kContinued)
                   : AddTopics(TopicsNear(question), TopicsNear(context), kContextShare);
}

/// The topics of an entry's title and of what its text begins with. Pure; 1 ms.
TopicVector ReadTopics(const std::string& title, const std::string& said) {
  TopicVector asked = TopicsNear(title);
  // What a title narrows, as a question does: "Do you deliver to Hawaii and PO boxes?".
  const FoldedMessage folded(title);
  auto topic = FindPolicyTopic(folded);
  if (!topic) topic = NearestPolicyTopic(title);
  if (topic) topic = NarrowPolicyTopic(*topic, folded);
  if (topic) asked = AddTopics(asked, {{topic->name, 1}}, kNarrowed);
  return AddTopics(asked, TopicsNear(said), asked.empty() ? 1 : kTextShare);
}

/// What was read of entries, as every question meets the same ones again. Thread-safe.
class TopicMemory {
 public:
  TopicVector Of(const std::string& title, const std::string& said) {
    const std::string key = title + '\n' + said;
    {
      std::lock_guard lock(mutex_);
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
    }
    TopicVector topics = ReadTopics(title, said);
    std::lock_guard lock(mutex_);
    // Entries of many shops, or changed ones: the memory begins again.
    if (known_.size() >= kRemembered) known_.clear();
    known_.emplace(key, topics);
    return topics;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, TopicVector> known_;
};

/// What an entry is about: its title asks, its text says what else it covers. Of a long document
/// the passage counts that was found.
TopicVector TopicsOf(const catalog::Document& document, const std::string& passage_id) {
  std::string title = document.title, text = document.text;
  const std::vector<catalog::Passage> passages = catalog::SplitIntoPassages(document);
  for (const catalog::Passage& passage : passages) {
    if (passages.size() == 1 || passage.id != passage_id) continue;
    const catalog::Document part = catalog::DocumentOf(document, passage);
    title = part.title;
    text = part.text;
  }
  static auto* const memory = new TopicMemory;
  return memory->Of(title, text.substr(0, kTopicBytes));
}

/// An entry that may answer.
struct Candidate {
  DocumentHit hit;
  double near = 0;
  std::set<size_t> ideas;
};

/// Cosine of the ideas of a question and of an entry; one that every entry has tells nothing.
double IdeaSimilarity(const std::set<size_t>& asked, const std::set<size_t>& said,
                      const std::vector<Candidate>& all) {
  const auto weight_of = [&](size_t idea) {
    const auto having = std::count_if(
        all.begin(), all.end(), [&](const Candidate& each) { return each.ideas.contains(idea); });
    return std::log(1 + static_cast<double>(all.size()) / (1 + static_cast<double>(having)));
  };
  double shared = 0, of_asked = 0, of_said = 0;
  for (const size_t idea : asked) {
    of_asked += weight_of(idea);
    shared += said.contains(idea) ? weight_of(idea) : 0;
  }
  for (const size_t idea : said) of_said += weight_of(idea);
  return shared == 0 ? 0 : shared / std::sqrt(of_asked * of_said);
}

/// Entries about the topics, the nearest first; nothing where the shop has none.
absl::Status KeepOfTopics(const ShopReader& shop, const TopicVector& topics,
                          const std::string& question, std::vector<DocumentHit>& hits) {
  if (topics.empty()) {
    hits.clear();
    return absl::OkStatus();
  }
  const auto said = FindPolicyTopic(FoldedMessage(question));
  // "When would it arrive in Honolulu" is about remote places above all.
  const auto main_topic =
      std::max_element(topics.begin(), topics.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Candidate> candidates;
  for (const DocumentHit& hit : hits) {
    const auto document = shop.FindDocument(hit.hit.id);
    if (!document.ok()) return document.status();
    if (!*document) continue;
    const TopicVector own = TopicsOf(**document, hit.passage_id);
    const bool is_other = said && !own.contains(said->name) && !own.contains(main_topic->first);
    const double near = TopicSimilarity(topics, own) * (is_other ? kOtherTopic : 1);
    if (near < kMinTopic) continue;
    const std::string text = (*document)->title + " " + (*document)->text.substr(0, kTopicBytes);
    candidates.push_back({hit, near, IdeasOf(text)});
  }
  const std::set<size_t> asked = IdeasOf(question);
  std::vector<std::pair<double, DocumentHit>> ranked;
  for (const Candidate& each : candidates) {
    const double score = each.near + kSearchShare * static_cast<double>(each.hit.hit.score) +
                         kIdeaShare * IdeaSimilarity(asked, each.ideas, candidates);
    ranked.emplace_back(score, each.hit);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  hits.clear();
  for (auto& [score, hit] : ranked) {
    hit.hit.score = static_cast<float>(score);
    hits.push_back(std::move(hit));
  }
  return absl::OkStatus();
}

/// An entry that shares no two telling words with the question is no answer, however near it lies;
/// where the question has only one, it decides. Of a passage of a long text one is enough.
absl::Status KeepRelated(const ShopReader& shop, const std::string& question,
                         std::vector<DocumentHit>& hits) {
  std::set<std::string> asked;
  for (const std::string& word : ContentWords(question)) {
    const bool is_telling = word.size() >= kTellingBytes || IsWideText(word);
    if (is_telling && !IsCueWord(word)) asked.insert(SingularOf(word));
  }
  const size_t least = std::min(asked.size(), kSharedWords);
  std::vector<DocumentHit> related;
  for (const DocumentHit& hit : hits) {
    const auto document = shop.FindDocument(hit.hit.id);
    if (!document.ok()) return document.status();
    if (!*document) continue;
    std::set<std::string> shared;
    for (const std::string& word : ContentWords((*document)->title + " " + (*document)->text)) {
      if (asked.contains(SingularOf(word))) shared.insert(SingularOf(word));
    }
    const bool is_faq = (*document)->kind == "faq";
    if (!shared.empty() && (!is_faq || shared.size() >= least)) related.push_back(hit);
  }
  hits = std::move(related);
  return absl::OkStatus();
}

/// Entries about the topics of a question, the nearest first.
absl::StatusOr<std::vector<DocumentHit>> HitsAbout(const ShopReader& shop,
                                                   const std::string& question,
                                                   const std::string& locale) {
  retrieval::SearchRequest request;
  request.quotes = false;
  request.query = question;
  // In the words that entries use, whatever the language of the question.
  if (const auto topic = FindPolicyTopic(FoldedMessage(question))) {
    request.query = WithWords(topic->words, question);
  }
  request.limit = kCandidates;
  request.filter.locale = locale;
  auto found = shop.SearchDocuments(request);
  if (!found.ok()) return found;
  const absl::Status status = KeepOfTopics(shop, TopicsNear(question), question, *found);
  if (!status.ok()) return status;
  return found;
}

/// "Do you deliver on Saturdays, and can I return shoes": the best entry for each of the questions
/// of a message comes first, where they are about several topics.
absl::Status PutPartsFirst(const ShopReader& shop, const std::string& question,
                           const std::string& locale, std::vector<DocumentHit>& hits) {
  std::set<std::string> topics;
  std::vector<DocumentHit> first;
  for (const std::string& part : SplitQuestions(question)) {
    const auto topic = FindPolicyTopic(FoldedMessage(part));
    if (!topic || !topics.insert(topic->name).second) continue;
    const auto found = HitsAbout(shop, part, locale);
    if (!found.ok()) return found.status();
    if (!found->empty()) first.push_back(found->front());
  }
  if (topics.size() < 2) return absl::OkStatus();
  // Each answers its own question as well as the first.
  float best = 0;
  for (const DocumentHit& each : first) best = std::max(best, each.hit.score);
  for (DocumentHit& each : first) each.hit.score = best;
  hits.insert(hits.begin(), first.begin(), first.end());
  std::set<std::string> ids;
  std::erase_if(hits, [&](const DocumentHit& each) { return !ids.insert(each.hit.id).second; });
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<DocumentHit>> FindDocumentHits(const ShopReader& shop,
                                                          const Understanding& understanding,
                                                          const std::string& question,
                                                          const std::string& locale, int limit,
                                                          bool of_topic_only) {
  retrieval::SearchRequest request;
  request.quotes = false;
  const bool continues = understanding.asks_policy && understanding.policy_question != question;
  request.query =
      CleanText(continues ? WithWords(understanding.policy_question, question) : question);
  if (request.query.empty()) return std::vector<DocumentHit>();
  // What entries about the topic say, in the words that they use for it.
  if (understanding.policy) request.query = WithWords(understanding.policy->words, request.query);
  request.limit = understanding.asks_policy ? kCandidates : limit;
  request.filter.locale = locale;
  auto found = shop.SearchDocuments(request);
  if (!found.ok()) return found;
  // Entries of the topic answer in whatever words and language they are written.
  std::vector<DocumentHit> of_topics;
  if (understanding.asks_policy) of_topics = *found;
  std::erase_if(*found, [](const DocumentHit& each) { return !Fits(each.hit); });
  absl::Status status = KeepOfTopics(shop, TopicsOf(understanding, question), question, of_topics);
  if (status.ok() && of_topics.empty() && !of_topic_only) {
    status = KeepRelated(shop, request.query, *found);
  } else {
    *found = std::move(of_topics);
  }
  if (status.ok() && understanding.asks_policy && !continues) {
    status = PutPartsFirst(shop, question, locale, *found);
  }
  if (!status.ok()) return status;
  if (found->size() > static_cast<size_t>(limit)) found->resize(static_cast<size_t>(limit));
  return found;
}

absl::StatusOr<std::vector<DocumentHit>> FindDocumentHitsFor(const ShopReader& shop,
                                                             const Understanding& understanding,
                                                             const std::string& question,
                                                             const std::string& own, int limit) {
  const auto find = [&](const std::string& locale, bool of_topic_only) {
    return FindDocumentHits(shop, understanding, question, locale, std::max(limit, 1),
                            of_topic_only);
  };
  // Better an English entry of the topic than one about something else; whoever writes English
  // gets one that only shares words before one in a language that few of them read.
  const bool asks_policy = understanding.asks_policy;
  auto found = find(own, asks_policy);
  if (found.ok() && found->empty() && asks_policy && own != "en") found = find("en", true);
  if (found.ok() && found->empty() && asks_policy) found = find(own, false);
  if (found.ok() && found->empty() && asks_policy) found = find("", false);
  return found;
}

std::string LanguageOfDocuments(const ShopProfile& profile, const std::string& language) {
  if (profile.languages.empty() || profile.languages.contains(language)) return language;
  return profile.languages.contains("en") ? "en" : "";
}

Source SourceOf(const catalog::Document& document, const DocumentHit& found,
                const std::string& question) {
  const std::vector<catalog::Passage> passages = catalog::SplitIntoPassages(document);
  auto passage = std::find_if(passages.begin(), passages.end(),
                              [&](const auto& each) { return each.id == found.passage_id; });
  if (passage == passages.end()) passage = passages.begin();
  Source source{catalog::DocumentOf(document, *passage), found.hit.score};
  if (passages.size() > 1) source.passage_id = passage->id;
  const std::string_view text = passage->text;
  const Excerpt excerpt = FindExcerpt(text, question, kMaxExcerptBytes);
  source.excerpt = text.substr(excerpt.begin, excerpt.end - excerpt.begin);
  // Finds the beginning of the passage in the document: passages omit only headings.
  const std::string_view line =
      std::string_view(source.excerpt).substr(0, source.excerpt.find('\n'));
  const size_t at = document.text.find(line.substr(0, kFirstWords), passage->begin);
  source.page = catalog::PageOf(document, at == std::string::npos ? passage->begin : at);
  return source;
}

absl::StatusOr<std::optional<Source>> FindEntryAbout(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& locale) {
  const auto found = HitsAbout(shop, question, locale);
  if (!found.ok()) return found.status();
  if (found->empty()) return std::nullopt;
  const auto document = shop.FindDocument(found->front().hit.id);
  if (!document.ok()) return document.status();
  if (!*document) return std::nullopt;
  return SourceOf(**document, found->front(), question);
}

absl::StatusOr<std::optional<Source>> FindEntrySaid(const ShopReader& shop,
                                                    const std::string& question,
                                                    const std::string& locale) {
  if (!FindPolicyTopic(FoldedMessage(question))) return std::nullopt;
  return FindEntryAbout(shop, question, locale);
}

absl::StatusOr<std::optional<Source>> FindDocumentOf(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& language) {
  for (const std::string& locale : {language, std::string()}) {
    retrieval::SearchRequest request;
    request.quotes = false;
    request.query = question;
    request.limit = 1;
    request.filter.locale = locale;
    const auto found = shop.SearchDocuments(request);
    if (!found.ok()) return found.status();
    if (found->empty() || found->front().hit.lexical_score <= 0) continue;
    const auto document = shop.FindDocument(found->front().hit.id);
    if (!document.ok()) return document.status();
    if (*document) return SourceOf(**document, found->front(), question);
  }
  return std::nullopt;
}

}  // namespace emptor::services

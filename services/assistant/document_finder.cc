// Search of documents, and their topics.
#include "services/assistant/document_finder.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "catalog/documents/passages.h"
#include "services/assistant/cues.h"
#include "services/assistant/excerpt.h"
#include "services/assistant/named_products.h"
#include "services/assistant/policy_topics.h"
#include "services/assistant/prompt.h"
#include "services/grounding/text_clean.h"
#include "services/shop/product_search.h"

namespace emptor::services {
namespace {

constexpr size_t kFirstWords = 60;   // bytes by which a sentence is found in its document
constexpr size_t kTellingBytes = 4;  // of a word: shorter ones are everywhere
constexpr int kCandidates = 20;      // among which an entry of the topic is looked for

/// Entries whose title asks about the topic come first.
absl::Status PreferTopic(const ShopReader& shop, const std::string& topic,
                         std::vector<DocumentHit>& hits) {
  std::vector<DocumentHit> of_topic;
  for (const DocumentHit& hit : hits) {
    const auto document = shop.FindDocument(hit.hit.id);
    if (!document.ok()) return document.status();
    if (!*document) continue;
    const auto asked = FindPolicyTopic(FoldedMessage((*document)->title));
    if (asked && asked->name == topic) of_topic.push_back(hit);
  }
  if (!of_topic.empty()) hits = std::move(of_topic);
  return absl::OkStatus();
}

/// An entry that shares no telling word with the question is no answer, however near it lies.
absl::Status KeepRelated(const ShopReader& shop, const std::string& question,
                         std::vector<DocumentHit>& hits) {
  std::set<std::string> asked;
  for (const std::string& word : ContentWords(question)) {
    const bool is_telling = word.size() >= kTellingBytes || IsWideText(word);
    if (is_telling && !IsCueWord(word)) asked.insert(SingularOf(word));
  }
  std::vector<DocumentHit> related;
  for (const DocumentHit& hit : hits) {
    const auto document = shop.FindDocument(hit.hit.id);
    if (!document.ok()) return document.status();
    if (!*document) continue;
    const auto words = ContentWords((*document)->title + " " + (*document)->text);
    const bool shares = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return asked.contains(SingularOf(word));
    });
    if (shares) related.push_back(hit);
  }
  hits = std::move(related);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<DocumentHit>> FindDocumentHits(const ShopReader& shop,
                                                          const Understanding& understanding,
                                                          const std::string& question,
                                                          const std::string& locale, int limit) {
  retrieval::SearchRequest request;
  const bool continues = understanding.asks_policy && understanding.policy_question != question;
  request.query = CleanText(continues ? understanding.policy_question + " " + question : question);
  if (request.query.empty()) return std::vector<DocumentHit>();
  // What entries about the topic say, in the words that they use for it.
  if (understanding.policy) request.query = understanding.policy->words + " " + request.query;
  request.limit = understanding.policy ? kCandidates : limit;
  request.filter.locale = locale;
  auto found = shop.SearchDocuments(request);
  if (!found.ok()) return found;
  std::erase_if(*found, [](const DocumentHit& each) { return !Fits(each.hit); });
  const absl::Status status = understanding.policy
                                  ? PreferTopic(shop, understanding.policy->name, *found)
                                  : KeepRelated(shop, request.query, *found);
  if (!status.ok()) return status;
  if (found->size() > static_cast<size_t>(limit)) found->resize(static_cast<size_t>(limit));
  return found;
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

absl::StatusOr<std::optional<Source>> FindDocumentOf(const ShopReader& shop,
                                                     const std::string& question,
                                                     const std::string& language) {
  for (const std::string& locale : {language, std::string()}) {
    retrieval::SearchRequest request;
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

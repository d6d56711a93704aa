// Rare words of titles, as the index of the type's records has them.
#include "services/assistant/search/named_members.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/search/named_products.h"

namespace emptor::services {
namespace {

constexpr size_t kFewMembers = 48;  // whose titles are read for a name
constexpr size_t kMaxNamed = 3;     // variants that one name means
constexpr size_t kMinName = 3;      // bytes
constexpr size_t kMinNumber = 3;    // digits of a number that tells apart what a maker makes
constexpr size_t kBeginning = 4;    // words of a title among which a line is named
constexpr int kByCode = 4, kByRow = 3, kByArticle = 2, kByNumber = 3;  // evidence

bool IsArticle(const std::string& word) {
  constexpr std::array<std::string_view, 14> kArticles = {
      "the", "der", "die", "das", "dem", "den", "von", "le", "la", "l", "du", "el", "del", "from"};
  return std::find(kArticles.begin(), kArticles.end(), word) != kArticles.end();
}

bool IsCode(const std::string& word) { return word.size() >= kMinName && IsModelCode(word); }

/// The words of one title against those of the question.
class TitleMatch {
 public:
  TitleMatch(const std::string& title, const std::vector<std::string>& question,
             const RecordWords& records)
      : title_(SplitWords(retrieval::FoldWords(title))), question_(question), records_(records) {}

  int Evidence() const {
    int evidence = 0;
    for (size_t i = 0; i < question_.size(); ++i) {
      const std::string& word = question_[i];
      const auto at = std::find(title_.begin(), title_.end(), word);
      if (at == title_.end()) continue;
      if (IsCode(word)) evidence += kByCode;
      if (DigitsOf(word) >= kMinNumber && NamesMaker()) evidence += kByNumber;
      if (!IsLineName(word)) continue;
      const bool in_row = i + 1 < question_.size() && at + 1 != title_.end() &&
                          *(at + 1) == question_[i + 1] && !IsOrdinaryWord(question_[i + 1]);
      const bool begins = at - title_.begin() < static_cast<std::ptrdiff_t>(kBeginning);
      if (in_row) evidence += kByRow;
      if (i > 0 && begins && IsArticle(question_[i - 1])) evidence += kByArticle;
      const bool ends_row = i > 0 && at != title_.begin() && *(at - 1) == question_[i - 1] &&
                            records_.IsMostlyMaker(question_[i - 1]);
      if (ends_row && !in_row) evidence += kByRow;
    }
    return evidence;
  }

 private:
  bool NamesMaker() const {
    return std::any_of(question_.begin(), question_.end(), [&](const std::string& word) {
      return !title_.empty() && word == title_.front() && records_.IsMostlyMaker(word);
    });
  }

  const std::vector<std::string> title_;
  const std::vector<std::string>& question_;
  const RecordWords& records_;
};

/// Positions of the members whose records have a word that may name one.
std::vector<uint32_t> Candidates(const RecordWords& records,
                                 const std::vector<std::string>& question) {
  std::vector<uint32_t> found;
  for (const std::string& word : question) {
    if (!IsCode(word) && !IsLineName(word) && DigitsOf(word) < kMinNumber) continue;
    const std::vector<uint32_t> own = records.Find(DemandOf(word));
    if (own.size() <= kFewMembers) found.insert(found.end(), own.begin(), own.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

absl::StatusOr<std::vector<Source>> FindNamedMembers(const ShopReader& shop, const TypeTable* table,
                                                     const Understanding& understanding) {
  if (table == nullptr) return std::vector<Source>();
  const std::vector<std::string> question = SplitWords(retrieval::FoldWords(understanding.message));
  std::map<int, std::vector<catalog::Product>, std::greater<>> by_evidence;
  for (const uint32_t at : Candidates(table->schema.words(), question)) {
    auto product = shop.FindProduct(table->members[at]);
    if (!product.ok()) return product.status();
    if (!*product) continue;
    const int evidence = TitleMatch((*product)->title, question, table->schema.words()).Evidence();
    if (evidence > 0) by_evidence[evidence].push_back(**std::move(product));
  }
  if (by_evidence.empty()) return std::vector<Source>();
  std::vector<catalog::Product> named = std::move(by_evidence.begin()->second);
  // The one in question bears the name as well.
  const std::vector<std::string>& focus = understanding.referenced_products;
  const bool is_focus = std::any_of(named.begin(), named.end(), [&](const auto& each) {
    return std::find(focus.begin(), focus.end(), each.id) != focus.end();
  });
  if (is_focus) return std::vector<Source>();
  const std::vector<std::string>& list = understanding.list;
  std::stable_partition(named.begin(), named.end(), [&](const catalog::Product& each) {
    return std::find(list.begin(), list.end(), each.id) != list.end();
  });
  if (named.size() > kMaxNamed) named.resize(kMaxNamed);
  std::vector<Source> sources;
  for (catalog::Product& each : named) sources.push_back({std::move(each), 1});
  return sources;
}

}  // namespace emptor::services

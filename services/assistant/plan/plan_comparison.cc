// What sets products apart, and what none of them has.
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxDifferences = 5;  // of compared products
constexpr size_t kMaxTitlePhrases = 4;
constexpr size_t kMaxPhraseWords = 3;
constexpr size_t kMaxSmallWord = 2;    // bytes of "in", which counts nothing
constexpr size_t kMaxTitleWords = 16;  // behind them titles describe

using Words = std::vector<std::string>;

/// The words of a title as they are written, without the punctuation around them.
Words WrittenWords(const std::string& title) {
  Words words;
  const auto is_mark = [](char c) {
    return std::ispunct(static_cast<unsigned char>(c)) != 0 && c != '+' && c != '%' && c != '"';
  };
  for (std::string word : SplitWords(CleanText(title))) {
    while (!word.empty() && is_mark(word.back())) word.pop_back();
    while (!word.empty() && is_mark(word.front())) word.erase(word.begin());
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

/// The words of a title, folded, whole and in their parts: "fully-automatic" has "automatic".
std::set<std::string> FoldedWords(const std::string& title) {
  std::set<std::string> words;
  for (const std::string& written : WrittenWords(title)) {
    const std::string folded = retrieval::FoldWords(written);
    words.insert(folded);
    for (const std::string& word : SplitWords(folded)) words.insert(StemOf(word));
  }
  return words;
}

bool IsNumber(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || c == '.' || c == ',';
  });
}

/// "750W", "1.5": no model such as "WA70A4002GS" or "14289", which says nothing of the goods.
bool IsAmount(const std::string& folded) {
  constexpr size_t kMaxDigits = 3;
  return (IsNumber(folded) && folded.size() <= kMaxDigits) ||
         retrieval::ParseMeasure(folded).has_value();
}

/// The other titles have the word, or every part of it.
bool IsIn(const std::set<std::string>& other, const std::string& folded) {
  if (other.contains(folded)) return true;
  const std::vector<std::string> parts = SplitWords(folded);
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return other.contains(StemOf(part));
  });
}

/// A word that tells what the goods are: of a lexicon, or an amount. Makers and models name alone.
bool TellsGoods(const std::string& folded) {
  const std::vector<std::string> parts = SplitWords(folded);
  return IsAmount(folded) || std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
           return IsLexiconWord(part) && !IsOrdinaryWord(part);
         });
}

/// Runs of telling words of `title` that stand in none of `others`, short enough to read; a number
/// keeps the word it counts. The first word is the maker.
Words OnlyIn(const std::string& title, const std::vector<std::set<std::string>>& others) {
  Words words = WrittenWords(title);
  if (words.size() > kMaxTitleWords) words.resize(kMaxTitleWords);
  Words phrases;
  bool continues = false;
  size_t length = 0;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string folded = retrieval::FoldWords(words[i]);
    const bool is_own =
        TellsGoods(folded) && std::none_of(others.begin(), others.end(),
                                           [&](const auto& other) { return IsIn(other, folded); });
    const bool completes = continues && IsNumber(words[i - 1]) && !IsNumber(words[i]) &&
                           (folded.size() > kMaxSmallWord || retrieval::FindUnit(folded));
    const bool is_part = (is_own || completes) && (!continues || length < kMaxPhraseWords);
    if (is_part && continues) phrases.back() += " " + words[i];
    if (is_part && !continues) phrases.push_back(words[i]);
    length = is_part ? (continues ? length + 1 : 1) : 0;
    // "5 Star" ends with what it counts.
    continues = is_part && !(completes && !is_own);
  }
  if (phrases.size() > kMaxTitlePhrases) phrases.resize(kMaxTitlePhrases);
  return phrases;
}

}  // namespace

std::string Planner::KeyCompared() const {
  FoldedMessage question = message_;
  for (const int n : numbers_) question = WithoutName(question, ProductOf(n));
  question = WithoutRankWords(question.Without(FindCue(question, Cue::kCompare)));
  std::string rest;
  for (const std::string& word : SplitWords(question.text())) {
    if (PlaceOfWord(word) == 0) rest += (rest.empty() ? "" : " ") + word;
  }
  const SchemaKey* const key = KeyNamed(FoldedMessage::FromFolded(std::move(rest)));
  const auto states = [&](int n) { return IsKnown(n, key->name); };
  const bool is_stated = key != nullptr && std::any_of(numbers_.begin(), numbers_.end(), states);
  return is_stated ? key->name : "";
}

void Planner::PlanComparison() {
  if (numbers_.size() == 1) {
    plan_.push_back({.kind = Kind::kOnlyShown, .source = numbers_[0], .number = 1});
    return;
  }
  for (const int n : numbers_) {
    const bool is_rated = ProductOf(n).rating.has_value();
    plan_.push_back({.kind = Kind::kRecommend, .source = n, .key = is_rated ? "rating" : ""});
  }
  const size_t before = plan_.size();
  PlanDifferences();
  if (plan_.size() == before) PlanTitles();
}

void Planner::PlanDifferences() {
  std::vector<const SchemaKey*> keys = KeysThatDiffer(Products(), shown_);
  if (keys.size() > kMaxDifferences) keys.resize(kMaxDifferences);
  for (const SchemaKey* key : keys) {
    plan_.push_back({.kind = Kind::kCompare, .key = key->name, .sources = numbers_});
  }
}

void Planner::PlanTitles() {
  for (const int n : numbers_) {
    std::vector<std::set<std::string>> others;
    for (const int other : numbers_) {
      if (other != n) others.push_back(FoldedWords(ProductOf(other).title));
    }
    Words words = OnlyIn(ProductOf(n).title, others);
    if (words.empty()) continue;
    plan_.push_back({.kind = Kind::kOnlyIn, .source = n, .words = std::move(words)});
  }
}

bool Planner::PlanMissing() {
  if (!input_.understanding.lacks_place || !input_.about_shown) return false;
  plan_.push_back({.kind = Kind::kOnlyShown, .source = numbers_[0], .number = numbers_.size()});
  if (numbers_.size() > 1) return true;
  const std::string key = KeyAsked();
  if (!key.empty() || AsksYesNo()) PlanFact(numbers_[0], key);
  return true;
}

bool Planner::PlanWhether() {
  const auto& rank = input_.understanding.rank;
  if (!input_.understanding.asks_whether || !rank || numbers_.size() != 2 || !input_.about_shown) {
    return false;
  }
  const std::vector<Ranked> ranked = RankedBy(*rank);
  if (ranked.size() < 2) {
    for (const int n : numbers_) {
      const bool is_stated = !ranked.empty() && ranked.front().n == n;
      plan_.push_back({.kind = is_stated ? Kind::kState : Kind::kNotStated,
                       .source = n,
                       .key = is_stated ? ranked.front().value.key : rank->key});
    }
    return true;
  }
  plan_.push_back(Answer(ranked[0].order < ranked[1].order, numbers_[0], ranked.front().value.key));
  plan_.push_back({.kind = Kind::kState, .source = numbers_[1], .key = ranked.back().value.key});
  return true;
}

bool Planner::PlanUndecided(const RankedKey& rank, const std::vector<Ranked>& ranked) {
  if (!input_.about_shown || !input_.understanding.rank || numbers_.size() < 2) return false;
  if (ranked.empty()) {
    plan_.push_back({.kind = Kind::kNoneState, .source = numbers_[0], .key = rank.key});
    if (rank.is_of_type()) plan_.back().label = rank.label;
    return true;
  }
  const bool is_same = ranked.size() == numbers_.size() &&
                       std::all_of(ranked.begin(), ranked.end(), [&](const auto& each) {
                         return each.order == ranked.front().order &&
                                each.value.key == ranked.front().value.key &&
                                each.value.key != kTitleKey;
                       });
  if (!is_same) return false;
  const std::string& key = ranked.front().value.key;
  plan_.push_back(
      {.kind = Kind::kSame, .source = ranked.front().n, .key = key, .sources = numbers_});
  for (const int n : numbers_) plan_.push_back({.kind = Kind::kState, .source = n, .key = key});
  return true;
}

}  // namespace emptor::services

// Stems and their records.
#include "services/assistant/record_words.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/stemmer.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/cues.h"
#include "services/assistant/message_language.h"
#include "services/assistant/service_desk.h"
#include "services/assistant/type_schema.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinBytes = 3;         // a shorter word names no property, unless it has a digit
constexpr size_t kMaxConditions = 5;    // of one message
constexpr size_t kTitlesOfMaker = 3;    // that begin with its name
constexpr size_t kMaxValueBytes = 400;  // a longer value is prose; lists of printers are not

using Stems = std::vector<std::string>;

const retrieval::Stemmer& EnglishStemmer() {
  thread_local const retrieval::Stemmer stemmer(retrieval::Language::kEnglish);
  return stemmer;
}

Stems StemsOf(std::string_view text) {
  Stems stems;
  ForEachWord(retrieval::FoldWords(text), [&](const std::string& word) {
    stems.push_back(IsWideText(word) ? word : EnglishStemmer().Stem(word));
  });
  return stems;
}

bool HasDigit(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos;
}

/// Stems that were asked for before: records of a type share most of their words.
using StemCache = std::unordered_map<std::string, std::string>;

std::set<std::string> WordsOfRecord(const catalog::Product& product, StemCache& cache) {
  std::set<std::string> words;
  const auto add = [&](std::string_view text) {
    ForEachWord(retrieval::FoldWords(text), [&](std::string word) {
      const auto [stem, is_new] = cache.try_emplace(std::move(word));
      if (is_new) {
        const std::string& each = stem->first;
        stem->second = IsWideText(each) ? each : EnglishStemmer().Stem(each);
      }
      words.insert(stem->second);
    });
  };
  add(product.title);
  add(product.brand);
  for (const auto* list : {&product.attributes, &product.options}) {
    for (const catalog::Attribute& each : *list) {
      const std::string folded = retrieval::FoldWords(each.value);
      if (MeansNo(folded) || each.value.size() > kMaxValueBytes) continue;
      add(MeansYes(folded) ? each.name : each.value);
    }
  }
  return words;
}

std::vector<uint32_t> Common(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// Names no property of goods.
bool IsSmall(const std::string& word) {
  if (IsWideText(word)) return true;  // Chinese text has no words to compare: values name them
  return (word.size() < kMinBytes && !HasDigit(word)) || IsSmallWord(word) ||
         retrieval::IsStopWord(word) || retrieval::IsRequestWord(word) || IsCueWord(word);
}

/// "Front loader", "Frontlader" and "front load" demand the same.
WordCondition ConditionOf(const NamedValue& value, std::string_view said) {
  WordCondition condition{std::string(said), {StemsOf(said)}};
  for (const std::string& phrase : EnglishPhrasesOf(value.canonical)) {
    Stems stems = StemsOf(phrase);
    if (!stems.empty()) condition.any_of.push_back(std::move(stems));
  }
  return condition;
}

}  // namespace

RecordWords RecordWords::Learn(const std::vector<const catalog::Product*>& products) {
  RecordWords learned;
  StemCache cache;
  for (size_t i = 0; i < products.size(); ++i) {
    const std::string title = retrieval::FoldWords(products[i]->title);
    ++learned.first_words_[title.substr(0, title.find(' '))];
    for (const std::string& word : WordsOfRecord(*products[i], cache)) {
      learned.records_[word].push_back(static_cast<uint32_t>(i));
    }
  }
  return learned;
}

bool RecordWords::IsMaker(const std::string& word) const {
  const auto found = first_words_.find(word);
  return found != first_words_.end() && found->second >= kTitlesOfMaker;
}

std::vector<uint32_t> RecordWords::Find(const WordCondition& condition) const {
  std::vector<uint32_t> found;
  for (const Stems& stems : condition.any_of) {
    std::vector<uint32_t> all;
    for (size_t i = 0; i < stems.size(); ++i) {
      const auto records = records_.find(stems[i]);
      if (records == records_.end()) {
        all.clear();
        break;
      }
      all = i == 0 ? records->second : Common(all, records->second);
    }
    std::vector<uint32_t> either;
    std::set_union(found.begin(), found.end(), all.begin(), all.end(), std::back_inserter(either));
    found = std::move(either);
  }
  return found;
}

std::vector<std::vector<uint32_t>> RecordWords::ByCoverage(
    const std::vector<WordCondition>& conditions) const {
  std::unordered_map<uint32_t, size_t> met;
  for (const WordCondition& each : conditions) {
    for (const uint32_t record : Find(each)) ++met[record];
  }
  std::vector<std::vector<uint32_t>> groups(conditions.size());
  for (const auto& [record, count] : met) groups[conditions.size() - count].push_back(record);
  for (std::vector<uint32_t>& group : groups) std::sort(group.begin(), group.end());
  return groups;
}

std::vector<std::string> TellingWords(const FoldedMessage& message) {
  std::vector<std::string> words;
  ForEachWord(message.text(), [&](const std::string& word) {
    if (!IsSmall(word) && !retrieval::ParsePlainNumber(word)) words.push_back(word);
  });
  return words;
}

bool IsOrdinaryWord(const std::string& word) {
  if (IsWideText(word) || word.find(' ') != std::string::npos) return false;
  return retrieval::IsStopWord(word) || retrieval::IsRequestWord(word) || IsCueWord(word) ||
         IsGreetingWord(word) || IsSmallWord(word);
}

WordCondition DemandOf(const std::string& word) { return {word, {StemsOf(word)}}; }

bool Meets(std::string_view text, const WordCondition& condition) {
  const Stems stems = StemsOf(text);
  const std::set<std::string> words(stems.begin(), stems.end());
  return std::any_of(condition.any_of.begin(), condition.any_of.end(), [&](const Stems& wanted) {
    return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(),
                                          [&](const auto& stem) { return words.contains(stem); });
  });
}

std::vector<WordCondition> ReadWordConditions(const FoldedMessage& message,
                                              std::string_view language, const RecordWords& words) {
  std::vector<WordCondition> conditions;
  const auto add = [&](WordCondition condition) {
    const bool is_new =
        std::find(conditions.begin(), conditions.end(), condition) == conditions.end();
    if (is_new && conditions.size() < kMaxConditions && words.Knows(condition)) {
      conditions.push_back(std::move(condition));
      return true;
    }
    return false;
  };
  FoldedMessage rest = message;
  for (const NamedValue& value : FindNamedValues(message, language)) {
    const std::string said(message.text().substr(value.span.begin, value.span.size()));
    if (IsSmall(said) && !IsWideText(said)) continue;
    add(ConditionOf(value, said));
    rest = rest.Without(value.span);
  }
  bool follows = false;  // behind a word that counts: "spf 50"
  ForEachWord(rest.text(), [&](const std::string& word) {
    const bool is_number = retrieval::ParsePlainNumber(word).has_value();
    if (is_number ? !follows : IsSmall(word)) {
      follows = false;
      return;
    }
    follows = add(DemandOf(word));
  });
  return conditions;
}

}  // namespace emptor::services

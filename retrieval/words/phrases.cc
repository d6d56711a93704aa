// Counting words side by side.
#include "retrieval/words/phrases.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/quantity.h"
#include "retrieval/text/stop_words.h"

namespace emptor::retrieval {
namespace {

// Orders proposals of different kinds; chosen by hand.
constexpr float kBrandBonus = 1.0f;
constexpr float kCategoryBonus = 1.0f;
constexpr float kQueryBonus = 1.5f;
constexpr float kLongerPhrase = 0.3f;  // for each word after the first: more specific
constexpr float kTitleShare = 0.25f;   // a product ranks below terms that match many

constexpr uint32_t kMaxWordId = (1u << 21) - 2;  // three fit into 63 bits

const std::string& Display(const VocabularyWord& word) {
  return word.display.empty() ? word.text : word.display;
}

bool HasLetter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c < '0' || c > '9'; });
}

/// Counts phrases of one to three words by packed ids.
class PhraseCounter {
 public:
  PhraseCounter(const std::vector<VocabularyWord>& words, const std::vector<std::string>& brands)
      : words_(words) {
    absl::flat_hash_set<std::string> names;
    for (const std::string& brand : brands) names.insert(FoldWords(brand));
    for (const VocabularyWord& word : words) {
      const bool says =
          word.text.size() >= 3 && !IsStopWord(word.text) && CanonicalUnit(word.text).empty();
      const bool names_brand = word.text.size() == 2 && names.contains(word.text);  // "HP", "LG"
      may_be_edge_.push_back(HasLetter(word.text) && (says || names_brand));
    }
  }

  void Add(std::span<const uint32_t> title) {
    for (size_t i = 0; i < title.size(); ++i) {
      uint64_t key = 0;
      for (size_t n = 0; n < 3 && i + n < title.size(); ++n) {
        const uint32_t word = title[i + n];
        if (word > kMaxWordId) break;
        key = key << 21 | (word + 1);
        if (!may_be_edge_[title[i]]) break;
        const bool model = n > 0 && IsModel(word) && !IsModel(title[i + n - 1]);
        if (may_be_edge_[word] || model) ++counts_[key];
      }
    }
  }

  void AppendTo(uint32_t min_count, std::vector<Completion>& out) const {
    for (const auto& [key, count] : counts_) {
      if (count < min_count) continue;
      std::string text;
      size_t n = 0;
      for (int shift = 42; shift >= 0; shift -= 21) {
        const auto word = static_cast<uint32_t>(key >> shift & ((1u << 21) - 1));
        if (word == 0) continue;
        if (n++ > 0) text += ' ';
        text += Display(words_[word - 1]);
      }
      out.push_back({.text = std::move(text),
                     .kind = CompletionKind::kPhrase,
                     .count = count,
                     .popularity = std::log1p(static_cast<float>(count)) +
                                   kLongerPhrase * static_cast<float>(n - 1)});
    }
  }

 private:
  /// "iphone 15": a number may end a phrase, but not "monitor 48 3" or the 0 of "usb 2.0".
  bool IsModel(uint32_t word) const {
    return !HasLetter(words_[word].text) && words_[word].text != "0";
  }

  const std::vector<VocabularyWord>& words_;
  std::vector<bool> may_be_edge_;
  absl::flat_hash_map<uint64_t, uint32_t> counts_;
};

void AddNames(const std::vector<std::string>& names, const std::vector<uint32_t>& counts,
              CompletionKind kind, float bonus, std::vector<Completion>& out) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (counts[i] == 0) continue;
    out.push_back({.text = names[i],
                   .kind = kind,
                   .count = counts[i],
                   .popularity = std::log1p(static_cast<float>(counts[i])) + bonus});
  }
}

void AddTitles(const DictionarySource& source, size_t limit, std::vector<Completion>& out) {
  std::vector<size_t> order(source.records.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (order.size() > limit) {
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const DictionaryRecord& x = source.records[a];
      const DictionaryRecord& y = source.records[b];
      return x.popularity != y.popularity ? x.popularity > y.popularity : x.id < y.id;
    });
    order.resize(limit);
  }
  for (const size_t r : order) {
    const DictionaryRecord& record = source.records[r];
    std::string text;
    for (const uint32_t word : record.words.words.first(record.title_words)) {
      if (!text.empty()) text += ' ';
      text += Display(source.words[word]);
      if (text.size() > Completions::kMaxTypedBytes) break;
    }
    if (text.empty()) continue;
    out.push_back({.text = std::move(text),
                   .kind = CompletionKind::kProduct,
                   .count = 1,
                   .popularity = kTitleShare * std::log1p(std::max(0.0f, record.popularity)),
                   .id = std::string(record.id)});
  }
}

}  // namespace

std::vector<Completion> GatherCompletions(const DictionarySource& source,
                                          const PhraseLimits& limits) {
  std::vector<uint32_t> brand_records(source.brands.size());
  std::vector<uint32_t> category_records(source.categories.size());
  PhraseCounter phrases(source.words, source.brands);
  const size_t stride = std::max<size_t>(1, (source.records.size() + limits.sampled_records - 1) /
                                                std::max<size_t>(1, limits.sampled_records));
  for (size_t r = 0; r < source.records.size(); ++r) {
    const DictionaryRecord& record = source.records[r];
    if (record.brand != UINT32_MAX) ++brand_records[record.brand];
    for (const uint32_t category : record.categories) ++category_records[category];
    if (r % stride == 0) phrases.Add(record.words.words.first(record.title_words));
  }
  std::vector<Completion> completions;
  AddNames(source.brands, brand_records, CompletionKind::kBrand, kBrandBonus, completions);
  AddNames(source.categories, category_records, CompletionKind::kCategory, kCategoryBonus,
           completions);
  for (const AskedQuery& query : source.queries) {
    completions.push_back(
        {.text = query.text,
         .kind = CompletionKind::kQuery,
         .count = query.times,
         .popularity = std::log1p(static_cast<float>(query.times)) + kQueryBonus});
  }
  phrases.AppendTo(limits.min_count, completions);
  AddTitles(source, limits.titles, completions);
  return completions;
}

}  // namespace emptor::retrieval

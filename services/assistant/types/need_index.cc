// Words decide where they are rare, vectors where others were chosen. A type's score is that of its
// nearest example and a share of its next ones.
#include "services/assistant/types/need_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "retrieval/text/fold.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kNearest = 60;         // examples that say what a message is about
constexpr double kVectorShare = 0.6;    // of a score, the rest is the words'
constexpr double kNextShare = 0.3;      // of a type's second and third example
constexpr size_t kCountedExamples = 3;  // of a type
constexpr double kLowerPlace = 0.05;    // less for each place of a type in an example
constexpr size_t kMinStem = 3;

/// "Leaking" and "leaks" are one term.
std::string StemOfTerm(std::string word) {
  static constexpr std::array<std::string_view, 12> kEndings = {
      "ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "er", "en", "e", "y"};
  for (const std::string_view ending : kEndings) {
    if (word.size() >= kMinStem + ending.size() && word.ends_with(ending)) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  return word;
}

/// Pairs of letters of a script without blanks.
void AddPairs(std::string_view word, std::vector<std::string>& terms) {
  constexpr size_t kLetter = 3;  // bytes
  for (size_t at = 0; at + 2 * kLetter <= word.size(); at += kLetter) {
    terms.emplace_back(word.substr(at, 2 * kLetter));
  }
}

/// Stems of the words that tell something; each once.
std::vector<std::string> TermsOf(std::string_view text) {
  std::vector<std::string> terms;
  ForEachWord(retrieval::FoldWords(text), [&](std::string word) {
    if (IsWideText(word)) return AddPairs(word, terms);
    if (word.size() > 1 && !IsSmallWord(word)) terms.push_back(StemOfTerm(std::move(word)));
  });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

float Dot(const float* a, const float* b, size_t size) {
  constexpr size_t kLanes = 8;
  std::array<float, kLanes> sums = {};
  size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float sum = std::accumulate(sums.begin(), sums.end(), 0.0F);
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// Subtracts the mean, which says nothing of one sentence, and scales to length 1.
void Centre(const std::vector<float>& mean, float* vector) {
  for (size_t i = 0; i < mean.size(); ++i) vector[i] -= mean[i];
  const float length = std::sqrt(Dot(vector, vector, mean.size()));
  if (length <= 0) return;
  for (size_t i = 0; i < mean.size(); ++i) vector[i] /= length;
}

std::vector<NeedExample> ParseExamples(std::string_view text) {
  std::vector<NeedExample> examples;
  ForEachLexiconLine(text, " : ", [&](std::string_view head, std::string_view rest) {
    std::vector<std::string> types;
    for (const std::string_view type : SplitAt(head, " | ")) types.emplace_back(type);
    for (std::string_view group : SplitAt(rest, " ; ")) {
      constexpr size_t kTag = 4;  // "de: "
      if (group.size() > kTag && group[2] == ':' && group[3] == ' ') group.remove_prefix(kTag);
      for (const std::string_view sentence : SplitAt(group, " | ")) {
        examples.push_back({std::string(sentence), types});
      }
    }
  });
  return examples;
}

}  // namespace

const std::vector<NeedExample>& TheNeedExamples() {
  static const auto* const examples = [] {
    auto all = std::make_unique<std::vector<NeedExample>>();
    for (const std::string_view text : NeedExampleLexicons()) {
      std::vector<NeedExample> parsed = ParseExamples(text);
      std::move(parsed.begin(), parsed.end(), std::back_inserter(*all));
    }
    return all.release();
  }();
  return *examples;
}

absl::StatusOr<std::shared_ptr<const NeedIndex>> NeedIndex::Make(
    const std::vector<NeedExample>& examples, std::shared_ptr<const retrieval::Embedder> embedder) {
  auto index = std::make_shared<NeedIndex>();
  std::unordered_map<std::string, size_t> numbers;
  for (const NeedExample& example : examples) {
    std::vector<size_t>& own = index->types_of_.emplace_back();
    for (const std::string& type : example.types) {
      const auto [found, is_new] = numbers.emplace(type, index->types_.size());
      if (is_new) index->types_.push_back(type);
      own.push_back(found->second);
    }
  }
  index->AddWords(examples);
  index->embedder_ = std::move(embedder);
  if (absl::Status status = index->AddVectors(examples); !status.ok()) return status;
  return std::shared_ptr<const NeedIndex>(std::move(index));
}

void NeedIndex::AddWords(const std::vector<NeedExample>& examples) {
  std::vector<Terms> terms_of(examples.size());
  std::vector<size_t> counts;
  for (size_t i = 0; i < examples.size(); ++i) {
    for (std::string& term : TermsOf(examples[i].sentence)) {
      const auto [found, is_new] = terms_.emplace(std::move(term), counts.size());
      if (is_new) counts.push_back(0);
      ++counts[found->second];
      terms_of[i].emplace_back(found->second, 0);
    }
  }
  const auto n = static_cast<double>(examples.size());
  for (const size_t count : counts) {
    weights_.push_back(static_cast<float>(std::log(1 + n / (0.5 + static_cast<double>(count)))));
  }
  examples_of_.resize(counts.size());
  for (size_t i = 0; i < examples.size(); ++i) {
    float squares = 0;
    for (const auto& [term, unused] : terms_of[i]) squares += weights_[term] * weights_[term];
    for (const auto& [term, unused] : terms_of[i]) {
      examples_of_[term].emplace_back(i, weights_[term] / std::sqrt(squares));
    }
  }
}

absl::Status NeedIndex::AddVectors(const std::vector<NeedExample>& examples) {
  if (embedder_ == nullptr || examples.empty()) return absl::OkStatus();
  std::vector<std::string> texts;
  for (const NeedExample& example : examples) texts.push_back(example.sentence);
  const auto dimension = static_cast<size_t>(embedder_->dimension());
  vectors_.resize(texts.size() * dimension);
  if (absl::Status status = embedder_->EmbedInto(texts, vectors_); !status.ok()) return status;
  mean_.assign(dimension, 0);
  for (size_t i = 0; i < vectors_.size(); ++i) {
    mean_[i % dimension] += vectors_[i] / static_cast<float>(texts.size());
  }
  for (size_t i = 0; i < texts.size(); ++i) Centre(mean_, &vectors_[i * dimension]);
  return absl::OkStatus();
}

std::vector<float> NeedIndex::WordScores(std::string_view message) const {
  std::vector<float> scores(types_of_.size());
  const auto unseen = static_cast<float>(std::log(1 + 2 * static_cast<double>(scores.size())));
  float squares = 0;
  for (const std::string& term : TermsOf(message)) {
    const auto found = terms_.find(term);
    const float weight = found == terms_.end() ? unseen : weights_[found->second];
    squares += weight * weight;
    if (found == terms_.end()) continue;
    for (const auto& [example, share] : examples_of_[found->second]) {
      scores[example] += weight * share;
    }
  }
  if (squares <= 0) return scores;
  for (float& score : scores) score /= std::sqrt(squares);
  return scores;
}

std::vector<float> NeedIndex::VectorScores(std::string_view message) const {
  if (vectors_.empty()) return {};
  std::vector<float> query(mean_.size());
  if (!embedder_->EmbedQueryInto(std::string(message), query).ok()) return {};
  Centre(mean_, query.data());
  std::vector<float> scores(types_of_.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = Dot(query.data(), &vectors_[i * mean_.size()], mean_.size());
  }
  return scores;
}

std::vector<NeededType> NeedIndex::Rank(std::string_view message) const {
  std::vector<float> scores = WordScores(message);
  const std::vector<float> by_vector = VectorScores(message);
  for (size_t i = 0; i < by_vector.size(); ++i) {
    scores[i] = static_cast<float>(kVectorShare * by_vector[i] + (1 - kVectorShare) * scores[i]);
  }
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const size_t nearest = std::min(kNearest, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(nearest), order.end(),
      [&](size_t a, size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  std::vector<double> sums(types_.size());
  std::vector<size_t> counted(types_.size());
  for (size_t i = 0; i < nearest && scores[order[i]] > 0; ++i) {
    const std::vector<size_t>& types = types_of_[order[i]];
    for (size_t place = 0; place < types.size(); ++place) {
      size_t& count = counted[types[place]];
      if (count == kCountedExamples) continue;
      const double score = scores[order[i]] * (1 - kLowerPlace * static_cast<double>(place));
      sums[types[place]] += count++ == 0 ? score : kNextShare * score;
    }
  }
  std::vector<NeededType> ranked;
  for (size_t i = 0; i < types_.size(); ++i) {
    if (counted[i] > 0) ranked.push_back({types_[i], sums[i]});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const NeededType& a, const NeededType& b) { return a.score > b.score; });
  return ranked;
}

}  // namespace emptor::services

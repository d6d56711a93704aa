// Features of question and sentence, and their weights.
#include "services/assistant/schema/evidence.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/property_names.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr float kK1 = 0.9f, kB = 0.4f;  // as the frozen baseline of retrieval/eval
constexpr size_t kRunLength = 4;        // letters
constexpr size_t kFewWords = 3;

using Stems = std::vector<std::string>;
using StemSet = std::set<std::string>;

Stems StemsOf(std::string_view text) {
  Stems stems;
  ForEachWord(FoldedMessage(text).text(),
              [&](const std::string& word) { stems.push_back(StemOf(word)); });
  return stems;
}

StemSet SetOf(const Stems& stems) { return {stems.begin(), stems.end()}; }

/// The text of the sentence itself: of an attribute with its name.
std::string OwnText(const Evidence& evidence) {
  return evidence.name.empty() ? evidence.text : evidence.name + " " + evidence.text;
}

/// Stems of the words that tell what is asked; all of them where none does.
StemSet TellingStems(const FoldedMessage& question, const Stems& all) {
  StemSet telling;
  for (const std::string& word : TellingWords(question)) telling.insert(StemOf(word));
  return telling.empty() ? SetOf(all) : telling;
}

float SumOf(const StemSet& stems, const TermWeights& weights) {
  float sum = 0;
  for (const std::string& stem : stems) sum += weights.Of(stem);
  return sum;
}

StemSet Shared(const StemSet& a, const StemSet& b) {
  StemSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// The share of the weight of `asked` that `said` holds.
float Coverage(const StemSet& asked, const StemSet& said, const TermWeights& weights) {
  const float all = SumOf(asked, weights);
  return all > 0 ? SumOf(Shared(asked, said), weights) / all : 0;
}

float Bm25(const Stems& question, const Stems& sentence, const TermWeights& weights) {
  std::map<std::string, float> counts;
  for (const std::string& stem : sentence) ++counts[stem];
  const float length = static_cast<float>(sentence.size()) / weights.mean_length();
  float score = 0;
  for (const std::string& stem : SetOf(question)) {
    const auto found = counts.find(stem);
    if (found == counts.end()) continue;
    score += weights.Of(stem) * found->second * (kK1 + 1) /
             (found->second + kK1 * (1 - kB + kB * length));
  }
  return score;
}

/// Runs of letters within and at the ends of words: "waterproof" and "waterproofing" share most.
template <typename Container>
StemSet RunsOf(const Container& stems) {
  StemSet runs;
  for (const std::string& stem : stems) {
    const std::string padded = " " + stem + " ";
    for (size_t at = 0; at + kRunLength <= padded.size(); ++at) {
      runs.insert(padded.substr(at, kRunLength));
    }
  }
  return runs;
}

float ShareOf(const StemSet& asked, const StemSet& said) {
  if (asked.empty()) return 0;
  return static_cast<float>(Shared(asked, said).size()) / static_cast<float>(asked.size());
}

/// The properties that a text names, as terms that no stem equals.
StemSet PropertyTerms(const FoldedMessage& text) {
  StemSet terms;
  for (const uint32_t property : PropertiesIn(text)) terms.insert("#" + std::to_string(property));
  return terms;
}

/// The share of the telling words of an attribute's name that the question holds.
float NameMatch(const Evidence& evidence, const StemSet& asked) {
  StemSet name;
  for (const std::string& word : TellingWords(FoldedMessage(evidence.name))) {
    name.insert(StemOf(word));
  }
  return ShareOf(name, asked);
}

std::string FirstWord(const FoldedMessage& text) {
  const std::string_view all = text.text();
  return std::string(all.substr(0, all.find(' ')));
}

float If(bool holds) { return holds ? 1.0f : 0.0f; }

}  // namespace

void TermWeights::Add(const Evidence& evidence) {
  const Stems stems = StemsOf(OwnText(evidence) + " " + evidence.question);
  for (const std::string& stem : SetOf(stems)) ++sentences_with_[stem];
  for (const std::string& term : PropertyTerms(FoldedMessage(OwnText(evidence)))) {
    ++sentences_with_[term];
  }
  ++sentences_;
  stems_ += stems.size();
}

float TermWeights::Of(const std::string& stem) const {
  const auto found = sentences_with_.find(stem);
  const auto all = static_cast<float>(sentences_);
  const float with = found == sentences_with_.end() ? 0 : static_cast<float>(found->second);
  return std::log(1 + (all - with + 0.5f) / (with + 0.5f));
}

float TermWeights::mean_length() const {
  return stems_ == 0 ? 1 : static_cast<float>(stems_) / static_cast<float>(sentences_);
}

EvidenceFeatures FeaturesOf(std::string_view question, std::string_view title,
                            const Evidence& evidence, const TermWeights& weights) {
  const FoldedMessage asked(question), said(OwnText(evidence)), replied(evidence.question);
  const Stems asked_stems = StemsOf(question), own = StemsOf(OwnText(evidence));
  const StemSet telling = TellingStems(asked, asked_stems);
  Stems all = own;
  for (std::string& stem : StemsOf(evidence.question)) all.push_back(std::move(stem));
  // What is asked beyond the name of the product.
  StemSet beyond = telling;
  for (const std::string& stem : StemsOf(title)) beyond.erase(stem);
  const StemSet runs = RunsOf(telling);
  const bool wants_number = ReadAskedFor(asked).is_number;
  const bool has_digit = evidence.text.find_first_of("0123456789") != std::string::npos;
  const bool wants_yes_no = AsksYesOrNo(std::string(question), asked);
  const std::string first = FirstWord(FoldedMessage(evidence.text));
  const StemSet properties = PropertyTerms(asked), of_sentence = PropertyTerms(said);
  return {
      Bm25(asked_stems, all, weights),
      Coverage(telling, SetOf(all), weights),
      ShareOf(runs, RunsOf(own)),
      ShareOf(runs, RunsOf(StemsOf(evidence.question))),
      If(wants_number && has_digit),
      If(wants_number && !has_digit),
      If(wants_yes_no && (MeansYes(first) || MeansNo(first))),
      If(wants_yes_no && FindCue(said, Cue::kNegation).found()),
      std::log(1 + static_cast<float>(own.size())),
      If(own.size() <= kFewWords),
      Coverage(beyond, SetOf(all), weights),
      NameMatch(evidence, telling),
      If(evidence.kind == Evidence::Kind::kAttribute),
      If(evidence.kind == Evidence::Kind::kReview),
      Coverage(properties, of_sentence, weights),
      Coverage(properties, PropertyTerms(replied), weights),
      If(!properties.empty() && Shared(properties, of_sentence).empty()),
  };
}

float ScoreEvidence(const EvidenceFeatures& features) {
  // Of train_evidence.py over the development parts of ePQA and hetPQA.
  static constexpr EvidenceFeatures kWeights = {0.208f,  -2.289f, 1.956f,  -0.746f, 0.379f, -0.287f,
                                                0.416f,  0.413f,  0.045f,  -0.918f, 1.370f, 0.565f,
                                                -0.155f, -0.067f, -0.358f, -0.066f, -1.174f};
  float score = 0;
  for (size_t i = 0; i < features.size(); ++i) score += kWeights[i] * features[i];
  return score;
}

}  // namespace emptor::services

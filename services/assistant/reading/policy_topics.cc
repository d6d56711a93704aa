// Matches the phrases of policy topics, and finds the nearest where none is said.
#include "services/assistant/reading/policy_topics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "retrieval/text/fold.h"
#include "services/assistant/reading/message_features.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/situations.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNear = 5;     // topics of a text
constexpr double kMinShare = 0.4;  // of the best topic's score
constexpr double kMinNear = 0.16;  // a text below it is near no topic
constexpr double kSaid = 0.75;     // weight of a topic whose phrase is said
constexpr std::array<double, 3> kBestPhrases = {0.57, 0.29, 0.14};  // weights of a topic's nearest

constexpr std::string_view kNarrows = " < ";

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

/// "Large item delivery < delivery time | shipping cost : sofa | bed".
struct Narrowing {
  std::string topic;
  std::vector<std::string> bases, words;
};

const std::vector<Narrowing>& TheNarrowings() {
  static const auto* const narrowings = [] {
    auto parsed = std::make_unique<std::vector<Narrowing>>();
    ForEachLexiconLine(kPolicyLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      const size_t mark = head.find(kNarrows);
      if (mark == std::string_view::npos || head.find(" = ") != std::string_view::npos) return;
      const std::string_view bases = head.substr(mark + kNarrows.size());
      parsed->push_back({std::string(head.substr(0, mark)), AllPhrases(ParsePhraseGroups(bases)),
                         AllPhrases(ParsePhraseGroups(rest))});
    });
    return parsed.release();
  }();
  return *narrowings;
}

const LexiconTopic* TopicOfName(std::string_view name) {
  const auto found = std::find_if(TheTopics().begin(), TheTopics().end(),
                                  [&](const auto& each) { return each.topic.name == name; });
  return found == TheTopics().end() ? nullptr : &*found;
}

/// The topic of the longest phrase, or of the ideas that cover more than it does; null: none is
/// said.
const LexiconTopic* FindSaid(const FoldedMessage& message) {
  const LexiconTopic* best = nullptr;
  size_t longest = 0;
  for (const LexiconTopic& each : TheTopics()) {
    const FoldedMessage::Span span = message.FindLongest(each.phrases);
    if (!span.found() || span.size() <= longest) continue;
    longest = span.size();
    best = &each;
  }
  const auto situation = FindSituation(SituationKind::kPolicy, message);
  if (situation && situation->letters > longest) {
    if (const LexiconTopic* const told = TopicOfName(situation->name)) best = told;
  }
  return best;
}

/// The phrases of all topics as tf-idf vectors over MessageFeatures, by feature. A text is as near
/// to a topic as to its nearest phrases and to the sum of all of them.
class TopicIndex {
 public:
  TopicIndex() {
    std::vector<std::pair<size_t, std::unordered_set<std::string>>> phrases;
    for (size_t topic = 0; topic < TheTopics().size(); ++topic) {
      phrases.emplace_back(topic, MessageFeatures(TheTopics()[topic].topic.words));
      for (const std::string& phrase : TheTopics()[topic].phrases) {
        phrases.emplace_back(topic, MessageFeatures(phrase));
      }
    }
    for (const auto& [topic, features] : phrases) {
      for (const std::string& feature : features) ++postings_[feature].count;
    }
    size_ = static_cast<double>(phrases.size());
    std::vector<std::unordered_map<Postings*, double>> sums(TheTopics().size());
    for (size_t i = 0; i < phrases.size(); ++i) {
      const auto& [topic, features] = phrases[i];
      topic_of_.push_back(topic);
      const double length = LengthOf(features);
      for (const std::string& feature : features) {
        Postings& postings = postings_[feature];
        const double weight = WeightOf(postings) / length;
        postings.phrases.emplace_back(i, static_cast<float>(weight));
        sums[topic][&postings] += weight;
      }
    }
    for (size_t topic = 0; topic < sums.size(); ++topic) {
      double squares = 0;
      for (const auto& [postings, sum] : sums[topic]) squares += sum * sum;
      for (const auto& [postings, sum] : sums[topic]) {
        postings->topics.emplace_back(topic, static_cast<float>(sum / std::sqrt(squares)));
      }
    }
  }

  /// By topic, from 0 to 2.
  std::vector<double> ScoresOf(std::string_view text) const {
    const auto features = MessageFeatures(text);
    const double length = LengthOf(features);
    std::vector<double> scores(TheTopics().size(), 0), phrases(topic_of_.size(), 0);
    for (const std::string& feature : features) {
      const auto found = postings_.find(feature);
      if (found == postings_.end()) continue;
      const double weight = WeightOf(found->second) / length;
      for (const auto& [topic, other] : found->second.topics) scores[topic] += weight * other;
      for (const auto& [phrase, other] : found->second.phrases) phrases[phrase] += weight * other;
    }
    std::vector<std::vector<double>> nearest(scores.size());
    for (size_t i = 0; i < phrases.size(); ++i) {
      if (phrases[i] > 0) nearest[topic_of_[i]].push_back(phrases[i]);
    }
    for (size_t topic = 0; topic < nearest.size(); ++topic) {
      std::sort(nearest[topic].begin(), nearest[topic].end(), std::greater<>());
      for (size_t i = 0; i < std::min(nearest[topic].size(), kBestPhrases.size()); ++i) {
        scores[topic] += kBestPhrases[i] * nearest[topic][i];
      }
    }
    return scores;
  }

 private:
  struct Postings {
    double count = 0;  // phrases that have the feature
    std::vector<std::pair<size_t, float>> phrases, topics;
  };

  double WeightOf(const Postings& postings) const { return std::log(1 + size_ / postings.count); }

  /// Features that no phrase has count: what a text says besides makes it less near.
  double LengthOf(const std::unordered_set<std::string>& features) const {
    double squares = 0;
    for (const std::string& feature : features) {
      const auto found = postings_.find(feature);
      if (found == postings_.end()) continue;
      const double weight = WeightOf(found->second);
      squares += weight * weight;
    }
    return std::max(std::sqrt(squares), 1e-9);
  }

  std::unordered_map<std::string, Postings> postings_;
  std::vector<size_t> topic_of_;  // by phrase
  double size_ = 0;
};

const TopicIndex& TheIndex() {
  static const auto* const index = std::make_unique<const TopicIndex>().release();
  return *index;
}

}  // namespace

std::optional<PolicyTopic> FindPolicyTopic(const FoldedMessage& message) {
  const LexiconTopic* const said = FindSaid(message);
  if (said == nullptr) return std::nullopt;
  return said->topic;
}

std::optional<PolicyTopic> NarrowPolicyTopic(const PolicyTopic& topic, const FoldedMessage& said) {
  std::optional<PolicyTopic> narrowed;
  std::string name = retrieval::FoldWords(topic.name);
  // A narrowed topic may be narrowed by a line behind its own: opened goods, opened cosmetics.
  for (const Narrowing& each : TheNarrowings()) {
    const bool is_base = std::find(each.bases.begin(), each.bases.end(), name) != each.bases.end();
    if (!is_base || !said.HasAny(each.words)) continue;
    const LexiconTopic* const found = TopicOfName(each.topic);
    if (found == nullptr) continue;
    narrowed = found->topic;
    name = retrieval::FoldWords(each.topic);
  }
  return narrowed;
}

std::optional<PolicyTopic> NearestPolicyTopic(std::string_view message) {
  const std::vector<double> scores = TheIndex().ScoresOf(message);
  const auto best = std::max_element(scores.begin(), scores.end());
  if (best == scores.end() || *best < kMinNear) return std::nullopt;
  return TheTopics()[static_cast<size_t>(best - scores.begin())].topic;
}

TopicVector TopicsNear(std::string_view text) {
  const std::vector<double> scores = TheIndex().ScoresOf(text);
  std::vector<std::pair<double, const LexiconTopic*>> ranked;
  for (size_t i = 0; i < scores.size(); ++i) ranked.emplace_back(scores[i], &TheTopics()[i]);
  const LexiconTopic* const said = FindSaid(FoldedMessage(text));
  for (auto& [score, topic] : ranked) score += topic == said ? kSaid : 0;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  TopicVector near;
  double squares = 0;
  for (size_t i = 0; i < std::min(ranked.size(), kMaxNear); ++i) {
    const double least = std::max(kMinNear, ranked[0].first * kMinShare);
    if (ranked[i].first < least) break;
    const double weight = ranked[i].first - least / 2;
    near[ranked[i].second->topic.name] = weight;
    squares += weight * weight;
  }
  for (auto& [name, weight] : near) weight /= std::sqrt(squares);
  return near;
}

TopicVector AddTopics(const TopicVector& a, const TopicVector& b, double share) {
  TopicVector sum = a;
  for (const auto& [name, weight] : b) sum[name] += share * weight;
  double squares = 0;
  for (const auto& [name, weight] : sum) squares += weight * weight;
  for (auto& [name, weight] : sum) weight /= std::sqrt(squares);
  return sum;
}

double TopicSimilarity(const TopicVector& a, const TopicVector& b) {
  double sum = 0;
  for (const auto& [name, weight] : a) {
    const auto found = b.find(name);
    if (found != b.end()) sum += weight * found->second;
  }
  return sum;
}

}  // namespace emptor::services

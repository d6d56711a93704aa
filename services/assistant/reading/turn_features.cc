// A message next to the products of its conversation.
#include "services/assistant/reading/turn_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "services/assistant/reading/message_features.h"

namespace emptor::services {
namespace {

constexpr size_t kMinLetters = 3;  // of a word that tells
constexpr size_t kMinStem = 4;     // of words that are alike
constexpr size_t kMaxEnding = 3;   // letters by which their lengths differ

using List = std::vector<size_t>;

bool IsNumber(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool Tells(const std::string& word) {
  return word.size() >= kMinLetters || IsNumber(word) || IsWideWord(word);
}

/// Equal, or forms of one word, or the end of a compound: "sangles" and "sangle", "ball" and
/// "rollball".
bool IsAlike(const std::string& said, const std::string& own) {
  if (said == own) return true;
  if (said.size() < kMinStem || own.size() < kMinStem || IsWideWord(said)) return false;
  const size_t least = std::min(said.size(), own.size());
  const size_t most = std::max(said.size(), own.size());
  const size_t stem = std::max(kMinStem, least - 2);
  if (most - least <= kMaxEnding && said.compare(0, stem, own, 0, stem) == 0) return true;
  return own.ends_with(said) || said.ends_with(own);
}

/// Which words of a message are in the titles of which products.
class Matches {
 public:
  Matches(std::string_view message, const TurnScene& scene) {
    for (std::string& word : MatchedWords(message)) {
      const bool is_known = std::find(words_.begin(), words_.end(), word) != words_.end();
      if (!is_known) words_.push_back(std::move(word));
    }
    for (const TurnScene::Product& product : scene.products) {
      std::vector<bool> has;
      for (const std::string& word : words_) {
        has.push_back(std::any_of(product.words.begin(), product.words.end(),
                                  [&](const std::string& own) { return IsAlike(word, own); }));
      }
      has_.push_back(std::move(has));
    }
  }

  size_t word_count() const { return words_.size(); }
  size_t TellingCount() const {
    return static_cast<size_t>(std::count_if(words_.begin(), words_.end(), Tells));
  }
  /// Telling words that are in titles of `least` products of the list, at most in `most`.
  size_t CountIn(const List& list, size_t least, size_t most) const {
    size_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      if (!Tells(words_[i])) continue;
      const auto found = static_cast<size_t>(std::count_if(
          list.begin(), list.end(), [&](size_t product) { return has_[product][i]; }));
      count += found >= least && found <= most ? 1 : 0;
    }
    return count;
  }
  /// A word counts for more where fewer products have it.
  std::vector<double> Scores() const {
    std::vector<double> scores(has_.size(), 0);
    for (size_t i = 0; i < words_.size(); ++i) {
      const auto found =
          std::count_if(has_.begin(), has_.end(), [&](const auto& each) { return each[i]; });
      if (found == 0 || !Tells(words_[i])) continue;
      const double weight =
          std::log((1.0 + static_cast<double>(has_.size())) / static_cast<double>(found));
      for (size_t product = 0; product < has_.size(); ++product) {
        if (has_[product][i]) scores[product] += weight;
      }
    }
    return scores;
  }

 private:
  std::vector<std::string> words_;
  std::vector<std::vector<bool>> has_;  // by product and word
};

List All(const TurnScene& scene) {
  List all(scene.products.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

bool Holds(const List& list, size_t product) {
  return std::find(list.begin(), list.end(), product) != list.end();
}

std::string Counted(std::string_view name, size_t count, size_t most) {
  return fmt::format("{}={}", name, std::min(count, most));
}

std::string_view MatchOf(const std::vector<double>& scores, size_t product) {
  constexpr double kAlike = 1e-9;
  const double best = *std::max_element(scores.begin(), scores.end());
  if (best == 0) return "none";
  if (scores[product] == 0) return "zero";
  if (scores[product] < best - kAlike) return "less";
  const auto tops = std::count_if(scores.begin(), scores.end(),
                                  [&](double each) { return each >= best - kAlike; });
  return tops == 1 ? "top" : "tie";
}

int StepOf(double score) {
  constexpr double kSteps[] = {0.01, 0.7, 1.4, 2.2};
  return static_cast<int>(std::count_if(std::begin(kSteps), std::end(kSteps),
                                        [&](double step) { return score >= step; }));
}

/// Amounts that a message names, in minor units: "45", "12.90".
std::vector<int64_t> AmountsIn(std::string_view message) {
  std::vector<int64_t> amounts;
  for (size_t at = 0; at < message.size();) {
    int64_t whole = 0, cents = 0;
    size_t end = at;
    while (end < message.size() && IsNumber(message.substr(end, 1)) && end - at < 7) {
      whole = whole * 10 + (message[end++] - '0');
    }
    if (end == at) {
      ++at;
      continue;
    }
    const bool has_cents = end + 2 < message.size() + 0 &&
                           (message[end] == '.' || message[end] == ',') &&
                           IsNumber(message.substr(end + 1, 2));
    if (has_cents) {
      cents = (message[end + 1] - '0') * 10 + (message[end + 2] - '0');
      end += 3;
    }
    amounts.push_back(whole * 100 + cents);
    at = end;
  }
  return amounts;
}

/// "The 45 one" of 45.90.
bool IsPrice(int64_t price, const std::vector<int64_t>& amounts) {
  constexpr int64_t kMinor = 100, kLeast = 10 * kMinor;
  return price > 0 && std::any_of(amounts.begin(), amounts.end(), [&](int64_t amount) {
           return amount == price ||
                  (amount >= kLeast && amount % kMinor == 0 && amount / kMinor == price / kMinor);
         });
}

/// A product in its conversation.
class Place {
 public:
  Place(const TurnScene& scene, size_t product) : scene_(scene), product_(product) {
    if (const auto* latest = scene.Latest()) latest_ = *latest;
    if (const auto* list = scene.LatestList()) list_ = *list;
  }

  /// The only one of the latest answer, one of several in it, one of the latest list before it,
  /// an older one.
  std::string_view Role() const {
    if (Holds(latest_, product_)) return latest_.size() == 1 ? "S" : "L";
    return Holds(list_, product_) ? "P" : "O";
  }
  size_t Age() const {
    size_t age = 1;
    for (auto turn = scene_.turns.rbegin(); turn != scene_.turns.rend(); ++turn, ++age) {
      if (Holds(*turn, product_)) return age;
    }
    return age;
  }
  size_t TurnsWithIt() const {
    return static_cast<size_t>(
        std::count_if(scene_.turns.begin(), scene_.turns.end(),
                      [&](const List& turn) { return Holds(turn, product_); }));
  }
  size_t TurnsOfItAlone() const {
    return static_cast<size_t>(
        std::count(scene_.turns.begin(), scene_.turns.end(), List{product_}));
  }
  size_t latest_count() const { return latest_.size(); }
  bool is_list_latest() const { return latest_ == list_; }

  /// What it is among the list: its place, the cheapest, the dearest.
  std::vector<std::string> RanksInList() const {
    constexpr size_t kPlaces = 4;
    std::vector<std::string> ranks;
    const auto at = std::find(list_.begin(), list_.end(), product_);
    if (at == list_.end()) return ranks;
    const auto place = static_cast<size_t>(at - list_.begin());
    if (place < kPlaces) ranks.push_back(fmt::format("p{}", place));
    if (place + 1 == list_.size()) ranks.emplace_back("end");
    const auto is_less = [&](size_t a, size_t b) {
      return scene_.products[a].price < scene_.products[b].price;
    };
    if (*std::min_element(list_.begin(), list_.end(), is_less) == product_)
      ranks.emplace_back("lo");
    if (*std::max_element(list_.begin(), list_.end(), is_less) == product_)
      ranks.emplace_back("hi");
    return ranks;
  }

 private:
  const TurnScene& scene_;
  const size_t product_;
  List latest_, list_;
};

std::vector<std::string> FeaturesOfShown(const std::string& message, const TurnScene& scene) {
  constexpr size_t kMaxShown = 4, kMaxLength = 12, kMaxIn = 3, kMaxUnique = 2, kMaxOut = 6,
                   kShares = 4;
  const Matches matches(message, scene);
  const List* const latest = scene.Latest();
  const List shown = latest == nullptr ? List() : *latest;
  const size_t telling = matches.TellingCount();
  const size_t in_shown = matches.CountIn(shown, 1, shown.size());
  const size_t in_all = matches.CountIn(All(scene), 1, scene.products.size());
  const size_t unique = shown.size() > 1 ? matches.CountIn(shown, 1, 1) : 0;
  const bool asks =
      message.find('?') != std::string::npos || message.find("？") != std::string::npos;
  return {Counted("@n", shown.size(), kMaxShown),
          Counted("@len", matches.word_count(), kMaxLength),
          asks ? "@asks" : "@states",
          Counted("@in", in_shown, kMaxIn),
          Counted("@hist", in_all, kMaxIn),
          Counted("@unique", unique, kMaxUnique),
          Counted("@out", telling - in_all, kMaxOut),
          Counted("@share", kShares * in_shown / std::max<size_t>(1, telling), kShares)};
}

/// What the rules take the message to be.
std::vector<std::string> FeaturesOfRules(const Understanding& rules, const ConversationTurn& last) {
  constexpr size_t kMany = 2;
  const auto& type = rules.type;
  const bool is_topic = type && last.type && type->name == last.type->name;
  const std::string_view goods = !type              ? "none"
                                 : is_topic         ? "topic"
                                 : type->is_advised ? "advised"
                                                    : "other";
  std::vector<std::string> features = {fmt::format("@rule={}", rules.turn_rule),
                                       fmt::format("@desk={}", static_cast<int>(rules.desk)),
                                       fmt::format("@type={}", goods),
                                       Counted("@refs", rules.referenced_products.size(), kMany)};
  const std::pair<bool, std::string_view> facts[] = {
      {rules.asks_policy, "@policy"},
      {!last.policy_question.empty(), "@after policy"},
      {rules.follows_up, "@follows"},
      {rules.asks_for_goods, "@goods"},
      {rules.rank.has_value(), "@ranks"},
      {rules.comparison.has_value(), "@compares"},
      {rules.filter.has_price(), "@price"},
      {!rules.filter.brands.empty(), "@brand"},
      {!rules.filter.attributes.empty() || !rules.filter.ranges.empty(), "@attribute"},
      {!rules.words.empty(), "@words"},
      {!rules.not_sold.empty(), "@unsold"},
      {rules.asks_for_type, "@for type"}};
  for (const auto& [holds, name] : facts) {
    if (holds) features.emplace_back(name);
  }
  return features;
}

}  // namespace

std::vector<std::string> KindFeatures(const Understanding& rules, const ConversationTurn& last,
                                      const TurnScene& scene) {
  std::vector<std::string> features = FeaturesOfShown(rules.message, scene);
  for (std::string& each : FeaturesOfRules(rules, last)) features.push_back(std::move(each));
  return features;
}

std::vector<PointingFeatures> FindPointingFeatures(const Understanding& rules,
                                                   const TurnScene& scene) {
  const std::string& message = rules.message;
  const std::vector<std::string>& referenced = rules.referenced_products;
  constexpr size_t kMaxAge = 4, kMaxShown = 5, kMaxTotal = 6, kMaxTurns = 3, kMaxAlone = 2,
                   kMaxLength = 8, kThird = 3;
  const Matches matches(message, scene);
  const std::vector<double> scores = matches.Scores();
  const std::vector<int64_t> amounts = AmountsIn(message);
  const auto words = WordFeatures(message);
  const bool names_price =
      std::any_of(scene.products.begin(), scene.products.end(),
                  [&](const auto& each) { return IsPrice(each.price, amounts); });
  std::vector<PointingFeatures> all;
  for (size_t i = 0; i < scene.products.size(); ++i) {
    const Place place(scene, i);
    const std::string_view role = place.Role(), match = MatchOf(scores, i);
    const bool is_referenced =
        std::find(referenced.begin(), referenced.end(), scene.products[i].id) != referenced.end();
    const std::string reference =
        fmt::format("ref={}{}", is_referenced ? 1 : 0, std::min<size_t>(2, referenced.size()));
    PointingFeatures features;
    features.plain = {
        fmt::format("role={}", role),
        fmt::format("rel={}", match),
        fmt::format("{}|rel={}", role, match),
        fmt::format("m={}", StepOf(scores[i])),
        fmt::format("{}|m={}", role, StepOf(scores[i])),
        fmt::format("rel={}|{}", match, Counted("len", matches.word_count() / kThird, kMaxAge)),
        fmt::format("price={}{}", IsPrice(scene.products[i].price, amounts) ? 1 : 0,
                    names_price ? 1 : 0),
        reference,
        fmt::format("{}|{}", role, reference),
        fmt::format("{}|{}", role, Counted("age", place.Age(), kMaxAge)),
        fmt::format("{}|{}", role, Counted("n", place.latest_count(), kMaxShown)),
        fmt::format("{}|same={}", role, place.is_list_latest() ? 1 : 0),
        Counted("total", scene.products.size(), kMaxTotal),
        Counted("turns", place.TurnsWithIt(), kMaxTurns),
        Counted("alone", place.TurnsOfItAlone(), kMaxAlone),
        fmt::format("{}|{}", role, Counted("len", matches.word_count(), kMaxLength))};
    std::vector<std::string> heads = place.RanksInList();
    heads.emplace_back(role);
    heads.push_back(fmt::format("rel={}", match));
    for (const std::string& head : heads) {
      for (const std::string& word : words) features.words.push_back(head + "|" + word);
    }
    all.push_back(std::move(features));
  }
  return all;
}

}  // namespace emptor::services

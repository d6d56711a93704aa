// Reads amounts with the words around them, and looks for what costs them.
#include "services/assistant/search/price_pointers.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/part_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr int64_t kMinorUnits = 100;
constexpr size_t kMaxDigits = 9;
constexpr size_t kMaxPriced = 2000;  // members whose prices are read
constexpr size_t kReach = 4;         // words of "the black kensington for" before an amount
constexpr int64_t kMinOfMaker = 100 * kMinorUnits;  // "lg 17490", not "lg 8"

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsOneOf(const std::string& word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// An amount as it stands in a message.
struct Amount {
  PricePointer price;
  size_t begin = 0, end = 0;
};

/// The number that begins at `begin`: digits, "1,299", and two decimals behind a point or comma.
std::optional<Amount> AmountAt(View text, size_t begin) {
  const bool is_inside =
      begin > 0 && (IsDigit(text[begin - 1]) || text[begin - 1] == '.' || text[begin - 1] == ',' ||
                    std::isalpha(static_cast<unsigned char>(text[begin - 1])) != 0);
  if (is_inside && !(text[begin - 1] == ',' && begin > 1 && !IsDigit(text[begin - 2]))) return {};
  Amount amount{{0, true}, begin, begin};
  size_t digits = 0;
  const auto take = [&](size_t at) {
    amount.price.amount = amount.price.amount * 10 + (text[at] - '0');
    return ++digits <= kMaxDigits;
  };
  size_t at = begin;
  for (; at < text.size(); ++at) {
    const bool is_group = text[at] == ',' && at + 3 < text.size() && IsDigit(text[at + 1]) &&
                          IsDigit(text[at + 2]) && IsDigit(text[at + 3]);
    if (is_group) continue;
    if (!IsDigit(text[at])) break;
    if (!take(at)) return {};
  }
  amount.price.amount *= kMinorUnits;
  // "1.7", and no price of one.
  const bool is_cut =
      at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && IsDigit(text[at + 1]);
  const bool has_decimals = at + 2 < text.size() && (text[at] == '.' || text[at] == ',') &&
                            IsDigit(text[at + 1]) && IsDigit(text[at + 2]) &&
                            (at + 3 >= text.size() || !IsDigit(text[at + 3]));
  if (has_decimals) {
    amount.price.amount += (text[at + 1] - '0') * 10 + (text[at + 2] - '0');
    amount.price.is_whole = false;
    at += 3;
  }
  if (is_cut && !has_decimals) return {};
  amount.end = at;
  return amount;
}

/// The words around an amount, folded.
struct Around {
  std::vector<std::string> before;  // of its clause
  std::string after;                // the next word; empty: a mark or the end
  View rest;                        // behind the amount
};

Around WordsAround(View text, const Amount& amount) {
  View before = text.substr(0, amount.begin);
  const size_t mark = before.find_last_of(".;?!,");
  if (mark != View::npos) before.remove_prefix(mark + 1);
  Around around;
  around.before = SplitWords(FoldedMessage(before).text());
  around.rest = text.substr(amount.end);
  View after = around.rest;
  const size_t begin = after.find_first_not_of(' ');
  if (begin == View::npos || View(".;?!,").find(after[begin]) != View::npos) return around;
  after.remove_prefix(begin);
  around.after = FoldedMessage(after.substr(0, after.find_first_of(" ,.;?!"))).text();
  return around;
}

bool IsCurrency(const std::string& word) {
  return HasCue(FoldedMessage::FromFolded(word), Cue::kCurrency);
}

/// "5m", "128 gb", "2 of the second": no price.
bool IsQuantity(const Around& around) {
  const View rest = around.rest;
  const bool is_joined = !rest.empty() && (std::isalpha(static_cast<unsigned char>(rest[0])) != 0 ||
                                           View("%\"'-/").find(rest[0]) != View::npos);
  if (is_joined && !rest.starts_with("er ")) return true;
  if (around.after.empty() || IsCurrency(around.after)) return false;
  return retrieval::FindUnit(around.after).has_value() || around.after == "of" ||
         around.after == "x";
}

/// "Under 20", "up to 35", "bis 100".
bool IsBound(const Around& around) {
  if (around.before.empty() || IsArticle(around.before.back())) return false;
  constexpr size_t kWords = 3;
  std::string text;
  const size_t first = around.before.size() - std::min(around.before.size(), kWords);
  for (size_t i = first; i < around.before.size(); ++i) {
    text += (text.empty() ? "" : " ") + around.before[i];
  }
  return FoldedMessage::FromFolded(text).HasAny(PartPhrases("bound"));
}

/// "The 170 one", "the kensington for 35", "der für 191", "la de 31".
bool PointsBefore(const Around& around) {
  const std::vector<std::string>& before = around.before;
  if (before.empty()) return false;
  const bool is_one = HasCue(FoldedMessage::FromFolded(around.after), Cue::kThatOne);
  if (IsArticle(before.back()) && (is_one || IsCurrency(around.after) || around.after.empty())) {
    return true;
  }
  if (!IsOneOf(before.back(), PartPhrases("at"))) return false;
  const size_t first = before.size() - 1 - std::min(before.size() - 1, kReach);
  return std::any_of(before.begin() + static_cast<std::ptrdiff_t>(first), before.end() - 1,
                     [](const std::string& word) {
                       return HasCue(FoldedMessage::FromFolded(word), Cue::kDefinite);
                     });
}

bool Points(const Amount& amount, const Around& around) {
  if (around.rest.starts_with("的") || around.rest.starts_with("那")) return true;
  if (!amount.price.is_whole) return true;
  return PointsBefore(around);
}

/// `points` decides of amounts that are neither quantities nor bounds.
std::vector<Amount> AmountsIn(View message, const auto& points) {
  std::vector<Amount> amounts;
  for (size_t i = 0; i < message.size(); ++i) {
    if (!IsDigit(message[i])) continue;
    const auto amount = AmountAt(message, i);
    while (i < message.size() && IsDigit(message[i])) ++i;
    if (!amount) continue;
    i = std::max(i, amount->end);
    const Around around = WordsAround(message, *amount);
    if (IsQuantity(around) || IsBound(around) || !points(*amount, around)) continue;
    amounts.push_back(*amount);
  }
  return amounts;
}

bool Costs(const catalog::Product& product, const PricePointer& asked) {
  if (!product.price) return false;
  const auto& price = product.sale_price ? product.sale_price : product.price;
  if (!asked.is_whole)
    return price->amount == asked.amount || product.price->amount == asked.amount;
  const int64_t rounded = (price->amount + kMinorUnits / 2) / kMinorUnits * kMinorUnits;
  return asked.amount == price->amount / kMinorUnits * kMinorUnits || asked.amount == rounded;
}

class PricedFinder {
 public:
  explicit PricedFinder(const SubjectInput& input)
      : input_(input), shown_(ShownProducts(input.turns)) {}

  absl::StatusOr<std::vector<std::string>> Run() {
    std::vector<std::string> ids;
    const auto points = [this](const Amount& amount, const Around& around) {
      return Points(amount, around) || IsOfMaker(amount, around);
    };
    for (const Amount& each : AmountsIn(input_.understanding.message, points)) {
      if (each.price.is_whole && IsInTitles(each.price)) continue;
      auto found = Find(each);
      if (!found.ok()) return found.status();
      if (found->empty()) return std::vector<std::string>();
      AppendNew({*std::move(found)}, ids);
    }
    return ids;
  }

 private:
  /// "Lg 17490", of a maker of the topic.
  bool IsOfMaker(const Amount& amount, const Around& around) const {
    if (around.before.empty() || amount.price.amount < kMinOfMaker) return false;
    const NameWords name{around.before, {}, {}};
    return EvidenceOf(input_.table, name, around.before.size() - 1) == NameEvidence::kMaker;
  }

  /// "The 128 one", of cards with 128 GB.
  bool IsInTitles(const PricePointer& price) const {
    const std::string number = std::to_string(price.amount / kMinorUnits);
    return std::any_of(shown_.begin(), shown_.end(), [&](const std::string& id) {
      const auto product = input_.shop.FindProduct(id);
      if (!product.ok() || !*product) return false;
      return IsOneOf(number, SplitWords(retrieval::FoldWords((*product)->title)));
    });
  }

  /// What stands with the amount, as "kensington" and "black" of "the black kensington for 35", in
  /// any name of a value.
  std::vector<WordCondition> DemandsAt(const Amount& amount) const {
    const Around around = WordsAround(input_.understanding.message, amount);
    std::string before;
    for (const std::string& word : around.before) before += (before.empty() ? "" : " ") + word;
    FoldedMessage rest = FoldedMessage::FromFolded(std::move(before));
    if (const auto& type = input_.understanding.type) {
      rest = rest.Without(rest.FindLongest(type->words));
    }
    std::vector<WordCondition> demands;
    for (const NamedValue& value : FindNamedValues(rest, input_.understanding.language)) {
      demands.push_back(DemandOf(value, rest.text().substr(value.span.begin, value.span.size())));
      rest = rest.Without(value.span);
    }
    for (const std::string& word : TellingWords(rest)) {
      const bool tells = !IsStruckOut(word) && !IsStoryWord(word) && !IsOrdinaryWord(word) &&
                         !IsOneOf(word, PartPhrases("at"));
      if (tells) demands.push_back(DemandOf(word));
    }
    return demands;
  }

  absl::StatusOr<std::string> Find(const Amount& amount) const {
    const std::vector<WordCondition> demands = DemandsAt(amount);
    auto found = FindAmong(shown_, amount.price, demands, true);
    if (!found.ok() || !found->empty()) return found;
    const std::vector<std::string>& members = input_.table.members;
    if (members.size() > kMaxPriced) return std::string();
    return FindAmong(members, amount.price, demands, false);
  }

  /// What the latest search was for: of two products at a price, the one that meets it is meant.
  std::vector<WordCondition> DemandsOfTopic() const {
    std::vector<WordCondition> demands;
    for (const std::string& word : TellingWords(FoldedMessage(input_.turns.back().search_text))) {
      demands.push_back(DemandOf(word));
    }
    return demands;
  }

  static size_t CountMet(const catalog::Product& product,
                         const std::vector<WordCondition>& demands) {
    const RecordWords words = RecordWords::Learn({&product});
    return static_cast<size_t>(
        std::count_if(demands.begin(), demands.end(), [&](const WordCondition& each) {
          return Meets(product.title, each) || words.Knows(each);
        }));
  }

  /// `takes_first`: of several that are alike, the first.
  absl::StatusOr<std::string> FindAmong(const std::vector<std::string>& ids,
                                        const PricePointer& price,
                                        const std::vector<WordCondition>& demands,
                                        bool takes_first) const {
    std::string best, group;
    size_t alike = 0;
    std::pair<size_t, size_t> most;
    const std::vector<WordCondition> topic = DemandsOfTopic();
    for (const std::string& id : ids) {
      auto product = input_.shop.FindProduct(id);
      if (!product.ok()) return product.status();
      if (!*product || !Costs(**product, price)) continue;
      const std::pair shared{CountMet(**product, demands), CountMet(**product, topic)};
      if (shared.first == 0 && !demands.empty()) continue;
      if (alike > 0 && shared < most) continue;
      const bool is_variant = alike > 0 && !group.empty() && (*product)->item_group_id == group;
      if (alike > 0 && shared == most) {
        if (!is_variant) ++alike;
        continue;
      }
      best = id;
      group = (*product)->item_group_id;
      most = shared;
      alike = 1;
    }
    return takes_first || alike == 1 ? best : std::string();
  }

  const SubjectInput& input_;
  const std::vector<std::string> shown_;
};

}  // namespace

std::vector<PricePointer> FindPricePointers(const std::string& message) {
  std::vector<PricePointer> pointers;
  for (const Amount& each : AmountsIn(message, Points)) pointers.push_back(each.price);
  return pointers;
}

absl::StatusOr<std::vector<std::string>> FindPriced(const SubjectInput& input) {
  return PricedFinder(input).Run();
}

}  // namespace emptor::services

// Amounts against the quantities of a record.
#include "services/assistant/schema/amount_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr double kSameVoltage = 0.1;  // 110 and 120, 220 and 240 V
constexpr double kSameSize = 0.03;
constexpr std::string_view kVoltage = "v", kLength = "mm";

const std::vector<std::string>& Limit(std::string_view head) {
  static const auto* const table = new PhraseTable(ParsePhraseTable(kLimitLexicon, " : "));
  return table->find(head)->second;
}

/// An attribute that states a quantity of the dimension that is asked for.
struct Stated {
  const SchemaKey* key = nullptr;
  RecordQuantity quantity;
  bool is_named = false;
  double score = 0;

  bool Has(std::string_view head) const {
    return FoldedMessage::FromFolded(key->folded).HasAny(Limit(head));
  }
};

/// The likeliest first.
std::vector<Stated> FindStated(const FoldedMessage& question, const TypeSchema& own,
                               const catalog::Product& product, std::string_view base,
                               const ShopUnits* units) {
  const std::vector<KeyMatch> ranked = RankKeys(question, own);
  std::vector<Stated> found;
  for (const SchemaKey& key : own.keys()) {
    if (CountSideWords(key, question) > 0 || IsPacking(key)) continue;
    const std::string* const value = ValueOf(product, key.name);
    const auto quantity = value == nullptr ? std::nullopt : ReadQuantity({key.name, *value}, units);
    if (!quantity || quantity->base != base) continue;
    Stated stated{&key, *quantity};
    const auto match = std::find_if(ranked.begin(), ranked.end(),
                                    [&](const KeyMatch& each) { return each.key == &key; });
    if (match != ranked.end()) {
      stated.is_named = match->is_named;
      stated.score = match->score;
    }
    found.push_back(std::move(stated));
  }
  std::stable_sort(found.begin(), found.end(), [](const Stated& a, const Stated& b) {
    return a.is_named != b.is_named ? a.is_named : a.score > b.score;
  });
  return found;
}

double Slack(std::string_view base) {
  if (base == kVoltage) return kSameVoltage;
  return base == kLength ? kSameSize : retrieval::MeasureTolerance(base);
}

bool Equals(const RecordQuantity& quantity, double amount) {
  const double slack = Slack(quantity.base) * amount;
  return quantity.from - slack <= amount && amount <= quantity.to + slack;
}

/// "Weight" alone, not "battery weight".
bool IsPlainName(const SchemaKey& key) {
  return key.folded.find(' ') == std::string::npos || key.folded.starts_with("item ") ||
         key.folded.starts_with("product ");
}

/// The one that a comparison is about: named, else the only one, else that of the whole product.
const Stated* TheCompared(const std::vector<Stated>& stated) {
  if (stated.front().is_named || stated.size() == 1) return &stated.front();
  const auto plain = std::find_if(stated.begin(), stated.end(),
                                  [](const Stated& each) { return IsPlainName(*each.key); });
  const bool is_length = stated.front().quantity.base == kLength;
  return plain == stated.end() || is_length ? nullptr : &*plain;
}

AmountVerdict Compared(const Stated& stated, double amount, bool wants_under) {
  const double least = stated.quantity.from, most = stated.quantity.to;
  if (wants_under && most <= amount) return {stated.key->name, true};
  if (wants_under && least > amount) return {stated.key->name, false};
  if (!wants_under && least >= amount) return {stated.key->name, true};
  if (!wants_under && most < amount) return {stated.key->name, false};
  return {stated.key->name, std::nullopt};
}

/// "Minimum" and "maximum screen size": the amount lies between them, or beyond one.
std::optional<AmountVerdict> WithinBounds(const std::vector<Stated>& stated, double amount) {
  const Stated* inside = nullptr;
  for (const Stated& each : stated) {
    const bool is_most = each.Has("most key"), is_least = each.Has("least key");
    if (is_most == is_least) continue;
    const double slack = Slack(each.quantity.base) * amount;
    const bool holds =
        is_most ? amount <= each.quantity.to + slack : amount >= each.quantity.from - slack;
    if (!holds) return AmountVerdict{each.key->name, false};
    if (is_most) inside = &each;
  }
  if (inside == nullptr) return std::nullopt;
  return AmountVerdict{inside->key->name, true};
}

/// Goods that go into a gap: by the side that is named, else by all sides.
std::optional<AmountVerdict> Fits(const std::vector<Stated>& stated, double amount) {
  static constexpr std::array<std::string_view, 5> kSides = {"width", "height", "depth", "length",
                                                             "diameter"};
  const auto is_side = [](const Stated& each) {
    return std::find(kSides.begin(), kSides.end(), each.key->folded) != kSides.end();
  };
  if (stated.front().is_named) return Compared(stated.front(), amount, true);
  const Stated* widest = nullptr;
  for (const Stated& each : stated) {
    if (Equals(each.quantity, amount)) return AmountVerdict{each.key->name, true};
    const bool is_wider = widest == nullptr || each.quantity.to > widest->quantity.to;
    if (is_side(each) && is_wider) widest = &each;
  }
  if (widest == nullptr || widest->quantity.to > amount) return std::nullopt;
  return AmountVerdict{widest->key->name, true};
}

/// What the goods take or reach: as much as the amount, or an interval around it.
std::optional<AmountVerdict> Borne(const std::vector<Stated>& stated, double amount) {
  const auto bears = std::find_if(stated.begin(), stated.end(),
                                  [](const Stated& each) { return each.Has("bears key"); });
  if (bears == stated.end()) return std::nullopt;
  const RecordQuantity& quantity = bears->quantity;
  const double slack = 1 + Slack(quantity.base);
  const bool holds = amount <= quantity.to * slack &&
                     (quantity.from == quantity.to || quantity.from <= amount * slack);
  return AmountVerdict{bears->key->name, holds};
}

std::optional<AmountVerdict> Judge(const FoldedMessage& question, const std::vector<Stated>& stated,
                                   double amount) {
  if (stated.empty()) return std::nullopt;
  const bool wants_under = question.HasAny(Limit("under"));
  const bool wants_over = question.HasAny(Limit("over"));
  if (wants_under != wants_over) {
    const Stated* const compared = TheCompared(stated);
    if (compared == nullptr) return std::nullopt;
    return Compared(*compared, amount, wants_under);
  }
  // "Does a 17 inch laptop fit" goes by the sleeve, "does it reach 300 metres" by the range.
  if (question.HasAny(Limit("bears")) || question.HasAny(Limit("fits"))) {
    if (const auto borne = Borne(stated, amount)) return borne;
  }
  if (const auto bounded = WithinBounds(stated, amount)) return bounded;
  const bool is_length = stated.front().quantity.base == kLength;
  if (is_length && question.HasAny(Limit("fits"))) return Fits(stated, amount);
  const auto equal = std::find_if(stated.begin(), stated.end(), [&](const Stated& each) {
    return Equals(each.quantity, amount);
  });
  if (equal != stated.end()) return AmountVerdict{equal->key->name, true};
  // "45 to 55 cm" alone states what it is for.
  const Stated& first = stated.front();
  const bool is_interval = stated.size() == 1 && first.quantity.from < first.quantity.to;
  if (is_interval) return AmountVerdict{first.key->name, false};
  const bool is_clear = stated.front().is_named || stated.front().quantity.base == kVoltage;
  if (!is_clear) return std::nullopt;
  return AmountVerdict{stated.front().key->name, false};
}

}  // namespace

std::optional<AmountVerdict> JudgeAmount(const std::string& text, const FoldedMessage& question,
                                         const catalog::Product& product, const ShopUnits* units) {
  const auto amounts = retrieval::FindMeasures(text, 2);
  if (amounts.size() != 1 || amounts.front().value <= 0) return std::nullopt;
  const TypeSchema own = TypeSchema::Learn({&product});
  const auto stated = FindStated(question, own, product, amounts.front().base, units);
  return Judge(question, stated, amounts.front().value);
}

}  // namespace emptor::services

// Votes, decisions, and conversions.
#include "services/assistant/schema/shop_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxMeasures = 16;      // of a title and description
constexpr size_t kMaxTextBytes = 600;    // of a description
constexpr size_t kMaxNames = 4000;       // attributes of a shop
constexpr size_t kMinValues = 3;         // different numbers that agree on a unit
constexpr size_t kMinValuesUnnamed = 6;  // where the name tells no dimension
constexpr double kShareOfBest = 0.67;    // of the numbers that agree on any unit
constexpr double kSame = 0.01;
constexpr std::string_view kWeight = "g";
constexpr double kKilogram = 1000;

/// A line of the lexicon.
struct Line {
  ValueUnit unit;
  bool is_word = false;  // the symbol is translated
  std::vector<std::string> phrases;
  std::map<std::string, std::string, std::less<>> written;  // first phrases, by language
};

struct Lexicon {
  std::vector<Line> units;
  /// What data sheets write for names with these words.
  struct Habit {
    std::string words, symbol;
    double most = 0;  // the greatest number that is in that unit; 0: any
  };
  std::vector<Habit> habits;  // the longest words first
};

std::string TakeStar(std::string symbol, bool& has_star) {
  has_star = symbol.ends_with('*');
  if (has_star) symbol.pop_back();
  return symbol;
}

std::unique_ptr<Lexicon> ParseLexicon() {
  auto lexicon = std::make_unique<Lexicon>();
  ForEachLexiconLine(kUnitLexicon, " : ", [&](std::string_view head, std::string_view rest) {
    const std::vector<std::string> words = SplitWords(head);
    Line line;
    const bool is_habit = words.front() == "name";
    line.unit.symbol = TakeStar(is_habit ? words[1] : words.back(), line.is_word);
    line.phrases = AllPhrases(ParsePhraseGroups(rest));
    if (is_habit) {
      for (const std::string& each : line.phrases) {
        const double most = words.size() > 2 ? std::strtod(words[2].c_str(), nullptr) : 0;
        lexicon->habits.push_back({each, line.unit.symbol, most});
      }
      return;
    }
    line.unit.base = words[1];
    line.unit.factor = std::strtod(words[2].c_str(), nullptr);
    line.written = FirstPhrases(rest);
    lexicon->units.push_back(std::move(line));
  });
  std::stable_sort(lexicon->habits.begin(), lexicon->habits.end(),
                   [](const auto& a, const auto& b) { return a.words.size() > b.words.size(); });
  return lexicon;
}

const Lexicon& TheLexicon() {
  static const Lexicon* const lexicon = ParseLexicon().release();
  return *lexicon;
}

const Line* LineOf(std::string_view base, double factor) {
  const auto& lines = TheLexicon().units;
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& line) {
    return line.unit.base == base && std::abs(line.unit.factor - factor) <= kSame * factor;
  });
  return found == lines.end() ? nullptr : &*found;
}

const Line* LineOfSymbol(std::string_view symbol) {
  const auto& lines = TheLexicon().units;
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const Line& line) { return line.unit.symbol == symbol; });
  return found == lines.end() ? nullptr : &*found;
}

std::string SymbolIn(const Line& line, std::string_view language) {
  const auto own = line.written.find(language);
  return line.is_word && own != line.written.end() ? own->second : line.unit.symbol;
}

/// A name without what is in brackets and the word for the box, whose measures are written alike.
std::string PlainName(std::string_view name) {
  std::string plain(name.substr(0, name.find(" (")));
  constexpr std::string_view kPackage = "package ";
  if (plain.starts_with(kPackage)) plain.erase(0, kPackage.size());
  return plain;
}

SchemaKey KeyNamed(std::string_view name) {
  SchemaKey key;
  key.name = std::string(name);
  key.folded = retrieval::FoldWords(name);
  key.kind = SchemaKey::Kind::kNumber;
  return key;
}

/// "1230", "50 - 60", "-10 - 80", "50/60".
bool IsNumeric(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-/ ") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

double FactorBetween(double number, const retrieval::Measure& measure) {
  for (const double factor : ScalesOf(std::string(measure.base))) {
    const double slack = retrieval::MeasureTolerance(measure.base);
    if (std::abs(number * factor - measure.value) <= measure.value * slack) return factor;
  }
  return 0;
}

/// Numbers that agree on the factor, more than on any other one.
std::map<double, size_t> CountNumbers(const std::map<double, std::map<double, size_t>>& numbers) {
  std::map<double, size_t> counts;
  for (const auto& [number, factors] : numbers) {
    const auto most =
        std::max_element(factors.begin(), factors.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    ++counts[most->first];
  }
  return counts;
}

std::string WriteNumber(double number, std::string_view language) {
  const int decimals = number >= 1000 ? 0 : number >= 10 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  const bool has_comma = language == "de" || language == "fr" || language == "es";
  if (has_comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

/// The unit that the question asks for; null: none, or more than one of the dimension.
const Line* UnitAsked(const FoldedMessage& question, std::string_view base) {
  const Line* asked = nullptr;
  for (const Line& line : TheLexicon().units) {
    if (line.unit.base != base || !question.HasAny(line.phrases)) continue;
    if (asked != nullptr) return nullptr;
    asked = &line;
  }
  return asked;
}

}  // namespace

void ShopUnits::Add(const catalog::Product& product) {
  if (product.attributes.empty()) return;
  const std::string text = product.title + " ; " + product.description.substr(0, kMaxTextBytes);
  const auto stated = retrieval::FindMeasures(text, kMaxMeasures);
  if (stated.empty()) return;
  for (const catalog::Attribute& each : product.attributes) {
    const auto number = retrieval::ParsePlainNumber(each.value);
    if (!number || *number <= 0) continue;
    if (votes_.size() >= kMaxNames && !votes_.contains(each.name)) continue;
    for (const retrieval::Measure& measure : stated) {
      const double factor = FactorBetween(*number, measure);
      if (factor > 0) ++votes_[each.name][std::string(measure.base)][*number][factor];
    }
  }
}

std::optional<ShopUnits::Decision> ShopUnits::Decide(const std::string& name, const Votes& votes) {
  const SchemaKey key = KeyNamed(name);
  if (IsCount(key) || StatesNoQuantity(key)) return std::nullopt;
  const bool is_named = std::any_of(votes.begin(), votes.end(), [&](const auto& each) {
    return StatesDimension(key, each.first);
  });
  std::optional<Decision> best;
  size_t most = 0, of_all = 0;
  for (const auto& [base, numbers] : votes) {
    if (is_named ? !StatesDimension(key, base) : StatesOtherDimension(key, base)) continue;
    size_t all = 0;
    of_all += is_named ? numbers.size() : 0;
    std::pair<double, size_t> first{0, 0};
    for (const auto& [factor, count] : CountNumbers(numbers)) {
      all += count;
      if (count > first.second) first = {factor, count};
    }
    const size_t least = is_named ? kMinValues : kMinValuesUnnamed;
    const bool is_clear = static_cast<double>(first.second) >= kShareOfBest * all;
    if (first.second < least || first.second <= most || !is_clear) continue;
    most = first.second;
    best = Decision{base, first.first, {}};
    for (const auto& [number, factors] : numbers) {
      // "512" of a memory is in megabytes, where others state gigabytes.
      if (!factors.contains(first.first)) best->others[number] = factors.begin()->first;
    }
  }
  // A "capacity" of some products is a volume, of others a storage.
  const bool is_clear = static_cast<double>(most) >= kShareOfBest * of_all;
  return is_clear ? best : std::nullopt;
}

void ShopUnits::Finish() {
  for (const auto& [name, votes] : votes_) {
    if (auto decision = Decide(name, votes)) decisions_[name] = *std::move(decision);
  }
  votes_.clear();
}

std::optional<ValueUnit> ShopUnits::UnitOf(std::string_view name, double number) const {
  const bool is_imperial = name.find("imperial") != std::string_view::npos;
  for (const std::string& each : {std::string(name), PlainName(name)}) {
    const auto found = is_imperial ? decisions_.end() : decisions_.find(each);
    if (found == decisions_.end()) continue;
    const auto other = found->second.others.find(number);
    const double factor =
        other == found->second.others.end() ? found->second.factor : other->second;
    const Line* const line = LineOf(found->second.base, factor);
    return line == nullptr ? std::nullopt : std::optional<ValueUnit>(line->unit);
  }
  const SchemaKey key = KeyNamed(name);
  if (IsCount(key)) return std::nullopt;
  const FoldedMessage folded = FoldedMessage::FromFolded(key.folded);
  for (const auto& [words, symbol, most] : TheLexicon().habits) {
    if (!folded.Has(words) || (most > 0 && number > most)) continue;
    const Line* const line = LineOfSymbol(symbol);
    return line == nullptr ? ValueUnit{"", 1, symbol} : line->unit;
  }
  return std::nullopt;
}

std::optional<RecordQuantity> ReadQuantity(const catalog::Attribute& attribute,
                                           const ShopUnits* units) {
  const auto quantity = QuantityOf(attribute.value);
  if (!quantity) return std::nullopt;
  if (!quantity->unit.empty()) {
    return RecordQuantity{quantity->unit, quantity->number,
                          quantity->number_to.value_or(quantity->number)};
  }
  if (units == nullptr || !IsNumeric(attribute.value)) return std::nullopt;
  const auto unit = units->UnitOf(attribute.name, quantity->number);
  if (!unit || unit->base.empty()) return std::nullopt;
  // "100 - 240", "50/60".
  double to = quantity->number;
  const size_t joint = attribute.value.find_last_of("-/ ");
  if (joint != std::string::npos && joint > 0) {
    const auto end = retrieval::ParsePlainNumber(attribute.value.substr(joint + 1));
    if (!end) return std::nullopt;
    to = std::max(to, *end);
  }
  return RecordQuantity{unit->base, quantity->number * unit->factor, to * unit->factor};
}

std::string UnitBehind(const catalog::Attribute& attribute, const ShopUnits* units,
                       const FoldedMessage& question, std::string_view language) {
  const auto stated = ReadQuantity(attribute, units);
  std::string text;
  std::optional<ValueUnit> own;
  if (units != nullptr && IsNumeric(attribute.value)) {
    const auto plain = retrieval::ParsePlainNumber(attribute.value);
    own = units->UnitOf(attribute.name, plain.value_or(0));
  }
  if (own) {
    const Line* const line = own->base.empty() ? nullptr : LineOf(own->base, own->factor);
    text = " " + (line == nullptr ? own->symbol : SymbolIn(*line, language));
  }
  if (!stated || stated->from != stated->to) return text;
  const Line* asked = UnitAsked(question, stated->base);
  // Thousands of grams are said in kilograms.
  if (asked == nullptr && own && own->base == kWeight && own->factor == 1 &&
      stated->from >= kKilogram) {
    asked = LineOf(kWeight, kKilogram);
  }
  const bool is_same =
      asked == nullptr || (own ? own->factor == asked->unit.factor
                               : FoldedMessage(attribute.value).Has(asked->unit.symbol));
  if (is_same) return text;
  return text + fmt::format(" ({} {})", WriteNumber(stated->from / asked->unit.factor, language),
                            SymbolIn(*asked, language));
}

}  // namespace emptor::services

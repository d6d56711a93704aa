// The grammar of quantities.
#include "retrieval/query/measure_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "retrieval/query/amount_words.h"
#include "retrieval/query/comparators.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;
using Tokens = std::vector<QueryToken>;

/// A number with its unit, in one token ("16gb", "27-inch") or two.
struct Quantity {
  double value = 0;
  std::string unit;  // as the shopper wrote it; empty when no unit follows
  size_t end = 0;
};

/// Units of Chinese and Japanese, one token for each character.
std::string HanUnit(const Tokens& tokens, size_t at, size_t& end) {
  struct Kana {
    std::initializer_list<std::string_view> word;
    std::string_view unit;
  };
  static const std::initializer_list<Kana> kKana = {{{"イ", "ン", "チ"}, "inch"},
                                                    {{"リ", "ッ", "ト", "ル"}, "l"},
                                                    {{"セ", "ン", "チ"}, "cm"},
                                                    {{"キ", "ロ"}, "kg"},
                                                    {{"グ", "ラ", "ム"}, "g"}};
  for (const auto& [word, unit] : kKana) {
    if (!MatchesAt(tokens, at, word)) continue;
    end = at + word.size();
    return std::string(unit);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOne = {
      {{"寸", "inch"}, {"升", "l"}, {"瓦", "w"}, {"克", "g"}, {"米", "m"}, {"斤", ""}}};
  constexpr std::array<std::array<std::string_view, 3>, 11> kTwo = {{{"英", "寸", "inch"},
                                                                     {"小", "时", "h"},
                                                                     {"毫", "米", "mm"},
                                                                     {"平", "米", "m2"},
                                                                     {"平", "方", "m2"},
                                                                     {"伏", "安", "va"},
                                                                     {"毫", "安", "mah"},
                                                                     {"厘", "米", "cm"},
                                                                     {"毫", "升", "ml"},
                                                                     {"公", "斤", "kg"},
                                                                     {"千", "克", "kg"}}};
  for (const auto& [first, second, unit] : kTwo) {
    if (!MatchesAt(tokens, at, {first, second})) continue;
    end = at + 2;
    if (unit == "m2" && MatchesAt(tokens, end, {"米"})) ++end;
    return std::string(unit);
  }
  for (const auto& [word, unit] : kOne) {
    if (!MatchesAt(tokens, at, {word}) || unit.empty()) continue;
    end = at + 1;
    return std::string(unit);
  }
  return {};
}

/// "16gb", "27-inch" as one token.
std::optional<Quantity> SplitToken(const QueryToken& token, size_t at) {
  const size_t digits = token.text.find_first_not_of("0123456789.,");
  if (digits == 0 || digits == std::string::npos) return std::nullopt;
  size_t unit = digits;
  if (token.text[unit] == '-') ++unit;
  const auto value = ParsePlainNumber(token.text.substr(0, digits));
  if (!value || !FindUnit(token.text.substr(unit))) return std::nullopt;
  return Quantity{*value, token.text.substr(unit), at + 1};
}

/// "三百升".
std::optional<Quantity> ReadHanQuantity(const Tokens& tokens, size_t at) {
  const auto number = ReadAmount(tokens, at, "");
  if (!number || !number->currency.empty() || number->end >= tokens.size()) return std::nullopt;
  Quantity quantity{number->value, {}, number->end};
  quantity.unit = HanUnit(tokens, number->end, quantity.end);
  return quantity;
}

std::optional<Quantity> ReadQuantity(const Tokens& tokens, size_t at) {
  if (at >= tokens.size()) return std::nullopt;
  if (tokens[at].kind == Kind::kWord) return SplitToken(tokens[at], at);
  if (tokens[at].kind == Kind::kIdeograph) return ReadHanQuantity(tokens, at);
  if (tokens[at].kind != Kind::kNumber) return std::nullopt;
  Quantity quantity{std::strtod(tokens[at].text.c_str(), nullptr), {}, at + 1};
  if (at + 1 >= tokens.size()) return quantity;
  const QueryToken& next = tokens[at + 1];
  if (next.text == "\"" || next.text == "″" || next.text == "′′") {
    quantity.unit = "inch";
    quantity.end = at + 2;
  } else if (next.kind == Kind::kWord && FindUnit(FoldWords(next.text))) {
    quantity.unit = next.text;
    quantity.end = at + 2;
  } else if (next.kind == Kind::kIdeograph) {
    quantity.unit = HanUnit(tokens, at + 1, quantity.end);
  }
  return quantity;
}

/// The property that a word names, as catalogs call it.
std::string_view PropertyOf(std::string_view word) {
  static const std::unordered_map<std::string_view, std::string_view> kProperties = {
      {"capacity", "capacity"},   {"volume", "capacity"},
      {"weight", "weight"},       {"weighs", "weight"},
      {"weighing", "weight"},     {"height", "height"},
      {"width", "width"},         {"depth", "depth"},
      {"length", "length"},       {"diameter", "diameter"},
      {"screen", "screen"},       {"display", "display"},
      {"storage", "storage"},     {"memory", "memory"},
      {"ram", "memory"},          {"power", "power"},
      {"wattage", "power"},       {"battery", "battery"},
      {"kapazität", "kapazität"}, {"gewicht", "gewicht"},
      {"höhe", "höhe"},           {"breite", "breite"},
      {"länge", "länge"},         {"capacité", "capacité"},
      {"poids", "poids"},         {"capacidad", "capacidad"},
      {"peso", "peso"},           {"容量", "容量"}};
  const auto found = kProperties.find(word);
  return found == kProperties.end() ? std::string_view() : found->second;
}

class Reader {
 public:
  Reader(const Tokens& tokens, const QueryVocabulary& vocabulary, std::vector<bool>& used)
      : tokens_(tokens), vocabulary_(vocabulary), used_(used) {}

  std::vector<NumericRange> Run() {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (used_[at]) continue;
      if (ReadBetween(at) || ReadCompared(at) || ReadWithSuffix(at)) continue;
      ReadNamed(at);
    }
    return std::move(ranges_);
  }

 private:
  bool ReadBetween(size_t start) {
    const size_t lead = ReadRangeWord(tokens_, start);
    if (lead == 0) return false;
    const auto low = ReadQuantity(tokens_, start + lead);
    if (!low || low->end >= tokens_.size() || !IsRangeJoint(tokens_[low->end], true)) return false;
    const auto high = ReadQuantity(tokens_, low->end + 1);
    if (!high || high->unit.empty()) return false;
    NumericRange range;
    range.unit = high->unit;
    range.min = low->value;
    range.max = high->value;
    return low->value <= high->value && Take(start, high->end, std::move(range));
  }

  bool ReadCompared(size_t start) {
    const Comparator comparator = ReadComparator(tokens_, start);
    if (comparator.bound == Bound::kNone || !comparator.of_size) return false;
    const auto quantity = ReadQuantity(tokens_, start + comparator.length);
    if (!quantity || quantity->unit.empty()) return false;
    NumericRange range = Bounded(comparator.bound, *quantity);
    range.attribute = comparator.attribute;
    return Take(start, quantity->end, std::move(range));
  }

  bool ReadWithSuffix(size_t start) {
    const auto quantity = ReadQuantity(tokens_, start);
    if (!quantity || quantity->unit.empty()) return false;
    const Comparator suffix = ReadSuffix(tokens_, quantity->end);
    if (suffix.bound == Bound::kNone || !suffix.of_size) return false;
    return Take(start, quantity->end + suffix.length, Bounded(suffix.bound, *quantity));
  }

  /// "capacity 2 l", "capacity of 2 l": the property makes a plain quantity a condition.
  bool ReadNamed(size_t start) {
    const auto quantity = ReadQuantity(tokens_, start);
    if (!quantity || quantity->unit.empty() || PropertyBefore(start).empty()) return false;
    NumericRange range;
    range.unit = quantity->unit;
    range.min = range.max = quantity->value;
    return Take(start, quantity->end, std::move(range));
  }

  static NumericRange Bounded(Bound bound, const Quantity& quantity) {
    NumericRange range;
    range.unit = quantity.unit;
    const bool lower = bound == Bound::kLower || bound == Bound::kAbove || bound == Bound::kAround;
    const bool upper = !lower || bound == Bound::kAround;
    const double spread = bound == Bound::kAround ? 0.1 : 0;
    if (lower) range.min = quantity.value * (1 - spread);
    if (upper) range.max = quantity.value * (1 + spread);
    range.min_open = bound == Bound::kAbove;
    range.max_open = bound == Bound::kBelow;
    return range;
  }

  /// The property that stands before `start`: "weight under 2 kg", "capacity of at least 2 l".
  std::string PropertyBefore(size_t start) const {
    size_t at = start;
    while (at > 0 && (tokens_[at - 1].text == "of" || tokens_[at - 1].text == "is" ||
                      tokens_[at - 1].text == "von" || tokens_[at - 1].text == "de" ||
                      tokens_[at - 1].text == ":" || tokens_[at - 1].text == "size")) {
      --at;
    }
    if (at == 0) return {};
    std::string_view property = PropertyOf(tokens_[at - 1].text);
    if (property.empty() && at > 1)
      property = PropertyOf(tokens_[at - 2].text + tokens_[at - 1].text);
    return std::string(property);
  }

  /// Accepts a range that the catalog can answer; drops a property that the catalog does not have.
  bool Take(size_t begin, size_t end, NumericRange range) {
    const auto unit = FindUnit(range.unit);
    if (!unit || !vocabulary_.has_measure) return false;
    const std::string base(unit->base);
    if (const std::string named = PropertyBefore(begin); !named.empty()) range.attribute = named;
    if (!range.attribute.empty() && !vocabulary_.has_measure(range.attribute, base)) {
      range.attribute.clear();
    }
    if (range.attribute.empty() && !vocabulary_.has_measure("", base)) return false;
    for (size_t i = begin; i < end; ++i) used_[i] = true;
    ranges_.push_back(std::move(range));
    return true;
  }

  const Tokens& tokens_;
  const QueryVocabulary& vocabulary_;
  std::vector<bool>& used_;
  std::vector<NumericRange> ranges_;
};

bool IsStars(const Tokens& tokens, size_t at) {
  constexpr std::array<std::string_view, 13> kStars = {
      "star",     "stars", "sterne", "sternen", "étoiles", "etoiles", "estrellas",
      "estrella", "星",    "★",      "分",      "rating",  "ratings"};
  return at < tokens.size() &&
         std::find(kStars.begin(), kStars.end(), tokens[at].text) != kStars.end();
}

struct Rated {
  size_t begin, end;
  double value;
};

/// Tokens of a word for a rating at `at`, with what joins it to its number: "rating of", "评分",
/// "stars,".
size_t ReadRatingWord(const Tokens& tokens, size_t at) {
  constexpr std::array<std::string_view, 14> kWords = {
      "rated",  "rating", "ratings", "stars", "bewertung",  "bewertungen", "bewertet",
      "sterne", "note",   "notes",   "notés", "valoración", "estrellas",   "星"};
  constexpr std::array<std::string_view, 7> kJoints = {"of", "is", ",", ":", "von", "de", "在"};
  const auto is_one_of = [&](size_t i, const auto& words) {
    return i < tokens.size() &&
           std::find(words.begin(), words.end(), tokens[i].text) != words.end();
  };
  size_t end = at + (is_one_of(at, kWords) ? 1 : 0);
  if (MatchesAt(tokens, at, {"评", "分"})) end = at + 2;
  if (end > at && ReadComparator(tokens, end).length == 0 && is_one_of(end, kJoints)) ++end;
  return end - at;
}

/// "rated 4 or better", "4 stars and up", "4+ stars", "at least 4 stars", "over 4 stars".
std::optional<Rated> ReadStars(const Tokens& tokens, size_t at) {
  const size_t word = ReadRatingWord(tokens, at);
  const bool says_rated = word > 0;
  const Comparator before = ReadComparator(tokens, at + word);
  size_t number = at + word + before.length;
  if (number < tokens.size() && says_rated && tokens[number].text == "of") ++number;
  if (number >= tokens.size() || tokens[number].kind != Kind::kNumber) return std::nullopt;
  const double value = std::strtod(tokens[number].text.c_str(), nullptr);
  size_t end = number + 1;
  Comparator behind = ReadSuffix(tokens, end);
  if (IsStars(tokens, end + behind.length)) end += behind.length + 1;
  const bool stars = IsStars(tokens, end - 1);
  if (behind.bound == Bound::kNone) behind = ReadSuffix(tokens, end);
  if (behind.length > 0 && (!stars || end == number + 2)) end += behind.length;
  const auto is_lower = [](Bound bound) {
    return bound == Bound::kLower || bound == Bound::kAbove;
  };
  const bool bounded = is_lower(before.bound) || is_lower(behind.bound);
  if (!bounded || !(stars || says_rated) || value < 0.5 || value > 5) return std::nullopt;
  return Rated{at, std::min(end, tokens.size()), value};
}

std::optional<Rated> ReadPraise(const Tokens& tokens, size_t at) {
  struct Phrase {
    std::initializer_list<std::string_view> words;
  };
  static const std::initializer_list<Phrase> kPhrases = {
      {{"best", "rated"}},    {{"top", "rated"}},       {{"highest", "rated"}},
      {{"highly", "rated"}},  {{"well", "rated"}},      {{"good", "ratings"}},
      {{"great", "ratings"}}, {{"good", "reviews"}},    {{"great", "reviews"}},
      {{"best-rated"}},       {{"top-rated"}},          {{"bestbewertet"}},
      {{"bestbewertete"}},    {{"gut", "bewertet"}},    {{"mieux", "notés"}},
      {{"bien", "notés"}},    {{"mejor", "valorados"}}, {{"mejor", "valorado"}},
      {{"好", "评"}},         {{"评", "分", "高"}}};
  for (const Phrase& phrase : kPhrases) {
    if (MatchesAt(tokens, at, phrase.words)) return Rated{at, at + phrase.words.size(), 4};
  }
  return std::nullopt;
}

}  // namespace

std::vector<NumericRange> ReadRanges(const Tokens& tokens, const QueryVocabulary& vocabulary,
                                     std::vector<bool>& used) {
  return Reader(tokens, vocabulary, used).Run();
}

std::optional<double> ReadMinRating(const Tokens& tokens, std::vector<bool>& used) {
  std::optional<double> rating;
  for (size_t at = 0; at < tokens.size(); ++at) {
    auto rated = ReadStars(tokens, at);
    if (!rated && !rating) rated = ReadPraise(tokens, at);
    if (!rated) continue;
    const std::string_view before = at > 0 ? std::string_view(tokens[at - 1].text) : "";
    const bool led = before == "with" || before == "rated" || before == "mit" || before == "avec" ||
                     before == "con";
    for (size_t i = led ? at - 1 : at; i < rated->end; ++i) used[i] = true;
    // "3 stars or better? I mean 4 and up": the latest counts.
    rating = rated->value;
    at = rated->end - 1;
  }
  return rating;
}

}  // namespace emptor::retrieval

// Records and documents as tokens.
#include "services/grounding/claim_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "catalog/money.h"

namespace emptor::services {
namespace {

using Kind = ClaimToken::Kind;
using Role = ClaimRole;

constexpr double kRounding = 0.012;      // of quantities in different units
constexpr double kDataRounding = 0.025;  // 1 TB is 1000 or 1024 GB
constexpr double kInch = 25.4;           // mm
constexpr size_t kMaxTextBytes = 8192;
constexpr size_t kDeniedWords = 3;  // behind "without"

bool IsMeaningful(Role role) {
  return role >= Role::kMore && role != Role::kUnit && role != Role::kVerb && role != Role::kTalk &&
         role != Role::kStrongVerb && !IsClaimGrammar(role);
}

/// Words that state nothing where two texts are compared. A bound does: "at least", "or more".
bool IsFunction(const std::vector<ClaimMeaning>& meanings) {
  constexpr std::array kRoles = {
      Role::kFiller, Role::kAnd,      Role::kOr,          Role::kBut,     Role::kNot,
      Role::kNo,     Role::kSays,     Role::kListing,     Role::kPronoun, Role::kYes,
      Role::kRange,  Role::kNoAnswer, Role::kHyphenLess,  Role::kAbout,   Role::kAll,
      Role::kThan,   Role::kPrice,    Role::kSuperlative, Role::kShop,    Role::kOfThem,
      Role::kVerb};
  const bool is_concept = std::any_of(meanings.begin(), meanings.end(),
                                      [](const auto& each) { return each.role == Role::kConcept; });
  if (is_concept) return false;
  const bool is_talk =
      !meanings.empty() && std::all_of(meanings.begin(), meanings.end(),
                                       [](auto& each) { return each.role == Role::kTalk; });
  if (is_talk) return true;
  return std::any_of(meanings.begin(), meanings.end(), [&](const ClaimMeaning& each) {
    return std::find(kRoles.begin(), kRoles.end(), each.role) != kRoles.end();
  });
}

std::string NameOf(const ClaimMeaning& meaning) {
  return "#" + std::to_string(static_cast<int>(meaning.role)) + ":" + std::to_string(meaning.index);
}

/// Cuts endings, so that "cleaned" is "clean".
std::string StemOf(const std::string& word) {
  std::string stem = word;
  for (const std::string_view ending : {"ing", "ed", "es", "s", "en", "er", "e", "n"}) {
    if (stem.size() > ending.size() + 3 && stem.ends_with(ending)) {
      stem.resize(stem.size() - ending.size());
      break;
    }
  }
  return stem;
}

int InchUnit() {
  const auto& units = ClaimUnits();
  const auto found = std::find_if(units.begin(), units.end(),
                                  [](const ClaimUnit& each) { return each.factor == kInch; });
  return static_cast<int>(found - units.begin());
}

/// The month at this token: "date1".
std::string MonthAt(const std::vector<ClaimToken>& tokens, size_t at) {
  if (at >= tokens.size()) return "";
  const auto unit = ClaimUnitPhrases().Find({tokens[at]}, 0);
  if (unit.size == 0 || unit.meanings[0].role != Role::kUnit) return "";
  const std::string& base = ClaimUnits()[static_cast<size_t>(unit.meanings[0].index)].base;
  return base.starts_with("date") ? base : "";
}

/// "January 31", "31. Januar", "31 de enero".
bool ReadDate(const std::vector<ClaimToken>& tokens, ClaimQuantity& quantity) {
  if (quantity.begin > 0) quantity.base = MonthAt(tokens, quantity.begin - 1);
  if (!quantity.base.empty()) return true;
  size_t next = quantity.end;
  if (next < tokens.size() && (tokens[next].text == "." || tokens[next].text == "de")) ++next;
  quantity.base = MonthAt(tokens, next);
  if (quantity.base.empty()) return false;
  quantity.end = next + 1;
  return true;
}

/// The unit or currency behind the number, or the currency before it.
void ReadUnit(const std::vector<ClaimToken>& tokens, ClaimQuantity& quantity) {
  size_t next = quantity.end;
  if (next < tokens.size() && tokens[next].text == "-") ++next;
  if (const auto [currency, size] = FindClaimCurrency(tokens, next); size > 0) {
    quantity.base = currency;
    quantity.end = next + size;
    return;
  }
  if (quantity.begin > 0) {
    if (const auto [currency, size] = FindClaimCurrency(tokens, quantity.begin - 1); size == 1) {
      quantity.base = currency;
      return;
    }
  }
  if (ReadDate(tokens, quantity)) return;
  if (next >= tokens.size()) return;
  // "27 in" of a record; elsewhere "in" is no unit.
  const bool is_inch = tokens[next].text == "in" &&
                       (next + 1 == tokens.size() || tokens[next + 1].kind == Kind::kMark);
  if (is_inch) {
    quantity.base = "mm";
    quantity.unit = InchUnit();
    quantity.value *= kInch;
    quantity.end = next + 1;
    return;
  }
  const auto unit = ClaimUnitPhrases().Find(tokens, next);
  if (unit.size == 0) return;
  const ClaimUnit& scale = ClaimUnits()[static_cast<size_t>(unit.meanings[0].index)];
  quantity.end = next + unit.size;
  quantity.base = scale.base;
  quantity.unit = unit.meanings[0].index;
  quantity.value *= scale.factor;
}

void AddTypes(const std::vector<ClaimToken>& tokens, std::string_view language,
              std::set<int>& types) {
  for (size_t at = 0; at < tokens.size(); ++at) {
    for (const ClaimMeaning& each : ClaimPhrases(language).Find(tokens, at).meanings) {
      if (each.role == Role::kType) types.insert(each.index);
    }
  }
}

void AddText(std::string_view text, ClaimRecord& record) {
  for (const std::string_view sentence : SplitClaimSentences(text)) {
    record.texts.push_back(ReadClaimText(sentence, record.language));
  }
}

/// "Fragrance free".
bool EndsInLess(const std::string& name, std::string_view language) {
  const auto words = TokenizeClaims(name, "en");
  if (words.size() < 2) return false;
  const auto match = ClaimPhrases(language).Find({words.back()}, 0);
  return std::any_of(match.meanings.begin(), match.meanings.end(),
                     [](const ClaimMeaning& each) { return each.role == Role::kHyphenLess; });
}

/// "10 years and up", "10 岁以上".
bool IsLeast(const ClaimKey& key) {
  constexpr std::array<std::string_view, 5> kEndings = {" and up ", " and older ", " or more ",
                                                        " and over ", " 以 上 "};
  return key.quantities.size() == 1 &&
         std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view each) { return key.text.ends_with(each); });
}

ClaimKey ReadKey(const catalog::Attribute& attribute, const std::string& language) {
  ClaimKey key;
  key.name = JoinClaimWords(ClaimWordsOf(attribute.name, "en"));
  auto tokens = TokenizeClaims(attribute.value, "en");
  SpellClaimNumbers(tokens, language);
  key.text = " " + JoinClaimWords(ClaimWordsOf(attribute.value, "en")) + " ";
  key.quantities = FindClaimQuantities(tokens);
  // The "10" of "VG-10 steel" is a name.
  std::erase_if(key.quantities, [&](const ClaimQuantity& each) {
    return each.base.empty() && each.begin > 0 && tokens[each.begin].is_glued &&
           tokens[each.begin - 1].kind == Kind::kWord;
  });
  for (size_t at = 0; at < tokens.size(); ++at) {
    for (const ClaimMeaning& each : ClaimPhrases(language).Find(tokens, at).meanings) {
      if (each.role == Role::kValue) key.values.push_back(each.index);
    }
  }
  constexpr std::array<std::string_view, 5> kYes = {" yes ", " true ", " 是 ", " 有 ", " 支 持 "};
  constexpr std::array<std::string_view, 12> kNo = {
      " no ",           " none ",         " false ",         " 否 ",
      " 无 ",           " 没 有 ",        " 不 支 持 ",      " not needed ",
      " not required ", " not included ", " not supported ", " 不 需 要 "};
  key.is_yes = std::find(kYes.begin(), kYes.end(), key.text) != kYes.end();
  key.is_no = std::find(kNo.begin(), kNo.end(), key.text) != kNo.end();
  key.is_less = EndsInLess(key.name, language);
  key.is_least = IsLeast(key);
  return key;
}

bool IsRangeWord(const std::vector<ClaimToken>& tokens, size_t at) {
  constexpr std::array<std::string_view, 5> kLanguages = {"en", "de", "fr", "es", "zh"};
  return std::any_of(kLanguages.begin(), kLanguages.end(), [&](std::string_view language) {
    const auto match = ClaimPhrases(language).Find(tokens, at);
    return match.size == 1 &&
           std::any_of(match.meanings.begin(), match.meanings.end(),
                       [](const ClaimMeaning& each) { return each.role == Role::kRange; });
  });
}

/// Behind an amount: "to $1,500", "bis 500 $".
bool BeginsRange(const std::vector<ClaimToken>& tokens, size_t at) {
  constexpr size_t kReach = 3;  // tokens: "to", "$", "1500"
  if (at >= tokens.size() || !IsRangeWord(tokens, at)) return false;
  const size_t end = std::min(tokens.size(), at + kReach);
  return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(at),
                     tokens.begin() + static_cast<ptrdiff_t>(end),
                     [](const ClaimToken& each) { return each.kind == Kind::kNumber; });
}

/// "80 a 1500 $": one token between two numbers that joins them in some language.
bool IsMoneyRange(const std::vector<ClaimToken>& tokens, size_t first_end, size_t at) {
  return first_end + 1 == at && IsRangeWord(tokens, first_end);
}

}  // namespace

std::pair<std::string, size_t> FindClaimCurrency(const std::vector<ClaimToken>& tokens, size_t at) {
  if (at >= tokens.size()) return {"", 0};
  const auto match = ClaimUnitPhrases().Find(tokens, at);
  for (const ClaimMeaning& each : match.meanings) {
    if (each.role == Role::kCurrency) {
      return {"$" + ClaimCurrencies()[static_cast<size_t>(each.index)], match.size};
    }
  }
  return {"", 0};
}

std::vector<ClaimQuantity> FindClaimQuantities(const std::vector<ClaimToken>& tokens) {
  std::vector<ClaimQuantity> found;
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kNumber) continue;
    ClaimQuantity quantity{at, at + 1, tokens[at].number, "", tokens[at].number};
    ReadUnit(tokens, quantity);
    // "3 to 5 days": the first number counts days as well.
    const bool is_open = !found.empty() && found.back().base.empty() && !quantity.base.empty();
    const bool is_range =
        is_open && (quantity.is_money() ? IsMoneyRange(tokens, found.back().end, at)
                                        : found.back().end + 1 >= at);
    if (is_range) {
      found.back().base = quantity.base;
      found.back().unit = quantity.unit;
      found.back().value *= quantity.value / tokens[at].number;
    }
    found.push_back(std::move(quantity));
  }
  return found;
}

void MarkLeastQuantities(const std::vector<ClaimToken>& tokens, std::string_view language,
                         std::vector<ClaimQuantity>& quantities) {
  constexpr size_t kBefore = 4;  // tokens: "a partir de"
  const auto ends_at = [&](size_t begin, size_t end) {
    const auto match = ClaimPhrases(language).Find(tokens, begin);
    const bool is_least = std::any_of(match.meanings.begin(), match.meanings.end(), [](auto& each) {
      return each.role == Role::kAtLeast || each.role == Role::kOver;
    });
    return is_least && (end == 0 || begin + match.size >= end);
  };
  for (ClaimQuantity& quantity : quantities) {
    if (!quantity.is_money()) continue;
    const bool is_sign = quantity.begin > 0 && tokens[quantity.begin - 1].kind == Kind::kMark;
    const size_t begin = quantity.begin - (is_sign ? 1 : 0);
    // "From $80 to $1,500" is no bound of the first amount.
    if (BeginsRange(tokens, quantity.end)) continue;
    quantity.is_least = quantity.end < tokens.size() && ends_at(quantity.end, 0);
    for (size_t at = begin; at > 0 && begin - at < kBefore && !quantity.is_least; --at) {
      quantity.is_least = ends_at(at - 1, begin);
    }
  }
}

namespace {

/// "30 days" is "a month".
bool IsMonthOfDays(const ClaimQuantity& month, const ClaimQuantity& days) {
  constexpr double kDays = 30;
  return month.base == "month" && days.base == "day" &&
         std::abs(month.value * kDays - days.value) < 1e-6;
}

/// "24 hours" is "a whole day".
bool IsDayOfHours(const ClaimQuantity& day, const ClaimQuantity& hours) {
  constexpr double kMinutes = 24 * 60;
  return day.base == "day" && hours.base == "min" &&
         std::abs(day.value * kMinutes - hours.value) < 1e-6;
}

}  // namespace

bool SameClaimQuantity(const ClaimQuantity& a, const ClaimQuantity& b) {
  if (IsMonthOfDays(a, b) || IsMonthOfDays(b, a)) return true;
  if (IsDayOfHours(a, b) || IsDayOfHours(b, a)) return true;
  if (a.base != b.base) return false;
  // Only between units something is rounded: "1801 W" is not "1800 W".
  if (a.unit == b.unit) {
    return std::abs(a.value - b.value) <= 1e-6 * std::max(std::abs(a.value), std::abs(b.value));
  }
  const double rounding = a.base.empty() ? 1e-9 : a.base == "mb" ? kDataRounding : kRounding;
  return std::abs(a.value - b.value) <= rounding * std::max(std::abs(a.value), std::abs(b.value));
}

std::vector<std::string> NamesOfClaim(const std::vector<ClaimMeaning>& meanings) {
  std::vector<std::string> names;
  for (const ClaimMeaning& each : meanings) {
    if (IsMeaningful(each.role)) names.push_back(NameOf(each));
  }
  return names;
}

ClaimContent FindClaimContent(const std::vector<ClaimToken>& tokens, std::string_view language) {
  ClaimContent content;
  for (size_t at = 0; at < tokens.size();) {
    const Kind kind = tokens[at].kind;
    if (kind != Kind::kWord && kind != Kind::kWide) {
      ++at;
      continue;
    }
    const auto match = ClaimPhrases(language).Find(tokens, at);
    // "We sell": the verb counts as well.
    const bool is_of_us =
        tokens[at].text == "we" || tokens[at].text == "wir" || tokens[at].text == "nous";
    const size_t size = is_of_us ? 1 : std::max<size_t>(match.size, 1);
    if (match.size == 0 || !IsFunction(match.meanings)) {
      std::vector<std::string> names = NamesOfClaim(match.meanings);
      for (size_t i = 0; i < size && (size == 1 || names.empty()); ++i) {
        names.push_back(StemOf(tokens[at + i].text));
      }
      content.push_back(std::move(names));
    }
    at += size;
  }
  return content;
}

ClaimText ReadClaimText(std::string_view text, std::string_view language) {
  ClaimText read;
  auto tokens = TokenizeClaims(text.substr(0, kMaxTextBytes), language);
  SpellClaimNumbers(tokens, language);
  for (const auto& names : FindClaimContent(tokens, language)) {
    read.content.insert(read.content.end(), names.begin(), names.end());
  }
  // The single words count as well: "dishwasher safe" holds "dishwasher".
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == Kind::kWord) read.content.push_back(StemOf(tokens[at].text));
    const auto match = ClaimPhrases(language).Find(tokens, at);
    const bool is_no = std::any_of(match.meanings.begin(), match.meanings.end(),
                                   [](auto& each) { return each.role == Role::kNo; });
    if (is_no) {
      const size_t begin = std::min(at + match.size, tokens.size());
      const size_t end = std::min(begin + kDeniedWords, tokens.size());
      const std::vector<ClaimToken> denied(tokens.begin() + static_cast<ptrdiff_t>(begin),
                                           tokens.begin() + static_cast<ptrdiff_t>(end));
      for (const auto& names : FindClaimContent(denied, language)) {
        read.denied.insert(read.denied.end(), names.begin(), names.end());
      }
    }
    for (const ClaimMeaning& each : match.meanings) {
      read.denies_not = read.denies_not || each.role == Role::kNot;
      read.denies_no = read.denies_no || each.role == Role::kNo || each.role == Role::kNothing;
      if (IsMeaningful(each.role)) read.content.push_back(NameOf(each));
    }
  }
  read.order = FindClaimOrder(tokens, language);
  read.is_denied = read.denies_not || read.denies_no;
  read.quantities = FindClaimQuantities(tokens);
  MarkLeastQuantities(tokens, language, read.quantities);
  for (ClaimToken& token : tokens) read.words.push_back(std::move(token.text));
  return read;
}

std::vector<std::string_view> SplitClaimSentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool is_mark = text[at] == '.' || text[at] == '!' || text[at] == '?' || text[at] == ';';
    const bool ends =
        text[at] == '\n' || (is_mark && (at + 1 == text.size() || text[at + 1] == ' '));
    const bool is_wide = text.substr(at).starts_with("。") || text.substr(at).starts_with("；");
    if (!ends && !is_wide) continue;
    if (at > begin) sentences.push_back(text.substr(begin, at - begin));
    if (is_wide) at += 2;
    begin = at + 1;
  }
  if (begin < text.size()) sentences.push_back(text.substr(begin));
  return sentences;
}

std::vector<const ClaimKey*> ClaimRecord::KeysOf(const std::vector<int>& properties,
                                                 const std::string& label) const {
  std::vector<const ClaimKey*> found;
  for (const ClaimKey& key : keys) {
    if (!SameClaimWord(key.name, label)) continue;
    // "Bluetooth: yes" says nothing of the "bluetooth version".
    if (!key.is_boolean()) return {&key};
    found.push_back(&key);
    break;
  }
  for (const int property : properties) {
    if (property < 0) continue;
    for (const std::string& name : ClaimProperties()[static_cast<size_t>(property)].names) {
      const auto key = std::find_if(keys.begin(), keys.end(),
                                    [&](const ClaimKey& each) { return each.name == name; });
      if (key == keys.end()) continue;
      if (std::find(found.begin(), found.end(), &*key) == found.end()) found.push_back(&*key);
      break;
    }
  }
  return found;
}

bool NamesNoun(const std::string& key, const std::string& noun) {
  constexpr size_t kMinLetters = 4;
  if (noun.size() < kMinLetters) return false;
  const std::string name = " " + key + " ";
  const std::string singular = noun.ends_with('s') ? noun.substr(0, noun.size() - 1) : noun;
  return name.find(" " + noun + " ") != std::string::npos ||
         name.find(" " + singular + " ") != std::string::npos;
}

ClaimRecord ReadClaimRecord(const catalog::Product& product, int64_t now_unix,
                            const catalog::Market& market) {
  ClaimRecord record;
  record.product = &product;
  record.language = product.locale.starts_with("zh") ? "zh" : "en";
  for (const auto* list : {&product.attributes, &product.options}) {
    for (const catalog::Attribute& each : *list) {
      record.keys.push_back(ReadKey(each, record.language));
      AddText(each.name + " " + each.value, record);
      if (record.texts.empty()) continue;
      // "Fragrance free: yes" says that there is none.
      const ClaimKey& key = record.keys.back();
      record.texts.back().is_denied = key.is_no || (key.is_yes && key.is_less);
    }
  }
  record.keys.push_back(
      ReadKey({"condition", std::string(catalog::ToString(product.condition))}, record.language));
  record.title = " " + JoinClaimWords(ClaimWordsOf(product.title, "en")) + " ";
  for (const std::string* name : {&product.title, &product.brand, &product.mpn}) {
    auto tokens = TokenizeClaims(*name, "en");
    SpellClaimNumbers(tokens, record.language);  // "Seven Doors East"
    for (const ClaimToken& token : tokens) record.name_words.insert(token.text);
    for (std::string& word : ClaimWordsOf(*name, "en")) record.name_words.insert(std::move(word));
  }
  AddText(product.title, record);
  AddTypes(TokenizeClaims(product.title, "en"), record.language, record.title_types);
  record.types = record.title_types;
  for (const std::string& category : product.categories) {
    AddText(category, record);
    AddTypes(TokenizeClaims(category, "en"), record.language, record.types);
  }
  const size_t facts = record.texts.size();
  AddText(product.description, record);
  for (size_t i = facts; i < record.texts.size(); ++i) record.texts[i].is_prose = true;
  const auto payable = catalog::ComputePayablePrice(product, now_unix, market);
  if (payable.price) {
    record.price = std::strtod(catalog::FormatDecimal(*payable.price).c_str(), nullptr);
    record.currency = payable.price->currency;
  }
  if (payable.was_price) {
    record.was_price = std::strtod(catalog::FormatDecimal(*payable.was_price).c_str(), nullptr);
  }
  return record;
}

}  // namespace emptor::services

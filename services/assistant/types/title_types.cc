// Names of goods in titles, from the lexicon of types and the cues of accessories.
#include "services/assistant/types/title_types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/types/trade_names.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMaxParts = 3;  // of a title that are read
constexpr size_t kLongName = 3;  // words of a name that an amount before it leaves no doubt of
constexpr size_t kMinForeignName = 6;  // bytes of a name that is no English one
constexpr std::string_view kDigits = "0123456789";

/// "Wall clock" is a kind of "clock", as data/lexicon/types.txt says.
bool IsListedKind(const std::string& name, const ProductType& type) {
  auto known = TypeNamed(name, "en");
  while (known) {
    const std::string& wider = TheLexiconTypes()[*known].wider;
    if (wider == type.name) return true;
    known = wider.empty() ? std::nullopt : TypeNamed(wider, "en");
  }
  return false;
}

/// In a title, which is rarely foreign: "four" is an oven in French alone.
bool Names(const ProductType& type, const std::string& words) {
  if (std::find(type.words.begin(), type.words.end(), words) == type.words.end()) return false;
  const auto listed = TypeNamed(type.name, "en");
  return !listed || TypeNamed(words, "en") == listed || words.size() >= kMinForeignName;
}

/// A "notebook webcam" is a webcam.
bool NamesOther(const Words& words, size_t begin, const ProductType& type) {
  for (size_t count = std::min(kMaxNameWords, words.size() - begin); count > 0; --count) {
    const auto other = TypeNamed(JoinWords(words, begin, count), "en");
    if (!other) continue;
    const std::string& canonical = TheLexiconTypes()[*other].canonical;
    if (canonical != type.name && !IsListedKind(canonical, type)) return true;
  }
  return false;
}

bool HoldsWideName(std::string_view title, const ProductType& type) {
  const std::string folded = retrieval::FoldWords(title);
  return std::any_of(type.words.begin(), type.words.end(), [&](const std::string& name) {
    return IsWideText(name) && folded.find(name) != std::string::npos;
  });
}

/// "Torvane Pour Electric Kettle": a French "for" needs goods before it, not a maker alone.
bool IsNamePart(std::string_view mark, const std::string& before) {
  const bool is_foreign = mark == " pour " || mark == " para " || mark == " fur ";
  if (!is_foreign || before.find(' ') != std::string::npos) return false;
  const bool names_goods = TypeNamed(before, "fr") || TypeNamed(before, "es") ||
                           TypeNamed(before, "de") ||
                           HasCue(FoldedMessage::FromFolded(before), Cue::kAccessory);
  return !names_goods;
}

/// A longer name of another type around the words: "car seat cover" is no car seat.
bool IsInsideOther(const Words& words, size_t begin, size_t end, const ProductType& type) {
  const size_t first = end >= kMaxNameWords ? end - kMaxNameWords : 0;
  for (size_t i = first; i <= begin; ++i) {
    for (size_t count = end - i; count <= kMaxNameWords && i + count <= words.size(); ++count) {
      if (count <= end - begin) continue;
      const std::string name = JoinWords(words, i, count);
      const auto other = TypeNamed(name, "en");
      if (!other || Names(type, name)) continue;
      // A "garden glove" is a glove.
      const std::string& canonical = TheLexiconTypes()[*other].canonical;
      const bool is_kind = canonical.ends_with(" " + type.name) || IsListedKind(canonical, type);
      if (canonical != type.name && !is_kind) return true;
    }
  }
  return false;
}

/// Behind the last name of the type among the words; 0: none of them names it.
size_t EndOfName(const Words& words, const ProductType& type) {
  size_t end = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t count = 1; count <= kMaxNameWords && i + count <= words.size(); ++count) {
      const bool names = Names(type, JoinWords(words, i, count));
      if (names && !IsInsideOther(words, i, i + count, type)) end = std::max(end, i + count);
    }
  }
  return end;
}

/// Parts between marks that end the name of a product: "Kettle - 1.7 l | fast".
std::vector<std::string_view> PartsOf(std::string_view title) {
  constexpr std::array<std::string_view, 8> kMarks = {", ", " - ", " – ", " — ",
                                                      "|",  ";",   "(",   "["};
  std::vector<std::string_view> parts;
  while (!title.empty() && parts.size() < kMaxParts) {
    size_t end = title.size(), behind = title.size();
    for (const std::string_view mark : kMarks) {
      const size_t at = title.find(mark);
      if (at < end) std::tie(end, behind) = std::pair(at, at + mark.size());
    }
    parts.push_back(title.substr(0, end));
    title.remove_prefix(behind);
  }
  return parts;
}

using Kinds = std::unordered_map<std::string, std::unordered_set<std::string>>;

std::string SingularName(std::string_view text) {
  const Words words = SingularWords(text);
  return JoinWords(words, 0, words.size());
}

/// By type, singular; "not heater": what ends with the name of the type and is none of it.
const Kinds& TheKinds() {
  static const auto* const kinds = [] {
    auto* made = new Kinds;
    for (const auto& [type, names] : ParsePhraseTable(kKindLexicon, ": ")) {
      // Canonical names may be plural: "graphics tablet".
      for (const std::string& name : names)
        (*made)[SingularName(type)].insert({name, SingularName(name)});
    }
    return made;
  }();
  return *kinds;
}

const std::unordered_set<std::string>& AccessoryNames() {
  static const auto* const names = [] {
    auto* made = new std::unordered_set<std::string>;
    for (const std::string& phrase : CuePhrases(Cue::kAccessory)) {
      if (std::string name = SingularName(phrase); !name.empty()) made->insert(std::move(name));
    }
    return made;
  }();
  return *names;
}

/// Whose names count, beside those of the lexicon; both may be null.
struct OwnNames {
  const ProductType* type = nullptr;
  const GoodsNames* goods = nullptr;
};

/// The longest name that ends with the word before `end`.
std::optional<TitleName> NameBefore(const Words& words, size_t end, const OwnNames& own) {
  for (size_t count = std::min(kMaxNameWords, end); count > 0; --count) {
    const std::string text = JoinWords(words, end - count, count);
    const auto known = TypeNamed(text, "en");
    if (own.type != nullptr && Names(*own.type, text)) {
      return TitleName{end - count, end, text, own.type->name, true};
    }
    if (known) {
      return TitleName{end - count, end, text, TheLexiconTypes()[*known].canonical, true};
    }
    if (AccessoryNames().contains(text)) return TitleName{end - count, end, text, text, false};
  }
  const std::string& last = words[end - 1];
  // "Coffee powder" is coffee, and a "straightener and curler" is both.
  const bool is_joined = end > 1 && (words[end - 2] == "and" || words[end - 2] == "cum");
  // "Badminton racket, carbon racket": the name again, in short.
  const bool is_short =
      own.type != nullptr &&
      std::any_of(own.type->words.begin(), own.type->words.end(),
                  [&](const std::string& name) { return name.ends_with(" " + last); });
  const bool is_own = own.goods != nullptr && own.goods->IsHead(last) && !is_joined && !is_short &&
                      !HasCue(FoldedMessage::FromFolded(last), Cue::kFormName);
  if (!is_own) return std::nullopt;
  return TitleName{end - 1, end, last, last, true};
}

/// "1 pc(s)" is no computer.
bool CountsPieces(const Words& words, const TitleName& name) {
  return name.begin > 0 && name.end == name.begin + 1 && words[name.begin] == "pc" &&
         words[name.begin - 1].find_first_not_of(kDigits) == std::string::npos;
}

/// "512 gb", "512gb", but no model such as "2e".
bool IsBehindAmount(const Words& words, size_t begin) {
  if (begin == 0) return false;
  const std::string& word = words[begin - 1];
  const size_t digits = std::min(word.find_first_not_of(kDigits), word.size());
  if (digits > 0 && digits < word.size())
    return retrieval::FindUnit(word.substr(digits)).has_value();
  const bool has_number =
      begin > 1 && words[begin - 2].find_first_not_of(kDigits) == std::string::npos;
  return has_number && retrieval::FindUnit(word).has_value();
}

/// Behind an amount, or counted: "40 tweezers".
bool IsComponent(const Words& raw, const Words& words, const TitleName& name) {
  if (IsBehindAmount(words, name.begin)) return true;
  const bool is_counted = name.begin > 0 && raw.size() == words.size() &&
                          words[name.begin - 1].find_first_not_of(kDigits) == std::string::npos;
  return is_counted && raw[name.end - 1] != words[name.end - 1];
}

std::vector<TitleName> NamesIn(const std::string& head, const OwnNames& own = {}) {
  const Words raw = SplitWords(head), words = SingularWords(head);
  std::vector<TitleName> backwards;
  for (size_t end = words.size(); end > 0;) {
    auto name = NameBefore(words, end, own);
    end = name ? name->begin : end - 1;
    if (name) backwards.push_back(*std::move(name));
  }
  std::vector<TitleName> names;
  for (auto each = backwards.rbegin(); each != backwards.rend(); ++each) {
    // But a "640 GB external hard drive" is one.
    each->is_measured = each->end - each->begin < kLongName && IsBehindAmount(words, each->begin);
    const bool is_component = !names.empty() && IsComponent(raw, words, *each);
    if (!is_component && !CountsPieces(words, *each)) names.push_back(std::move(*each));
  }
  return names;
}

/// "PS4 video game PlayStation 4", "case iPhone 14": behind the name of goods, what they are for.
void DropTradeNames(std::vector<TitleName>& names) {
  const bool has_other = std::any_of(names.begin(), names.end(), [](const TitleName& each) {
    return !IsTradeName(each.text) && !each.is_measured;
  });
  while (has_other && IsTradeName(names.back().text)) names.pop_back();
}

/// A "phone case" to a phone, and a case to anything.
bool BelongsTo(const TitleName& name, const std::string& whole) {
  return !name.is_measured && (!name.is_type || name.name.starts_with(whole + " "));
}

/// "Screen protector desktop/laptop universal": alternatives behind a name say what it is for. But
/// no "notebook dock/port replicator".
std::optional<std::string_view> BeforeAlternatives(std::string_view part) {
  const size_t slash = part.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const size_t blank = part.substr(0, slash).rfind(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const size_t end = std::min(part.find(' ', slash), part.size());
  for (const auto word : {part.substr(blank, slash - blank), part.substr(slash, end - slash)}) {
    const auto names = NamesIn(retrieval::FoldWords(word));
    if (names.empty() || !names.back().is_type) return std::nullopt;
  }
  return part.substr(0, blank);
}

}  // namespace

std::string HeadOf(std::string_view title) {
  constexpr std::array<std::string_view, 13> kMarks = {
      " for ",  " compatible ", " suitable ", " works with ", " replacement of ",
      " fur ",  " pour ",       " para ",     " fits ",       " passend ",
      " with ", " mit ",        " through "};
  const std::string folded = " " + retrieval::FoldWords(title) + " ";
  size_t end = folded.size();
  for (const std::string_view mark : kMarks) {
    const size_t at = folded.find(mark, 1);
    if (at < end && !IsNamePart(mark, folded.substr(1, at - 1))) end = at;
  }
  return folded.substr(1, std::max<size_t>(end, 1) - 1);
}

std::string FirstHeadOf(std::string_view title) {
  const std::vector<std::string_view> parts = PartsOf(title);
  return parts.empty() ? "" : HeadOf(parts.front());
}

std::string WordBehindName(std::string_view title, const ProductType& type) {
  const Words words = SingularWords(HeadOf(title));
  const size_t end = EndOfName(words, type);
  return end == 0 || end >= words.size() ? "" : words[end];
}

bool NamesOtherType(std::string_view title, const ProductType& type) {
  const Words words = SingularWords(HeadOf(title));
  for (size_t i = 0; i < words.size(); ++i) {
    if (NamesOther(words, i, type)) return true;
  }
  return false;
}

bool EndsWithOtherType(std::string_view title, const ProductType& type) {
  const std::vector<TitleName> names = NamesInTitle(title, &type);
  const bool names_type = std::any_of(names.begin(), names.end(), [&](const TitleName& each) {
    return each.is_type && IsKindOf(each.name, type);
  });
  if (names.empty() || !names.back().is_type) return false;
  // "Air conditioner outdoor AC stand" names the type, and then what belongs to it.
  const std::string& last = names.back().name;
  return !names_type || (last.starts_with(type.name + " ") && !IsKindOf(last, type));
}

bool NamesPartOf(std::string_view title, const ProductType& type) {
  const std::vector<TitleName> names = NamesInTitle(title, &type);
  if (names.size() < 2 || names.back().is_type) return false;
  const TitleName& whole = names[names.size() - 2];
  // A "watch pack of two" is of watches.
  return whole.is_type && IsKindOf(whole.name, type) && whole.end == names.back().begin &&
         !HasCue(
             FoldedMessage::FromFolded(names.back().text.substr(0, names.back().text.find(' '))),
             Cue::kNotName);
}

bool StatesType(std::string_view attribute) {
  return attribute == "type" || attribute == "product type" || attribute == "device type" ||
         attribute == "item type";
}

bool EndsWithType(std::string_view value, const ProductType& type) {
  const Words words = SingularWords(value);
  return !words.empty() && EndOfName(words, type) == words.size();
}

bool IsForType(std::string_view title, const ProductType& type) {
  const std::vector<TitleName> all = NamesInTitle(title, &type);
  const bool is_part = !all.empty() && all.back().name.starts_with(type.name + " ") &&
                       !IsKindOf(all.back().name, type);
  if (is_part) return true;  // "washing machine cover"
  const Words words = SingularWords(title);
  const size_t end = EndOfName(words, type);
  if (end == 0 || IsOfType(title, type)) return false;
  // "Wireless headphone earbuds" are headphones by another name.
  const bool names_type = std::any_of(all.begin(), all.end(), [&](const TitleName& each) {
    return each.is_type && IsKindOf(each.name, type);
  });
  return !names_type || !all.back().is_type || NamesOther(words, end, type);
}

std::vector<TitleName> NamesInTitle(std::string_view title, const ProductType* type,
                                    const GoodsNames* own) {
  const std::vector<std::string_view> parts = PartsOf(title);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (const auto before = BeforeAlternatives(*part)) {
      std::vector<TitleName> names = NamesIn(HeadOf(*before), {type, own});
      if (!names.empty()) return names;
    }
    const std::string head = HeadOf(*part);
    std::vector<TitleName> names = NamesIn(head, {type, own});
    for (TitleName& each : names) each.is_component = each.is_measured && part != parts.begin();
    DropTradeNames(names);
    if (!names.empty() && IsTradeName(names.back().text) && part + 1 != parts.end()) {
      std::vector<TitleName> next = NamesIn(HeadOf(*(part + 1)), {type, own});
      if (!next.empty() && BelongsTo(next.back(), names.back().name)) return next;
    }
    const bool says_use = head.size() < retrieval::FoldWords(*part).size();
    if (!names.empty() || says_use) return names;
  }
  return {};
}

bool IsKindOf(std::string_view name, const ProductType& type) {
  const auto is_listed = [&](const std::string& line) {
    const auto names = TheKinds().find(line);
    return names != TheKinds().end() && names->second.contains(std::string(name));
  };
  if (name == type.name || IsListedKind(std::string(name), type)) return true;
  if (name.ends_with(" " + type.name)) return !is_listed("not " + type.name);
  return is_listed(type.name);
}

bool IsOfType(std::string_view title, const ProductType& type, const GoodsNames* own) {
  std::vector<TitleName> names = NamesInTitle(title, &type, own);
  const bool names_goods =
      std::any_of(names.begin(), names.end(), [](const TitleName& each) { return each.is_type; });
  if (!names_goods) {
    // "Motor with Remote 3 Blade Ceiling Fan": what a title is for still counts for nothing.
    std::string folded = " " + retrieval::FoldWords(title) + " ";
    const size_t with = folded.find(" with ");
    if (with != std::string::npos) {
      folded.erase(with, std::string_view(" with").size());
      names = NamesIn(HeadOf(folded), {&type, own});
    }
  }
  if (names.empty()) return HoldsWideName(title, type);
  return names.back().is_type && !names.back().is_component && IsKindOf(names.back().name, type);
}

}  // namespace emptor::services

// Names of types: from the shop's categories and the lexicon.
#include "services/assistant/product_types.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/cues.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/type_lexicon.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMaxNameWords = 4;
constexpr size_t kMinCompound = 3;     // bytes before the last part of a compound
constexpr size_t kMinForeignName = 5;  // bytes of an English name in a message of another language

std::string Singular(std::string word) {
  if (word == "tvs" || word == "pcs") word.pop_back();
  if (word.size() < 4 || !word.ends_with('s') || word.ends_with("ss")) return word;
  if (word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
  if (word.ends_with("shes") || word.ends_with("ches") || word.ends_with("xes")) {
    return word.substr(0, word.size() - 2);
  }
  word.pop_back();
  return word;
}

Words WordsOf(std::string_view text) {
  const FoldedMessage message(text);
  const std::string folded(message.text());
  Words words;
  for (size_t at = 0; at < folded.size();) {
    const size_t end = std::min(folded.find(' ', at), folded.size());
    if (end > at) words.push_back(Singular(folded.substr(at, end - at)));
    at = end + 1;
  }
  return words;
}

std::string Join(const Words& words, size_t begin, size_t count) {
  std::string text = words[begin];
  for (size_t i = begin + 1; i < begin + count; ++i) text += " " + words[i];
  return text;
}

std::string NameOf(std::string_view text) {
  const Words words = WordsOf(text);
  return words.empty() ? "" : Join(words, 0, words.size());
}

/// The words of "casque de vélo" without those that only join them, as phones leave them out.
Words WithoutJoints(const Words& words) {
  constexpr std::array<std::string_view, 27> kJoints = {
      "de",  "d",   "du", "des", "la", "le", "les", "l",    "a",   "au", "aux", "en",  "pour", "un",
      "une", "mon", "ma", "del", "el", "lo", "los", "para", "una", "mi", "por", "las", "y"};
  Words kept;
  for (const std::string& word : words) {
    if (std::find(kJoints.begin(), kJoints.end(), word) == kJoints.end()) kept.push_back(word);
  }
  return kept;
}

/// One line of the lexicon.
struct LexiconType {
  std::string canonical;
  Words names;  // of all languages, folded, singular
};

struct Lexicon {
  std::vector<LexiconType> types;
  /// Into types, by language: "en", "de", ...
  std::map<std::string, std::unordered_map<std::string, size_t>, std::less<>> by_name;
  std::map<std::string, std::unordered_map<std::string, size_t>, std::less<>> bare_names;
  std::vector<std::pair<std::string, size_t>> wide;  // Chinese names, the longest first
};

void AddName(std::string_view text, const std::string& language, size_t type, Lexicon& lexicon) {
  std::string name = NameOf(text);
  if (name.empty()) return;
  if (IsWideText(name)) lexicon.wide.emplace_back(name, type);
  lexicon.by_name[language].emplace(name, type);
  const Words joined = WordsOf(text);
  const Words bare = WithoutJoints(joined);
  if (bare.size() > 1 && bare.size() < joined.size()) {
    lexicon.bare_names[language].emplace(Join(bare, 0, bare.size()), type);
    lexicon.types[type].names.push_back(Join(bare, 0, bare.size()));
  }
  lexicon.types[type].names.push_back(std::move(name));
}

/// "kettle: electric kettle ; de: Wasserkocher | Wasserkochers ; ..."
void AddLine(std::string_view line, Lexicon& lexicon) {
  const size_t colon = line.find(':');
  if (line.empty() || line[0] == '#' || colon == std::string_view::npos) return;
  const size_t type = lexicon.types.size();
  lexicon.types.push_back({NameOf(line.substr(0, colon)), {}});
  std::string language = "en";
  AddName(line.substr(0, colon), language, type, lexicon);
  line.remove_prefix(colon + 1);
  while (!line.empty()) {
    const size_t end = std::min(line.find_first_of("|;"), line.size());
    std::string_view name = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (const size_t tag = name.find(':'); tag != std::string_view::npos) {
      language = retrieval::FoldWords(name.substr(0, tag));
      name.remove_prefix(tag + 1);
    }
    AddName(name, language, type, lexicon);
  }
}

const Lexicon& TheLexicon() {
  static const Lexicon* const lexicon = [] {
    auto parsed = std::make_unique<Lexicon>();
    std::string_view text = kTypeLexicon;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      AddLine(text.substr(0, end), *parsed);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::stable_sort(parsed->wide.begin(), parsed->wide.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    return parsed.release();
  }();
  return *lexicon;
}

/// The shop's categories by the name of their last element, and by its last word.
struct CategoryNames {
  std::map<std::string, std::vector<std::string>> whole, last_word;
};

CategoryNames NamesOf(const ShopProfile& profile) {
  CategoryNames names;
  for (const auto& [path, count] : profile.categories) {
    const size_t mark = path.rfind(" > ");
    const Words leaf = WordsOf(mark == std::string::npos ? path : path.substr(mark + 3));
    if (leaf.empty()) continue;
    names.whole[Join(leaf, 0, leaf.size())].push_back(path);
    names.last_word[leaf.back()].push_back(path);
  }
  return names;
}

std::optional<size_t> TypeNamed(const std::string& name, std::string_view language) {
  for (const std::string_view each : {language, std::string_view("en")}) {
    const bool is_foreign = each != language;
    const auto names = TheLexicon().by_name.find(each);
    if (names == TheLexicon().by_name.end() || (is_foreign && name.size() < kMinForeignName))
      continue;
    const auto type = names->second.find(name);
    if (type != names->second.end()) return type->second;
  }
  return std::nullopt;
}

/// The types whose names of several words are in the message, with other joints or with none.
std::vector<size_t> BareTypes(const Words& words, std::string_view language) {
  std::vector<size_t> types;
  const auto names = TheLexicon().bare_names.find(language);
  if (names == TheLexicon().bare_names.end()) return types;
  const Words bare = WithoutJoints(words);
  for (size_t count = kMaxNameWords; count > 1; --count) {
    for (size_t i = 0; i + count <= bare.size(); ++i) {
      const auto type = names->second.find(Join(bare, i, count));
      if (type != names->second.end()) types.push_back(type->second);
    }
  }
  return types;
}

/// Categories whose name is one of the type's.
void AddCategories(const LexiconType& type, const CategoryNames& names, ProductType& found) {
  const bool has_own = names.whole.contains(type.canonical);
  for (const std::string& name : type.names) {
    const auto paths = names.whole.find(name);
    if (paths == names.whole.end() || (has_own && name != type.canonical && !IsWideText(name)))
      continue;
    for (const std::string& path : paths->second) {
      const bool is_known = std::find(found.categories.begin(), found.categories.end(), path) !=
                            found.categories.end();
      if (!is_known) found.categories.push_back(path);
    }
  }
}

ProductType TypeOf(const LexiconType& type, const CategoryNames& names) {
  ProductType found{type.canonical, {}, type.names, true};
  AddCategories(type, names, found);
  if (!found.categories.empty()) return found;
  const size_t blank = type.canonical.rfind(' ');
  const std::string last =
      blank == std::string::npos ? type.canonical : type.canonical.substr(blank + 1);
  const auto paths = names.last_word.find(last);
  found.is_whole = false;
  if (blank == std::string::npos && paths != names.last_word.end()) {
    found.categories = paths->second;
    return found;
  }
  // "Watch" stands for the shop's smartwatches, but "heater" for no theater.
  for (const auto& [word, each] : names.last_word) {
    const bool is_compound = word.ends_with(last) && word.size() >= last.size() + kMinCompound;
    if (blank != std::string::npos || last.size() < 5 || !is_compound) continue;
    found.categories.insert(found.categories.end(), each.begin(), each.end());
  }
  found.is_whole = found.categories.empty();
  return found;
}

/// Chinese names: the longest first, and of equal ones the last ("a sofa lamp... no, a desk lamp").
void AddWide(const std::string& folded, const CategoryNames& names,
             std::vector<ProductType>& found) {
  std::vector<std::pair<size_t, size_t>> matches;  // end of the name, type
  size_t longest = 0;
  for (const auto& [name, type] : TheLexicon().wide) {
    const size_t at = folded.rfind(name);
    if (at == std::string::npos) continue;
    const auto before = std::find_if(matches.begin(), matches.end(),
                                     [&](const auto& each) { return each.first < at; });
    const bool is_first = name.size() == longest || longest == 0;
    matches.insert(is_first ? before : matches.end(), {at, type});
    if (longest == 0) longest = name.size();
  }
  for (const auto& [at, type] : matches) found.push_back(TypeOf(TheLexicon().types[type], names));
  for (const auto& [name, paths] : names.whole) {
    if (found.empty() && IsWideText(name) && folded.find(name) != std::string::npos) {
      found.push_back(ProductType{name, paths, {name}, true});
    }
  }
}

bool Names(const ProductType& type, const std::string& words) {
  return std::find(type.words.begin(), type.words.end(), words) != type.words.end();
}

/// A "notebook webcam" is a webcam.
bool NamesOther(const Words& words, size_t begin, const ProductType& type) {
  for (size_t count = std::min(kMaxNameWords, words.size() - begin); count > 0; --count) {
    const auto other = TypeNamed(Join(words, begin, count), "en");
    if (other && TheLexicon().types[*other].canonical != type.name) return true;
  }
  return false;
}

bool HoldsWideName(std::string_view title, const ProductType& type) {
  const std::string folded = retrieval::FoldWords(title);
  return std::any_of(type.words.begin(), type.words.end(), [&](const std::string& name) {
    return IsWideText(name) && folded.find(name) != std::string::npos;
  });
}

}  // namespace

std::vector<ProductType> FindProductTypes(std::string_view message, std::string_view language,
                                          const ShopProfile& profile) {
  const CategoryNames names = NamesOf(profile);
  const Words words = WordsOf(message);
  std::vector<ProductType> found;
  const auto add = [&](ProductType type) {
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const ProductType& each) {
      return each.name == type.name;
    });
    if (!is_known) found.push_back(std::move(type));
  };
  const auto add_bare = [&] {
    for (const size_t type : BareTypes(words, language)) {
      add(TypeOf(TheLexicon().types[type], names));
    }
  };
  for (size_t count = kMaxNameWords; count > 0; --count) {
    if (count == 1) add_bare();  // "casque vélo" is no "casque"
    for (size_t i = 0; i + count <= words.size(); ++i) {
      const std::string name = Join(words, i, count);
      // The shop's own name comes first: its notebooks may be of paper.
      const auto whole = names.whole.find(name);
      const bool is_own = whole != names.whole.end();
      if (is_own && name.size() >= kMinForeignName) {
        add(ProductType{name, whole->second, {name}, true});
      } else if (const auto type = TypeNamed(name, language)) {
        add(TypeOf(TheLexicon().types[*type], names));
      } else if (is_own) {
        add(ProductType{name, whole->second, {name}, true});
      }
    }
  }
  AddWide(retrieval::FoldWords(message), names, found);
  if (!found.empty()) return found;
  for (const std::string& word : words) {
    const auto last = names.last_word.find(word);
    if (last != names.last_word.end()) add(ProductType{word, last->second, {word}, false});
  }
  return found;
}

bool NamesTypeAcross(std::string_view before, std::string_view behind, std::string_view language) {
  const auto names = TheLexicon().bare_names.find(language);
  const Words head = WithoutJoints(WordsOf(before)), tail = WithoutJoints(WordsOf(behind));
  if (names == TheLexicon().bare_names.end() || head.empty() || tail.empty()) return false;
  return names->second.contains(head.back() + " " + tail[0]);
}

std::optional<ProductType> FindProductType(std::string_view message, std::string_view language,
                                           const ShopProfile& profile) {
  std::vector<ProductType> found = FindProductTypes(message, language, profile);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::vector<ProductType> LexiconTypes(const ShopProfile& profile) {
  const CategoryNames names = NamesOf(profile);
  std::vector<ProductType> types;
  for (const LexiconType& each : TheLexicon().types) types.push_back(TypeOf(each, names));
  return types;
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

std::string HeadOf(std::string_view title) {
  constexpr std::array<std::string_view, 12> kMarks = {
      " for ",  " compatible ", " suitable ", " works with ", " replacement of ", " fur ",
      " pour ", " para ",       " fits ",     " passend ",    " with ",           " mit "};
  const std::string folded = " " + retrieval::FoldWords(title) + " ";
  size_t end = folded.size();
  for (const std::string_view mark : kMarks) {
    const size_t at = folded.find(mark, 1);
    if (at < end && !IsNamePart(mark, folded.substr(1, at - 1))) end = at;
  }
  return folded.substr(1, std::max<size_t>(end, 1) - 1);
}

/// A longer name of another type around the words: "car seat cover" is no car seat.
bool IsInsideOther(const Words& words, size_t begin, size_t end, const ProductType& type) {
  const size_t first = end >= kMaxNameWords ? end - kMaxNameWords : 0;
  for (size_t i = first; i <= begin; ++i) {
    for (size_t count = end - i; count <= kMaxNameWords && i + count <= words.size(); ++count) {
      if (count <= end - begin) continue;
      const std::string name = Join(words, i, count);
      const auto other = TypeNamed(name, "en");
      if (!other || Names(type, name)) continue;
      // A "garden glove" is a glove.
      const std::string& canonical = TheLexicon().types[*other].canonical;
      if (canonical != type.name && !canonical.ends_with(" " + type.name)) return true;
    }
  }
  return false;
}

/// Behind the last name of the type among the words; 0: none of them names it.
size_t EndOfName(const Words& words, const ProductType& type) {
  size_t end = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t count = 1; count <= kMaxNameWords && i + count <= words.size(); ++count) {
      const bool names = Names(type, Join(words, i, count));
      if (names && !IsInsideOther(words, i, i + count, type)) end = std::max(end, i + count);
    }
  }
  return end;
}

std::string WordBehindName(std::string_view title, const ProductType& type) {
  const Words words = WordsOf(HeadOf(title));
  const size_t end = EndOfName(words, type);
  return end == 0 || end >= words.size() ? "" : words[end];
}

bool NamesOtherType(std::string_view title, const ProductType& type) {
  const Words words = WordsOf(HeadOf(title));
  for (size_t i = 0; i < words.size(); ++i) {
    if (NamesOther(words, i, type)) return true;
  }
  return false;
}

FoldedMessage::Span HeadOfName(const FoldedMessage& message,
                               const std::vector<std::string>& type_words) {
  FoldedMessage::Span head = message.FindLongest(type_words);
  const FoldedMessage::Span whole = head;
  if (!whole.found()) return head;
  const std::string name(message.text().substr(whole.begin, whole.size()));
  const FoldedMessage named = FoldedMessage::FromFolded(name);
  for (const std::string& word : type_words) {
    const FoldedMessage::Span span = named.Find(word);
    const bool ends = span.found() && span.end == name.size();
    if (ends && span.size() < head.size()) head = {whole.begin + span.begin, whole.end};
  }
  return head;
}

bool StatesType(std::string_view attribute) {
  return attribute == "type" || attribute == "product type" || attribute == "device type" ||
         attribute == "item type";
}

bool EndsWithType(std::string_view value, const ProductType& type) {
  const Words words = WordsOf(value);
  return !words.empty() && EndOfName(words, type) == words.size();
}

bool IsForType(std::string_view title, const ProductType& type) {
  return EndOfName(WordsOf(title), type) > 0 && !IsOfType(title, type);
}

bool IsOfType(std::string_view title, const ProductType& type) {
  Words words = WordsOf(HeadOf(title));
  size_t end = EndOfName(words, type);
  if (end == 0) {
    // "Motor with Remote 3 Blade Ceiling Fan": what a title is for still counts for nothing.
    std::string folded = " " + retrieval::FoldWords(title) + " ";
    const size_t with = folded.find(" with ");
    if (with != std::string::npos) {
      folded.erase(with, std::string_view(" with").size());
      words = WordsOf(HeadOf(folded));
      end = EndOfName(words, type);
    }
  }
  if (end == 0) return HoldsWideName(title, type);
  if (NamesOther(words, end, type)) return false;
  // A "laptop sleeve" is no laptop, but a network cable is a cable.
  std::string others;
  for (const std::string& word : words) {
    const bool is_own = std::any_of(type.words.begin(), type.words.end(), [&](const auto& name) {
      return (" " + name + " ").find(" " + word + " ") != std::string::npos;
    });
    others += is_own ? " |" : " " + word;
  }
  return !HasCue(FoldedMessage::FromFolded(std::move(others)), Cue::kAccessory);
}

}  // namespace emptor::services

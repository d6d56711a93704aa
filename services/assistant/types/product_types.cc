// Names of types: from the shop's categories and the lexicon.
#include "services/assistant/types/product_types.h"

#include <algorithm>
#include <map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMinCompound = 3;      // bytes before the last part of a compound
constexpr size_t kMinForeignName = 5;   // bytes of an English name in a message of another language
constexpr std::string_view kOf = "的";  // "the cover of a phone" is a cover

/// The shop's categories by the name of their last element, and by its last word.
struct CategoryNames {
  std::map<std::string, std::vector<std::string>> whole, last_word;
};

/// Where records are searched in one language, categories in another script hold none of them.
CategoryNames NamesOf(const ShopProfile& profile, std::string_view language) {
  const std::string searched = FilterLanguage(profile, std::string(language));
  const bool is_latin = !searched.empty() && searched != "zh" && searched != "ja";
  CategoryNames names;
  for (const auto& [path, count] : profile.categories) {
    if (is_latin && IsWideText(path)) continue;
    const Words leaf = SingularWords(LeafOf(path));
    if (leaf.empty()) continue;
    names.whole[JoinWords(leaf, 0, leaf.size())].push_back(path);
    names.last_word[leaf.back()].push_back(path);
  }
  return names;
}

/// Categories whose name is one of the type's.
void AddCategories(const LexiconType& type, const CategoryNames& names, ProductType& found) {
  const bool has_own = names.whole.contains(type.canonical);
  std::vector<std::string> all = type.names;
  all.insert(all.end(), type.categories.begin(), type.categories.end());
  for (const std::string& name : all) {
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

/// "Toddler Hair Clips" of "hair clip": names of two words and more end those of its kinds.
void AddKinds(const LexiconType& type, const CategoryNames& names, ProductType& found) {
  for (const auto& [leaf, paths] : names.whole) {
    const bool is_kind = !TypeNamed(leaf, "en") &&
                         std::any_of(type.names.begin(), type.names.end(), [&](const auto& name) {
                           return name.find(' ') != std::string::npos && leaf.ends_with(" " + name);
                         });
    if (is_kind) found.categories.insert(found.categories.end(), paths.begin(), paths.end());
  }
}

ProductType TypeOf(const LexiconType& type, const CategoryNames& names) {
  ProductType found{type.canonical, {}, type.names, true};
  AddCategories(type, names, found);
  AddKinds(type, names, found);
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
    // "Headphones" are no phones.
    const auto other = TypeNamed(word, "en");
    const bool is_other = other && !IsKindOf(TheLexiconTypes()[*other].canonical, found);
    const bool is_compound = word.ends_with(last) && word.size() >= last.size() + kMinCompound;
    if (blank != std::string::npos || last.size() < 5 || !is_compound || is_other) continue;
    found.categories.insert(found.categories.end(), each.begin(), each.end());
  }
  // "Books" are the shop's fiction and its cookbooks.
  if (found.categories.empty()) {
    for (const auto& [name, each] : names.whole) {
      const auto kind = TypeNamed(name, "en");
      if (!kind || !IsKindOf(TheLexiconTypes()[*kind].canonical, found)) continue;
      found.categories.insert(found.categories.end(), each.begin(), each.end());
    }
  }
  found.is_whole = found.categories.empty();
  return found;
}

/// A type and where the message names it: in words, or in bytes of a message without blanks.
struct NamedType {
  ProductType type;
  size_t begin = 0, end = 0;
};

/// English names of a type of the lexicon.
std::vector<std::string> EnglishNames(const std::string& canonical) {
  std::vector<std::string> names;
  const auto known = TypeNamed(canonical, "en");
  if (!known) return names;
  for (const std::string& name : TheLexiconTypes()[*known].names) {
    if (TypeNamed(name, "en") == known) names.push_back(name);
  }
  return names;
}

/// Of "laptop bag bluetooth mouse" the last of the names that follow each other is asked for: it
/// comes first.
void PutHeadFirst(std::vector<NamedType>& found, size_t joint) {
  for (size_t moves = 0; moves < found.size(); ++moves) {
    const size_t end = found.front().end, begin = found.front().begin;
    const auto next = std::find_if(found.begin() + 1, found.end(), [&](const NamedType& each) {
      const bool overlaps = each.begin > begin && each.begin < end && each.end > end;
      return overlaps || each.begin == end || (joint > 0 && each.begin == end + joint);
    });
    if (next == found.end()) return;
    std::rotate(found.begin(), next, next + 1);
  }
}

/// Chinese names: the longest first, and of equal ones the last ("a sofa lamp... no, a desk lamp").
void AddWide(const std::string& folded, const CategoryNames& names,
             std::vector<ProductType>& found) {
  if (!HasWideText(folded)) return;
  std::vector<NamedType> matches;
  size_t longest = 0;
  for (const auto& [name, type] : WideTypeNames()) {
    const size_t at = folded.rfind(name);
    if (at == std::string::npos) continue;
    const auto before = std::find_if(matches.begin(), matches.end(),
                                     [&](const NamedType& each) { return each.begin < at; });
    const bool is_first = name.size() == longest || longest == 0;
    matches.insert(is_first ? before : matches.end(),
                   {TypeOf(TheLexiconTypes()[type], names), at, at + name.size()});
    if (longest == 0) longest = name.size();
  }
  if (!matches.empty()) PutHeadFirst(matches, kOf.size());
  for (NamedType& each : matches) found.push_back(std::move(each.type));
  for (const auto& [name, paths] : names.whole) {
    if (found.empty() && IsWideText(name) && folded.find(name) != std::string::npos) {
      found.push_back(ProductType{name, paths, {name}, true});
    }
  }
}

/// "Motorrad-Abdeckung", which the lexicon writes as one word.
std::optional<size_t> JoinedInGerman(const Words& words, size_t at, std::string_view language) {
  return language == "de" ? TypeNamed(words[at] + words[at + 1], language) : std::nullopt;
}

}  // namespace

bool IsSameType(const ProductType& one, const ProductType& other) {
  return one.name == other.name || (!one.categories.empty() && one.categories == other.categories);
}

std::vector<ProductType> FindProductTypes(std::string_view message, std::string_view language,
                                          const ShopProfile& profile) {
  const CategoryNames names = NamesOf(profile, language);
  const Words words = SingularWords(message);
  std::vector<NamedType> spans;
  const auto add = [&](ProductType type, size_t begin, size_t end) {
    const bool is_known = std::any_of(spans.begin(), spans.end(), [&](const NamedType& each) {
      return each.type.name == type.name;
    });
    if (!is_known) spans.push_back({std::move(type), begin, end});
  };
  constexpr size_t kNowhere = std::string::npos;
  const auto add_bare = [&] {
    for (const size_t type : TypesNamedBare(words, language)) {
      add(TypeOf(TheLexiconTypes()[type], names), kNowhere, kNowhere - 1);
    }
  };
  for (size_t count = kMaxNameWords; count > 0; --count) {
    if (count == 1) add_bare();  // "casque vélo" is no "casque"
    for (size_t i = 0; i + count <= words.size(); ++i) {
      const std::string name = JoinWords(words, i, count);
      // The shop's own name comes first: its notebooks may be of paper.
      const auto whole = names.whole.find(name);
      const bool is_own = whole != names.whole.end();
      // But a German "Rucksack" is any backpack, though the shop has a category of "Rucksacks".
      const bool is_foreign = language != "en" && TypeNamed(name, language);
      if (is_own && !is_foreign && name.size() >= kMinForeignName) {
        add(ProductType{name, whole->second, {name}, true}, i, i + count);
      } else if (const auto type = TypeNamed(name, language)) {
        add(TypeOf(TheLexiconTypes()[*type], names), i, i + count);
      } else if (is_own) {
        add(ProductType{name, whole->second, {name}, true}, i, i + count);
      } else if (const auto joined = count == 2 ? JoinedInGerman(words, i, language) : type) {
        ProductType found = TypeOf(TheLexiconTypes()[*joined], names);
        found.words.push_back(name);
        add(std::move(found), i, i + count);
      }
    }
  }
  if (language == "en" && !spans.empty()) PutHeadFirst(spans, 0);
  std::vector<ProductType> found;
  for (NamedType& each : spans) found.push_back(std::move(each.type));
  AddWide(retrieval::FoldWords(message), names, found);
  if (!found.empty()) return found;
  for (const std::string& word : words) {
    const auto last = names.last_word.find(word);
    if (last == names.last_word.end()) continue;
    const auto is_word = [&](const ProductType& each) { return each.name == word; };
    if (std::none_of(found.begin(), found.end(), is_word)) {
      found.push_back(ProductType{word, last->second, {word}, false});
    }
  }
  return found;
}

std::optional<ProductType> FindProductType(std::string_view message, std::string_view language,
                                           const ShopProfile& profile) {
  std::vector<ProductType> found = FindProductTypes(message, language, profile);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<ProductType> TypeOfBoth(const std::string& purpose, const std::string& goods,
                                      const ShopProfile& profile) {
  std::vector<std::string> purposes = EnglishNames(purpose);
  // A "camera bag" is for a DSLR camera, too.
  const std::string last = purpose.substr(purpose.rfind(' ') + 1);
  if (last != purpose && TypeNamed(last, "en")) purposes.push_back(last);
  for (const std::string& first : purposes) {
    for (const std::string& name : EnglishNames(goods)) {
      const std::string joined = first + " " + name.substr(name.rfind(' ') + 1);
      const auto type = TypeNamed(joined, "en");
      if (!type) continue;
      const std::string& canonical = TheLexiconTypes()[*type].canonical;
      if (canonical == goods || canonical == purpose) continue;
      return TypeOf(TheLexiconTypes()[*type], NamesOf(profile, "en"));
    }
  }
  return std::nullopt;
}

std::string_view LeafOf(std::string_view category) {
  const size_t mark = category.rfind(" > ");
  return mark == std::string_view::npos ? category : category.substr(mark + 3);
}

std::vector<ProductType> LexiconTypes(const ShopProfile& profile) {
  const CategoryNames names = NamesOf(profile, "en");
  std::vector<ProductType> types;
  for (const LexiconType& each : TheLexiconTypes()) types.push_back(TypeOf(each, names));
  return types;
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
  if (head.size() < whole.size()) return head;
  // "Imprimante laser": Romance names begin with it.
  for (const std::string& word : type_words) {
    const FoldedMessage::Span span = named.Find(word);
    const bool begins = span.found() && span.begin == 0 && span.size() < name.size();
    if (begins && span.size() < head.size()) head = {whole.begin, whole.begin + span.end};
  }
  return head;
}

}  // namespace emptor::services

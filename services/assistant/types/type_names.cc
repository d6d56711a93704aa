// The lexicon of types, parsed once.
#include "services/assistant/types/type_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>

#include "retrieval/text/fold.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/type_lexicon.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMinForeignName = 5;  // bytes of an English name in a message of another language

constexpr size_t kMinToes = 7;  // bytes of a plural in "toes" that is not of a toe

std::string Singular(std::string word) {
  if (word == "tvs" || word == "pcs") word.pop_back();
  if (word.size() < 4 || !word.ends_with('s') || word.ends_with("ss")) return word;
  // "Lens", "tennis", "chassis", "bonus".
  if (word == "lens" || word == "canvas" || word.ends_with("us") || word.ends_with("is")) {
    return word;
  }
  if (word == "lenses") return "lens";
  // "Cookies", "movies".
  if (word.ends_with("kies") || word.ends_with("vies")) return word.substr(0, word.size() - 1);
  if (word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
  // "Mosquitoes", "potatoes", but no "shoes".
  if (word.ends_with("toes") && word.size() > kMinToes) return word.substr(0, word.size() - 2);
  if (word.ends_with("shes") || word.ends_with("ches") || word.ends_with("xes")) {
    return word.substr(0, word.size() - 2);
  }
  word.pop_back();
  return word;
}

std::string NameOf(std::string_view text) {
  const Words words = SingularWords(text);
  return words.empty() ? "" : JoinWords(words, 0, words.size());
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

struct Lexicon {
  std::vector<LexiconType> types;
  /// Into types, by language: "en", "de", ...
  std::map<std::string, std::unordered_map<std::string, size_t>, std::less<>> by_name;
  std::map<std::string, std::unordered_map<std::string, size_t>, std::less<>> bare_names;
  std::vector<std::pair<std::string, size_t>> wide;  // Chinese names, the longest first
  std::vector<std::string> departments = {"[any]"};  // their names; the first is of no one's
  size_t department = 0;                             // of the lines to come; into departments
};

void AddName(std::string_view text, const std::string& language, size_t type, Lexicon& lexicon) {
  std::string name = NameOf(text);
  if (name.empty()) return;
  if (HasWideText(name)) lexicon.wide.emplace_back(name, type);
  // "Fans & Heaters" is a category, and a "fan heater" no fan.
  if (text.find('&') != std::string_view::npos) {
    lexicon.types[type].categories.push_back(std::move(name));
    return;
  }
  lexicon.by_name[language].emplace(name, type);
  const Words joined = SingularWords(text);
  const Words bare = WithoutJoints(joined);
  if (bare.size() > 1 && bare.size() < joined.size()) {
    lexicon.bare_names[language].emplace(JoinWords(bare, 0, bare.size()), type);
    lexicon.types[type].names.push_back(JoinWords(bare, 0, bare.size()));
  }
  lexicon.types[type].names.push_back(std::move(name));
}

/// "kettle: electric kettle ; de: Wasserkocher | Wasserkochers ; ...", "wall clock < clock: ...";
/// "[kitchen]" begins a department.
void AddLine(std::string_view line, Lexicon& lexicon) {
  if (line.starts_with('[')) {
    const auto known = std::find(lexicon.departments.begin(), lexicon.departments.end(), line);
    lexicon.department = static_cast<size_t>(known - lexicon.departments.begin());
    if (known == lexicon.departments.end()) lexicon.departments.emplace_back(line);
    return;
  }
  const size_t colon = line.find(':');
  if (line.empty() || line[0] == '#' || colon == std::string_view::npos) return;
  const size_t type = lexicon.types.size();
  const size_t mark = std::min(line.find('<'), colon);
  const std::string_view canonical = line.substr(0, mark);
  const std::string wider = mark < colon ? NameOf(line.substr(mark + 1, colon - mark - 1)) : "";
  lexicon.types.push_back({NameOf(canonical), {}, {}, wider, lexicon.department});
  std::string language = "en";
  AddName(canonical, language, type, lexicon);
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

}  // namespace

bool HasWideText(std::string_view name) {
  for (; !name.empty(); name.remove_prefix(1)) {
    const bool is_start = (static_cast<unsigned char>(name.front()) & 0xC0) != 0x80;
    if (is_start && IsWideText(name)) return true;
  }
  return false;
}

Words SingularWords(std::string_view text) {
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

std::string JoinWords(const Words& words, size_t begin, size_t count) {
  std::string text = words[begin];
  for (size_t i = begin + 1; i < begin + count; ++i) text += " " + words[i];
  return text;
}

std::string TypeNameIn(const std::string& type, std::string_view language) {
  using Names = std::map<std::string, std::string, std::less<>>;
  static const auto* const by_type = [] {
    auto made = std::make_unique<std::unordered_map<std::string, Names>>();
    ForEachLexiconLine(kTypeLexicon, ":", [&](std::string_view head, std::string_view rest) {
      made->emplace(FoldedMessage(head.substr(0, head.find('<'))).text(), FirstPhrases(rest));
    });
    return made.release();
  }();
  const auto found = by_type->find(std::string(FoldedMessage(type).text()));
  if (language == "en" || found == by_type->end()) return type;
  const auto name = found->second.find(language);
  return name == found->second.end() ? type : name->second;
}

size_t DepartmentNamed(std::string_view name) {
  const std::vector<std::string>& names = TheLexicon().departments;
  const auto known = std::find(names.begin(), names.end(), name);
  return known == names.end() ? 0 : static_cast<size_t>(known - names.begin());
}

bool IsOfDepartment(const std::string& type, const std::string& other) {
  const auto department_of = [](const std::string& name) {
    const std::string known = JoinWords(SingularWords(name), 0, SingularWords(name).size());
    for (const LexiconType& each : TheLexiconTypes()) {
      if (each.canonical == known) return each.department;
    }
    return size_t{0};
  };
  const size_t department = department_of(type);
  return department != 0 && department == department_of(other);
}

const std::vector<LexiconType>& TheLexiconTypes() { return TheLexicon().types; }

const std::vector<std::pair<std::string, size_t>>& WideTypeNames() { return TheLexicon().wide; }

bool IsCalledBy(size_t type, const std::string& noun) {
  const std::vector<std::string>& names = TheLexiconTypes()[type].names;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.ends_with(" " + noun) && TypeNamed(name, "en") == type;
  });
}

const std::unordered_set<std::string>& EnglishTypeWords() {
  constexpr size_t kMinLetters = 4;
  static const auto* const words = [] {
    auto* made = new std::unordered_set<std::string>;
    for (const auto& [name, type] : TheLexicon().by_name.at("en")) {
      if (name.size() >= kMinLetters && name.find(' ') == std::string::npos) made->insert(name);
    }
    return made;
  }();
  return *words;
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

std::vector<size_t> TypesNamedBare(const Words& words, std::string_view language) {
  std::vector<size_t> types;
  const auto names = TheLexicon().bare_names.find(language);
  if (names == TheLexicon().bare_names.end()) return types;
  const Words bare = WithoutJoints(words);
  for (size_t count = kMaxNameWords; count > 1; --count) {
    for (size_t i = 0; i + count <= bare.size(); ++i) {
      const auto type = names->second.find(JoinWords(bare, i, count));
      if (type != names->second.end()) types.push_back(type->second);
    }
  }
  return types;
}

bool NamesTypeAcross(std::string_view before, std::string_view behind, std::string_view language) {
  const auto names = TheLexicon().bare_names.find(language);
  const Words head = WithoutJoints(SingularWords(before)),
              tail = WithoutJoints(SingularWords(behind));
  if (names == TheLexicon().bare_names.end() || head.empty() || tail.empty()) return false;
  return names->second.contains(head.back() + " " + tail[0]);
}

}  // namespace emptor::services

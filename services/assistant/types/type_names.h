// The names of product types in data/lexicon/types.txt, in five languages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace emptor::services {

/// Words of a name: "sac de transport pour petit chien".
inline constexpr size_t kMaxNameWords = 6;

/// The words of a text, folded, English plurals as singulars. Pure.
std::vector<std::string> SingularWords(std::string_view text);

/// `count` of the words, joined by blanks.
std::string JoinWords(const std::vector<std::string>& words, size_t begin, size_t count);

/// One line of the lexicon.
struct LexiconType {
  std::string canonical;
  std::vector<std::string> names;       // of all languages, folded, singular
  std::vector<std::string> categories;  // names of categories that hold several types
  std::string wider;                    // the type of which it is a kind; empty: of none
  size_t department = 0;                // from 1; 0: it belongs to none
};

const std::vector<LexiconType>& TheLexiconTypes();

/// "Lampe de bureau" of "desk lamp": its first name in the language, in English the canonical one.
/// Pure.
std::string TypeNameIn(const std::string& type, std::string_view language);

/// The number of a department, "[toys]", as in LexiconType; 0: the lexicon has none of the name.
size_t DepartmentNamed(std::string_view name);

/// Types of one department: "fan" and "kettle". Names as the lexicon has them. Pure.
bool IsOfDepartment(const std::string& type, const std::string& other);

/// The type of that name, singular, in the language or in English. In a message of another language
/// short English names do not count: "hat" is a German verb. Into TheLexiconTypes. Pure.
std::optional<size_t> TypeNamed(const std::string& name, std::string_view language);

/// "Mosquito net" is called by "net": an English name of the type ends with the noun. `type`: into
/// TheLexiconTypes. Pure.
bool IsCalledBy(size_t type, const std::string& noun);

/// English names of one word and four letters or more.
const std::unordered_set<std::string>& EnglishTypeWords();

/// The types whose names of several words are among the words, whatever joins them. Pure.
std::vector<size_t> TypesNamedBare(const std::vector<std::string>& words,
                                   std::string_view language);

/// "U盘": some part of the text is of a script without blanks between words. Pure.
bool HasWideText(std::string_view text);

/// Names in scripts without blanks between words, with their types, the longest first.
const std::vector<std::pair<std::string, size_t>>& WideTypeNames();

/// True where the end of one text and the beginning of the other name a type together, whatever
/// joins them: "bolsa", "portátil". Pure.
bool NamesTypeAcross(std::string_view before, std::string_view behind, std::string_view language);

}  // namespace emptor::services

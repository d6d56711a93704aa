// Names of the lexicon that end, in Romance languages begin, with the word that was said.
#include "services/assistant/reading/narrower_types.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;
using Words = std::vector<std::string>;

constexpr size_t kMinQualifier = 3;  // bytes of "car", "bad"
constexpr size_t kReach = 8;         // words of the sentence, on either side of the name
constexpr size_t kMinHead = 4;       // bytes of a word that ends German compounds

class Reader {
 public:
  Reader(const TypeReading& reading, const ProductType& named) : reading_(reading), named_(named) {}

  std::optional<ProductType> Run() const {
    const Span said = reading_.folded.FindLongest(named_.words);
    if (!said.found() || reading_.language == "zh") return std::nullopt;
    const Words head = SingularWords(reading_.folded.text().substr(said.begin, said.size()));
    if (head.size() != 1) return std::nullopt;
    const auto qualifiers = Qualifiers(said);
    if (qualifiers.empty()) return std::nullopt;
    std::vector<std::string> found = Named(head.front(), qualifiers);
    std::optional<ProductType> narrower;
    for (const std::string& name : found) {
      auto type = FindProductType(name, "en", *reading_.profile);
      if (!type || type->name != name || !IsSold(*type)) continue;
      if (narrower) return std::nullopt;
      narrower = std::move(type);
    }
    return narrower;
  }

 private:
  bool IsSold(const ProductType& type) const {
    return !IsUnknownType(type, reading_.schema_of, reading_.is_sold, reading_.language);
  }

  static bool IsOfParts(const std::string& word) {
    constexpr std::array<std::string_view, 7> kMarks = {"with", "without", "mit", "ohne",
                                                        "avec", "con",     "sans"};
    return std::find(kMarks.begin(), kMarks.end(), word) != kMarks.end();
  }

  /// The words of the message without the name and without what is said of its parts: "a camera
  /// with a case" is no camera case. Denied words qualify nothing.
  std::unordered_set<std::string> Qualifiers(const Span& said) const {
    std::unordered_set<std::string> qualifiers;
    const auto add = [&](const Words& words, size_t begin, size_t end) {
      bool is_denied = false;
      for (size_t i = begin; i < end; ++i) {
        const std::string& word = words[i];
        if (IsOfParts(word)) return;
        if (word.size() >= kMinQualifier && !is_denied) qualifiers.insert(word);
        is_denied = HasCue(FoldedMessage::FromFolded(word), Cue::kNegation);
      }
    };
    const Words before = SingularWords(reading_.folded.text().substr(0, said.begin));
    const Words behind = SingularWords(reading_.folded.text().substr(said.end));
    const Words others = SingularWords(reading_.other_sentences);
    add(before, before.size() - std::min(before.size(), kReach), before.size());
    add(behind, 0, std::min(behind.size(), kReach));
    add(others, 0, others.size());
    return qualifiers;
  }

  bool Qualifies(const std::string& name, const std::string& head,
                 const std::unordered_set<std::string>& qualifiers) const {
    if (name.find(' ') == std::string::npos) return IsCompound(name, head, qualifiers);
    const bool is_english = reading_.language == "en";
    // Nearly every name is refused here.
    if (!(is_english ? name.ends_with(head) : name.starts_with(head))) return false;
    Words words = SplitWords(name);
    if ((is_english ? words.back() : words.front()) != head) return false;
    words.erase(is_english ? words.end() - 1 : words.begin());
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return qualifiers.contains(word); });
  }

  /// "Schreibtischlampe" of "lampe" and "schreibtisch".
  bool IsCompound(const std::string& name, const std::string& head,
                  const std::unordered_set<std::string>& qualifiers) const {
    const bool ends = reading_.language == "de" && head.size() >= kMinHead && name != head &&
                      name.ends_with(head);
    if (!ends) return false;
    const std::string before = name.substr(0, name.size() - head.size());
    return std::any_of(qualifiers.begin(), qualifiers.end(), [&](const std::string& word) {
      if (word.size() <= kMinQualifier) return false;
      const bool is_linked = before.size() <= word.size() + 2 && before.starts_with(word);
      return is_linked || (word.size() <= before.size() + 2 && word.starts_with(before) &&
                           before.size() > kMinQualifier);
    });
  }

  /// Canonical names of the types that are meant, those of the most words alone.
  std::vector<std::string> Named(const std::string& head,
                                 const std::unordered_set<std::string>& qualifiers) const {
    std::vector<std::string> found;
    ptrdiff_t max_blanks = 0;
    for (const LexiconType& type : TheLexiconTypes()) {
      if (type.canonical == named_.name) continue;
      ptrdiff_t blanks = -1;  // of its longest name that is meant
      for (const std::string& name : type.names) {
        if (!Qualifies(name, head, qualifiers) || !IsOf(type, name)) continue;
        blanks = std::max(blanks, std::count(name.begin(), name.end(), ' '));
      }
      if (blanks < max_blanks) continue;
      if (blanks > max_blanks) found.clear();
      max_blanks = blanks;
      found.push_back(type.canonical);
    }
    return found;
  }

  /// The name is the type's in the shopper's language.
  bool IsOf(const LexiconType& type, const std::string& name) const {
    const auto listed = TypeNamed(name, reading_.language);
    if (listed) return TheLexiconTypes()[*listed].canonical == type.canonical;
    const auto bare = TypesNamedBare(SplitWords(name), reading_.language);
    return std::any_of(bare.begin(), bare.end(), [&](size_t each) {
      return TheLexiconTypes()[each].canonical == type.canonical;
    });
  }

  const TypeReading& reading_;
  const ProductType& named_;
};

}  // namespace

std::optional<ProductType> ReadNarrowerType(const TypeReading& reading, const ProductType& named) {
  return Reader(reading, named).Run();
}

}  // namespace emptor::services

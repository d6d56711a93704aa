// Parses the lexicons once, and an index for each language on its first use.
#include "services/grounding/claim_phrases.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "services/grounding/attribute_lexicon.h"
#include "services/grounding/claim_lexicon.h"
#include "services/grounding/degree_lexicon.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/type_lexicon.h"
#include "services/grounding/value_lexicon.h"

namespace emptor::services {
namespace {

using View = std::string_view;
using Role = ClaimRole;

constexpr std::array<View, 5> kLanguages = {"en", "de", "fr", "es", "zh"};

/// Names of the lines of claims.txt, in the order of ClaimRole.
constexpr std::array<View, 66> kRoleNames = {
    "filler",       "and",       "or",          "but",          "not",         "no",
    "than",         "unlike",    "more",        "less",         "most",        "least",
    "same",         "cheaper",   "dearer",      "better rated", "worse rated", "more reviewed",
    "at least",     "at most",   "over",        "under",        "about",       "in stock",
    "out of stock", "preorder",  "backorder",   "on sale",      "was price",   "saving",
    "price",        "rating",    "reviews",     "total",        "says",        "silent",
    "nothing",      "both",      "all",         "only",         "yes",         "no answer",
    "pronoun",      "listing",   "superlative", "hyphen less",  "unless",      "range",
    "of them",      "shop",      "others",      "twice",        "half",        "enough",
    "times",        "one",       "article",     "built in",     "best",        "offer",
    "affirm",       "condition", "relative",    "by",           "strong verb", "talk"};

View Trimmed(View text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct TaggedPhrase {
  View language;  // "en" without a tag; "less", "more" of attributes.txt
  View text;      // as it is written
};

/// "a | b ; de: c" as a list.
std::vector<TaggedPhrase> SplitPhrases(View text) {
  std::vector<TaggedPhrase> phrases;
  View language = "en";
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("|;"), text.size());
    View part = Trimmed(text.substr(0, end));
    const bool ends_group = end < text.size() && text[end] == ';';
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t tag = part.find(": ");
    if (tag != View::npos) {
      language = part.substr(0, tag);
      part = Trimmed(part.substr(tag + 1));
    }
    const bool has_gap = part.find("...") != View::npos;
    if (!part.empty() && !has_gap) phrases.push_back({language, part});
    if (ends_group) language = "en";
  }
  return phrases;
}

struct Entry {
  View language;  // empty: every language
  std::vector<std::string> words;
  ClaimMeaning meaning;
};

class Reader {
 public:
  Reader() {
    ForEachLexiconLine(kAttributeLexicon, " : ",
                       [this](View head, View rest) { AddProperty(head, rest); });
    ForEachLexiconLine(kClaimLexicon, " : ", [this](View head, View rest) { AddRole(head, rest); });
    ForEachLexiconLine(kDegreeLexicon, " : ",
                       [this](View head, View rest) { AddDegree(head, rest); });
    ForEachLexiconLine(kValueLexicon, " : ",
                       [this](View head, View rest) { AddValue(head, rest); });
    ForEachLexiconLine(kTypeLexicon, ": ", [this](View head, View rest) { AddType(head, rest); });
    DropLabels();
  }

  std::vector<Entry> entries;
  std::vector<ClaimProperty> properties;
  std::vector<ClaimUnit> units;
  std::vector<std::vector<int>> verbs;
  std::vector<std::string> currencies;
  std::map<std::string, std::vector<std::string>> key_words;
  std::vector<std::vector<std::string>> values;
  std::vector<std::vector<ClaimTypeName>> types;

 private:
  void Add(View language, View phrase, ClaimMeaning meaning) {
    auto words = ClaimWordsOf(phrase, language.empty() ? "en" : language);
    if (words.empty() || meaning.role == Role::kUnit) {  // with signs: "$", "m²"
      words.clear();
      for (const ClaimToken& token : TokenizeClaims(phrase, "en")) words.push_back(token.text);
    }
    if (!words.empty()) entries.push_back({language, std::move(words), meaning});
  }

  std::optional<ClaimMeaning> MeaningOf(View head) {
    const std::string_view kind = head.substr(0, head.find(' '));
    const View rest = head.size() > kind.size() ? head.substr(kind.size() + 1) : View();
    if (kind == "unit" && !rest.empty()) {
      const size_t blank = rest.find(' ');
      units.push_back({std::string(rest.substr(0, blank)),
                       std::strtod(std::string(rest.substr(blank + 1)).c_str(), nullptr)});
      return ClaimMeaning{Role::kUnit, static_cast<int>(units.size()) - 1};
    }
    if (!rest.empty()) {
      if (const auto of_property = PropertyMeaning(kind, rest)) return of_property;
    }
    if (kind == "nth") return ClaimMeaning{Role::kNth, std::atoi(std::string(rest).c_str())};
    if (kind == "number") return ClaimMeaning{Role::kNumber, std::atoi(std::string(rest).c_str())};
    if (kind == "currency") {
      currencies.emplace_back(rest);
      return ClaimMeaning{Role::kCurrency, static_cast<int>(currencies.size()) - 1};
    }
    if (kind == "concept") return ClaimMeaning{Role::kConcept, concepts_++};
    const auto* const found = std::find(kRoleNames.begin(), kRoleNames.end(), head);
    if (found == kRoleNames.end()) return std::nullopt;
    return ClaimMeaning{static_cast<Role>(found - kRoleNames.begin()), 0};
  }

  /// "label weight", "lower noise level", "verb battery life, run time".
  std::optional<ClaimMeaning> PropertyMeaning(View kind, View rest) {
    constexpr std::array<std::pair<View, Role>, 3> kKinds = {
        {{"label", Role::kLabel}, {"lower", Role::kLower}, {"higher", Role::kHigher}}};
    std::vector<int> indexes;
    for (View names = rest; !names.empty();) {
      const size_t end = std::min(names.find(','), names.size());
      const auto found = by_name_.find(JoinClaimWords(ClaimWordsOf(names.substr(0, end), "en")));
      if (found != by_name_.end()) indexes.push_back(found->second);
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    if (indexes.empty()) return std::nullopt;
    for (const auto& [name, role] : kKinds) {
      if (kind == name) return ClaimMeaning{role, indexes[0]};
    }
    if (kind != "verb") return std::nullopt;
    verbs.push_back(std::move(indexes));
    return ClaimMeaning{Role::kVerb, static_cast<int>(verbs.size()) - 1};
  }

  void AddLabels(View rest, int property) {
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      properties[static_cast<size_t>(property)].labels.push_back(
          JoinClaimWords(ClaimWordsOf(each.text, each.language)));
    }
  }

  void AddRole(View head, View rest) {
    if (head.starts_with("keys ")) {
      auto& words = key_words[std::string(head.substr(head.find(' ') + 1))];
      for (const TaggedPhrase& each : SplitPhrases(rest)) words.emplace_back(each.text);
      return;
    }
    if (head == "no label") {
      for (const TaggedPhrase& each : SplitPhrases(rest)) {
        opposites_.push_back({each.language, ClaimWordsOf(each.text, each.language), {}});
      }
      return;
    }
    const auto meaning = MeaningOf(head);
    if (!meaning) return;
    if (meaning->role == Role::kLabel) AddLabels(rest, meaning->index);
    const bool is_universal = meaning->role == Role::kUnit || meaning->role == Role::kCurrency;
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      Add(is_universal ? View() : each.language, each.text, *meaning);
    }
  }

  void AddProperty(View head, View rest) {
    const int at = static_cast<int>(properties.size());
    ClaimProperty property;
    for (const TaggedPhrase& name : SplitPhrases(head)) {
      property.names.push_back(JoinClaimWords(ClaimWordsOf(name.text, "en")));
      Add("", name.text, {Role::kLabel, at});
      by_name_.emplace(property.names.back(), at);
    }
    property.labels = property.names;
    View last;
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      const bool is_less = each.language == "less", is_more = each.language == "more";
      if (is_less || is_more) {
        Add("", each.text, {is_less ? Role::kLower : Role::kHigher, at});
        continue;
      }
      if (each.language != last) {
        property.labels.push_back(JoinClaimWords(ClaimWordsOf(each.text, each.language)));
      }
      last = each.language;
      Add(each.language, each.text, {Role::kLabel, at});
    }
    properties.push_back(std::move(property));
  }

  /// "noise level low : quiet ; de: leise".
  void AddDegree(View head, View rest) {
    const size_t blank = head.rfind(' ');
    if (blank == View::npos) return;
    const View degree = head.substr(blank + 1);
    const auto found = by_name_.find(JoinClaimWords(ClaimWordsOf(head.substr(0, blank), "en")));
    if (found == by_name_.end()) return;
    const Role role = degree == "low"    ? Role::kLow
                      : degree == "high" ? Role::kHigh
                                         : Role::kYesDegree;
    if (degree == "no") return;
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      Add(each.language, each.text, {role, found->second});
    }
  }

  void AddValue(View head, View rest) {
    const ClaimMeaning meaning{Role::kValue, static_cast<int>(values.size())};
    std::vector<std::string> words = {JoinClaimWords(ClaimWordsOf(head, "en"))};
    Add("", head, meaning);
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      words.push_back(JoinClaimWords(ClaimWordsOf(each.text, each.language)));
      Add(each.language, each.text, meaning);
    }
    values.push_back(std::move(words));
  }

  void AddType(View head, View rest) {
    const ClaimMeaning meaning{Role::kType, static_cast<int>(types.size())};
    Add("", head, meaning);
    std::vector<ClaimTypeName> names;
    for (const TaggedPhrase& each : SplitPhrases(rest)) {
      Add(each.language, each.text, meaning);
      names.push_back({std::string(each.language), ClaimWordsOf(each.text, each.language)});
    }
    names.push_back({"en", ClaimWordsOf(head.substr(0, head.find(" <")), "en")});
    types.push_back(std::move(names));
  }

  /// Words that ask for a property and say the opposite of it: "slippery" of "non-slip".
  void DropLabels() {
    std::erase_if(entries, [this](const Entry& entry) {
      if (entry.meaning.role != Role::kLabel) return false;
      return std::any_of(opposites_.begin(), opposites_.end(), [&](const Entry& each) {
        return each.words == entry.words &&
               (entry.language.empty() || entry.language == each.language);
      });
    });
  }

  std::map<std::string, int> by_name_;
  std::vector<Entry> opposites_;
  int concepts_ = 0;
};

const Reader& TheLexicons() {
  static const Reader* const reader = new Reader;
  return *reader;
}

/// English words of records stand in sentences of every language; English function words do not.
bool IsOfRecords(Role role) {
  return role == Role::kLabel || role == Role::kValue || role == Role::kType;
}

}  // namespace

void ClaimPhraseIndex::Add(std::vector<std::string> words, ClaimMeaning meaning) {
  if (words.empty()) return;
  entries_[words[0]].push_back({std::move(words), meaning});
}

void ClaimPhraseIndex::FindBy(const std::string& first, const std::vector<ClaimToken>& tokens,
                              size_t at, bool is_exact, Match& longest) const {
  const auto found = entries_.find(first);
  if (found == entries_.end()) return;
  for (const Entry& entry : found->second) {
    const size_t size = entry.words.size();
    if (size < longest.size || at + size > tokens.size()) continue;
    // "Nicht" is no singular of "nichts".
    if (!is_exact && entry.meaning.role == Role::kNothing) continue;
    size_t i = 1;
    while (i < size && SameClaimWord(tokens[at + i].text, entry.words[i])) ++i;
    if (i < size) continue;
    if (size > longest.size) longest = {size, {}};
    const bool is_new = std::find(longest.meanings.begin(), longest.meanings.end(),
                                  entry.meaning) == longest.meanings.end();
    if (is_new) longest.meanings.push_back(entry.meaning);
  }
}

ClaimPhraseIndex::Match ClaimPhraseIndex::Find(const std::vector<ClaimToken>& tokens,
                                               size_t at) const {
  Match longest;
  const std::string& word = tokens[at].text;
  FindBy(word, tokens, at, /*is_exact=*/true, longest);
  const bool is_word = tokens[at].kind == ClaimToken::Kind::kWord && word.size() > 2;
  if (!is_word) return longest;
  if (word.back() == 's') FindBy(word.substr(0, word.size() - 1), tokens, at, false, longest);
  const size_t size = word.size();
  if (size > 5 && word.ends_with("es"))
    FindBy(word.substr(0, size - 2), tokens, at, false, longest);
  if (size > 4 && word.ends_with("ies")) {
    FindBy(word.substr(0, size - 3) + "y", tokens, at, false, longest);
  }
  // French "les" is no "less".
  if (size > 3) FindBy(word + "s", tokens, at, false, longest);
  return longest;
}

const ClaimPhraseIndex& ClaimPhrases(std::string_view language) {
  static const auto* const indexes = [] {
    auto* made = new std::map<View, ClaimPhraseIndex>;
    for (const Entry& entry : TheLexicons().entries) {
      for (const View each : kLanguages) {
        const bool is_shared =
            entry.language.empty() || (entry.language == "en" && IsOfRecords(entry.meaning.role));
        if (is_shared || entry.language == each) (*made)[each].Add(entry.words, entry.meaning);
      }
    }
    return made;
  }();
  const auto found = indexes->find(language);
  return found == indexes->end() ? indexes->at("en") : found->second;
}

const ClaimPhraseIndex& ClaimUnitPhrases() {
  static const auto* const index = [] {
    auto* made = new ClaimPhraseIndex;
    for (const Entry& entry : TheLexicons().entries) {
      const bool is_measure =
          entry.meaning.role == Role::kUnit || entry.meaning.role == Role::kCurrency;
      if (is_measure) made->Add(entry.words, entry.meaning);
    }
    return made;
  }();
  return *index;
}

const std::vector<ClaimProperty>& ClaimProperties() { return TheLexicons().properties; }
const std::vector<ClaimUnit>& ClaimUnits() { return TheLexicons().units; }
const std::vector<std::string>& ClaimKeyWords(const std::string& base) {
  static const std::vector<std::string> kNone;
  const auto found = TheLexicons().key_words.find(base);
  return found == TheLexicons().key_words.end() ? kNone : found->second;
}
const std::vector<std::vector<int>>& ClaimVerbs() { return TheLexicons().verbs; }
const std::vector<std::vector<ClaimTypeName>>& ClaimTypes() { return TheLexicons().types; }
const std::vector<std::string>& ClaimCurrencies() { return TheLexicons().currencies; }
const std::vector<std::vector<std::string>>& ClaimValues() { return TheLexicons().values; }

std::string JoinClaimWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace emptor::services

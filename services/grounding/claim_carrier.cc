// Endings of the third person, and what stands on both sides.
#include "services/grounding/claim_carrier.h"

#include <algorithm>
#include <array>
#include <string>

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;

constexpr size_t kMinLetters = 4;

bool HasEndingOfVerb(const std::string& word, std::string_view language) {
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  if (language == "en") return ends("s") && !ends("ss") && !ends("us");
  if (language == "de") return ends("t") || ends("en");
  if (language == "fr") return ends("e") || ends("ent") || ends("it");
  return language == "es" && (ends("a") || ends("e") || ends("an") || ends("en"));
}

/// The subject, or the conjunction that ended the clause before.
bool IsSubject(const ClaimItem& item) {
  return item.kind == Kind::kProduct || item.Has(Role::kBoth) || item.Has(Role::kAll) ||
         item.Has(Role::kRelative) || item.text == "it" || item.text == "es" ||
         item.text == "sie" || item.text == "il" || item.text == "elle";
}

/// An article, a number, a bound; in English and German a preposition as well. No copula: "the K80
/// hinges are made of steel".
bool IsObject(const ClaimItem& item, std::string_view language) {
  if (item.kind == Kind::kNumber || item.Has(Role::kArticle)) return true;
  if (item.Has(Role::kAtMost) || item.Has(Role::kAtLeast) || item.Has(Role::kAbout)) return true;
  if (language != "en" && language != "de") return false;
  const bool denies = item.Has(Role::kNot) || item.Has(Role::kNo) || item.Has(Role::kNothing);
  return item.Has(Role::kFiller) && !item.Has(Role::kAffirm) && !denies;
}

/// Words that say how much, or the opposite: "leichtester", "unheated".
bool MayCompareOrDeny(const std::string& word, std::string_view language) {
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  if (word.starts_with("un") || word.starts_with("non") || word.starts_with("dis")) return true;
  if (language == "en") return ends("er") || ends("est") || ends("less") || ends("free");
  if (language == "de") {
    return ends("er") || ends("ere") || ends("eren") || ends("erer") || ends("eres") ||
           ends("ste") || ends("sten") || ends("ster") || ends("stes") || ends("los");
  }
  return false;
}

bool IsInfinitive(const std::string& word, std::string_view language) {
  const auto ends = [&](std::string_view ending) { return word.ends_with(ending); };
  if (language == "fr") return ends("er") || ends("ir") || ends("re") || ends("ent");
  if (language == "es") return ends("ar") || ends("er") || ends("ir") || ends("an") || ends("en");
  return language == "de" ? ends("en") || ends("t") : true;
}

/// "You can clean ...", "pour nettoyer", "se puede limpiar".
bool IsInVerbPlace(const ClaimClause& clause, size_t at, std::string_view language) {
  constexpr std::array<std::string_view, 34> kBefore = {
      "to",     "can",     "could",  "will", "would", "may",   "might",  "should",   "must",
      "you",    "we",      "i",      "they", "that",  "which", "who",    "lets you", "se",
      "peut",   "peuvent", "pouvez", "pour", "vous",  "qui",   "doit",   "puede",    "pueden",
      "puedes", "para",    "que",    "debe", "sich",  "zu",    "you can"};
  const auto& items = clause.items;
  if (language == "de") return at + 1 == items.size() || !items[at + 1].is_capitalized;
  return at > 0 && std::find(kBefore.begin(), kBefore.end(), items[at - 1].text) != kBefore.end();
}

}  // namespace

bool IsCarrierVerb(const ClaimClause& clause, size_t at, std::string_view language) {
  const auto& items = clause.items;
  const ClaimItem& verb = items[at];
  const bool is_unknown = verb.kind == Kind::kWord && !verb.is_capitalized &&
                          verb.meanings.empty() && at > 0 && language != "zh";
  if (!is_unknown || verb.text.size() < kMinLetters) return false;
  if (std::any_of(verb.text.begin(), verb.text.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    return false;
  }
  if (MayCompareOrDeny(verb.text, language)) return false;
  if (language == "en" && verb.text.ends_with("ly")) return true;
  if (IsInVerbPlace(clause, at, language) && IsInfinitive(verb.text, language)) return true;
  return at + 1 < items.size() && HasEndingOfVerb(verb.text, language) &&
         IsSubject(items[at - 1]) && IsObject(items[at + 1], language);
}

}  // namespace emptor::services

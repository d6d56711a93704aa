// Endings of the third person, and what stands on both sides.
#include "services/grounding/claim_carrier.h"

#include <algorithm>
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
         item.Has(Role::kRelative) || item.text == "it" || item.text == "es" || item.text == "sie" ||
         item.text == "il" || item.text == "elle";
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

}  // namespace

bool IsCarrierVerb(const ClaimClause& clause, size_t at, std::string_view language) {
  const auto& items = clause.items;
  const ClaimItem& verb = items[at];
  const bool is_unknown = verb.kind == Kind::kWord && !verb.is_capitalized && verb.meanings.empty();
  if (!is_unknown || verb.text.size() < kMinLetters || !HasEndingOfVerb(verb.text, language)) {
    return false;
  }
  if (std::any_of(verb.text.begin(), verb.text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return false;
  }
  return at > 0 && at + 1 < items.size() && IsSubject(items[at - 1]) &&
         IsObject(items[at + 1], language);
}

}  // namespace emptor::services

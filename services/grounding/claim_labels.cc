// The labels next to numbers and values.
#include <algorithm>
#include <string>

#include "services/grounding/claim_atoms.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;

constexpr size_t kLabelReach = 6;  // items between a label and its value

bool HoldsWord(const std::string& text, const std::string& words) {
  return text.find(" " + words + " ") != std::string::npos;
}

}  // namespace

std::vector<const ClaimKey*> KeysOfLabel(const ClaimRecord& record, const ClaimItem& label) {
  std::vector<int> properties;
  for (const Role role :
       {Role::kLabel, Role::kLower, Role::kHigher, Role::kLow, Role::kHigh, Role::kYesDegree}) {
    for (const int index : label.IndexesOf(role)) properties.push_back(index);
  }
  for (const int verb : label.IndexesOf(Role::kVerb)) {
    const auto& of_verb = ClaimVerbs()[static_cast<size_t>(verb)];
    properties.insert(properties.end(), of_verb.begin(), of_verb.end());
  }
  return record.KeysOf(properties, label.text);
}

std::vector<const ClaimKey*> ClaimAtoms::KeysAt(size_t at) const {
  return KeysOfLabel(record_, clause_.items[at]);
}

bool ClaimAtoms::IsNear(size_t at, ClaimRole role, size_t distance) const {
  const size_t begin = at > distance ? at - distance : 0;
  const size_t end = std::min(clause_.items.size(), at + distance + 1);
  for (size_t i = begin; i < end; ++i) {
    if (clause_.items[i].Has(role)) return true;
  }
  return false;
}

/// The nearest label whose keys hold numbers (or words), with no other number or value between.
std::optional<size_t> ClaimAtoms::LabelFor(size_t at, bool of_number) const {
  const auto label = NearestLabel(at, of_number, /*of_verbs=*/false);
  return label ? label : NearestLabel(at, of_number, /*of_verbs=*/true);
}

std::optional<size_t> ClaimAtoms::NearestLabel(size_t at, bool of_number, bool of_verbs) const {
  const auto fits = [&](size_t i) {
    const ClaimItem& item = clause_.items[i];
    const bool is_label = item.Has(Role::kLabel) || item.Has(Role::kLow) || item.Has(Role::kHigh) ||
                          item.Has(Role::kLower) || item.Has(Role::kHigher);
    const bool names = of_verbs ? item.Has(Role::kVerb) : is_label;
    if (item.kind != Kind::kPhrase || !names) return false;
    if (item.Has(Role::kValue) && !of_number) return false;
    const auto keys = KeysAt(i);
    return std::any_of(keys.begin(), keys.end(), [&](const ClaimKey* key) {
      if (of_verbs && !AgreesWithLabels(*key)) return false;
      return of_number ? key->is_number() : !key->is_number() && !key->is_boolean();
    });
  };
  std::optional<size_t> before, after;
  for (size_t i = at; i > 0 && !before && at - i < kLabelReach; --i) {
    if (clause_.items[i - 1].kind == Kind::kNumber && !IsTimes(i) && !IsRange(i)) break;
    if (fits(i - 1)) before = i - 1;
  }
  for (size_t i = at + 1; i < clause_.items.size() && i - at < kLabelReach; ++i) {
    if (clause_.items[i].kind == Kind::kNumber && !IsTimes(i - 1) && !IsRange(i - 1)) break;
    if (!fits(i)) continue;
    after = i;
    break;
  }
  // "A capacity of 1 l and 72 dB of noise": the label behind is nearer.
  if (before && after) {
    const bool is_taken = bound_[*before];
    return is_taken || *after - at < at - *before ? after : before;
  }
  return before ? before : after;
}

/// Of "the filter lasts 6 months" the key is "filter life", not "battery life".
bool ClaimAtoms::AgreesWithLabels(const ClaimKey& key) const {
  bool agrees = true;
  for (size_t i = 0; i < clause_.items.size(); ++i) {
    const ClaimItem& item = clause_.items[i];
    if (item.kind != Kind::kPhrase || !item.Has(Role::kLabel) || item.Has(Role::kFiller)) continue;
    for (const ClaimKey* label : KeysAt(i)) {
      const std::string first = label->name.substr(0, label->name.find(' '));
      if (HoldsWord(" " + key.name + " ", first)) return true;
      agrees = false;
    }
  }
  return agrees;
}

/// Other labels of the same key: "the jug holds 1.8 l".
void ClaimAtoms::BindLike(size_t at) {
  const auto keys = KeysAt(at);
  for (size_t i = 0; i < clause_.items.size(); ++i) {
    const ClaimItem& item = clause_.items[i];
    if (i == at || item.kind != Kind::kPhrase || !item.Has(Role::kLabel)) continue;
    for (const ClaimKey* key : KeysAt(i)) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) bound_[i] = true;
    }
  }
}

/// "Pages" of a key "black toner page yield".
bool ClaimAtoms::IsInKey(const ClaimItem& item) const {
  return std::any_of(record_.keys.begin(), record_.keys.end(),
                     [&](const ClaimKey& key) { return NamesNoun(key.name, item.text); });
}

/// A label of which the record has no key: a number next to it is not that of another key.
bool ClaimAtoms::HasForeignLabel() const {
  for (size_t i = 0; i < clause_.items.size(); ++i) {
    const ClaimItem& item = clause_.items[i];
    const bool is_label = item.kind == Kind::kPhrase && item.Has(Role::kLabel) &&
                          !item.Has(Role::kFiller) && !item.Has(Role::kValue) &&
                          !item.Has(Role::kType) && !IsDegreeOnly(item);
    const bool is_foreign =
        is_label && KeysAt(i).empty() && !HoldsWord(record_.title, item.text) && !IsInKey(item);
    if (is_foreign) return true;
  }
  return false;
}

/// The "to" of "2700 to 6500 K".
bool ClaimAtoms::IsRange(size_t at) const {
  const auto is_number = [&](size_t i) {
    return i < clause_.items.size() && clause_.items[i].kind == Kind::kNumber;
  };
  return at > 0 && at < clause_.items.size() && clause_.items[at].Has(Role::kRange) &&
         is_number(at - 1) && is_number(at + 1);
}

/// The "x" of "1920 x 1080".
bool ClaimAtoms::IsTimes(size_t at) const {
  return at < clause_.items.size() && clause_.items[at].text == "x";
}

/// "Prints 6000 pages" of a key "page yield": the label is of the key that the number has found.
bool ClaimAtoms::IsLikeBound(const ClaimItem& item) const {
  for (size_t i = 0; i < clause_.items.size(); ++i) {
    if (!bound_[i]) continue;
    for (const ClaimKey* key : KeysAt(i)) {
      for (const int index : item.IndexesOf(Role::kLabel)) {
        if (index < 0) continue;
        for (const std::string& name : ClaimProperties()[static_cast<size_t>(index)].names) {
          const std::string stem = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
          if (HoldsWord(" " + key->name + " ", stem)) return true;
        }
      }
    }
  }
  return false;
}

/// The label names the key, or the other word of its name.
bool ClaimAtoms::NamesRest(const ClaimItem& label, const ClaimKey& key,
                           const std::string& word) const {
  for (const int index : label.IndexesOf(Role::kLabel)) {
    if (index < 0) continue;
    for (const std::string& name : ClaimProperties()[static_cast<size_t>(index)].names) {
      const bool is_key = name == key.name;
      const bool is_rest = name != word && HoldsWord(" " + key.name + " ", name);
      if (is_key || is_rest) return true;
    }
  }
  return false;
}

ClaimTruth ClaimAtoms::ValueInName(size_t at) {
  for (const ClaimKey& key : record_.keys) {
    if (!key.is_boolean() || key.name.find(' ') == std::string::npos) continue;
    for (const int value : clause_.items[at].IndexesOf(Role::kValue)) {
      if (value < 0) continue;
      for (const std::string& word : ClaimValues()[static_cast<size_t>(value)]) {
        if (!HoldsWord(" " + key.name + " ", word)) continue;
        for (size_t i = 0; i < clause_.items.size(); ++i) {
          const ClaimItem& item = clause_.items[i];
          if (i == at || item.kind != Kind::kPhrase || !NamesRest(item, key, word)) continue;
          bound_[i] = true;
          return AsClaimTruth(key.is_yes);
        }
      }
    }
  }
  return ClaimTruth::kUnknown;
}

/// "Cable included: no" is no cable, whatever the description says of cables.
bool ClaimAtoms::IsDeniedByKey(const ClaimItem& item) const {
  bool is_no = false;
  for (const ClaimKey& key : record_.keys) {
    if (!HoldsWord(" " + key.name + " ", item.text) && !NamesWordOf(key, item)) continue;
    if (key.is_less ? !key.is_yes : !key.is_no) return false;
    is_no = true;
  }
  return is_no;
}

/// "Kabel" of a key "cable included".
bool ClaimAtoms::NamesWordOf(const ClaimKey& key, const ClaimItem& item) const {
  if (!key.is_boolean()) return false;
  for (const ClaimToken& word : TokenizeClaims(key.name, "en")) {
    for (const auto& names : FindClaimContent({word}, record_.language)) {
      for (const std::string& name : names) {
        if (std::find(item.content.begin(), item.content.end(), name) != item.content.end()) {
          return true;
        }
      }
    }
  }
  return false;
}

bool ClaimAtoms::IsKeyOfBase(const ClaimKey& key, const std::string& base) {
  if (base != "g" && base != "mm") return false;
  const auto& words = ClaimKeyWords(base);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return HoldsWord(" " + key.name + " ", word);
  });
}

}  // namespace emptor::services

// Words of titles that no lexicon knows.
#include "services/grounding/claim_names.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace emptor::services {
namespace {

using Kind = ClaimToken::Kind;
using Role = ClaimRole;
using View = std::string_view;

bool IsWord(const ClaimToken& token) {
  return token.kind == Kind::kWord || token.kind == Kind::kWide || token.kind == Kind::kNumber;
}

/// A comma separates the name from what follows.
bool IsJoint(const ClaimToken& token) {
  constexpr View kJoints = "-'’&/+\"™®.";
  return token.kind == Kind::kMark && kJoints.find(token.text) != View::npos;
}

bool HoldsInKey(const ClaimRecord& record, const std::string& word) {
  return std::any_of(record.keys.begin(), record.keys.end(), [&](const ClaimKey& key) {
    return (key.text + key.name + " ").find(" " + word + " ") != std::string::npos;
  });
}

}  // namespace

/// "400 W" is an amount, though the title holds both; "14" of "Modern 14" is part of the name.
bool ClaimNameFinder::IsMeasure(size_t at) const {
  return std::any_of(quantities_.begin(), quantities_.end(), [at](const ClaimQuantity& each) {
    return each.begin == at && !each.base.empty();
  });
}

/// The title has the number behind the same word: "Phaser 3250V".
bool ClaimNameFinder::FollowsInTitle(size_t i, size_t at, const ClaimRecord& record) const {
  if (i == at) return false;
  return record.title.find(" " + tokens_[i - 1].text + " " + tokens_[i].text + " ") != View::npos;
}

/// A word that names: no lexicon knows it, or it is the product's brand.
bool ClaimNameFinder::IsName(size_t at, const ClaimRecord& record) const {
  const ClaimToken& token = tokens_[at];
  if (token.kind != Kind::kWord || !record.name_words.contains(token.text)) return false;
  const auto brand = ClaimWordsOf(record.product->brand, "en");
  const bool is_brand = std::find(brand.begin(), brand.end(), token.text) != brand.end();
  if (is_brand && token.is_capitalized) return true;
  if (token.text.size() < 2) return false;
  if (phrases_.Find(tokens_, at).size == 0) return true;
  return IsModelName(at, record);
}

/// "Slate" is a colour, but "the Slate" a knife whose record names no such colour.
bool ClaimNameFinder::IsModelName(size_t at, const ClaimRecord& record) const {
  const ClaimToken& token = tokens_[at];
  if (!token.is_capitalized || at == 0) return false;
  const auto meanings = phrases_.Find(tokens_, at).meanings;
  const bool is_noun = std::any_of(meanings.begin(), meanings.end(), [](auto& each) {
    return each.role == Role::kType || each.role == Role::kLabel;
  });
  return !HoldsInKey(record, token.text) && !is_noun;
}

size_t ClaimNameFinder::LengthAt(size_t at, const ClaimRecord& record) const {
  size_t length = 0;
  bool is_name = false;
  for (size_t i = at; i < tokens_.size(); ++i) {
    const ClaimToken& token = tokens_[i];
    if (IsJoint(token) && length > 0 && i + 1 < tokens_.size()) continue;
    if (!IsWord(token) || !record.name_words.contains(token.text) ||
        (IsMeasure(i) && !FollowsInTitle(i, at, record)))
      break;
    const bool is_joined = token.kind == Kind::kWide && i > at;
    if (is_joined &&
        record.title.find(" " + tokens_[i - 1].text + " " + token.text + " ") == View::npos) {
      break;
    }
    is_name = is_name || IsName(i, record);
    length = i + 1 - at;
  }
  if (is_name || length == 0) return is_name ? length : 0;
  std::vector<std::string> words;
  for (size_t i = at; i < at + length; ++i) {
    if (IsWord(tokens_[i])) words.push_back(tokens_[i].text);
  }
  return " " + JoinClaimWords(words) + " " == record.title ? length : 0;
}

}  // namespace emptor::services

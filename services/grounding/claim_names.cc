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

/// The "Fi" of "Wi-Fi".
bool ClaimNameFinder::IsInPhrase(size_t at) const {
  constexpr size_t kMaxWords = 4;
  for (size_t begin = at > kMaxWords ? at - kMaxWords : 0; begin < at; ++begin) {
    if (phrases_.Find(tokens_, begin).size > at - begin) return true;
  }
  return false;
}

/// A word that names: no lexicon knows it, or it is the product's brand.
bool ClaimNameFinder::IsName(size_t at, const ClaimRecord& record) const {
  const ClaimToken& token = tokens_[at];
  if (token.kind != Kind::kWord || !record.name_words.contains(token.text)) return false;
  const auto brand = ClaimWordsOf(record.product->brand, "en");
  const bool is_brand = std::find(brand.begin(), brand.end(), token.text) != brand.end();
  if (is_brand && token.is_capitalized) return true;
  if (token.text.size() < 2) return false;
  if (phrases_.Find(tokens_, at).size == 0 && !IsInPhrase(at)) return true;
  return IsModelName(at, record);
}

/// "Slate" is a colour, but "the Slate" a knife whose record names no such colour.
bool ClaimNameFinder::IsModelName(size_t at, const ClaimRecord& record) const {
  const ClaimToken& token = tokens_[at];
  if (!token.is_capitalized || HoldsInKey(record, token.text)) return false;
  const auto has = [&](size_t i, auto is) {
    const auto meanings = phrases_.Find(tokens_, i).meanings;
    return std::any_of(meanings.begin(), meanings.end(), is);
  };
  const bool is_type = has(at, [](auto& each) { return each.role == Role::kType; });
  const bool is_label = has(at, [](auto& each) { return each.role == Role::kLabel; });
  const auto is_article = [](auto& each) { return each.role == Role::kArticle; };
  const auto is_verb = [](auto& each) { return each.role == Role::kAffirm; };
  // "Shade is": the first word of a sentence is always capitalized.
  if (at == 0) return !is_type && !is_label && at + 1 < tokens_.size() && has(at + 1, is_verb);
  // "The Page has", "for charcoal Weekender bags"; German capitalizes every noun.
  const bool is_named =
      !has_capital_nouns_ && (has(at - 1, is_article) || tokens_[at - 1].kind == Kind::kWord);
  return is_named || (!is_type && !is_label);
}

/// Behind the article that begins a clause.
bool ClaimNameFinder::BeginsSubject(size_t at) const {
  if (at == 0 || (at > 1 && tokens_[at - 2].kind != Kind::kMark)) return false;
  const auto meanings = phrases_.Find(tokens_, at - 1).meanings;
  return std::any_of(meanings.begin(), meanings.end(),
                     [](auto& each) { return each.role == Role::kArticle; });
}

/// "Nora Castellan" of a novel's title is its author.
bool ClaimNameFinder::IsOwnValue(size_t at, size_t length, const ClaimRecord& record) const {
  std::vector<std::string> words;
  for (size_t i = at; i < at + length; ++i) {
    if (IsWord(tokens_[i])) words.push_back(tokens_[i].text);
  }
  const std::string text = " " + JoinClaimWords(words) + " ";
  return words.size() > 1 && std::any_of(record.keys.begin(), record.keys.end(),
                                         [&](const ClaimKey& key) { return key.text == text; });
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
  if (is_name && IsOwnValue(at, length, record)) return 0;
  if (is_name || length == 0) return is_name ? length : 0;
  std::vector<std::string> words;
  bool is_capitalized = !has_capital_nouns_ && BeginsSubject(at);
  for (size_t i = at; i < at + length; ++i) {
    if (!IsWord(tokens_[i])) continue;
    words.push_back(tokens_[i].text);
    is_capitalized = is_capitalized && tokens_[i].is_capitalized;
  }
  // "The Copy Paper": words of the title that are written as a name.
  if (is_capitalized && words.size() > 1) {
    const bool is_phrase = record.title.find(" " + JoinClaimWords(words) + " ") != View::npos;
    return is_phrase ? length : 0;
  }
  return " " + JoinClaimWords(words) + " " == record.title ? length : 0;
}

}  // namespace emptor::services

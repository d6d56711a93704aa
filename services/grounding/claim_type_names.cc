// Types, their heads, and the words of titles.
#include "services/grounding/claim_type_names.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "services/grounding/claim_atoms.h"

namespace emptor::services {
namespace {

using Kind = ClaimItem::Kind;
using Role = ClaimRole;

constexpr size_t kMinLetters = 4;  // of a head

/// "Brushes", "brushe", "brush"; "batteries", "battery".
std::vector<std::string> SingularsOf(const std::string& word) {
  std::vector<std::string> forms = {word};
  if (word.size() > kMinLetters && word.ends_with('s')) {
    forms.push_back(word.substr(0, word.size() - 1));
    if (word.ends_with("es")) forms.push_back(word.substr(0, word.size() - 2));
    if (word.ends_with("ies")) forms.push_back(word.substr(0, word.size() - 3) + "y");
  }
  return forms;
}

/// German and Chinese write the head at the end of one word, English behind the others, French and
/// Spanish before them.
bool IsHead(const ClaimTypeName& name, const std::string& word) {
  if (name.words.empty()) return false;
  if (name.language == "zh") {
    const std::string all = JoinClaimWords(name.words);
    return word.size() > kMinLetters && all.ends_with(word);
  }
  if (word.size() < kMinLetters) return false;
  if (name.language == "de") return name.words.back().ends_with(word);
  return (name.language == "en" ? name.words.back() : name.words.front()) == word;
}

bool IsOfTypes(const ClaimRecord& record, const std::set<int>& types, const ClaimItem& item,
               std::string_view language) {
  const auto own = item.IndexesOf(ClaimRole::kType);
  if (std::any_of(own.begin(), own.end(), [&](int type) { return types.contains(type); })) {
    return true;
  }
  for (const std::string& word : SingularsOf(item.text)) {
    const bool is_in_title = word.size() >= kMinLetters && !item.is_capitalized &&
                             record.title.find(" " + word + " ") != std::string::npos;
    if (is_in_title) return true;
    for (const int type : types) {
      const auto& names = ClaimTypes()[static_cast<size_t>(type)];
      const bool is_head = std::any_of(names.begin(), names.end(), [&](const ClaimTypeName& each) {
        return each.language == language && IsHead(each, word);
      });
      if (is_head) return true;
    }
  }
  return false;
}

/// A word of a record's keys or values, or one that builds the sentence.
bool MeansMoreThanType(const ClaimNames& names, const ClaimItem& item) {
  if (item.kind != Kind::kPhrase && item.kind != Kind::kWord) return true;
  return std::any_of(item.meanings.begin(), item.meanings.end(), [&](const ClaimMeaning& each) {
    if (each.role == Role::kType || each.role == Role::kConcept) return false;
    if (each.role < Role::kLabel) return true;
    return std::any_of(names.records.begin(), names.records.end(), [&](const auto& record) {
      if (each.role != Role::kValue) return !KeysOfLabel(record, item).empty();
      return std::any_of(record.keys.begin(), record.keys.end(), [&](const ClaimKey& key) {
        return std::find(key.values.begin(), key.values.end(), each.index) != key.values.end();
      });
    });
  });
}

/// "The", "both", "neither of the two".
bool IsSetBefore(const ClaimClause& clause) {
  const auto& items = clause.items;
  const ClaimItem& before = items[items.size() - 2];
  if (before.kind == Kind::kNumber) {
    return before.quantity.base.empty() && items.size() > 2 &&
           items[items.size() - 3].Has(Role::kNothing);
  }
  return (before.Has(Role::kArticle) && !IsIndefinite(before)) || before.Has(Role::kBoth) ||
         before.Has(Role::kOfThem) || before.Has(Role::kAll) || before.Has(Role::kNothing);
}

}  // namespace

bool IsIndefinite(const ClaimItem& article) {
  return article.text.starts_with("a") || article.text.starts_with("un") ||
         article.text.starts_with("ein");
}

bool IsOfClaimType(const ClaimRecord& record, const ClaimItem& item, std::string_view language) {
  return IsOfTypes(record, record.types, item, language);
}

std::vector<int> RecordsOfClaimType(const std::vector<ClaimRecord>& records, const ClaimItem& item,
                                    std::string_view language) {
  std::vector<int> by_title, by_category;
  for (size_t i = 0; i < records.size(); ++i) {
    const ClaimRecord& record = records[i];
    if (IsOfTypes(record, record.title_types, item, language)) {
      by_title.push_back(static_cast<int>(i));
    }
    if (IsOfClaimType(record, item, language)) by_category.push_back(static_cast<int>(i));
  }
  return by_title.empty() ? by_category : by_title;
}

void ReadClaimTypeName(const ClaimNames& names, std::string_view language, ClaimClause& clause) {
  auto& items = clause.items;
  if (items.size() < 2 || MeansMoreThanType(names, items.back())) return;
  const bool has_name = std::any_of(items.begin(), items.end() - 1, [](const ClaimItem& each) {
    return each.kind == Kind::kProduct;
  });
  if ((has_name && !clause.Has(Role::kThan)) || !IsSetBefore(clause)) return;
  std::vector<int> named = RecordsOfClaimType(names.records, items.back(), language);
  if (named.empty() || named.size() == names.records.size()) return;
  ClaimItem& item = items.back();
  item.kind = Kind::kProduct;
  item.is_type = true;
  item.products = std::move(named);
  item.meanings.clear();
  item.content.clear();
}

}  // namespace emptor::services

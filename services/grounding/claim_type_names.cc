// Types, their heads, and the words of titles.
#include "services/grounding/claim_type_names.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace emptor::services {
namespace {

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

}  // namespace

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

}  // namespace emptor::services

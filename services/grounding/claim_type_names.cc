// Types, their heads, and the words of titles.
#include "services/grounding/claim_type_names.h"

#include <algorithm>
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

}  // namespace

bool IsOfClaimType(const ClaimRecord& record, const ClaimItem& item, std::string_view language) {
  const auto types = item.IndexesOf(ClaimRole::kType);
  if (std::any_of(types.begin(), types.end(), [&](int t) { return record.types.contains(t); })) {
    return true;
  }
  for (const std::string& word : SingularsOf(item.text)) {
    const bool is_in_title = word.size() >= kMinLetters && !item.is_capitalized &&
                             record.title.find(" " + word + " ") != std::string::npos;
    if (is_in_title) return true;
    for (const int type : record.types) {
      const auto& names = ClaimTypes()[static_cast<size_t>(type)];
      const bool is_head = std::any_of(names.begin(), names.end(), [&](const ClaimTypeName& each) {
        return each.language == language && IsHead(each, word);
      });
      if (is_head) return true;
    }
  }
  return false;
}

}  // namespace emptor::services

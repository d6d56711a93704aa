// Runs of a title's words; words that a key and its value cover.
#include "services/assistant/schema/asked_words.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kRunOfName = 3;  // words of the title in a row

using Words = std::vector<std::string>;

bool IsModelNumber(const std::string& word) {
  const bool has_digit = word.find_first_of("0123456789") != std::string::npos;
  return has_digit && word.find_first_not_of("0123456789") != std::string::npos;
}

}  // namespace

FoldedMessage WithoutName(const FoldedMessage& question, const catalog::Product& product) {
  const Words title = SplitWords(retrieval::FoldWords(product.title));
  const std::unordered_set<std::string> of_title(title.begin(), title.end());
  const Words words = SplitWords(question.text());
  std::string rest;
  for (size_t begin = 0, end = 0; begin < words.size(); begin = end) {
    bool is_named = false;
    for (end = begin; end < words.size() && of_title.contains(words[end]); ++end) {
      is_named |= words[end] == title.front() || IsModelNumber(words[end]);
    }
    if (end - begin >= kRunOfName || (is_named && end > begin)) continue;
    end = std::max(end, begin + 1);
    for (size_t i = begin; i < end; ++i) rest += (rest.empty() ? "" : " ") + words[i];
  }
  return FoldedMessage::FromFolded(std::move(rest));
}

std::vector<std::string> UnansweredWords(const FoldedMessage& question, const SchemaKey& key,
                                         const std::string& values, std::string_view language) {
  FoldedMessage rest = question;
  for (const auto* phrases : {&key.phrases, &key.part_phrases, &key.yes, &key.low, &key.high}) {
    rest = rest.Without(rest.FindLongest(*phrases));
  }
  std::unordered_set<std::string> known;
  for (const std::string& text : {key.folded, retrieval::FoldWords(values)}) {
    ForEachWord(text, [&](const std::string& word) { known.insert(StemOf(word)); });
  }
  const auto is_known = [&](const std::string& word) { return known.contains(StemOf(word)); };
  rest = WithoutKeyWords(rest, is_known);
  // "Aluminium" is the value "aluminum".
  for (const NamedValue& value : FindNamedValues(rest, language)) {
    const Words words = SplitWords(value.canonical);
    if (std::all_of(words.begin(), words.end(), is_known)) rest = rest.Without(value.span);
  }
  Words unanswered;
  // "Is it wifi 6": no 6 in what the record says of wifi. A measure is compared, not looked up.
  if (key.kind == SchemaKey::Kind::kText || StatesNoQuantity(key)) {
    for (std::string& word : SplitWords(question.text())) {
      if (word.find_first_not_of("0123456789") == std::string::npos && !is_known(word)) {
        unanswered.push_back(std::move(word));
      }
    }
  }
  for (std::string& word : TellingWords(rest)) {
    if (!IsStruckOut(word) && !is_known(word)) unanswered.push_back(std::move(word));
  }
  return unanswered;
}

}  // namespace emptor::services

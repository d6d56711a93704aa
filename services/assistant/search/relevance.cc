// Words of the question in records.
#include "services/assistant/search/relevance.h"

#include <algorithm>

#include "retrieval/text/fold.h"
#include "services/assistant/reading/asked_goods.h"
#include "services/assistant/search/named_products.h"
#include "services/assistant/types/title_types.h"
#include "services/grounding/record_text.h"

namespace emptor::services {
namespace {

constexpr float kNear = 0.3f;        // cosine of a product that means what is asked for
constexpr size_t kMaxNameWords = 4;  // of a product that the shop may not have
constexpr size_t kMaxAskWords = 16;  // of a message that asks for goods and nothing else
constexpr size_t kMaxNounWords = 3;  // of a message that is a noun, before what it is for

/// "Bottle" of "i need a bottle for hiking", "phone grip for cars"; empty: no noun is asked for.
std::string AskedNoun(const FoldedMessage& message) {
  const AskedGoods asked = ReadAskedGoods(message);
  if (asked.fits_shown || message.word_count() > kMaxAskWords) return "";
  std::string name = asked.names.empty() ? "" : asked.names.front();
  if (name.empty()) {
    const std::vector<std::string> words = SplitWords(HeadOf(message.text()));
    if (words.size() > kMaxNounWords) return "";
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
  }
  const std::string last = name.substr(name.rfind(' ') + 1);
  return TellingWords(FoldedMessage::FromFolded(last)).empty() ? "" : last;
}

}  // namespace

std::string TextOf(const catalog::Product& product) {
  std::string text = product.title + " " + product.brand;
  for (const catalog::Attribute& each : product.attributes) {
    text += " " + (MeansYes(retrieval::FoldWords(each.value)) ? each.name : each.value);
  }
  return text;
}

bool IsRelevant(const Understanding& understanding, const std::vector<FoundProduct>& found) {
  const bool has_other_grounds =
      understanding.follows_up || understanding.comparison || !understanding.filter.brands.empty();
  if (found.empty() || has_other_grounds || found.front().hit.pinned) return true;
  const auto words = TellingWords(FoldedMessage(understanding.search_text));
  const catalog::Product& best = found.front().product;
  std::string record = best.title + " " + best.description;
  for (const catalog::Attribute& each : best.attributes) {
    record += " " + each.name + " " + each.value;
  }
  const auto met = std::count_if(words.begin(), words.end(), [&](const std::string& word) {
    return Meets(record, DemandOf(word));
  });
  return (met > 0 && 2 * static_cast<size_t>(met) >= words.size()) ||
         found.front().hit.vector_score >= kNear;
}

std::string UnsoldNameIn(const Understanding& understanding,
                         const std::vector<FoundProduct>& found) {
  if (!understanding.asks_if_sold) return "";
  const FoldedMessage asked(understanding.search_text);
  std::string name;
  std::vector<WordCondition> words;
  ForEachWord(asked.text(), [&](const std::string& word) {
    const bool is_number = !words.empty() && HasDigit(word);
    if (!is_number && TellingWords(FoldedMessage::FromFolded(word)).empty()) return;
    words.push_back(DemandOf(word));
    name += (name.empty() ? "" : " ") + word;
  });
  const bool is_there = std::any_of(found.begin(), found.end(), [&](const FoundProduct& each) {
    const std::string head = HeadOf(each.product.title);
    return std::all_of(words.begin(), words.end(),
                       [&](const WordCondition& word) { return Meets(head, word); });
  });
  const bool is_name = !words.empty() && words.size() <= kMaxNameWords;
  return is_name && !is_there ? name : "";
}

std::vector<FoundProduct> AskedGoodsOf(const Understanding& understanding,
                                       std::vector<FoundProduct> found) {
  const bool is_of_other_grounds =
      understanding.follows_up || (!found.empty() && found.front().hit.pinned);
  if (understanding.language != "en" || is_of_other_grounds) return found;
  const std::string noun = AskedNoun(FoldedMessage(understanding.message));
  if (noun.empty()) return found;
  const WordCondition named = DemandOf(noun);
  // A "bottle warmer" names a bottle, and is none.
  const auto is_it = [&](const FoundProduct& each) {
    const std::vector<TitleName> names = NamesInTitle(each.product.title);
    if (names.empty()) return Meets(HeadOf(each.product.title), named);
    const std::string& text = names.back().text;
    return Meets(text.substr(text.rfind(' ') + 1), named);
  };
  if (std::any_of(found.begin(), found.end(), is_it)) {
    std::erase_if(found, [&](const FoundProduct& each) { return !is_it(each); });
  }
  return found;
}

std::string WordsFound(const Understanding& understanding, const catalog::Product& product) {
  const RecordText text(product);
  std::string words;
  for (const std::string& word : ContentWords(understanding.search_text)) {
    if (word.size() < 2 || !text.HasWord(word)) continue;
    words += (words.empty() ? "" : ", ") + word;
  }
  return words;
}

std::string TextInRecords(const Understanding& understanding) {
  // No record has the name that the shopper said.
  if (!understanding.unsold_trade.empty()) return understanding.type->name;
  std::string text = understanding.search_text;
  const bool is_own = understanding.language == "en" || understanding.language == "zh";
  if (!is_own && understanding.type && !FoldedMessage(text).Has(understanding.type->name)) {
    text += " " + understanding.type->name;
  }
  return text;
}

}  // namespace emptor::services

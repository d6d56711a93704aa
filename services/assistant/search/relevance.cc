// Words of the question in records.
#include "services/assistant/search/relevance.h"

#include <algorithm>
#include <map>

#include "retrieval/text/fold.h"
#include "services/assistant/reading/asked_goods.h"
#include "services/assistant/reading/head_types.h"
#include "services/assistant/search/named_products.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/record_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kSeen = 3;          // products of a list that are looked at
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

/// Neither part of a story, nor "set", nor a colour.
bool MayNameGoods(const std::string& noun) {
  const FoldedMessage folded = FoldedMessage::FromFolded(noun);
  return !TellingWords(folded).empty() && !IsStoryWord(noun) && !HasCue(folded, Cue::kNotName) &&
         FindNamedValues(folded, "en").empty();
}

/// The name of goods in the title, the word before it ("flatbed scanner"), or one of the first
/// words: a maker or a line.
bool IsCalled(const std::string& title, const WordCondition& named) {
  constexpr size_t kLineWords = 3;
  const std::vector<TitleName> names = NamesInTitle(title);
  if (names.empty()) return Meets(title, named);
  const std::vector<std::string> words = SplitWords(FirstHeadOf(title));
  const size_t begin = names.back().begin;
  for (size_t i = 0; i < words.size(); ++i) {
    if ((i < kLineWords || i + 1 == begin) && Meets(words[i], named)) return true;
  }
  return Meets(names.back().text, named);
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

std::string UnsoldNounIn(const Understanding& understanding,
                         const std::vector<FoundProduct>& found) {
  const FoldedMessage message(understanding.message);
  const bool asks = (HasCue(message, Cue::kRequest) || HasCue(message, Cue::kSells)) &&
                    !HasCue(message, Cue::kPrice) && !HasCue(message, Cue::kDetail);
  if (understanding.language != "en" || !asks || understanding.follows_up) return "";
  const FoldedMessage::Span phrase = FindHeadPhrase(message);
  if (!phrase.found()) return "";
  const std::string name(message.text().substr(phrase.begin, phrase.size()));
  const std::vector<std::string> behind = SplitWords(message.text().substr(phrase.end));
  const bool names_model = !behind.empty() && HasDigit(behind.front());
  const std::string noun = name.substr(name.rfind(' ') + 1);
  const bool is_short = name.find(' ') == name.rfind(' ');
  if (names_model || !is_short || !MayNameGoods(noun)) return "";
  const WordCondition named = DemandOf(noun);
  const auto is_sold = [&](const FoundProduct& each) {
    return IsCalled(each.product.title, named);
  };
  return std::any_of(found.begin(), found.end(), is_sold) ? "" : name;
}

std::vector<FoundProduct> OfOneKind(const Understanding& understanding,
                                    std::vector<FoundProduct> found) {
  const bool is_of_other_grounds = understanding.follows_up || understanding.comparison ||
                                   !understanding.liking.empty() || found.size() < 2 ||
                                   found.front().hit.pinned;
  if (understanding.language != "en" || is_of_other_grounds) return found;
  std::vector<WordCondition> words;
  for (const std::string& word : TellingWords(FoldedMessage(understanding.search_text))) {
    if (!IsStoryWord(word)) words.push_back(DemandOf(word));
  }
  std::map<std::string, size_t> covered;  // by kind: words of its best product
  std::vector<std::string> kinds;
  for (const FoundProduct& each : found) {
    const std::vector<TitleName> names = NamesInTitle(each.product.title);
    kinds.push_back(names.empty() ? "" : names.back().name);
    const std::string text = TextOf(each.product);
    const auto met = static_cast<size_t>(std::count_if(
        words.begin(), words.end(), [&](const WordCondition& word) { return Meets(text, word); }));
    size_t& best = covered[kinds.back()];
    best = std::max(best, met);
  }
  const auto best = std::max_element(covered.begin(), covered.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  const auto as_good = std::count_if(covered.begin(), covered.end(),
                                     [&](const auto& each) { return each.second == best->second; });
  const bool is_clear = as_good == 1 && best->second >= 2 && !best->first.empty();
  if (!is_clear) return found;
  std::vector<FoundProduct> kept;
  for (size_t i = 0; i < found.size(); ++i) {
    if (kinds[i] == best->first) kept.push_back(std::move(found[i]));
  }
  return kept;
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

bool TitlesHaveMore(const std::string& message, const std::vector<Source>& sources,
                    const std::vector<Source>& others) {
  const auto has = [](const std::vector<Source>& of, const std::string& word) {
    const size_t seen = std::min(of.size(), kSeen);
    return std::any_of(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(seen),
                       [&](const Source& source) {
                         if (source.product() == nullptr) return false;
                         const FoldedMessage title(source.product()->title);
                         return title.Has(word) || title.Has(StemOf(word));
                       });
  };
  const std::vector<std::string> words = TellingWords(FoldedMessage(message));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return has(sources, word) && !has(others, word);
  });
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

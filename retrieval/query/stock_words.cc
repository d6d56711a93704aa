// Phrases of stock and condition.
#include "retrieval/query/stock_words.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_set>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

using Tokens = std::vector<QueryToken>;
using Phrase = std::initializer_list<std::string_view>;

constexpr size_t kMaxLocationWords = 4;

size_t LongestAt(const Tokens& tokens, size_t at, std::initializer_list<Phrase> phrases) {
  size_t longest = 0;
  for (const Phrase& phrase : phrases) {
    if (phrase.size() > longest && MatchesAt(tokens, at, phrase)) longest = phrase.size();
  }
  return longest;
}

size_t StockPhraseAt(const Tokens& tokens, size_t at) {
  return LongestAt(tokens, at,
                   {{"in", "stock"},
                    {"in-stock"},
                    {"available", "now"},
                    {"available", "today"},
                    {"immediately", "available"},
                    {"ready", "to", "ship"},
                    {"auf", "lager"},
                    {"vorrätig"},
                    {"sofort", "lieferbar"},
                    {"lieferbar"},
                    {"verfügbar"},
                    {"en", "stock"},
                    {"disponible"},
                    {"disponibles"},
                    {"en", "existencia"},
                    {"有", "货"},
                    {"现", "货"},
                    {"有", "现", "货"},
                    {"在", "庫", "あ", "り"},
                    {"在", "庫", "有", "り"}});
}

/// Words that lead to the name of a store.
size_t PlacePhraseAt(const Tokens& tokens, size_t at) {
  return LongestAt(tokens, at,
                   {{"available", "at"},
                    {"available", "in"},
                    {"in", "stock", "at"},
                    {"in", "stock", "in"},
                    {"pick", "up", "at"},
                    {"pick", "up", "in"},
                    {"pickup", "at"},
                    {"pickup", "in"},
                    {"verfügbar", "in"},
                    {"auf", "lager", "in"},
                    {"abholbereit", "in"},
                    {"disponible", "à"},
                    {"disponible", "en"},
                    {"en", "stock", "à"}});
}

/// "Is it in stock?", "do you have this in stock": a question, not a condition.
bool AsksAbout(const Tokens& tokens) {
  static const std::unordered_set<std::string_view> kFirst = {"is",   "are", "does", "was",
                                                              "when", "ist", "est"};
  return !tokens.empty() && kFirst.count(tokens[0].text) != 0 &&
         !(tokens.size() > 1 && tokens[1].text == "there");
}

void Mark(size_t begin, size_t end, std::vector<bool>& used) {
  for (size_t i = begin; i < end; ++i) used[i] = true;
}

bool IsFree(const std::vector<bool>& used, size_t begin, size_t end) {
  return std::none_of(used.begin() + static_cast<std::ptrdiff_t>(begin),
                      used.begin() + static_cast<std::ptrdiff_t>(end),
                      [](bool each) { return each; });
}

}  // namespace

void ReadStock(const Tokens& tokens, std::string_view message, const QueryVocabulary& vocabulary,
               std::vector<bool>& used, Filter& filter) {
  if (AsksAbout(tokens)) return;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const size_t lead = PlacePhraseAt(tokens, at);
    size_t begin = at + lead;
    if (lead > 0 && begin < tokens.size() && tokens[begin].text == "the") ++begin;
    for (size_t length =
             std::min(kMaxLocationWords, tokens.size() - std::min(begin, tokens.size()));
         lead > 0 && length > 0; --length) {
      const size_t from = tokens[begin].begin, to = tokens[begin + length - 1].end;
      const auto place = vocabulary.Find(FilterField::kLocation,
                                         FoldForComparison(message.substr(from, to - from)));
      if (!place || !IsFree(used, at, begin + length)) continue;
      filter.location = place->text;
      size_t end = begin + length;
      if (end < tokens.size() && (tokens[end].text == "store" || tokens[end].text == "shop")) ++end;
      Mark(at, end, used);
      break;
    }
    const size_t stock = StockPhraseAt(tokens, at);
    if (stock == 0 || !IsFree(used, at, at + stock)) continue;
    const std::string_view before = at > 0 ? std::string_view(tokens[at - 1].text) : "";
    if (before == "not" || before == "nicht" || before == "pas" || before == "no" ||
        before == "没" || before == "out") {
      continue;
    }
    filter.availability = {catalog::Availability::kInStock};
    const bool has_lead =
        before == "is" || before == "are" || before == "only" || before == "currently";
    Mark(has_lead ? at - 1 : at, at + stock, used);
  }
}

void ReadCondition(const Tokens& tokens, std::vector<bool>& taken, Filter& filter) {
  static const std::unordered_set<std::string_view> kNotGoods = {
      "for", "in", "to", "with", "by", "as", "on", "at", "when", "oil", "cooking"};
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (taken[at]) continue;
    size_t length = LongestAt(tokens, at,
                              {{"refurbished"},
                               {"renewed"},
                               {"reconditioned"},
                               {"generalüberholt"},
                               {"generalüberholte"},
                               {"reconditionné"},
                               {"reconditionnés"},
                               {"reacondicionado"},
                               {"翻", "新"}});
    auto condition = catalog::Condition::kRefurbished;
    if (length == 0) {
      condition = catalog::Condition::kUsed;
      length = LongestAt(tokens, at,
                         {{"second", "hand"},
                          {"second-hand"},
                          {"secondhand"},
                          {"pre-owned"},
                          {"preowned"},
                          {"gebraucht"},
                          {"gebrauchte"},
                          {"gebrauchtes"},
                          {"d'occasion"},
                          {"segunda", "mano"},
                          {"二", "手"},
                          {"中", "古"}});
    }
    const bool says_used = length == 0 && tokens[at].text == "used" && at + 1 < tokens.size() &&
                           tokens[at + 1].kind == QueryToken::Kind::kWord &&
                           kNotGoods.count(tokens[at + 1].text) == 0 &&
                           (at == 0 || tokens[at - 1].text == "a");
    if (says_used) length = 1;
    if (length == 0 && MatchesAt(tokens, at, {"brand", "new"})) {
      condition = catalog::Condition::kNew;
      length = 2;
    }
    if (length == 0) continue;
    filter.conditions = {condition};
    Mark(at, at + length, taken);
    return;
  }
}

}  // namespace emptor::retrieval

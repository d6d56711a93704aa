// References by place, pronoun and number.
#include "services/assistant/dialogue/dialogue.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/fact_questions.h"

namespace emptor::services {
namespace {

using retrieval::HasAnyPhrase;
using retrieval::MatchesAt;
using retrieval::QueryToken;
using Tokens = std::vector<QueryToken>;

/// "the" of "the first", in the languages of kPlaces.
bool IsDeterminer(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords = {
      "the", "that", "der", "die", "das", "dem", "den", "des",  "vom",  "zum",    "zur",   "beim",
      "am",  "im",   "le",  "la",  "les", "au",  "aux", "du",   "ce",   "cette",  "el",    "la",
      "los", "las",  "lo",  "al",  "del", "ese", "esa", "este", "esta", "number", "nummer"};
  return kWords.count(word) != 0;
}

/// 2 for "two"; 0 for other words.
int CountOf(std::string_view word) {
  static const std::unordered_map<std::string_view, int> kCounts = {
      {"two", 2},   {"2", 2},    {"zwei", 2},   {"beiden", 2}, {"deux", 2}, {"dos", 2},
      {"three", 3}, {"3", 3},    {"drei", 3},   {"trois", 3},  {"tres", 3}, {"four", 4},
      {"4", 4},     {"vier", 4}, {"quatre", 4}, {"cuatro", 4}};
  const auto found = kCounts.find(word);
  return found == kCounts.end() ? 0 : found->second;
}

/// A digit from 1 to 9 as a word.
int DigitOf(const QueryToken& token) {
  const bool is_digit = token.text.size() == 1 && token.text[0] >= '1' && token.text[0] <= '9';
  return is_digit ? token.text[0] - '0' : 0;
}

/// Chinese and Japanese: 第二, 前两个, 最后一个, 3つ目.
int EastAsianPlace(const Tokens& tokens, size_t i) {
  constexpr std::array<std::string_view, 6> kNumerals = {"一", "二", "三", "四", "五", "六"};
  if (i + 2 < tokens.size() && DigitOf(tokens[i]) != 0 && MatchesAt(tokens, i + 1, {"つ", "目"})) {
    return DigitOf(tokens[i]);
  }
  if (MatchesAt(tokens, i, {"最", "后"})) return -1;
  if (tokens[i].text != "第" || i + 1 >= tokens.size()) return 0;
  for (size_t n = 0; n < kNumerals.size(); ++n) {
    if (tokens[i + 1].text == kNumerals[n]) return static_cast<int>(n) + 1;
  }
  return DigitOf(tokens[i + 1]);
}

/// "Second bag, price?": a place that begins the message or a part of it needs no article.
bool BeginsPart(const Tokens& tokens, size_t i) {
  static const std::unordered_set<std::string_view> kNoPlace = {
      "hand", "aid", "minute", "generation", "gen", "class", "grade"};
  if (i + 1 >= tokens.size() || tokens[i + 1].kind != QueryToken::Kind::kWord) return false;
  if (kNoPlace.count(tokens[i + 1].text) != 0) return false;
  return i == 0 || tokens[i - 1].kind == QueryToken::Kind::kPunctuation;
}

/// The places that are named, from 1; negative ones count from the end.
std::vector<int> NamedPlaces(const Tokens& tokens) {
  std::vector<int> places;
  const auto word = [&](size_t i) {
    return i < tokens.size() ? std::string_view(tokens[i].text) : "";
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    // "The first ones", "the first list" name no single product.
    const bool is_of_list = word(i + 1) == "list" || word(i + 1) == "liste" ||
                            word(i + 1) == "lista" || word(i + 1) == "column" ||
                            word(i + 1) == "ones";
    if (is_of_list) continue;
    const int place = PlaceOfWord(tokens[i].text);
    const bool follows_place = !places.empty() && i > 0 &&
                               (word(i - 1) == "and" || word(i - 1) == "or" ||
                                word(i - 1) == "und" || word(i - 1) == "et" || word(i - 1) == "y");
    const bool is_named =
        place != 0 && (BeginsPart(tokens, i) || IsDeterminer(word(i - 1)) ||
                       word(i - 1) == "very" || word(i + 1) == "one" || word(i + 1) == "and" ||
                       CountOf(word(i + 1)) != 0 || follows_place);
    if (is_named) {
      const int count = std::max(1, CountOf(word(i + 1)));
      for (int n = 0; n < count; ++n)
        places.push_back(place > 0 ? place + n : place - count + 1 + n);
      continue;
    }
    const bool counts_back =
        CountOf(word(i)) != 0 &&
        PlaceOfWord(word(i + 1)) != 0;  // "die zwei ersten", "les deux premiers"
    if (counts_back) {
      for (int n = 0; n < CountOf(word(i)); ++n) places.push_back(PlaceOfWord(word(i + 1)) + n);
      ++i;
      continue;
    }
    if ((word(i) == "number" || word(i) == "#") && i + 1 < tokens.size() &&
        DigitOf(tokens[i + 1]) != 0) {
      places.push_back(DigitOf(tokens[i + 1]));
    }
    if (MatchesAt(tokens, i, {"前", "两"}) || MatchesAt(tokens, i, {"前", "2"})) places = {1, 2};
    if (MatchesAt(tokens, i, {"前", "三"}) || MatchesAt(tokens, i, {"前", "3"})) places = {1, 2, 3};
    if (const int east = EastAsianPlace(tokens, i); east != 0) places.push_back(east);
  }
  return places;
}

bool PointsAtSeveral(const Tokens& tokens) {
  return HasAnyPhrase(tokens, {"both",      "them",         "these",       "those",
                               "the two",   "each of them", "the cheaper", "the cheapest one",
                               "which one", "which of",     "of those",    "of these",
                               "of them",   "they",         "their",       "compare the",
                               "von denen", "von ihnen",    "beide",       "beiden",
                               "davon",     "lequel",       "laquelle",    "les deux",
                               "d entre",   "de ces",       "cual de",     "cuál de",
                               "los dos",   "las dos",      "de estos",    "de estas",
                               "de ellos",  "它 们",        "这 些",       "两 个",
                               "两 款",     "哪 个",        "哪 款"});
}

std::vector<std::string> AtPlaces(const std::vector<int>& places,
                                  const std::vector<std::string>& list) {
  std::vector<std::string> found;
  for (const int place : places) {
    const int at = place < 0 ? static_cast<int>(list.size()) + place : place - 1;
    if (at < 0 || at >= static_cast<int>(list.size())) return {};
    AppendNew({list[static_cast<size_t>(at)]}, found);
  }
  return found;
}

bool PointsAtAll(const Tokens& tokens) {
  return HasAnyPhrase(
      tokens, {"all of them", "all of these", "all of those", "all these", "all those", "all three",
               "all four", "alle", "allen", "tous", "toutes", "todos", "todas", "所 有", "全 部"});
}

/// "The cheaper of those": of two.
bool PointsAtTheMore(const Tokens& tokens) {
  return HasAnyPhrase(
      tokens, {"the cheaper", "the dearer", "the better", "the lighter", "the heavier",
               "the bigger", "the smaller", "the faster", "the more", "gunstigere", "billigere",
               "teurere", "bessere", "leichtere", "le moins", "la moins", "le plus", "la plus"});
}

bool ComparesIt(const Tokens& tokens) {
  return HasAnyPhrase(tokens, {"compare it", "compare this", "compare that", "compared to it",
                               "it compare", "it compared", "vergleiche ihn", "vergleich ihn",
                               "vergleiche es", "compare le", "compare la", "comparala",
                               "comparalo", "compárala", "compáralo", "比 较 它", "它 和"});
}

bool PointsAtTwo(const Tokens& tokens) {
  return HasAnyPhrase(
      tokens,
      {"do either",      "does either",     "is either", "are either", "has either", "have either",
       "either of them", "either of those", "both",      "the two",    "those two",  "these two",
       "of two",         "beide",           "beiden",    "les deux",   "des deux",   "ces deux",
       "los dos",        "las dos",         "esos dos",  "esas dos",   "这 两",      "两 者",
       "两 个",          "两 款",           "ambos",     "ambas"});
}

bool HoldsAll(const std::vector<std::string>& ids, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  });
}

/// "The other one": of the products that were set side by side or that the latest answers were
/// about, else of the list, the first that is not in focus. Empty: no single product is.
std::string OtherThanFocus(const std::vector<ConversationTurn>& turns,
                           const std::vector<std::string>& list) {
  const ConversationTurn& last = turns.back();
  const std::string focus = FocusOf(last);
  if (focus.empty()) return "";
  const std::vector<std::string>& compared = last.compared_products;
  const std::vector<std::string> two = LatestTwo(turns);
  const std::vector<std::string>& among = compared.size() == 2 && HoldsAll(compared, {focus})
                                              ? compared
                                          : two.size() == 2 ? two
                                                            : list;
  const auto other =
      std::find_if(among.begin(), among.end(), [&](const std::string& id) { return id != focus; });
  return other == among.end() ? "" : *other;
}

}  // namespace

bool PointsAtOne(const Tokens& tokens) {
  if (HasAnyPhrase(tokens, {"is it possible", "it possible"})) return false;
  // "Il y a combien de ports": there are, not he.
  const bool says_there_is =
      HasAnyPhrase(tokens, {"il y a"}) && !HasAnyPhrase(tokens, {"ce modèle", "celui ci", "elle"});
  if (says_there_is) return false;
  return HasAnyPhrase(
      tokens,
      {"it",         "its",        "this",     "that",     "er",       "ihn",      "dieser",
       "dieses",     "diese",      "das",      "celui ci", "celle ci", "il",       "elle",
       "este",       "esta",       "ese",      "esa",      "this one", "that one", "this product",
       "celui-ci",   "celle-ci",   "celui la", "celle la", "celui-là", "celle-là", "ce modèle",
       "ce produit", "eso",        "esto",     "aquel",    "hat sie",  "ist sie",  "kann sie",
       "wiegt sie",  "kostet sie", "dessen",   "den da",   "der da",   "die da",   "das da",
       "它",         "这 个",      "这 款",    "那 个",    "那 款",    "这 台",    "那 台",
       "这 双",      "那 双",      "这 把",    "这 部",    "这 只",    "这 件",    "这 条",
       "该 款",      "此 款"});
}

std::vector<std::string> LatestTwo(const std::vector<ConversationTurn>& turns) {
  std::vector<std::string> two;
  for (auto turn = turns.rbegin(); turn != turns.rend() && two.size() < 2; ++turn) {
    if (turn->shown_products.size() != 1) break;
    AppendNew(turn->shown_products, two);
  }
  std::reverse(two.begin(), two.end());
  return two;
}

std::string FocusOf(const ConversationTurn& turn) {
  if (!turn.winner.empty()) return turn.winner;
  return turn.shown_products.size() == 1 ? turn.shown_products.front() : "";
}

void AppendNew(const std::vector<std::string>& ids, std::vector<std::string>& out) {
  for (const std::string& id : ids) {
    if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
  }
}

ConversationTurn TurnOfPage(const std::string& product_id, const std::string& title,
                            std::optional<ProductType> type, const std::string& language) {
  ConversationTurn turn;
  turn.search_text = type ? type->name : title;
  if (type) turn.filter.categories = type->categories;
  turn.shown_products = turn.cited_products = {product_id};
  turn.language = language;
  turn.type = std::move(type);
  turn.page_product_id = product_id;
  return turn;
}

ConversationTurn NextTurn(const std::vector<ConversationTurn>& before, TurnKind kind,
                          ConversationTurn turn) {
  const bool is_part = kind == TurnKind::kReferred && turn.shown_products.size() > 1 &&
                       !before.empty() &&
                       HoldsAll(before.back().listed_products, turn.shown_products);
  // "Compare the first two": the list stays what it was for "the last one".
  if (is_part) turn.compared_products = turn.shown_products;
  if (turn.shown_products.size() > 1 && !is_part) turn.listed_products = turn.shown_products;
  turn.first_list = turn.listed_products;
  if (before.empty()) return turn;
  const ConversationTurn& last = before.back();
  if (!last.first_list.empty()) turn.first_list = last.first_list;
  if (turn.listed_products.empty() && kind != TurnKind::kSearched) {
    turn.listed_products = last.listed_products;
    if (turn.compared_products.empty()) turn.compared_products = last.compared_products;
  }
  if (kind == TurnKind::kSearched) return turn;
  turn.search_text = last.search_text;
  turn.filter = last.filter;
  turn.words = last.words;
  turn.min_reviews = last.min_reviews;
  turn.type = last.type;
  if (kind == TurnKind::kNoProducts) {
    turn.shown_products = last.shown_products;
    turn.cited_products = last.cited_products;
    // "Thanks", and then "is it in stock": the one that was ranked first, or asked about.
    turn.winner = last.winner;
    turn.asked_key = last.asked_key;
  }
  return turn;
}

std::vector<std::string> FindInTurn(const Tokens& tokens, const ConversationTurn& turn) {
  const std::vector<std::string>& list =
      turn.listed_products.empty() ? turn.shown_products : turn.listed_products;
  if (const std::vector<int> places = NamedPlaces(tokens); !places.empty()) {
    return AtPlaces(places, list);
  }
  if (!turn.winner.empty()) return {turn.winner};
  if (!turn.shown_products.empty()) return {turn.shown_products.front()};
  return {};
}

std::vector<std::string> FindReferences(const Tokens& tokens,
                                        const std::vector<ConversationTurn>& turns,
                                        const std::string& page_product_id) {
  std::vector<std::string> found;
  const ConversationTurn* last = turns.empty() ? nullptr : &turns.back();
  if (last != nullptr) {
    const std::vector<std::string>& list = PointsAtBeginning(tokens) && !last->first_list.empty()
                                               ? last->first_list
                                           : last->listed_products.empty() ? last->shown_products
                                                                           : last->listed_products;
    if (const std::vector<int> places = NamedPlaces(tokens); !places.empty()) {
      found = AtPlaces(places, list);
      // "Compare it with the second one".
      const std::string focus = FocusOf(*last);
      if (found.size() == 1 && !focus.empty() && ComparesIt(tokens)) {
        found.insert(found.begin(), focus);
        if (found[0] == found[1]) found.pop_back();
      }
      if (!found.empty()) return found;
    }
    if (PointsAtOther(tokens)) {
      const std::string other = OtherThanFocus(turns, list);
      // "Does it heat faster than the other one" is about both.
      const bool is_than = HasAnyPhrase(
          tokens, {"than the other", "als der andere", "als die andere", "als das andere",
                   "que l autre", "que el otro", "que la otra", "比 另 一 个", "比 另 一 款"});
      if (!other.empty() && is_than) return {FocusOf(*last), other};
      if (!other.empty()) return {other};
    }
    if (PointsAtBeginning(tokens) && !last->first_list.empty()) return last->first_list;
    if (PointsAtTwo(tokens)) {
      if (last->cited_products.size() == 2) return last->cited_products;
      if (const auto two = LatestTwo(turns); two.size() == 2) return two;
    }
    const bool is_winner = !last->winner.empty() && HasAnyPhrase(tokens, {"they", "their", "them"});
    if (is_winner) return {last->winner};
    if (PointsAtSeveral(tokens)) {
      // "The cheaper of those", after one product each.
      const bool is_of_two = list.size() == 1 && PointsAtTheMore(tokens);
      if (const auto two = LatestTwo(turns); is_of_two && two.size() == 2) return two;
      return last->compared_products.empty() || PointsAtAll(tokens) ? list
                                                                    : last->compared_products;
    }
  }
  if (!PointsAtOne(tokens)) return found;
  if (!page_product_id.empty()) {
    found.push_back(page_product_id);
  } else if (last != nullptr && !last->winner.empty()) {
    found.push_back(last->winner);
  } else if (last != nullptr && !last->cited_products.empty()) {
    found.push_back(last->cited_products.front());
  } else if (last != nullptr && !last->shown_products.empty()) {
    found.push_back(last->shown_products.front());
  }
  return found;
}

bool PointsAtBeginning(const Tokens& tokens) {
  return HasAnyPhrase(tokens, {"very first",       "at the beginning",   "first ones",
                               "first lot",        "first results",      "first few",
                               "first batch",      "die allerersten",    "tout premiers",
                               "toutes premieres", "at the start",       "originally",
                               "to begin with",    "from the beginning", "ganz am anfang",
                               "am anfang",        "zuerst gezeigt",     "ersten liste",
                               "first list",       "première liste",     "premiere liste",
                               "primera lista",    "au debut",           "au début",
                               "al principio",     "las primeras que",   "los primeros que",
                               "一 开 始",         "最 开 始",           "最 初"});
}

bool PointsAtOther(const Tokens& tokens) {
  return HasAnyPhrase(tokens,
                      {"the other one", "the other", "der andere", "die andere", "das andere",
                       "den anderen", "dem anderen", "der anderen", "l autre", "el otro", "la otra",
                       "另 一 个", "另 一 款", "另 一 台", "另 外 一 个"});
}

std::vector<std::string> PlacesIn(const Tokens& tokens, const std::vector<std::string>& list) {
  return AtPlaces(NamedPlaces(tokens), list);
}

bool NamesPlaces(const Tokens& tokens) { return !NamedPlaces(tokens).empty(); }

bool PointsBack(const Tokens& tokens) {
  return !NamedPlaces(tokens).empty() || PointsAtOne(tokens) || PointsAtSeveral(tokens);
}

}  // namespace emptor::services

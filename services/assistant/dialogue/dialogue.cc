// References by place, pronoun and number.
#include "services/assistant/dialogue/dialogue.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "services/assistant/dialogue/focus.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

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
    // "The first ones", "the first list", "los primeros que" name no single product.
    const bool is_of_list = word(i + 1) == "list" || word(i + 1) == "liste" ||
                            (word(i + 1) == "que" && word(i).ends_with('s')) ||
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

/// "Compared to the one I was looking at", "cheaper than the previous one".
bool SetsBeside(const Tokens& tokens, Cue pointing) {
  const FoldedMessage message = FoldedOf(tokens);
  if (HasCue(message, Cue::kCompare) || HasCue(message, Cue::kRefWith)) return true;
  const FoldedMessage::Span span = FindCue(message, pointing);
  if (!span.found()) return false;
  const std::string before = " " + std::string(message.text().substr(0, span.begin));
  const auto& than = CuePhrases(Cue::kThan);
  return std::any_of(than.begin(), than.end(), [&](const std::string& phrase) {
    return before.ends_with(" " + phrase + " ");
  });
}

bool HoldsAll(const std::vector<std::string>& ids, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  });
}

}  // namespace

FoldedMessage FoldedOf(const Tokens& tokens) {
  std::string text;
  for (const QueryToken& each : tokens) {
    // Chinese is a token for each character.
    const bool is_wide = IsWideText(each.text);
    if (!is_wide && !text.empty()) text += ' ';
    text += each.text;
    if (!is_wide) text += ' ';
  }
  return FoldedMessage(text);
}

bool PointsAtOne(const Tokens& tokens) {
  // "Il y a combien de ports": there are, not he.
  FoldedMessage message = FoldedOf(tokens);
  message = message.Without(FindCue(message, Cue::kRefNone));
  return HasCue(message, Cue::kRefOne);
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

std::vector<std::string> LatestPair(const std::vector<ConversationTurn>& turns) {
  if (turns.empty()) return {};
  const ConversationTurn& last = turns.back();
  for (const auto* two : {&last.compared_products, &last.shown_products}) {
    if (two->size() == 2) return *two;
  }
  std::vector<std::string> two = LatestTwo(turns);
  if (two.size() == 2) return two;
  const std::vector<std::string>& list =
      last.listed_products.empty() ? last.shown_products : last.listed_products;
  if (const std::string focus = FocusOf(last); !focus.empty()) AppendNew({focus}, two);
  AppendNew(list, two);
  if (two.size() < 2) return {};
  two.resize(2);
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

std::string TopicOf(const ConversationTurn& turn) {
  return turn.type ? turn.type->name : turn.search_text;
}

ConversationTurn SettleOn(const std::string& product_id, ConversationTurn turn) {
  const bool is_chosen =
      std::any_of(turn.chosen.begin(), turn.chosen.end(),
                  [&](const ChosenProduct& each) { return each.id == product_id; });
  if (!is_chosen) {
    turn.chosen = WithChosen(std::move(turn.chosen), {TopicOf(turn), product_id}, false);
  }
  turn.shown_products = turn.cited_products = {product_id};
  turn.winner = product_id;
  return turn;
}

std::vector<ChosenProduct> WithChosen(std::vector<ChosenProduct> chosen, ChosenProduct product,
                                      bool adds) {
  const auto same = std::find_if(chosen.begin(), chosen.end(),
                                 [&](const ChosenProduct& each) { return each.id == product.id; });
  if (same != chosen.end()) {
    same->quantity = product.quantity;
    return chosen;
  }
  const auto of_topic = [topic = product.topic](const ChosenProduct& each) {
    return each.topic == topic;
  };
  const auto place = std::find_if(chosen.begin(), chosen.end(), of_topic);
  if (adds || place == chosen.end()) {
    chosen.push_back(std::move(product));
    if (chosen.size() > kMaxChosen) chosen.erase(chosen.begin());
    return chosen;
  }
  *place = std::move(product);
  chosen.erase(std::remove_if(place + 1, chosen.end(), of_topic), chosen.end());
  return chosen;
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
  turn.chosen = last.chosen;
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
                                        const std::vector<ConversationTurn>& turns) {
  if (turns.empty()) return {};
  const std::vector<FocusEntry> entries = FocusEntriesOf(turns);
  const std::vector<Pointing> pointings = PointingsOf(tokens);
  const auto points = [&](Pointing pointing) {
    return std::find(pointings.begin(), pointings.end(), pointing) != pointings.end();
  };
  const ConversationTurn& last = turns.back();
  const bool is_beginning = points(Pointing::kBeginning) && !last.first_list.empty();
  const std::vector<std::string>& list = is_beginning                   ? last.first_list
                                         : last.listed_products.empty() ? last.shown_products
                                                                        : last.listed_products;
  std::vector<std::string> found = AtPlaces(NamedPlaces(tokens), list);
  // "Compare it with the second one".
  const std::string focus = FocusOf(last);
  if (found.size() == 1 && !focus.empty() && found.front() != focus &&
      points(Pointing::kWithFocus)) {
    found.insert(found.begin(), focus);
  }
  for (const Pointing each : pointings) {
    if (!found.empty()) break;
    found = Resolve(each, entries);
    // "How is it next to the one I was looking at", "versus the previous one".
    const bool is_other = each == Pointing::kPage || each == Pointing::kBefore;
    const Cue cue = each == Pointing::kPage ? Cue::kRefPage : Cue::kRefBefore;
    if (is_other && !found.empty() && !focus.empty() && SetsBeside(tokens, cue)) {
      std::vector<std::string> both = {focus};
      AppendNew({found.front()}, both);
      found = std::move(both);
    }
  }
  return found;
}

bool PointsAtBeginning(const Tokens& tokens) {
  return HasCue(FoldedOf(tokens), Cue::kRefBeginning);
}

bool PointsAtOther(const Tokens& tokens) {
  const FoldedMessage message = FoldedOf(tokens);
  return HasCue(message, Cue::kRefOther) || HasCue(message, Cue::kRefOthers);
}

std::vector<std::string> PlacesIn(const Tokens& tokens, const std::vector<std::string>& list) {
  return AtPlaces(NamedPlaces(tokens), list);
}

bool NamesPlaces(const Tokens& tokens) { return !NamedPlaces(tokens).empty(); }

bool PointsBack(const Tokens& tokens) {
  return NamesPlaces(tokens) || PointsAtOne(tokens) || HasCue(FoldedOf(tokens), Cue::kRefSeveral);
}

}  // namespace emptor::services

// What a conversation remembers, and which of it a message means: "it", "the first two".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "retrieval/filter/filter.h"
#include "retrieval/query/query_tokens.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/product_types.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A product that the shopper has settled on.
struct ChosenProduct {
  std::string topic;  // the name of its type, or what was searched
  std::string id;
  int quantity = 1;

  bool operator==(const ChosenProduct&) const = default;
};

/// The state after a turn.
struct ConversationTurn {
  std::string question;
  /// The topic: of the latest search, also after turns that searched nothing.
  std::string search_text;
  retrieval::Filter filter;
  std::vector<std::string> shown_products;  // the latest cards, in their order
  std::vector<std::string> cited_products;  // in the order of the answer
  /// The latest cards that were more than one: "the second one" stays what it was after a question
  /// about the first.
  std::vector<std::string> listed_products = {};
  std::string language = {};  // of the answer
  std::vector<std::string> first_list =
      {};                      // the first cards of the conversation that were several
  std::string winner = {};     // the product that this answer ranked first; empty: it ranked none
  std::string asked_key = {};  // the attribute that the question was about
  std::optional<ProductType> type = {};   // of the topic
  std::vector<WordCondition> words = {};  // of the search, with its filter
  std::optional<int> min_reviews = {};
  bool ranks_all = false;  // the answer ranked everything that meets the conditions
  /// The question about a policy that this turn answered; empty: it was about something else.
  std::string policy_question = {};
  /// The products that were set side by side last, several of `listed_products`: "the cheaper of
  /// the first two", "compare the first and the third". Empty: the whole list.
  std::vector<std::string> compared_products = {};
  std::string page_product_id = {};  // the product page that the shopper looked at, or empty
  /// What the shopper has settled on so far, in that order; of a topic several where they were
  /// chosen together.
  std::vector<ChosenProduct> chosen = {};
};

/// The state before the first question on a product page: the product is shown, and its type is the
/// topic. `type`: that the title names, or none.
ConversationTurn TurnOfPage(const std::string& product_id, const std::string& title,
                            std::optional<ProductType> type, const std::string& language);

/// The topic of a turn: the name of its type, else what was searched. Pure.
std::string TopicOf(const ConversationTurn& turn);

/// How a turn came to its answer.
enum class TurnKind {
  kSearched,    // its cards are a new list
  kReferred,    // about products of earlier turns
  kNoProducts,  // customer service, policies, small talk
};

/// The state after `turn`: what its kind does not replace is that of the turn before. Pure.
ConversationTurn NextTurn(const std::vector<ConversationTurn>& before, TurnKind kind,
                          ConversationTurn turn);

/// The state where the shopper settles on the product in this turn: it is in focus, and chosen in
/// place of others of the topic. Pure.
ConversationTurn SettleOn(const std::string& product_id, ConversationTurn turn);

/// Sets how many of a product are chosen. Where it was not, it takes the place of others of its
/// topic, or with `adds` stands next to them. Of more than kMaxChosen the oldest is dropped. Pure.
inline constexpr size_t kMaxChosen = 40;
std::vector<ChosenProduct> WithChosen(std::vector<ChosenProduct> chosen, ChosenProduct product,
                                      bool adds);

/// Products of earlier turns that a message refers to, best first: by place ("the first two", "the
/// last one", "number 3"), else by what it points at (focus.h). Pure.
std::vector<std::string> FindReferences(const std::vector<retrieval::QueryToken>& tokens,
                                        const std::vector<ConversationTurn>& turns);

/// The products at the places that a part of a message names in the list of `turn`; where it names
/// none, the one in focus there. Pure.
std::vector<std::string> FindInTurn(const std::vector<retrieval::QueryToken>& tokens,
                                    const ConversationTurn& turn);

/// "The first ones you showed me": of the conversation. Pure.
bool PointsAtBeginning(const std::vector<retrieval::QueryToken>& tokens);

/// "Cheaper than the first one" points at a product, "cheaper than $50" does not.
bool PointsBack(const std::vector<retrieval::QueryToken>& tokens);

/// "The second one", "the first two": a place of the list.
bool NamesPlaces(const std::vector<retrieval::QueryToken>& tokens);

/// The products of `list` at the places that are named; none where a place is beyond its end. Pure.
std::vector<std::string> PlacesIn(const std::vector<retrieval::QueryToken>& tokens,
                                  const std::vector<std::string>& list);

/// The two products that the latest answers were about, one each, the earlier one first; fewer
/// where they were about others. Pure.
std::vector<std::string> LatestTwo(const std::vector<ConversationTurn>& turns);

/// The only product of an answer, or the one that it ranked first; empty: there is none. Pure.
std::string FocusOf(const ConversationTurn& turn);

/// The two products that the conversation was about last: those that were set side by side, a list
/// of two, the focus and what was in focus before it, else the first two of the list. Empty: there
/// are none. Pure.
std::vector<std::string> LatestPair(const std::vector<ConversationTurn>& turns);

/// The message of the tokens, folded. Pure.
FoldedMessage FoldedOf(const std::vector<retrieval::QueryToken>& tokens);

/// "It", "this one". Pure.
bool PointsAtOne(const std::vector<retrieval::QueryToken>& tokens);

/// "The other one".
bool PointsAtOther(const std::vector<retrieval::QueryToken>& tokens);

/// Appends the ids that `out` lacks.
void AppendNew(const std::vector<std::string>& ids, std::vector<std::string>& out);

}  // namespace emptor::services

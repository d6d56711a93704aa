// The steps of understanding one message; of query_understanding.cc and product_reading.cc alone.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/query/constraints.h"
#include "retrieval/query/query_tokens.h"
#include "services/assistant/cues.h"
#include "services/assistant/query_understanding.h"

namespace emptor::services {

/// What the steps of understanding share.
class MessageReader {
 public:
  MessageReader(UnderstandingInput input, std::string language)
      : input_(std::move(input)),
        tokens_(retrieval::TokenizeQuery(input_.message)),
        folded_(input_.message),
        last_(input_.turns.empty() ? nullptr : &input_.turns.back()) {
    result_.language = std::move(language);
  }

  Understanding Run();

 private:
  void ReadConditions();

  void AssumeShopCurrency();

  bool Says(Cue cue) const { return HasCue(folded_, cue); }
  bool has_topic() const { return last_ != nullptr && !last_->search_text.empty(); }
  bool has_list() const { return last_ != nullptr && !List().empty(); }
  const std::vector<std::string>& List() const;

  // ---- Customer service and policies

  void ReadDesk();

  /// A search for goods, whatever else it says: "free shipping laptop under 500".
  bool NamesGoods() const;

  /// "And how many days?" after an answer about delivery.
  bool ContinuesPolicy() const;

  // ---- What the shop does not have

  /// "Do you sell car tires": no record mentions what is asked for.
  void ReadNotSold();

  bool is_unknown_type(const ProductType& type) const;

  // ---- Type, attributes, rank

  /// "Go back to the laptops": the topic, and the list, of the turn that was about them.
  void RecallTopic();

  void ReadType();

  bool is_new_type() const;

  FoldedMessage WithoutType() const;

  const SchemaKey* KeyAsked() const;

  void ReadProducts();

  bool AsksForType() const;

  /// "PowerMax TDA-125, is it over 40000": what the code names comes before what was shown.
  void NamesCode();

  /// What is left of the message: neither the type nor a condition, nor what asks for an attribute.
  void ReadWords();

  /// Quantities that fit no attribute of the type and that records do not measure.
  void DropUnmeasured();

  /// The message selects by rank: from the list, or from all that the shop has.
  bool ReadRank();

  bool AsksFactOfBest();

  const TypeSchema* schema_or_none() const;

  /// A question about what an earlier answer showed.
  bool RefersToShown();

  /// "How much are two of them" after an answer about one product.
  bool CountsFocus();

  /// "So which do charge wirelessly": the list, or the shop, is searched for it.
  bool SelectsByCondition();

  /// "What about a filter machine", "a christmas one": asks nothing of the product in focus.
  bool TurnsToOther() const;

  /// "Dishwasher safe?", "in stock?", "max oven temp" after an answer about one product.
  bool AsksAboutFocus();

  void SetSubject();

  /// The message states a condition on the search.
  bool is_changed() const;

  bool Refines() const;

  void ReadUnnamedSubject();

  /// Conditions of the words and of the type join the filter.
  void BindAll();

  /// "And the third?" asks what was asked about the second.
  void InheritKey();

  // ---- What the decisions mean for the search

  void Finish();

  void InheritTopic();

  /// Demands of the turn before that some record meets together with the new ones.
  void InheritWords();

  UnderstandingInput input_;
  const std::vector<retrieval::QueryToken> tokens_;
  const FoldedMessage folded_;
  const ConversationTurn* last_;  // null: the first message
  retrieval::QueryConstraints constraints_;
  std::optional<ProductType> named_type_;
  const TypeSchema* schema_ = nullptr;
  BoundConditions bound_;
  std::vector<WordCondition> words_;
  std::optional<RankedKey> rank_;
  bool names_code_ = false;  // a model number
  Understanding result_;
};

}  // namespace emptor::services

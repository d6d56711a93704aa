// The steps of understanding one message; of query_understanding.cc, desk_reading.cc and
// product_reading.cc alone.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/query/constraints.h"
#include "retrieval/query/query_tokens.h"
#include "services/assistant/dialogue/turn_decision.h"
#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/asked_goods.h"
#include "services/assistant/reading/condition_changes.h"
#include "services/assistant/reading/described_parts.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/trade_names.h"
#include "services/assistant/words/cues.h"
#include "services/grounding/value_words.h"

namespace emptor::services {

/// What the steps of understanding share.
class MessageReader {
 public:
  MessageReader(UnderstandingInput input, std::string language)
      : input_(std::move(input)),
        tokens_(retrieval::TokenizeQuery(input_.message)),
        folded_(input_.message),
        cues_(folded_),
        last_(input_.turns.empty() ? nullptr : &input_.turns.back()) {
    result_.language = std::move(language);
  }

  Understanding Run();
  /// The message is about these products of the conversation.
  Understanding RunAbout(const std::vector<std::string>& products);

 private:
  void ReadConditions();
  void AssumeShopCurrency();
  bool Says(Cue cue) const { return cues_.Has(cue); }
  bool has_topic() const { return last_ != nullptr && !last_->search_text.empty(); }
  bool has_list() const { return last_ != nullptr && !List().empty(); }
  /// What "these" are: the products that were set side by side, else the list.
  const std::vector<std::string>& List() const;
  /// In which "the third one" counts.
  const std::vector<std::string>& WholeList() const;
  // ---- Customer service and policies

  void ReadDesk();
  bool AsksOnlyForGoods() const;
  /// What no phrase decides, by the act classifier.
  DeskAct GuessDesk() const;
  /// "Thank you, you are kind", "my cat is called Biscuit lol": asks for nothing.
  bool IsTalk() const;
  /// A fact of a record: "how long is the warranty of the second one".
  bool AsksRecord() const;
  /// "Can I put a SIM card in": an attribute of what was shown, whatever else it may be about.
  bool NamesKeyOfShown() const;
  /// "Free shipping laptop under 500".
  bool NamesGoods() const;
  /// "How is it delivered", of a sofa: as large items are.
  void NarrowPolicy();
  /// The record in focus states the attribute that is asked about: its own warranty.
  bool StatesAsked() const;

  /// The record in focus answers all of the question: "can I add clothes after it started".
  bool RecordTells() const;

  /// Goods are asked for, and a word behind them happens to be one of policies.
  bool NamesGoodsFirst() const;
  /// "And how many days?" after an answer about delivery.
  bool ContinuesPolicy() const;
  bool follows_policy() const { return last_ != nullptr && !last_->policy_question.empty(); }

  // ---- Products that were shown, by more than a pronoun (shown_reading.cc)

  /// "The second one" of a list of one.
  void ReadMissingPlace();
  /// "Is it waterproof", where nothing was shown.
  void ReadMissingSubject();
  /// The first of these readings that holds.
  bool ReadShown();

  /// "And the octavane?", "the audrell, is it foldable": one of the list, by words of its title.
  bool ReadNamedShown();
  /// "Are they included?", after "what batteries does it take".
  bool ReadPartIncluded();

  /// "How fast does the 7 kg one spin", "das grüne": a product of any list, by what sets it apart
  /// from the others there; one of an earlier topic takes that topic up again. Or its type alone
  /// names it: "how loud is the first kettle".
  void RecallDescribed();
  bool ReadDescribed();
  /// "No, I meant the black one": nothing is asked, one of those that were shown is chosen.
  bool SaysOnlyDescription() const;
  void RecallTypeOf(const std::vector<DescribedPart>& parts);
  /// "The monitor", of baby monitors.
  bool MeansTopic(const ProductType& topic) const;
  /// "Max weight for the Harrowick Poise", after office chairs: a maker and a line of the topic.
  bool NamesMemberOf(const ProductType& topic) const;
  void RecallTurn(const ConversationTurn& turn);
  /// How much of "the desk lamps", "the 27 inch ones" is about the turn; 0: nothing.
  size_t RecallScore(const ConversationTurn& turn) const;
  std::vector<std::string> FindDescribed(const DescribedPart& part,
                                         const ConversationTurn& turn) const;

  /// "Something cheaper than the Quellin": the product of the list behind "than".
  void ReadComparedName();

  // ---- Products that were shown, set side by side (compared_reading.cc)

  /// "How is that different from the first one", "the difference to the dearest", "compare it with
  /// the trailwyn ridge": each side is one of what was shown, the product in focus where it is left
  /// out.
  bool ReadComparedShown();
  /// The products of the sides in their order; fewer than two: a side was not shown.
  std::vector<std::string> ComparedShown() const;
  bool MayCompareShown() const;
  /// "And with the second?", after a comparison.
  bool ContinuesComparison() const;
  /// What a side means by a pronoun or a name, whatever list it is in.
  std::string FindPointedSide(const std::string& side) const;
  /// What it means by a place or by what ranks first: of the latest list in which that is none of
  /// `taken`.
  std::vector<std::string> FindListedSide(const std::string& side,
                                          const std::vector<std::string>& taken) const;
  /// The lists of several products that were shown, the latest first.
  std::vector<std::vector<std::string>> ListsShown() const;
  /// A side has words that name goods.
  bool NamesGoodsOfTopic(const std::string& side) const;
  bool ranks_side(const std::string& side) const;
  /// By a place or by what ranks first.
  bool IsListedSide(const std::string& side) const;

  /// "The electric one, price", of a list without one: others of the topic that are.
  bool ReadNotShown();

  /// "Is the Skye cheaper than the Everest plush", "does the first weigh more than the second".
  bool ReadWhether();
  bool AsksWhetherOf(const std::string& side) const;
  /// The product of one side, by its place, its name or a pronoun; empty: none that was shown.
  std::string FindSide(const std::string& side) const;
  /// Both sides have words of their own: products may be named that were not shown.
  bool NamesNothingShown(const std::vector<std::string>& sides) const;

  /// "What is the torque on each", "cuánto pesan".
  bool ReadEach();

  /// The product of the list that a part of a message names; empty: it names none.
  std::string FindNamed(const std::string& part, const std::vector<std::string>& ids,
                        const std::vector<std::string>& type_words, bool titles_only) const;

  /// "The biggest capacity you have": conditions on what is ranked no longer hold.
  void DropRanked(ConversationTurn& before) const;

  /// "What does a king bed cost": goods of their own, whatever is in focus.
  bool PricesType() const;

  // ---- What the shop does not have

  /// "Do you sell car tires": no record mentions what is asked for.
  void ReadNotSold();

  /// "The iphone 14": a name with a number, which is neither a property nor the name of a type.
  bool NamesModel() const;

  bool is_unknown_type(const ProductType& type) const;

  /// "An iPad": goods of a type by the name that a maker gave them (trade_reading.cc).
  void ReadTradeName();
  /// "A case for my iPhone", "a Kindle charger": other goods are asked for.
  bool IsAskedFor(const TradeName& trade, const ProductType& type) const;
  /// It is demanded of the records; or none of them has it.
  void DemandTradeName();
  std::string TradeNameSaid() const;  // as the shopper wrote it, without the model: "iphones"
  FoldedMessage WithoutTradeName(const FoldedMessage& text) const;

  // ---- Type, attributes, rank

  /// "Go back to the laptops": the topic, and the list, of the turn that was about them.
  void RecallTopic();
  /// The text behind the cue; empty: the message does not have it.
  std::string_view Behind(Cue cue) const;

  void ReadType();
  std::optional<ProductType> FindNamedType(const ProductType* topic) const;
  /// "Do you have binoculars" of "sorry, cat on keyboard. do you have binoculars": the sentence of
  /// several that asks for goods by their noun; empty: none, or not a single one.
  std::string SentenceOfGoods() const;
  /// "He needs a shampoo, too": goods whose records name the pet.
  void AddPet();
  /// "For my wife": of goods whose records say for whom they are.
  void AddRecipient();
  /// A size that titles name becomes a demand; returns what is left of the message.
  FoldedMessage ReadSize(FoldedMessage rest, std::vector<WordCondition>& lacking);
  /// The pet that the message is about, or the latest ones before it.
  std::string_view FindPet() const;

  /// "Do you have a wall mount for it": the goods that a follow-up names, also those of no type
  /// that the lexicon knows.
  void ReadAskedType();
  std::optional<ProductType> TypeOfGoods(const std::string& name) const;
  /// "Displayport ones", of HDMI cables: DisplayPort cables.
  std::optional<ProductType> SiblingOfTopic() const;
  bool MayNameGoods(const std::string& name) const;
  /// An attribute of the topic has the name, with one more word at most: "compatible memory cards".
  bool NamesKeyOfTopic(const FoldedMessage& name) const;

  bool is_new_type() const;
  bool NamesOtherGoods() const;  // "how about a filter machine"

  /// What the name of the type that the message says, one of `names`, demands as well: "wireless"
  /// of "wireless earbuds". Places in folded_.
  std::vector<NamedValue> ValuesOfName(const std::vector<std::string>& names) const;
  /// "Wireless earbuds", of a type that has wired ones alone: told as missing.
  void AddValuesOfName();
  /// What names the type, without the names that demand a value as well.
  std::vector<std::string> NamesOfType() const;
  FoldedMessage WithoutType() const;

  const SchemaKey* KeyAsked() const;

  /// "Braun", of shavers, is a maker and no colour.
  void PreferMakers();

  void ReadProducts();
  /// What it demands, prefers and ranks by.
  void ReadDemands();

  // ---- Sums (sum_reading.cc)

  /// "That suitcase and two of the first tote": products of several lists, each with its number.
  void ReadSum();
  /// What the parts of a sum mean; without products the message adds nothing up.
  struct Sum {
    std::vector<std::string> products;  // that were shown
    std::vector<int> quantities;        // of each; within FindSum, 0: as many as were chosen
    std::vector<std::string> added;     // names of goods that were not
  };
  Sum FindSum() const;
  bool MaySum() const;
  bool IsSum() const;
  void AddPart(const std::string& part, Sum& sum) const;
  /// "Yellow and cyan as well, total": goods by part; none where a part says anything else.
  std::vector<std::string> FindAdded() const;
  std::string FindAddedBy(const std::string& part) const;
  bool NamesOtherGoods(const std::string& text) const;
  /// The products that a part of a sum means.
  std::vector<std::string> FindPart(const std::string& part) const;
  bool MeansTurn(const std::string& part, const ConversationTurn& turn) const;
  bool NamesTypeOf(const std::string& part, const ConversationTurn& turn) const;
  /// The winner, the cheapest where that was asked for, else the first.
  std::string ChosenIn(const ConversationTurn& turn) const;
  /// "How much are both together": the focus of the latest topics.
  std::vector<std::string> FindSumOfTopics() const;
  int CountOfTopic(const FoldedMessage& part) const;
  /// What the conversation has settled on, and what was looked at last.
  std::vector<std::string> ChosenSoFar() const;
  bool AddsToChosen() const;  // "plus the sonquell"
  /// "One of each": of the latest two topics, else of the list.
  std::vector<std::string> FindOneOfEach() const;

  bool AsksForType() const;
  std::optional<int> GoodsWanted() const;  // "two tablets"

  /// "PowerMax TDA-125, is it over 40000": what the code names comes before what was shown.
  void NamesCode();

  /// By a model number: a long one, or with its brand.
  bool NamesByCode(const std::string& text) const;

  /// "The Bajaj Splendora, whats it cost": "it" is what the message names.
  bool NamesSubjectFirst() const;

  /// "Is this camera on sale", "battery life of it": no goods of another type.
  bool PointsAtType();

  /// "Warranty?" after a product asks for no warranty goods.
  bool AsksPolicyOfShown() const;
  /// On a product page, where nothing else was shown: "how long is the steam hose", "weight in lbs"
  /// ask the product, whatever goods have the name of its part.
  bool AsksOfPage() const;
  /// The record of the page has every word that the message asks for.
  bool PageSays() const;
  /// "Is the tape in stock", on the page of a printer: other goods.
  bool AsksStockOfOther() const;
  /// "Gibt es den auch mit Koffer": what follows belongs to what was shown.
  bool IsPartOfVariant() const;

  /// "How many jars does it come with": parts of what was shown, not "how many jars do you have".
  bool CountsParts() const;

  /// "The K70 or the R20", "compare it with the MGM8842": products by their names, and what is in
  /// focus.
  bool ComparesNamed();

  /// "4 bays", where records of the type speak of bays.
  bool CountsThings(const CountedTerm& term) const;
  void ReadWords();
  /// A condition on an attribute has read the words, or they are a colour.
  bool IsRead(const FoldedMessage& said) const;
  /// Without the names of attributes, but for values that no condition has read.
  FoldedMessage WithoutNamesOfKeys(FoldedMessage rest) const;

  /// A quantity that no attribute of the type states is demanded of titles.
  void AddQuantity(const retrieval::NumericRange& range, bool is_missing);

  /// Quantities that fit no attribute of the type and that records do not measure.
  void DropUnmeasured();

  /// "My video calls look terrible" describes a situation: what it says of attributes is a wish at
  /// most.
  void LoosenConditions();

  /// "Headphones on sale", "what is reduced?", of no product that was shown.
  void ReadReduced();
  /// Goods on sale are searched, whatever was shown.
  bool AsksForReduced();
  void ReadPreferences();  // "a cheap, small kettle"
  /// "Budget around 900", "más barato": an amount or a comparative says it better.
  bool IsBoundOrRanked(const RankedKey& degree) const;
  /// A preference has read the word: "huge" of "nothing huge". `for_titles`: and no title states
  /// it.
  bool IsPreferred(const WordCondition& word, bool for_titles) const;
  /// Those of the topic that the message says nothing else about.
  void InheritPreferences();

  /// "The highest refresh rate" demands no words of titles.
  void DropWordsOfRank();

  /// "How many kettles do you have under $50".
  bool CountsShop();
  bool CountsType() const;  // products of the type, not what belongs to one of them
  /// "Anything quieter", "longer battery life?": by the attribute that the comparative ranks by.
  void CompareByKey();

  /// "Which would you take?", of what was shown.
  bool AsksAdvice() const;
  /// By what that is answered: the rating where several are rated, else the price.
  RankedKey RankOfAdvice() const;
  /// What "which is cheaper" ranks: the list, or the two that the latest answers were about.
  std::vector<std::string> RankedOfShown() const;

  /// "La impresora más barata", "imprimante moins chère": not "una impresora más barata".
  bool IsSuperlativeOfNoun() const;
  /// Names of the type that "the biggest" is about.
  std::vector<std::string> TypesRanked() const;
  /// Which one ranks first is asked.
  bool AsksRank() const;

  // ---- What the message is in its conversation (turn_decision.h)
  TurnFacts CollectFacts() const;
  void AddFactsOfConversation(TurnFacts& facts) const;
  void AddFactsOfContent(TurnFacts& facts) const;
  void AddFactsOfWording(TurnFacts& facts) const;
  /// "How long does the battery last", after laptops: the type that is named is a part that their
  /// records speak of.
  bool NamesPartOf(const ProductType& topic) const;
  /// Of a need that is told; nothing where the message is about what was shown, or no goods.
  std::optional<ProductType> NeededGoods(const ProductType* topic);
  void ChooseAmongGoods();  // other goods than the rules read, where more speaks for them
  /// The kinds of goods nearest to the message in meaning; found once.
  const std::vector<MeantKind>& MeantKinds();
  /// "Battery?", "cheaper?".
  bool IsFragment() const;
  bool NamesProperty() const;
  /// "Mat first", of yoga mats and ropes that were advised.
  std::optional<ProductType> NamedMember(const ProductType& topic) const;
  bool SaysEnough() const;
  bool DescribesNeed() const;
  bool WantsGoods() const;
  bool LooksForGoods() const;
  bool WantsWithout() const;
  bool AsksOfShownLast() const;
  bool AsksOfShown() const;
  bool GuessesType() const;
  bool NamesPartOfFocus() const;
  /// "The cheaper one is fine. Does it let me block things for the kids": the question is about the
  /// product that is chosen, whatever goods have the names of its words.
  bool AsksOfSelected() const;
  /// "Can charge a laptop?", of a power bank: some languages ask what was shown without a pronoun.
  bool AsksAbility() const;
  /// "Do i have to buy a bulb for it", "wall mount is in the box?": of what was shown.
  bool AsksOfParts() const;
  /// "Which side does the door open", of the product in focus.
  bool AsksWhichPart() const;
  /// What seems to name a type or a need is a purpose or a maker of the topic's goods.
  bool StaysWith(const ProductType& topic) const;
  /// "Any from boat?", of earphones: makers may have the names of goods.
  bool NamesMaker(const ProductType& topic) const;
  /// "And 2tb?", after "an ssd with 1tb": another value of what the search was limited by.
  bool Restates() const;
  /// The message has conditions on what it ranks.
  bool LimitsRank() const;
  /// "Toner for it", "how much is the ink for it".
  bool NamesTypeBeforeFitting() const;
  void Follow(const TurnDecision& decision);
  /// "Show me others".
  void ExcludeShown();
  void RankList();
  void RankAll();

  bool AsksFactOfBest();
  /// "And the cheaper one?" after "does it fold" asks the same of that one.
  bool ReadSameOfBest();

  /// "The second in your list, is it on sale": the question is what stands behind the place.
  void ReadFactQuestion();
  void ReadCartCount();

  /// "Which one is lighter", not "how heavy is the cheapest".
  bool BeginsWithWhich() const;

  const TypeSchema* schema_or_none() const;

  /// "What about a filter machine", "a christmas one": asks nothing of the product in focus.
  bool TurnsToOther() const;

  bool has_focus() const;  // the latest answer showed one product, or ranked one first
  void SetSubject();
  /// The winner of what was shown, else the first; empty: the last turn showed nothing.
  std::string LikelySubject() const;

  /// The message states a condition on the search.
  bool is_changed() const;
  /// "Only preethi", "size 34", of records that say neither.
  bool SaysOnlyUnheard() const;

  /// Enough is said to change the search of the topic.
  bool ChangesSearch() const;

  /// Conditions of the words and of the type join the filter.
  void BindAll();

  /// "And the third?" asks what was asked about the second.
  void InheritKey();

  // ---- What the decisions mean for the search

  void Finish();

  void InheritTopic();

  /// What earlier messages said of the conditions that this one inherits.
  void InheritSaid();

  /// The bound of the price was that of products shown before: no message states it.
  bool IsRelativePrice() const;
  /// "Brass", demanded before of what is to be white now.
  bool IsRestated(const WordCondition& word, const retrieval::Filter& before) const;

  /// Another maker or type, or a condition in place of one of the turn before.
  bool ChangesGoods() const;

  /// Conditions of the turn before that the message lifts, or to which it adds others.
  ConversationTurn ChangedTopic();

  /// Demands of `before` that some record meets together with the new ones.
  /// "Managed is ok too": a value joins those of the same attribute.
  void JoinAttributes(ConversationTurn& before);

  /// "Just sleeping bags", after "a tent and a sleeping bag".
  bool NamesTypeOnly() const;

  void InheritWords(const ConversationTurn& before);

  UnderstandingInput input_;
  const std::vector<retrieval::QueryToken> tokens_;
  const FoldedMessage folded_;
  const SaidCues cues_;
  const ConversationTurn* last_;  // null: the first message
  retrieval::QueryConstraints constraints_;
  std::optional<ProductType> named_type_;
  std::optional<TradeName> trade_;  // by which the type is named
  const TypeSchema* schema_ = nullptr;
  BoundConditions bound_;
  std::vector<WordCondition> words_;
  std::optional<RankedKey> rank_;
  bool describes_need_ = false;  // of goods that it does not name
  bool lacks_maker_ = false;     // "one from panasonic", which no record of the topic has
  bool names_code_ = false;      // a model number
  bool compares_named_ = false;
  bool returns_ = false;                // to an earlier topic
  bool is_recalled_ = false;            // last_ is a copy of an earlier turn
  bool refers_across_ = false;          // to products of several parts of the message
  std::vector<std::string> described_;  // what was shown, "the 7 kg one"
  std::string compared_name_;           // "the Quellin", with which something is compared
  bool names_shown_ = false;            // one of the list, by its title
  AskedGoods asked_;
  Lifted lifted_;
  std::vector<ActGuess> guesses_;                // of the message
  std::optional<std::vector<MeantKind>> meant_;  // see MeantKinds
  Understanding result_;
};

}  // namespace emptor::services

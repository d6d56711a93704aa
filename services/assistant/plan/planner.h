// The decisions of plan.h, by theme: what is computed, facts, and yes or no.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/plan/plan.h"
#include "services/assistant/schema/fact_meaning.h"
#include "services/assistant/schema/fact_senses.h"
#include "services/assistant/schema/ranked_values.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// Plans the statements of one answer. Used once.
class Planner {
 public:
  explicit Planner(const PlanInput& input);

  std::vector<Statement> Run();

 private:
  using Kind = Statement::Kind;

  // plan.cc: what is computed, and recommendations

  const catalog::Product& ProductOf(int n) const;
  /// What the product states; learned once.
  const TypeSchema& SchemaOf(int n) const;
  std::vector<const catalog::Product*> Products() const;
  std::optional<double> NumberAt(int n, const std::string& key) const;
  const SchemaKey* KeyNamed(const FoldedMessage& question) const;
  /// "Rating and how many reviews?": a statement for each part that asks for another fact.
  bool PlanSeveral();
  /// True: a part asks for what the record does not say.
  bool AddFacts(int n, std::vector<Statement>& facts) const;
  /// What sets the products apart: attributes that all of them state, and not alike; those that
  /// people ask about by many words come first, numbers before text.
  void PlanDifferences();
  bool PlanTotal();
  /// "What's the total", of one product: its price.
  bool PlanTotalOfOne();
  /// What the entry on wrapping charges for each item; nothing where the message asks for none.
  std::optional<catalog::Money> WrappingFee() const;
  /// "What is the price per bottle", of a pack.
  bool PlanEach();
  /// "Which is cheaper per kg": the lowest first, then what those cost whose amount is
  /// not known.
  bool PlanUnitPrices();
  bool PlanCount();
  /// "How much more is the second one": what one of two products costs more than the other.
  bool PlanPriceDifference();
  /// "How much do I save": what sets the price apart from the list price.
  bool PlanSaving();
  bool PlanBest();
  /// A product with what it ranks by; the least `order` comes first.
  struct Ranked {
    double order = 0;
    int n = 0;
    RankedValue value;
  };
  std::vector<Ranked> RankedBy(const RankedKey& rank) const;
  static Statement StatementOf(const Ranked& ranked, const RankedKey& rank, Kind kind);
  /// "Is the first one cheaper than the second": yes or no, with both values.
  bool PlanWhether();
  /// "The second one", of a list that has no second.
  bool PlanMissing();
  /// Of several products, what none of them states, or all alike.
  bool PlanUndecided(const RankedKey& rank, const std::vector<Ranked>& ranked);
  /// "The difference in weight between the first and the last": what the sides are compared by.
  std::string KeyCompared() const;
  void PlanComparison();
  /// Words and numbers that one title has and the others lack.
  void PlanTitles();
  /// "Which is the cheapest and what is its rating": what else is asked of the one that is chosen.
  bool AddFactsOfBest(int n, const std::string& ranked_by);
  void Recommend();

  // plan_facts.cc

  /// Empty: no attribute of these products is asked about by name.
  /// The words of a product's name ask for nothing: "noise cancelling headphones".
  std::string KeyAsked() const;
  /// "How much gold is that", of a "10 gram gold coin": no price.
  bool AsksHowMuchOfTitle() const;
  /// "And the 4 litre one, HSS40?": the product is named, and nothing is asked of it.
  bool NamesOnly(int n) const;
  /// "The second one", "the black one": the product is chosen, and nothing asked of it.
  bool PointsOnly(int n) const;
  /// A request for goods, or their name alone, of a product that the message names.
  bool NamesGoods() const;
  void PlanFact(int n, const std::string& key);
  void StateFact(int n, const std::string& key);
  /// "And the Octavane?" asks what was asked of another product.
  /// The attribute that is nearest to the question in meaning, where no word tells which it is.
  std::optional<std::string> NearestKey(int n) const;
  void RepeatQuestion(int n, const std::string& key);
  /// "Which of these are on sale": yes or no with the price; false: that is not asked.
  bool PlanSale(int n);
  /// "Is it steel or aluminium": the one that attribute or title has. False: neither does.
  bool PlanChoiceOfTwo(int n, const std::string& key);
  /// Of several products, one may state what is asked for by another name.
  std::string OwnKey(int n, const std::string& key) const;
  bool IsKnown(int n, const std::string& key) const;
  static bool IsLive(const std::string& key);
  bool AsksOfPrice() const;
  Kind KindOfAttribute(int n, const std::string& key) const;

  // plan_titles.cc: what no attribute names

  /// Attributes that state what is asked for by its unit alone ("how many litres": the tank
  /// capacity; "how big": width, height and depth), else what the title says of it. False: neither.
  bool PlanByDimension(int n);
  bool PlanByTitle(int n);
  /// The question without the product's name, its type and its place in the list.
  FoldedMessage WithoutReference(int n) const;
  /// "How loud": noise level (wash) next to noise level (spin).
  void AddSiblings(int n, const std::string& key);

  // plan_values.cc: what no attribute names, and a text says

  /// The words, and numbers next to them, that a record has to say.
  std::vector<std::string> WordsAsked(const FoldedMessage& question) const;
  /// "Does it work with Windows 7": yes where one value, with its name, has every word that is
  /// asked for.
  std::optional<Statement> PolarityOfValue(int n, const FoldedMessage& question) const;
  /// "Does it fit the LaserJet 1320": no where the models that it fits are listed without it.
  std::optional<Statement> PolarityOfFit(int n, const std::vector<std::string>& asked) const;
  /// The sentence of the description that has every word that is asked for, to be quoted. False:
  /// none has.
  bool PlanByDescription(int n);

  // plan_meaning.cc

  /// "Is it for left-handers", of a "right-hand" mouse; "USB-C or micro USB": the one it has.
  std::optional<Statement> PolarityOfContrast(int n) const;
  /// What an attribute states that says all that is asked, in other words. Nothing: none does.
  std::optional<Statement> StatedByMeaning(int n) const;
  std::optional<Statement> StatementOf(int n, const SaidByAttribute& said) const;
  bool PlanByMeaning(int n);
  /// "How heavy is it" of "how heavy is it without the stand".
  FoldedMessage Affirmed(const FoldedMessage& question) const;
  /// The attribute says all that is asked.
  bool SaysAll(int n, const std::string& key) const;
  /// The attribute answers no word of the question, or not all of a yes-or-no question: "can it
  /// keep coffee warm" is not answered by the kind of coffee.
  bool IsOffTopic(int n, const std::string& key) const;
  /// "Do they have a mic", of a title "... with Mic".
  std::optional<Statement> PolarityOfTitleWords(int n) const;

  // plan_senses.cc

  /// What the attribute says that answers the sense of the question; nothing: it decides nothing.
  std::optional<Statement> StatedBySense(int n, const AskedFact& fact) const;
  /// By a sense that is all of the question, or by any; `key` is what the names of attributes tell.
  /// False: there is none.
  bool PlanBySense(int n, const std::string& key, bool is_all);
  /// "Daily or weekly", of a planner whose layout is weekly: the attribute that has one of them.
  bool PlanByAlternative(int n);

  // plan_polarity.cc: yes or no, by the record

  static Statement Answer(bool holds, int n, std::string key);
  /// "Is it below 800", "is it on sale", "is the first one a Samsung".
  std::optional<Statement> PolarityOfLive(int n) const;
  /// "Is the first one a Samsung". A brand that only names the product is not asked about.
  std::optional<Statement> PolarityOfBrand(int n) const;
  /// The polarity is the record's: the condition that the question states holds or does not.
  std::optional<Statement> PolarityOf(int n) const;
  /// "A drawer instead of a basket": no where the record has the basket. Else the drawer alone is
  /// asked for.
  std::optional<Statement> PolarityOfChoice(int n, FoldedMessage& question) const;
  /// "Does it have a 4K screen", of a record that states 1920 x 1080.
  /// "Is it managed", of an unmanaged switch.
  std::optional<Statement> PolarityOfOpposite(int n, const FoldedMessage& question) const;
  std::optional<Statement> PolarityOfResolution(int n, const FoldedMessage& question) const;
  /// "Is it under 5 kg", "is it ok for a 3 year old": by what the record states.
  std::optional<Statement> PolarityOfAmount(int n, const FoldedMessage& question) const;
  static std::string ListOf(const std::vector<std::string>& values);
  /// "Are they reusable", "is it a Samsung": the title may say so, or name another maker.
  std::optional<Statement> PolarityOfTitle(int n, const FoldedMessage& question) const;
  /// "有HEPA滤网吗": Latin words of a Chinese question, which a title in another script may have.
  std::optional<Statement> PolarityOfForeignWords(int n, const FoldedMessage& question) const;
  /// The question without what only names the type: "is this kettle cordless". "Has it got a
  /// heater" asks for one.
  FoldedMessage WithoutType(const FoldedMessage& question) const;
  /// Words that neither the title nor the type holds.
  bool HasOtherWords(int n, const FoldedMessage& question) const;
  bool AsksYesNo() const;
  /// "Is it an original or a compatible one": the value answers, no yes and no no.
  std::optional<Statement> ChoiceOf(int n, const FoldedMessage& question) const;
  /// "Does it contain perfume", of a record that says "fragrance free": yes where it says no.
  std::optional<Statement> PolarityOfLack(int n, const FoldedMessage& question) const;
  /// A yes or no needs an attribute that is named, or whose value is all that is asked
  /// for: "quick charge" does not say whether it can charge a laptop.
  bool Answers(const FoldedMessage& question, const TypeSchema& schema, const std::string& name,
               const std::string& values) const;

  /// The question names a property whose name the key's is a part of: "wireless charging", of a key
  /// that "wireless" names.
  static bool SpeaksOfOther(const FoldedMessage& question, const SchemaKey& key);
  /// What the key states is beside the question: the box where a cord is asked about.
  bool IsBeside(int n, const std::string& key) const;

  const PlanInput& input_;
  const std::string& question_;  // or a part of it
  const FoldedMessage message_;
  std::vector<int> numbers_;                   // of the products
  TypeSchema shown_;                           // what they state
  mutable std::map<int, TypeSchema> schemas_;  // see SchemaOf
  std::vector<Statement> plan_;
};

}  // namespace emptor::services

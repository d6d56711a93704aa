// What a message asks for: intents, filters, a search text, and which earlier products it means.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "retrieval/query/vocabulary.h"
#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/shown_products.h"
#include "services/assistant/reading/comparison.h"
#include "services/assistant/reading/goods_choice.h"
#include "services/assistant/reading/intents.h"
#include "services/assistant/reading/meant_type.h"
#include "services/assistant/reading/needed_type.h"
#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/reading/service_desk.h"
#include "services/assistant/reading/type_reading.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {

struct UnderstandingInput {
  std::string message;
  std::vector<ConversationTurn> turns;    // oldest first
  std::string page_product_id;            // the product page the shopper looks at, or empty
  retrieval::QueryVocabulary vocabulary;  // what the shop's catalog knows, and its currency
  const ShopProfile* profile = nullptr;   // its categories; null: types are not read
  /// What products of a type state, for shoppers of a language. Borrowed until Understand returns;
  /// null, or an empty function: attributes are not read.
  SchemaLookup schema_of = {};
  SoldLookup is_sold = {};                // borrowed as well; empty: the schema says so
  MeantLookup meant_kinds = {};           // borrowed as well; empty: no type is guessed
  NeedLookup needed_types = {};           // borrowed as well; empty: no need is told
  FoundLookup found_kinds = {};           // borrowed as well; empty: the rules alone choose goods
  const GoodsNames* own_names = nullptr;  // of the shop's goods; null: the lexicon's alone
  /// Whether the shop has prices in a currency; borrowed, empty: in every one.
  std::function<bool(const std::string&)> has_prices_in = {};
  RecordLookup record_of = {};  // borrowed; empty: what was shown is known by its id alone
};

struct Understanding {
  std::vector<Intent> intents;  // never empty; the leading one first
  /// "en", "de", "fr", "es", "zh" or "ja": of the message, else of the turn before, else English.
  std::string language;
  std::string message;            // as it was read: short spellings are written out
  DeskAct desk = DeskAct::kNone;  // not kNone: the service desk answers, and nothing is searched
  bool asks_policy = false;       // of the shop: its documents answer
  retrieval::Filter filter;
  std::optional<catalog::Money> budget;
  /// The currency of an amount was taken to be the shop's, which has no prices in the one named.
  bool assumes_currency = false;
  std::string search_text;  // without the words that became filters
  /// Earlier products that the message refers to ("the second one", "it"), best first.
  std::vector<std::string> referenced_products;
  std::optional<Comparison> comparison;  // with these: "cheaper", "lighter than the first"
  bool follows_up = false;               // search_text and filter build on the turn before
  std::optional<ProductType> type;       // that the message names, else that of the topic
  /// What the message ranks by: all products that meet the filter (ranks_all), else those referred
  /// to.
  std::optional<RankedKey> rank = {};
  bool ranks_all = false;
  /// The search whose list is ranked, where the whole shop may hold a better product: "the
  /// cheapest?", but not "the cheapest of these".
  std::optional<ConversationTurn> ranked_search = {};
  bool counts_all = false;  // "how many kettles do you have": of everything that meets the filter
  /// The product is not referred to but likely meant, as it is in focus: one that the message names
  /// comes before it.
  bool is_subject_guessed = false;
  std::string not_sold = {};  // what it names and no product of the shop is; empty: nothing
  /// "iPad", of a shop whose tablets have other names; empty: none. The nearest are shown.
  std::string unsold_trade = {};
  bool contradicts = false;        // its conditions exclude each other: "over $300 but under $100"
  bool asks_fact_of_best = false;  // "how much is the lighter one": `rank` chooses, a fact is asked
  std::vector<std::string> list = {};  // the latest cards that were several
  bool asks_for_goods = false;         // "show me ...": no question about one product
  bool names_other_goods = false;      // "and a case", "what does a laptop cost", after others
  std::string inherited_key = {};      // asked before, of another product: "and the third?"
  std::string same_brand_as = {};      // a product: "watches from that brand"
  std::vector<retrieval::AttributeCondition> wishes = {};  // tried on top of the filter
  std::string reduced = {};  // "on sale", as it was said, of goods that are asked for; else empty
  std::vector<RankedKey> preferences = {};  // "a cheap, small one": what there is more or less of
  std::vector<WordCondition> words = {};    // demands on the words of the type's records
  /// Quantities and words that no record of the type has, to be told: "45 cm", "right angle".
  std::vector<WordCondition> missing = {};
  std::optional<int> min_reviews = {};  // people who rated it
  /// "Toner for a Phaser 6280": goods of the type are asked for, though another product is named.
  bool asks_for_type = false;
  std::string liking = {};         // "paw patrol" of "she loves PAW Patrol"; empty: nothing
  std::optional<double> age = {};  // in years, of whom something is for: "my nephew turns 6"
  bool prefers_list = false;       // "which of these have wifi": those of `list` come first
  std::vector<WordCondition> list_words = {};  // "the 8k one": what selects from `list`
  bool asks_if_sold = false;                   // "do you have the iphone 14"
  /// Of a message that selects a product and asks about it, the question: "how is it rated" of "the
  /// cheaper of the two, how is it rated". Empty: the whole message.
  std::string fact_question = {};
  std::vector<std::string> keys_asked = {};  // attributes that conditions and wishes are about
  /// What the shopper said of an attribute, by its name: "4 people" of "capacity".
  std::vector<std::pair<std::string, std::string>> said_of = {};
  std::optional<PolicyTopic> policy = {};
  bool is_policy_narrowed = false;   // by a word of the message, or by the goods in focus
  std::string policy_question = {};  // the message, or the question that it continues
  /// The question about a policy before this one, where the message may build on it; empty: none.
  std::string policy_context = {};
  /// Of a message that is about goods and a policy, the question about the policy; the rest alone
  /// is what the message asks of goods. Empty: it is not about both.
  std::string policy_part = {};
  /// The row of turn_decision.h that decided what the message is in its conversation.
  std::string_view turn_rule = {};
  /// How many of each referenced product: "two of the first and one of the third". Empty: one each.
  std::vector<int> quantities = {};
  /// What the shopper has settled on is listed with its sum, whatever the words ask.
  bool lists_choices = false;
  std::vector<std::string> excluded_products = {};  // "others": those that were shown
  bool asks_whether = false;   // "is the first one cheaper than the second": yes or no by `rank`
  bool is_repeated = false;    // "are you sure", "why": the question before is answered again
  bool lacks_place = false;    // "the second one", of a list that has no second
  bool lacks_subject = false;  // "is it waterproof", where nothing was shown: nothing is searched
  /// Of a message that builds on the turn before, what it says itself.
  retrieval::Filter said_filter = {};
  std::vector<WordCondition> said_words = {};
  std::string said_text = {};
  std::string fits_product = {};  // goods for this product are asked for: "a case for it"
  /// The products referred to are the sides of a comparison that the message names.
  bool is_pair_named = false;
  /// "Galaxy a50", which a comparison names and the shop does not sell; the other side is
  /// referred to. Empty: both are sold.
  std::string unsold_side = {};
  /// The sides of the comparison are products that were shown, "the cheapest" among them: the
  /// answer ranks nothing else.
  bool compares_shown = false;
  bool is_shop_name = false;  // products of any type are named: what follows is about them
  /// "A neck pillow" of "how much is it with a neck pillow": goods that were not shown and join
  /// `summed_products` in a sum, where the shop has them. Empty: the message adds no such goods.
  std::vector<std::string> added_goods = {};
  std::vector<std::string> summed_products = {};
  std::optional<int> goods_wanted = {};  // "two tablets": no more are shown
  /// What a first message may look for, the likeliest first; empty: the rules alone chose.
  std::vector<GoodsCandidate> goods = {};
  /// Of a message that turn_review.h looked at, what the rules alone read; else null.
  std::shared_ptr<const Understanding> rules = {};

  bool Has(Intent intent) const;
  /// True when an answer needs products from the catalog.
  bool needs_products() const;
};

/// Pure: equal inputs give equal results. Rules only, no model.
Understanding Understand(const UnderstandingInput& input);

}  // namespace emptor::services

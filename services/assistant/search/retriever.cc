// Referenced products, the product search, named products, documents.
#include "services/assistant/search/retriever.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/search/advice_search.h"
#include "services/assistant/search/compared_products.h"
#include "services/assistant/search/faq_source.h"
#include "services/assistant/search/fitting.h"
#include "services/assistant/search/found_order.h"
#include "services/assistant/search/named_members.h"
#include "services/assistant/search/named_products.h"
#include "services/assistant/search/need_search.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/assistant/search/relevance.h"
#include "services/assistant/search/word_demands.h"
#include "services/shop/product_search.h"

namespace emptor::services {
namespace {

constexpr int kRankedProducts = 1000;  // that meet the conditions of a superlative
constexpr int kChosenFrom = 4;         // times the cards, where one is preferred: "cheap"
constexpr int kPool = 48;              // products of a type, among which needs choose

class Retrieval {
 public:
  Retrieval(const ShopReader& shop, const RetrieverOptions& options, const RetrievalInput& input)
      : shop_(shop), options_(options), input_(input) {}

  absl::StatusOr<Retrieved> Run() {
    const Understanding& understanding = input_.understanding;
    result_.filter = result_.asked = understanding.filter;
    words_ = understanding.words;
    if (absl::Status status = DemandFit(); !status.ok()) return status;
    std::vector<Source> products;
    if (absl::Status status = FindReferenced(products); !status.ok()) return status;
    if (understanding.is_subject_guessed) {
      if (absl::Status status = PreferNamed(products); !status.ok()) return status;
    }
    if (absl::Status status = TakeCompared(products); !status.ok()) return status;
    if (understanding.asks_fact_of_best) {
      KeepBest(*understanding.rank, input_.now_unix, input_.market, products);
    }
    const bool compares = understanding.Has(Intent::kProductComparison) && !understanding.rank;
    const bool is_whole_list = !products.empty() && understanding.list.size() <= 1;
    const bool enough = !products.empty() && !(compares && products.size() < 2 && !is_whole_list);
    result_.must_be_used = enough && !understanding.follows_up;
    const bool is_open = understanding.follows_up || !enough;
    if (is_open && understanding.needs_products() && !(result_.is_about_shown && compares_)) {
      if (understanding.follows_up) products.clear();
      if (absl::Status status = SearchNamed(products); !status.ok()) return status;
      if (!result_.is_about_shown) {
        if (absl::Status status = Search(products); !status.ok()) return status;
      }
    }
    if (!result_.is_about_shown && !understanding.ranks_all && !understanding.asks_for_type &&
        FocusOnNamed(understanding, input_.question, products)) {
      result_.must_be_used = result_.is_about_shown = true;
    }
    const bool counts = understanding.ranks_all && understanding.rank->count > 0;
    const auto limit =
        static_cast<size_t>(counts ? understanding.rank->count
                                   : understanding.goods_wanted.value_or(options_.max_products));
    // A sum is one of all its parts.
    if (products.size() > limit && understanding.quantities.empty()) products.resize(limit);
    if (absl::Status status = FindDocuments(products); !status.ok()) return status;
    for (const Source& source : products)
      result_.why.push_back(WordsFound(understanding, *source.product()));
    products.insert(products.end(), documents_.begin(), documents_.end());
    result_.sources = std::move(products);
    return std::move(result_);
  }

 private:
  absl::Status FindReferenced(std::vector<Source>& products) {
    if (input_.understanding.comparison) return absl::OkStatus();
    for (const std::string& id : input_.understanding.referenced_products) {
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      if (*product) products.push_back({**std::move(product), 1});
    }
    return absl::OkStatus();
  }

  /// "What is the difference between the R90 and the T20": two products by name.
  absl::Status TakeCompared(std::vector<Source>& products) {
    const Understanding& understanding = input_.understanding;
    result_.is_about_shown |= understanding.is_pair_named && !products.empty();
    if (understanding.is_pair_named || understanding.comparison) return absl::OkStatus();
    if (!understanding.Has(Intent::kProductComparison)) return absl::OkStatus();
    auto found = FindCompared(shop_, understanding, input_.question, products, MakeSearch(false));
    if (!found.ok()) return found.status();
    compares_ = !found->empty();
    if (!compares_) return absl::OkStatus();
    products = *std::move(found);
    result_.is_about_shown = true;
    return absl::OkStatus();
  }

  /// "A case for it": records that name its model come first.
  absl::Status DemandFit() {
    const std::string& id = input_.understanding.fits_product;
    if (id.empty()) return absl::OkStatus();
    auto product = shop_.FindProduct(id);
    if (!product.ok() || !*product) return product.status();
    fit_ = DemandOfModel((*product)->title);
    if (fit_) words_.push_back(*fit_);
    return absl::OkStatus();
  }

  /// A product in focus gives way to one that the message names, and to the one of the list whose
  /// brand it names: "how many batteries come with the Ironby".
  absl::Status PreferNamed(std::vector<Source>& products) {
    const Understanding& understanding = input_.understanding;
    std::vector<Source> named;
    if (absl::Status status = SearchNamed(named); !status.ok()) return status;
    if (result_.is_about_shown) {
      products = std::move(named);
      return absl::OkStatus();
    }
    auto members = FindNamedMembers(shop_, input_.table.get(), understanding);
    if (!members.ok()) return members.status();
    result_.is_about_shown = !members->empty();
    if (result_.is_about_shown) products = *std::move(members);
    if (result_.is_about_shown) return absl::OkStatus();
    std::vector<Source> meets;
    for (const std::string& id : understanding.list) {
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      if (!*product) continue;
      const std::vector<std::string>& brands = understanding.filter.brands;
      if (std::find(brands.begin(), brands.end(), (*product)->brand) != brands.end()) {
        products.assign(1, {**std::move(product), 1});
        return absl::OkStatus();
      }
      const auto& words = understanding.list_words;
      const bool has_words =
          !words.empty() && std::all_of(words.begin(), words.end(), [&](const auto& word) {
            return Meets((*product)->title, word);
          });
      if (has_words) meets.push_back({**std::move(product), 1});
    }
    // "The 8k one": the only one of the list that is.
    if (meets.size() == 1) products = std::move(meets);
    // "Does the AVM one have usb", of a list without one: no other answers for it.
    for (const std::string& brand : understanding.filter.brands)
      if (NamesOneOf(FoldedMessage(understanding.message), brand)) products.clear();
    return absl::OkStatus();
  }

  /// "Does a laptop fit into the Packwyn Campus Backpack?" names a product, whatever its type: the
  /// search without the type comes first, and counts if it finds what is named.
  absl::Status SearchNamed(std::vector<Source>& products) {
    const Understanding& understanding = input_.understanding;
    const bool may_name = understanding.type || understanding.is_subject_guessed;
    const bool searches =
        understanding.follows_up || understanding.ranks_all || understanding.asks_for_type;
    if (!may_name || searches || AsksOfFocus(understanding, input_.table.get())) return {};
    const retrieval::Filter with_type = result_.filter;
    result_.filter = {.locale = with_type.locale};
    std::vector<Source> found = products;
    const absl::Status status = SearchAsked(found, false);
    const bool is_named = status.ok() && result_.relaxed.empty() &&
                          FocusOnNamed(input_.understanding, input_.question, found);
    if (is_named) {
      products = std::move(found);
      result_.must_be_used = result_.is_about_shown = true;
      return status;
    }
    result_.filter = with_type;
    result_.relaxed.clear();
    return status;
  }

  absl::Status Search(std::vector<Source>& products) {
    result_.asked = result_.filter;
    if (input_.understanding.ranks_all) return SearchRanked(products);
    if (!input_.understanding.reduced.empty()) return SearchReduced(products);
    absl::Status counted = input_.understanding.counts_all ? CountAll() : absl::OkStatus();
    if (!counted.ok()) return counted;
    return SearchAsked(products);
  }

  /// Types that help are searched: the words of the message describe a situation, not them.
  bool is_advice() const {
    const auto& type = input_.understanding.type;
    return type && type->is_advised && input_.table != nullptr;
  }

  absl::Status SearchAsked(std::vector<Source>& products, bool of_type = true) {
    ProductSearchInput search = MakeSearch(of_type);
    if (is_advice() && of_type) {
      auto advice =
          FindAdvice({shop_, *input_.table, input_.understanding, input_.now_unix, input_.market},
                     search, static_cast<size_t>(options_.considered));
      if (!advice.ok()) return advice.status();
      // "What do you have from sylvanian families, my niece turns 5".
      const bool is_wrong = !result_.filter.brands.empty() ||
                            (input_.table->members.empty() && advice->not_sold.empty());
      result_.leaves_type = advice->products.empty() && is_wrong;
      if (result_.leaves_type) return SearchAsked(products, false);
      result_.needs = std::move(advice->needs);
      result_.not_sold = std::move(advice->not_sold);
      if (!advice->products.empty()) Take(std::move(advice->products), products);
      if (advice->is_final) return absl::OkStatus();
    }
    static const std::vector<retrieval::AttributeCondition> kNoWishes;
    const auto& wishes = of_type ? input_.understanding.wishes : kNoWishes;
    auto& wanted = search.understood->filter.attributes;
    wanted.insert(wanted.end(), wishes.begin(), wishes.end());
    auto found = SearchWithWords(search, of_type);
    // A wish is given up before any condition.
    if (found.ok() && !wishes.empty() && (!found->relaxed.empty() || found->items.empty())) {
      search.understood->filter = result_.filter;
      found = SearchWithWords(search, of_type);
    }
    if (!found.ok()) return found.status();
    const bool may_lack = input_.understanding.asks_if_sold && !input_.understanding.follows_up;
    if (of_type && input_.understanding.type && may_lack) {
      absl::Status status = FindUnsoldModel();
      if (!status.ok() || !result_.not_sold.empty()) return status;
    }
    if (found->best) best_product_ = *std::move(found->best);
    if (of_type) {
      if (absl::Status status = Choose(search, *found); !status.ok()) return status;
      result_.misses_words = misses_words_;
    } else {
      result_.filter = std::move(found->applied);
      result_.relaxed = std::move(found->relaxed);
    }
    if (input_.understanding.prefers_list && !misses_words_ && result_.relaxed.empty())
      KeepListed(input_.understanding.list, found->items);
    if (of_type && !input_.understanding.type) {
      result_.not_sold = UnsoldNameIn(input_.understanding, found->items);
      const bool fits = result_.not_sold.empty() && IsRelevant(input_.understanding, found->items);
      if (!fits) return absl::OkStatus();
      result_.not_sold = UnsoldNounIn(input_.understanding, found->items);
      if (!result_.not_sold.empty()) return absl::OkStatus();
      found->items = AskedGoodsOf(input_.understanding, std::move(found->items));
      found->items = OfOneKind(input_.understanding, std::move(found->items));
    }
    Take(std::move(found->items), products);
    return absl::OkStatus();
  }

  /// "Do you have the iphone 14", in a shop of its accessories: any title may name it.
  absl::Status FindUnsoldModel() {
    ProductSearchInput search = MakeSearch(false);
    search.understood->filter = {.locale = result_.filter.locale};
    auto found = SearchProducts(shop_, search);
    if (found.ok()) result_.not_sold = UnsoldNameIn(input_.understanding, found->items);
    return found.status();
  }

  /// Where not everything is met, more candidates; and of all those that meet most.
  absl::Status Choose(ProductSearchInput search, ProductSearchResult& found) {
    const TypeTable* const table = input_.table.get();
    const bool is_short = misses_words_ || !found.relaxed.empty() || found.items.empty();
    search.understood->filter = result_.filter;
    absl::Status status;
    if (is_short && table != nullptr && !table->members.empty())
      status = AddCandidates(shop_, search, *table, words_, found.items);
    if (!status.ok()) return status;
    NeedReport report;
    report.needs = NeedsOf(input_.understanding, result_.filter, words_, fit_,
                           table == nullptr ? nullptr : &table->schema);
    if (report.needs.empty() && !input_.understanding.type) {
      result_.filter = std::move(found.applied);
      return absl::OkStatus();
    }
    const VerdictInput judged{report.needs,     table,
                              input_.now_unix,  input_.market,
                              table != nullptr, PriceNear(input_.understanding)};
    report.verdicts = ChooseByNeeds(judged, found.items);
    const size_t shown = static_cast<size_t>(options_.max_products);
    GivenUp given_up = GivenUpOf(report, result_.filter, found.items, shown);
    WidenPrice(judged, result_.filter, found.items, shown, given_up);
    result_.filter = table == nullptr ? std::move(found.applied) : given_up.left;
    result_.relaxed = table == nullptr ? std::move(found.relaxed) : given_up.parts;
    misses_words_ = given_up.misses_words;
    result_.lacking = given_up.lacking;
    result_.needs = std::move(report);
    return absl::OkStatus();
  }

  /// Products whose records have the words that the shopper demands, at least half of them; else
  /// any of the type: the best of it first, unless all are wanted.
  absl::StatusOr<ProductSearchResult> SearchWithWords(ProductSearchInput search, bool of_type,
                                                      bool wants_all = false) {
    const auto groups = of_type ? MembersByWords() : WordGroups();
    const retrieval::Filter& filter = result_.filter;
    const bool is_bare = groups.empty() && filter.attributes.empty() && filter.ranges.empty();
    if (of_type && is_bare && !wants_all && input_.table != nullptr) {
      const int enough =
          options_.max_products * (input_.understanding.preferences.empty() ? 1 : kChosenFrom);
      auto best = SearchBest(shop_, search, *input_.table, static_cast<size_t>(enough));
      if (!best.ok()) return best.status();
      if (*best) return **std::move(best);
    }
    auto found = SearchByWords(shop_, std::move(search), groups, input_.table.get());
    if (!found.ok()) return found.status();
    misses_words_ = found->misses_words;
    return std::move(found->found);
  }

  /// None where the message demands nothing of the kind.
  WordGroups MembersByWords() const {
    if (input_.table == nullptr || is_advice()) return {};
    return GroupByWords(*input_.table, words_, input_.understanding.min_reviews);
  }

  ProductSearchInput MakeSearch(bool of_type) const {
    ProductSearchInput search;
    search.query = input_.question;
    search.understood = {TextInRecords(input_.understanding), result_.filter};
    search.named = input_.fixed;
    // The type is given up by no relaxation.
    if (!result_.filter.categories.empty()) search.named.Insert(retrieval::FilterPart::kCategory);
    search.limit = of_type && input_.table != nullptr ? kPool : options_.considered;
    search.exclude = input_.exclude;
    search.only_fitting = true;
    search.quotes = false;  // irony as often as names
    // The one of a group that is preferred is chosen later.
    search.group_variants = input_.understanding.preferences.empty();
    if (of_type && input_.table != nullptr) search.only = input_.table->Meant(words_.empty());
    search.every_hit_fits =
        search.only != nullptr || (of_type && !result_.filter.categories.empty());
    return search;
  }

  /// Every record of the type that meets the conditions.
  absl::StatusOr<ProductSearchResult> SearchWhole(ProductSearchInput search) {
    search.limit = kRankedProducts;
    search.group_variants = false;
    const bool is_type_known = !result_.filter.categories.empty() || search.only != nullptr;
    if (is_type_known) search.understood->search_text.clear();
    auto found = SearchWithWords(search, true, true);
    if (!found.ok()) return found.status();
    if (found->has_more || found->items.size() == kRankedProducts) {
      absl::Status status =
          SearchRest(shop_, search, MembersByWords(), input_.table.get(), kRankedProducts, *found);
      if (!status.ok()) return status;
    }
    return found;
  }

  /// Counts what meets all conditions. Nothing is counted where some had to be given up.
  absl::Status CountAll() {
    auto found = SearchWhole(MakeSearch(true));
    if (!found.ok()) return found.status();
    if (!misses_words_ && found->relaxed.empty()) result_.counted = found->items.size();
    return absl::OkStatus();
  }

  /// "Headphones on sale", "what is reduced?".
  absl::Status SearchReduced(std::vector<Source>& products) {
    ProductSearchInput search = MakeSearch(true);
    if (!input_.understanding.type) search.understood->search_text.clear();
    auto found = SearchWhole(std::move(search));
    if (!found.ok()) return found.status();
    if (misses_words_ || !found->relaxed.empty()) found->items.clear();
    KeepReduced(input_.now_unix, input_.market, found->items);
    if (found->items.empty()) {
      // Shown all the same, and said.
      absl::Status status = input_.understanding.type ? SearchAsked(products) : absl::OkStatus();
      result_.lacking.push_back(input_.understanding.reduced);
      return status;
    }
    Take(std::move(found->items), products);
    return absl::OkStatus();
  }

  /// Everything that meets the conditions, in the order of the rank: "the lightest laptop".
  absl::Status SearchRanked(std::vector<Source>& products) {
    const ProductSearchInput search = MakeSearch(true);
    auto found = SearchWhole(search);
    if (!found.ok()) return found.status();
    const bool is_short = misses_words_ || !found->relaxed.empty();
    if (!is_short) {
      result_.filter = found->applied;
    } else if (absl::Status status = Choose(search, *found); !status.ok()) {
      return status;
    }
    const RankedKey& rank = *input_.understanding.rank;
    if (!rank.is_live()) result_.ranked = found->items.size();
    auto best = RankFound(rank, input_.now_unix, input_.market, std::move(found->items));
    result_.stating = best.size();
    if (best.empty()) return SearchAsked(products);  // no record states it
    Take(std::move(best), products);
    // "The second cheapest": what comes before it was not asked for.
    const size_t before = std::min(static_cast<size_t>(rank.place) - 1, products.size());
    products.erase(products.begin(), products.begin() + static_cast<std::ptrdiff_t>(before));
    return absl::OkStatus();
  }

  /// Adds the products that are found to those that the question refers to: neither one of them
  /// again nor a variant of one.
  void Take(std::vector<FoundProduct> found, std::vector<Source>& products) const {
    std::set<std::string> ids, groups;
    for (const Source& source : products) {
      ids.insert(source.id());
      groups.insert(source.product()->item_group_id);
    }
    for (FoundProduct& each : found) {
      if (products.size() >= static_cast<size_t>(options_.considered)) return;
      const std::string& group = each.product.item_group_id;
      const bool is_known =
          ids.contains(each.product.id) || (!group.empty() && groups.contains(group));
      if (!is_known) products.push_back({std::move(each.product), each.hit.score});
    }
  }

  /// Whether the question is about the shop: by the words of the message, or because a document
  /// matches it better than any product.
  bool IsAboutShop(const std::vector<DocumentHit>& documents,
                   const std::vector<Source>& products) const {
    const Understanding& understanding = input_.understanding;
    if (!understanding.needs_products()) return true;
    const bool names_goods = result_.must_be_used || (understanding.type && !products.empty()) ||
                             understanding.budget.has_value() ||
                             !understanding.filter.brands.empty() || understanding.follows_up;
    if (names_goods || documents.empty()) return false;
    if (products.empty()) return true;
    const float lead =
        documents[0].hit.vector_score - best_product_.vector_score +
        options_.lexical_share * (documents[0].hit.lexical_score - best_product_.lexical_score);
    return lead > options_.document_lead;
  }

  std::string language_of_documents() const {
    return LanguageOfDocuments(*shop_.profile(), input_.understanding.language);
  }

  /// The entry that answers the part of the question that is about a policy, next to the products.
  absl::Status FindPolicyPart() {
    const Understanding& said = input_.understanding;
    const FaqSourceInput part{said, said.policy_part, input_.market, input_.now_unix};
    auto entry = FindPolicyEntry(shop_, part, language_of_documents());
    if (!entry.ok()) return entry.status();
    if (*entry) documents_.push_back(**std::move(entry));
    return absl::OkStatus();
  }

  absl::Status FindDocuments(std::vector<Source>& products) {
    if (!input_.understanding.policy_part.empty()) return FindPolicyPart();
    if (input_.understanding.Has(Intent::kSmallTalk)) return absl::OkStatus();
    auto entry = FindFaqSource(
        shop_, {input_.understanding, input_.question, input_.market, input_.now_unix});
    if (!entry.ok()) return entry.status();
    result_.cache = entry->cache;
    if (entry->source) {
      products.clear();
      documents_.push_back(*std::move(entry->source));
      result_.must_be_used = true;
      return absl::OkStatus();
    }
    const auto found = FindDocumentHitsFor(shop_, input_.understanding, input_.question,
                                           language_of_documents(), options_.max_documents);
    if (!found.ok()) return found.status();
    if (!IsAboutShop(*found, products)) return absl::OkStatus();
    if (!input_.understanding.needs_products() || !found->empty()) products.clear();
    for (const DocumentHit& each : *found) {
      const float lead = found->front().hit.score - each.hit.score;
      if (!documents_.empty() && lead > options_.clear_lead) break;
      auto document = shop_.FindDocument(each.hit.id);
      if (!document.ok()) return document.status();
      if (*document) documents_.push_back(SourceOf(**document, each, input_.question));
    }
    result_.must_be_used = !documents_.empty();
    return absl::OkStatus();
  }

  const ShopReader& shop_;
  const RetrieverOptions& options_;
  const RetrievalInput& input_;
  retrieval::Hit best_product_;
  bool compares_ = false;             // the products are those that a comparison names
  std::vector<WordCondition> words_;  // that the shopper demands
  std::optional<WordCondition> fit_;  // one of them: the product that it has to fit
  bool misses_words_ = false;         // no product has all of them
  std::vector<Source> documents_;
  Retrieved result_;
};

}  // namespace

absl::StatusOr<Retrieved> Retrieve(const ShopReader& shop, const RetrieverOptions& options,
                                   const RetrievalInput& input) {
  return Retrieval(shop, options, input).Run();
}

}  // namespace emptor::services

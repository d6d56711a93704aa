// The first steps of an answer: what the message means, and the sources for it.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/answer.h"
#include "services/assistant/search/comparison_filter.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/grounding/phrases.h"

namespace emptor::services {
namespace {

/// In which facts are formatted where the request names none.
std::string LocaleOf(std::string_view language, const std::string& fallback) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kLocales = {
      {{"zh", "zh-CN"}, {"de", "de-DE"}, {"fr", "fr-FR"}, {"es", "es-ES"}, {"ja", "ja-JP"}}};
  const auto* found = std::find_if(kLocales.begin(), kLocales.end(),
                                   [&](const auto& each) { return each.first == language; });
  return found == kLocales.end() ? fallback : std::string(found->second);
}

}  // namespace

/// Nothing also where the store fails: the search to come reports why.
RecordLookup Answer::Records() const {
  return [&shop = parts_.shop](const std::string& id) {
    auto product = shop.FindProduct(id);
    return product.ok() ? *std::move(product) : std::optional<catalog::Product>();
  };
}

/// On a product page every question is about that product until others are shown.
void Answer::OpenPage(const ShopProfile& profile) {
  const std::string& id = request_.page_product_id;
  if (id.empty() || (!turns_.empty() && turns_.back().page_product_id == id)) return;
  const auto product = parts_.shop.FindProduct(id);
  if (!product.ok() || !*product) return;  // the page shows what the shop no longer has
  const std::string& title = (*product)->title;
  turns_.push_back(TurnOfPage(id, title, FindProductType(title, "en", profile),
                              turns_.empty() ? "" : turns_.back().language));
}

/// None where the embedder failed: the search to come says what.
std::vector<MeantKind> Answer::MeantKinds(const std::string& message) const {
  const auto meanings = parts_.types->MeaningsOf(parts_.shop);
  if (meanings == nullptr) return {};
  const auto query = parts_.shop.EmbedQuery(message);
  return query.ok() ? meanings->Rank(*query) : std::vector<MeantKind>();
}

/// Borrows the profile and the names.
UnderstandingInput Answer::MakeUnderstandingInput(const std::string& message,
                                                  const ShopProfile& profile,
                                                  const GoodsNames* own_names) {
  UnderstandingInput input;
  input.message = message;
  input.turns = turns_;
  input.page_product_id = request_.page_product_id;
  input.vocabulary = parts_.shop.vocabulary();
  input.profile = &profile;
  if (!request_.currency.empty()) input.vocabulary.currency = request_.currency;
  input.schema_of = [this](const ProductType& type, const std::string& language) {
    return SchemaOf(type, language);
  };
  input.is_sold = [this](const ProductType& type, const std::string& language) {
    // Better a product in another language than none; an error is that of the search to come.
    const auto sold = parts_.types->IsSold(parts_.shop, type, FilterLocale(language));
    if (!sold.ok() || *sold || FilterLocale(language).empty()) return !sold.ok() || *sold;
    const auto any = parts_.types->IsSold(parts_.shop, type, "");
    return !any.ok() || *any;
  };
  input.meant_kinds = [this](const std::string& text) { return MeantKinds(text); };
  if (parts_.meanings.needs != nullptr) {
    input.needed_types = [this](const std::string& text) {
      return parts_.meanings.needs->Rank(text);
    };
  }
  input.found_kinds = [this, own_names](const std::string& text, const std::string& language) {
    return FindKinds(parts_.shop, text, FilterLocale(language), own_names);
  };
  input.own_names = own_names;
  input.has_prices_in = [this](const std::string& currency) { return HasPricesIn(currency); };
  input.record_of = Records();
  return input;
}

void Answer::Understand() {
  const auto profile = parts_.shop.profile();
  OpenPage(*profile);
  units_ = parts_.types->UnitsOf(parts_.shop);
  const auto own_names = parts_.types->NamesOf(parts_.shop);
  understanding_ =
      services::Understand(MakeUnderstandingInput(message_, *profile, own_names.get()));
  understanding_.filter =
      MergeFilters(understanding_.filter, request_.filter, request_.named_filters);
  // The bound applies to the price that the shopper sees.
  if (understanding_.filter.has_price() && understanding_.filter.region.empty()) {
    understanding_.filter.region = market_.region;
  }
  if (understanding_.type) {
    const auto table = tables_.find(
        TypeCatalog::KeyOf(*understanding_.type, FilterLocale(understanding_.language)));
    if (table != tables_.end()) table_ = table->second;
  }
  const bool is_of_type =
      understanding_.type && understanding_.filter.categories == understanding_.type->categories;
  if (table_ != nullptr && table_->is_wider && is_of_type) understanding_.filter.categories.clear();
  if (understanding_.filter.locale.empty()) {
    understanding_.filter.locale =
        table_ == nullptr ? FilterLocale(understanding_.language) : table_->locale;
  }
  ChooseLocale();
}

/// A German message in an English browser gets German amounts and labels, too.
void Answer::ChooseLocale() {
  locale_ = request_.locale;
  const bool is_other = understanding_.language != "en" &&
                        locale_.substr(0, locale_.find_first_of("-_")) != understanding_.language;
  if (locale_.empty() || is_other) {
    locale_ = LocaleOf(understanding_.language, options_.default_locale);
  }
}

/// True also where the search fails: the one that follows reports what is wrong.
bool Answer::HasPricesIn(const std::string& currency) const {
  retrieval::SearchRequest request;
  request.filter.min_price = 0;
  request.filter.currency = currency;
  request.limit = 1;
  request.browse = true;
  const auto found = parts_.shop.SearchProducts(request);
  return !found.ok() || !found->hits.empty();
}

/// A shop with records in several languages shows those of the shopper's, else the English ones.
std::string Answer::FilterLocale(const std::string& language) const {
  return FilterLanguage(*parts_.shop.profile(), language);
}

const TypeSchema* Answer::SchemaOf(const ProductType& type, const std::string& language) {
  const std::string locale = FilterLocale(language);
  const std::string key = TypeCatalog::KeyOf(type, locale);
  if (const auto known = tables_.find(key); known != tables_.end()) return &known->second->schema;
  auto table = parts_.types->Get(parts_.shop, type, locale);
  // Better a product in another language than none.
  if (table.ok() && (*table)->schema.product_count() == 0 && !(*table)->locale.empty()) {
    table = parts_.types->Get(parts_.shop, type, "");
  }
  if (!table.ok()) return nullptr;  // the search that follows reports what is wrong
  return &(tables_[key] = *std::move(table))->schema;
}

/// Those of the products referred to that the shop still has.
std::vector<catalog::Product> Answer::FindReferenced() const {
  std::vector<catalog::Product> products;
  for (const std::string& id : understanding_.referenced_products) {
    auto product = parts_.shop.FindProduct(id);
    if (product.ok() && *product) products.push_back(**std::move(product));
  }
  return products;
}

/// "Something cheaper" means cheaper than the cheapest product referred to.
void Answer::LimitByComparison() {
  if (!understanding_.comparison) return;
  const std::vector<catalog::Product> products = FindReferenced();
  if (LimitByValues(products)) return;
  Comparison& comparison = *understanding_.comparison;
  for (const catalog::Product& each : products) {
    const auto price = catalog::ComputePayablePrice(each, parts_.now_unix(), market_).price;
    LimitBeyond(comparison, each, price, understanding_.filter);
  }
  const std::vector<retrieval::NumericRange>& ranges = understanding_.filter.ranges;
  if (comparison.aspect != Comparison::Aspect::kMeasure || ranges.empty()) return;
  if (comparison.key.empty()) {
    comparison.key = ranges.back().attribute;
    understanding_.keys_asked.push_back(comparison.key);
  }
  LiftCompared(products);
}

/// Where the type's values of the attribute are known, those that lie beyond are the condition.
bool Answer::LimitByValues(const std::vector<catalog::Product>& products) {
  const Comparison& comparison = *understanding_.comparison;
  const SchemaKey* const key =
      table_ == nullptr || comparison.key.empty() ? nullptr : table_->schema.Find(comparison.key);
  if (comparison.aspect != Comparison::Aspect::kMeasure || key == nullptr) return false;
  auto values = ValuesBeyond(*key, comparison.wants_more, products);
  if (!values) return false;
  LiftCompared(products);
  beyond_ = *values;
  if (!values->empty()) understanding_.filter.attributes.push_back({key->name, *std::move(values)});
  return true;
}

/// What a bound replaces; "lighter, under 100 g" states the attribute itself, which stays.
void Answer::LiftCompared(const std::vector<catalog::Product>& products) {
  const std::string& key = understanding_.comparison->key;
  const auto& said = understanding_.said_filter.attributes;
  const bool is_said = std::any_of(said.begin(), said.end(), [&](const auto& each) {
    return retrieval::FoldWords(each.name) == retrieval::FoldWords(key);
  });
  if (is_said) return;
  for (const catalog::Product& each : products) {
    LiftBounded(key, each, understanding_.filter, understanding_.words);
  }
}

/// In a shop that names no brands, the maker is the first word of a title.
void Answer::DemandMakerOf(const std::string& title) {
  const std::string folded = retrieval::FoldWords(title);
  const std::string maker = folded.substr(0, folded.find(' '));
  const bool is_maker = table_ != nullptr && table_->schema.words().IsMaker(maker);
  if (!is_maker) return;
  understanding_.words.push_back(DemandOf(maker));
  understanding_.said_words.push_back(DemandOf(maker));
}

absl::Status Answer::FindSources() {
  if (understanding_.desk != DeskAct::kNone) return FindContact();
  if (chosen_ && chosen_->empty()) return absl::OkStatus();
  const bool is_sold =
      understanding_.not_sold.empty() || !understanding_.referenced_products.empty();
  const bool is_unclear = understanding_.contradicts || understanding_.lacks_subject;
  if (is_unclear || !is_sold) return absl::OkStatus();
  LimitByComparison();
  // "That brand in white" says what is wanted of it.
  const bool says_more = understanding_.comparison || !understanding_.said_words.empty() ||
                         !understanding_.said_filter.colors.empty() ||
                         !understanding_.said_filter.attributes.empty();
  if (!understanding_.same_brand_as.empty()) {
    const auto product = parts_.shop.FindProduct(understanding_.same_brand_as);
    const bool is_there = product.ok() && *product;
    if (is_there && !(*product)->brand.empty()) {
      understanding_.filter.brands = {(*product)->brand};
    } else if (is_there) {
      DemandMakerOf((*product)->title);
    }
  }
  RetrievalInput input{
      understanding_, understanding_.message, request_.named_filters, {}, table_, parts_.now_unix(),
      market_};
  if (understanding_.comparison) input.exclude = understanding_.referenced_products;
  input.exclude.insert(input.exclude.end(), understanding_.excluded_products.begin(),
                       understanding_.excluded_products.end());
  const bool is_of_brand = !understanding_.same_brand_as.empty();
  if (is_of_brand) input.exclude.push_back(understanding_.same_brand_as);
  auto retrieved = Retrieve(parts_.shop, options_.retriever, input);
  const bool is_bare = retrieved.ok() && (retrieved->why.empty() || !retrieved->relaxed.empty());
  if (is_of_brand && understanding_.follows_up && is_bare && !says_more) {
    // "Anything else from that brand", which makes one dishwasher: any goods.
    input.understanding.type.reset();
    input.understanding.words.clear();
    input.understanding.filter = {.brands = understanding_.filter.brands,
                                  .locale = understanding_.filter.locale};
    input.understanding.search_text.clear();
    input.table = nullptr;
    auto others = Retrieve(parts_.shop, options_.retriever, input);
    if (others.ok() && !others->why.empty()) retrieved = std::move(others);
  }
  if (!retrieved.ok()) return retrieved.status();
  retrieved_ = *std::move(retrieved);
  JudgePair();
  const bool has_none = !understanding_.excluded_products.empty() &&
                        (!retrieved_.relaxed.empty() || !retrieved_.lacking.empty());
  if (has_none) {
    retrieved_.sources.clear();
    retrieved_.why.clear();
    retrieved_.relaxed.clear();
    retrieved_.lacking.clear();
  }
  if (!retrieved_.not_sold.empty()) understanding_.not_sold = retrieved_.not_sold;
  if (beyond_ && understanding_.follows_up) KeepBeyond();
  if (IsWithoutBeyond()) ShowBestReferenced();
  DropWhatFitsLess();
  return FindShopBest();
}

/// "Too expensive", of the cheapest ones, and "anything quieter", of the quietest: what costs more
/// or is louder is no answer.
bool Answer::IsWithoutBeyond() const {
  using Part = retrieval::FilterPart;
  const std::optional<Comparison>& comparison = understanding_.comparison;
  if (!comparison || !understanding_.follows_up) return false;
  if (beyond_) return retrieved_.why.empty();
  const bool is_price = comparison->aspect == Comparison::Aspect::kPrice;
  if (is_price && understanding_.said_filter.has_price()) return false;
  const Part bound = is_price                                            ? Part::kPrice
                     : comparison->aspect == Comparison::Aspect::kRating ? Part::kMinRating
                                                                         : Part::kRange;
  if (retrieved_.why.empty()) return is_price && !comparison->wants_more;
  return std::any_of(retrieved_.relaxed.begin(), retrieved_.relaxed.end(),
                     [&](const auto& each) { return each.part == bound; });
}

/// Drops products whose value does not lie beyond.
void Answer::KeepBeyond() {
  const auto is_beyond = [&](const Source& source) {
    const std::string* const value =
        source.product() == nullptr ? nullptr
                                    : ValueOf(*source.product(), understanding_.comparison->key);
    return value != nullptr &&
           std::find(beyond_->begin(), beyond_->end(), *value) != beyond_->end();
  };
  for (size_t i = retrieved_.why.size(); i > 0; --i) {
    const auto at = static_cast<std::ptrdiff_t>(i) - 1;
    if (is_beyond(retrieved_.sources[i - 1])) continue;
    retrieved_.sources.erase(retrieved_.sources.begin() + at);
    retrieved_.why.erase(retrieved_.why.begin() + at);
  }
}

/// "Anything cheaper", of a product that has all that was asked for: what has less of it is none.
void Answer::DropWhatFitsLess() {
  const std::optional<Comparison>& comparison = understanding_.comparison;
  const bool is_cheaper = comparison && !comparison->wants_more && understanding_.follows_up &&
                          comparison->aspect == Comparison::Aspect::kPrice;
  // Of a single product the words may be its name.
  const bool is_of_kind =
      understanding_.referenced_products.size() > 1 ||
      std::none_of(understanding_.words.begin(), understanding_.words.end(),
                   [](const WordCondition& each) { return IsModelWord(each.text); });
  // "Under 1500, can skip true rms" says itself what is wanted.
  const bool says_more = !understanding_.said_words.empty() ||
                         !understanding_.said_filter.attributes.empty() ||
                         understanding_.said_filter.has_price();
  const NeedReport& report = retrieved_.needs;
  if (!is_cheaper || !is_of_kind || says_more || retrieved_.why.empty()) return;
  const auto met = [&](const std::vector<NeedVerdict>& verdicts) {
    size_t count = 0;
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const bool counts = report.needs[i].kind != AskedNeed::Kind::kPrice &&
                          report.needs[i].kind != AskedNeed::Kind::kWish;
      if (counts && verdicts[i] == NeedVerdict::kMet) ++count;
    }
    return count;
  };
  std::vector<FoundProduct> shown;
  for (catalog::Product& each : FindReferenced()) shown.push_back({std::move(each), {}});
  size_t of_shown = report.needs.size(), of_found = 0;
  for (const auto& verdicts :
       JudgeNeeds({report.needs, table_.get(), asked_unix_, market_}, shown)) {
    of_shown = std::min(of_shown, met(verdicts));
  }
  for (size_t i = 0; i < retrieved_.why.size(); ++i) {
    const auto* const verdicts = report.Of(retrieved_.sources[i].id());
    if (verdicts != nullptr) of_found = std::max(of_found, met(*verdicts));
  }
  if (shown.empty() || of_found >= of_shown) return;
  ShowBestReferenced();
}

/// Nothing goes beyond the products that are compared with: the best of them is named.
void Answer::ShowBestReferenced() {
  retrieved_ = {};
  none_beyond_ = true;
  const Comparison& comparison = *understanding_.comparison;
  const bool is_measure = comparison.aspect == Comparison::Aspect::kMeasure;
  if (!is_measure || comparison.key.empty()) return;
  for (catalog::Product& each : FindReferenced()) {
    if (ValueOf(each, comparison.key) == nullptr) continue;
    retrieved_.sources.push_back({std::move(each), 1});
    retrieved_.why.emplace_back();
  }
  retrieved_.is_about_shown = retrieved_.must_be_used = true;
  understanding_.rank = RankedKey{.key = comparison.key, .is_least = !comparison.wants_more};
}

/// "The cheapest?", after a list: the whole shop may have a cheaper one that meets the same
/// conditions.
absl::Status Answer::FindShopBest() {
  const std::optional<ConversationTurn>& search = understanding_.ranked_search;
  if (!search || !understanding_.rank || table_ == nullptr || retrieved_.why.empty()) {
    return absl::OkStatus();
  }
  RetrievalInput input{
      understanding_, search->search_text, request_.named_filters, {}, table_, parts_.now_unix(),
      market_};
  Understanding& wanted = input.understanding;
  const RankedKey& rank = *understanding_.rank;
  wanted.referenced_products.clear();
  wanted.ranks_all = true;
  wanted.rank->count = 1;
  wanted.search_text = search->search_text;
  wanted.filter = search->filter;
  wanted.words = search->words;
  wanted.min_reviews = search->min_reviews;
  auto found = Retrieve(parts_.shop, options_.retriever, input);
  if (!found.ok()) return found.status();
  const bool meets = !found->why.empty() && found->relaxed.empty() && found->lacking.empty();
  if (!meets || retrieved_.is_about_shown) return absl::OkStatus();
  const auto number = [&](const Source& source) {
    const auto stated = RankedValueOf(*source.product(), rank, parts_.now_unix(), market_);
    if (!stated) return std::optional<double>();
    return std::make_optional(rank.is_least ? stated->number : -stated->number);
  };
  const auto best = number(found->sources.front());
  for (size_t i = 0; i < retrieved_.why.size(); ++i) {
    const auto shown = number(retrieved_.sources[i]);
    if (!best || (shown && *shown <= *best)) return absl::OkStatus();
  }
  const auto end = static_cast<std::ptrdiff_t>(retrieved_.why.size());
  retrieved_.sources.insert(retrieved_.sources.begin() + end, found->sources.front());
  retrieved_.why.push_back(found->why.front());
  retrieved_.shop_best = static_cast<int>(end) + 1;
  return absl::OkStatus();
}

}  // namespace emptor::services

// Members of categories, of titles, and of kinds that attributes tell.
#include "services/assistant/types/type_learner.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "catalog/encoding/fnv.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/types/typicality.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxProducts = 16000;  // of a type, from which it is learned
constexpr int kFewHits = 60;            // among which a product of the type is, if there is any
constexpr size_t kMaxWords = 8;         // names of a type that titles are searched for
/// A category with this share of accessories does not decide what is of the type.
constexpr double kCoarse = 0.1;
/// Nor does one with this share of other goods.
constexpr double kOthers = 0.3;
constexpr double kMinNamed = 0.5;  // titles of a category that name its type
constexpr size_t kSample = 1000;   // products of a category that tell such shares
/// Shares of the median price of the type: of dear products, of cheap ones, and of what cannot be
/// of the type.
constexpr double kDear = 0.5, kCheap = 0.2, kCheapest = 0.04;
constexpr int kFewTitles = 2;
constexpr size_t kManyPrices = 12;
constexpr size_t kFewMembers = 5;  // whose titles have to speak of the type's department

using Products = std::vector<catalog::Product>;

/// The records of one category, or those that mention `word`.
retrieval::SearchRequest RequestFor(const std::string& category, const std::string& locale,
                                    const std::string& word) {
  retrieval::SearchRequest request;
  request.filter.locale = locale;
  if (!category.empty()) request.filter.categories = {category};
  request.browse = !category.empty();
  request.rewrite = false;
  request.mode = retrieval::SearchMode::kLexical;
  request.query = word;
  return request;
}

/// What the products of a type are, read from the shop.
class Learner {
 public:
  Learner(const ShopReader& shop, ProductType type, std::string locale, OverviewLookup overview)
      : shop_(shop),
        type_(std::move(type)),
        locale_(std::move(locale)),
        overview_(std::move(overview)),
        departments_(overview_.departments()) {}

  absl::StatusOr<std::shared_ptr<const TypeTable>> Run() {
    content_changes_ = shop_.changes().content;
    names_ = overview_.names();
    absl::Status status;
    for (const std::string& category : type_.categories) {
      if (!status.ok()) break;
      status = ReadAll(RequestFor(category, locale_, ""), [](const auto&) { return true; });
    }
    TakeLexiconNames();
    const bool by_title = type_.categories.empty() || IsCoarse();
    const bool is_mixed = !by_title && (DropOtherTypes() || DropOtherGoods());
    const bool has_categories = !type_.categories.empty();
    const size_t of_categories = products_.size();
    size_t searched = 0;
    for (const std::string& word : type_.words) {
      if ((has_categories && !is_large_shop()) || IsWideText(word)) continue;
      if (++searched > kMaxWords || !status.ok()) break;
      status = ReadAll(RequestFor("", locale_, word), [&](const auto& each) {
        return Names(each) && (!has_categories || NamesItAlone(each.title));
      });
    }
    if (!status.ok()) return status;
    is_wider_ = has_categories && products_.size() > of_categories;
    if (by_title) {
      if (has_categories) {
        std::erase_if(products_, [&](const auto& each) { return !Names(each); });
      }
      // Where records have no categories, what they state tells accessories apart.
      if (!shop_.profile()->categories.empty()) {
        DropCheapest();
      } else if (absl::Status replaced = ReplaceByKinds(); !replaced.ok()) {
        return replaced;
      }
    }
    return Build(by_title || is_mixed || is_wider_);
  }

  /// Whether one of the best hits for a name of the type is of it; where attributes tell what
  /// products are, whether they say it of any.
  absl::StatusOr<bool> FindsAny() {
    const bool is_listed = TypeNamed(type_.name, "en").has_value();
    if (const auto kinds = RichKinds(); kinds != nullptr && is_listed) {
      const std::vector<std::string> members = kinds->Members(type_);
      const bool are_few = members.size() < kFewMembers;
      for (const std::string& id : members) {
        const auto product = shop_.FindProduct(id);
        if (!product.ok()) return product.status();
        const bool is_of = *product && IsForLocale((*product)->locale) && !IsToy(**product);
        if (is_of && !(are_few && IsDoubtful(**product))) return true;
      }
      if (!members.empty()) return false;
    }
    return IsAmongHits();
  }

 private:
  /// Of a shop without categories whose records state much; null: not such a shop.
  std::shared_ptr<const ProductKinds> RichKinds() const {
    if (!shop_.profile()->categories.empty()) return nullptr;
    const auto kinds = overview_.kinds();
    return kinds != nullptr && kinds->is_rich() ? kinds : nullptr;
  }

  /// Its title alone tells: what English titles name otherwise is what its attributes say.
  bool IsUnknownKind(const catalog::Product& product) const {
    return RichKinds() == nullptr || !TypeNamed(type_.name, "en") ||
           NamesInTitle(product.title).empty();
  }

  /// "Cable boots", of shoes; "camera, desk or wall", of desks: the title names other goods, too,
  /// or speaks of another department.
  bool IsDoubtful(const catalog::Product& product) const {
    if (departments_ != nullptr && !departments_->MayHold(product, type_)) return true;
    const std::vector<TitleName> names = NamesInTitle(product.title);
    return std::any_of(names.begin(), names.end(), [&](const TitleName& each) {
      return each.is_type && !each.is_measured && !IsKindOf(each.name, type_) &&
             !IsWiderName(each.name) && !QualifiesType(each.name, product.title);
    });
  }

  /// "Pitcher" of "pitcher water filter"; a name of one word leaves more doubt: "cable boots".
  bool QualifiesType(const std::string& name, const std::string& title) const {
    const FoldedMessage folded(title);
    return std::any_of(type_.words.begin(), type_.words.end(), [&](const std::string& word) {
      return word.find(' ') != std::string::npos && folded.Has(name + " " + word);
    });
  }

  /// "Dryer" of a "hair dryer".
  bool IsWiderName(const std::string& name) const {
    const auto listed = FindProductType(name, "en", *shop_.profile());
    return listed && IsKindOf(type_.name, *listed);
  }

  /// A toy of the type is named as the type is.
  bool IsToy(const catalog::Product& product) const {
    return departments_ != nullptr && departments_->IsToyOf(product, type_);
  }

  absl::StatusOr<bool> IsAmongHits() const {
    size_t searched = 0;
    for (const std::string& word : type_.words) {
      if (IsWideText(word)) continue;
      if (++searched > kMaxWords) break;
      retrieval::SearchRequest request = RequestFor("", locale_, word);
      request.limit = kFewHits;
      const auto found = shop_.SearchProducts(request);
      if (!found.ok()) return found.status();
      for (const retrieval::Hit& hit : found->hits) {
        const auto product = shop_.FindProduct(hit.id);
        if (!product.ok()) return product.status();
        if (*product && Names(**product) && IsUnknownKind(**product)) return true;
      }
    }
    return false;
  }

  /// Adds the products that match the request and that `is_kept` accepts.
  absl::Status ReadAll(const retrieval::SearchRequest& request,
                       const std::function<bool(const catalog::Product&)>& is_kept) {
    const auto ids = shop_.FindProductIds(request);
    if (!ids.ok()) return ids.status();
    for (const std::string& id : *ids) {
      if (products_.size() == kMaxProducts) break;
      if (!seen_.insert(id).second) continue;
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      if (*product && is_kept(**product)) products_.push_back(**std::move(product));
    }
    return absl::OkStatus();
  }

  /// The category "Televisions", whose titles say "LED TV": the type has the lexicon's names for
  /// it. But no paper notebooks are laptops.
  void TakeLexiconNames() {
    const auto listed = TypeNamed(type_.name, "en");
    if (!listed || type_.categories.empty() || !is_large_shop()) return;
    const LexiconType& known = TheLexiconTypes()[*listed];
    ProductType named{known.canonical, type_.categories, known.names};
    const auto is_of = [&](const auto& each) { return IsOfType(each.title, named); };
    if (known.canonical != type_.name && ShareOf(is_of) > kMinNamed) type_ = std::move(named);
  }

  /// "Fans & Heaters" holds two types: titles tell which. False: nothing was dropped.
  bool DropOtherTypes() {
    const bool names_several =
        std::any_of(type_.categories.begin(), type_.categories.end(), [](const auto& category) {
          return LeafOf(category).find(" & ") != std::string_view::npos;
        });
    if (!names_several) return false;
    return std::erase_if(products_, [&](const catalog::Product& each) {
             return !IsOfType(each.title, type_) && NamesOtherType(each.title, type_);
           }) > 0;
  }

  /// Of a sample of the products, evenly taken.
  double ShareOf(const std::function<bool(const catalog::Product&)>& is_counted) const {
    const size_t step = products_.size() / kSample + 1;
    size_t counted = 0, all = 0;
    for (size_t i = 0; i < products_.size(); i += step) {
      ++all;
      if (is_counted(products_[i])) ++counted;
    }
    return static_cast<double>(counted) / static_cast<double>(std::max<size_t>(all, 1));
  }

  bool is_large_shop() const { return departments_ != nullptr && departments_->is_learned(); }

  /// Titles of the category name the type, and then what belongs to it: "washing machine cover"; or
  /// it is named after what its goods are for: the jerseys and socks of "Football".
  bool IsCoarse() const {
    const auto is_accessory = [&](const auto& each) { return IsForType(each.title, type_); };
    const auto is_other = [&](const auto& each) { return EndsWithOtherType(each.title, type_); };
    return ShareOf(is_accessory) > kCoarse || (is_large_shop() && ShareOf(is_other) > kOthers);
  }

  /// What belongs to the goods of a category, and, where most of its titles name the type, those
  /// that name other goods alone.
  bool DropOtherGoods() {
    if (!is_large_shop()) return false;
    const auto is_of = [&](const auto& each) { return IsOfType(each.title, type_); };
    const bool is_named = ShareOf(is_of) >= kMinNamed;
    return std::erase_if(products_, [&](const catalog::Product& each) {
             return (is_named && EndsWithOtherType(each.title, type_)) ||
                    NamesPartOf(each.title, type_);
           }) > 0;
  }

  /// By its title, or by an attribute such as "device type: mini tablet".
  bool Names(const catalog::Product& product) const {
    if (IsOfType(product.title, type_, names_.get())) {
      return departments_ == nullptr || departments_->MayHold(product, type_);
    }
    return std::any_of(product.attributes.begin(), product.attributes.end(),
                       [&](const catalog::Attribute& each) {
                         return StatesType(each.name) && EndsWithType(each.value, type_);
                       });
  }

  /// Outside the categories of the type no title counts that names other goods as well: "Mini Air
  /// Cooler, portable air conditioner".
  bool NamesItAlone(const std::string& title) const {
    const std::vector<TitleName> names = NamesInTitle(title, &type_, names_.get());
    return std::all_of(names.begin(), names.end(), [&](const TitleName& each) {
      // A "casual shoe sneaker" is a sneaker.
      const ProductType other{each.name, {}, {each.name}};
      return !each.is_type || IsKindOf(each.name, type_) || IsKindOf(type_.name, other);
    });
  }

  /// Where titles do not say what products are, their attributes do.
  absl::Status ReplaceByKinds() {
    const auto kinds = RichKinds();
    if (kinds == nullptr) return absl::OkStatus();
    const std::vector<std::string> members = kinds->Members(type_);
    if (members.empty()) {
      std::erase_if(products_, [&](const auto& each) { return !IsUnknownKind(each); });
      return absl::OkStatus();
    }
    products_.clear();
    for (const std::string& id : members) {
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      const bool is_of = *product && IsForLocale((*product)->locale) && !IsToy(**product);
      if (is_of) products_.push_back(**std::move(product));
    }
    TypeSplit split = SplitByTypicality(products_, *kinds);
    // Of few products attributes do not tell what is typical.
    const bool are_other =
        split.typical.empty() && std::all_of(products_.begin(), products_.end(),
                                             [&](const auto& each) { return IsDoubtful(each); });
    if (are_other) products_.clear();
    std::erase_if(products_, [&](const auto& each) { return split.strangers.contains(each.id); });
    typical_ = std::move(split.typical);
    best_ = std::move(split.best);
    return absl::OkStatus();
  }

  /// "en-GB" is for "en".
  bool IsForLocale(const std::string& locale) const {
    return locale_.empty() || locale.empty() || locale == locale_ ||
           locale.starts_with(locale_ + "-");
  }

  /// Titles such as "ceiling fan regulator" name an accessory: what costs little is one if its
  /// title goes on behind the type's name as no title of a dear product does.
  void DropCheapest() {
    std::vector<double> amounts;
    for (const catalog::Product& each : products_) {
      if (each.price) amounts.push_back(static_cast<double>(each.price->amount));
    }
    if (amounts.size() < kManyPrices) return;
    std::sort(amounts.begin(), amounts.end());
    const double median = amounts[amounts.size() / 2];
    std::map<std::string, int> dear;  // words behind the name
    for (const catalog::Product& each : products_) {
      const bool is_dear = each.price && static_cast<double>(each.price->amount) >= kDear * median;
      if (is_dear) ++dear[WordBehindName(each.title, type_)];
    }
    std::erase_if(products_, [&](const catalog::Product& each) {
      if (!each.price) return false;
      const double amount = static_cast<double>(each.price->amount);
      if (amount < kCheapest * median) return true;
      const std::string word = WordBehindName(each.title, type_);
      return amount < kCheap * median && !word.empty() && dear[word] < kFewTitles;
    });
  }

  std::shared_ptr<const TypeTable> Build(bool by_title) const {
    auto table = std::make_shared<TypeTable>();
    table->name = type_.name;
    table->locale = locale_;
    std::vector<const catalog::Product*> pointers;
    for (const catalog::Product& product : products_) {
      pointers.push_back(&product);
      table->members.push_back(product.id);
      table->reviews.push_back(product.rating ? product.rating->count : 0);
    }
    if (by_title) table->ids.insert(table->members.begin(), table->members.end());
    table->typical = typical_;
    table->best = best_;
    table->is_wider = is_wider_;
    table->schema = TypeSchema::Learn(pointers);
    table->content_changes = content_changes_;
    table->fingerprint = FingerprintOf(*table);
    return table;
  }

  const ShopReader& shop_;
  ProductType type_;
  const std::string locale_;
  const OverviewLookup overview_;
  const std::shared_ptr<const Departments> departments_;
  std::shared_ptr<const GoodsNames> names_;
  std::unordered_set<std::string> seen_;
  Products products_;
  bool is_wider_ = false;
  uint64_t content_changes_ = 0;
  std::unordered_set<std::string> typical_, best_;
};

}  // namespace

uint64_t FingerprintOf(const TypeTable& table) {
  uint64_t sum = 1;
  uint64_t basis = catalog::kFnv64Basis;
  const auto add = [&](const auto& ids) {
    for (const std::string& id : ids) sum += catalog::Fnv1a64(id, basis);
    ++basis;  // the same id counts otherwise in another set
  };
  add(table.members);
  add(table.ids);
  add(table.typical);
  add(table.best);
  for (const auto& of_type : table.advised) add(of_type);
  return sum == 0 ? 1 : sum;
}

absl::StatusOr<std::shared_ptr<const TypeTable>> LearnType(const ShopReader& shop,
                                                           const ProductType& type,
                                                           const std::string& locale,
                                                           const OverviewLookup& overview) {
  return Learner(shop, type, locale, overview).Run();
}

absl::StatusOr<bool> HasAnyOf(const ShopReader& shop, const ProductType& type,
                              const std::string& locale, const OverviewLookup& overview) {
  return Learner(shop, type, locale, overview).FindsAny();
}

}  // namespace emptor::services

// Reads the products of a type.
#include "services/assistant/types/type_catalog.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "services/assistant/types/needs.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/typicality.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxProducts = 16000;  // of a type, from which it is learned
constexpr int kPage = 1000;             // products of an overview between two looks
constexpr size_t kMaxTables = 2000;
constexpr size_t kMaxMembers = 300000;  // of all tables
constexpr size_t kMaxSold = 4096;
constexpr int kFewHits = 60;             // among which a product of the type is, if there is any
constexpr size_t kMaxOverview = 200000;  // products from which names and kinds are learned
constexpr std::chrono::hours kOverviewFresh{1};
constexpr size_t kMaxAdvised = 4;            // types that help with a need
constexpr size_t kMaxAdvisedMembers = 2000;  // of each of them
constexpr size_t kAdvisedSample = 300;       // of each of them, from which values are learned
constexpr size_t kMaxWords = 8;              // names of a type that titles are searched for
constexpr std::chrono::seconds kFresh{10};
constexpr std::chrono::seconds kSoldFresh{300};
/// A category with this share of accessories does not decide what is of the type.
constexpr double kCoarse = 0.1;
/// Nor does one with this share of other goods.
constexpr double kOthers = 0.3;
constexpr double kMostlyNamed = 0.5;  // titles of a category that name its type
constexpr size_t kSample = 1000;      // products of a category that tell such shares
/// Shares of the median price of the type: of dear products, of cheap ones, and of what cannot be
/// of the type.
constexpr double kDear = 0.5, kCheap = 0.2, kCheapest = 0.04;
constexpr int kFewTitles = 2;
constexpr size_t kManyPrices = 12;

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

/// What the shop tells of its goods as a whole.
struct OverviewLookup {
  std::function<std::shared_ptr<const ProductKinds>()> kinds;
  std::function<std::shared_ptr<const GoodsNames>()> names;
  std::function<std::shared_ptr<const Departments>()> departments;
};

/// What the products of a type are, read from the shop.
class Learner {
 public:
  Learner(const ShopReader& shop, const ProductType& type, std::string locale,
          OverviewLookup overview)
      : shop_(shop),
        type_(type),
        locale_(std::move(locale)),
        overview_(std::move(overview)),
        departments_(overview_.departments()) {}

  absl::StatusOr<std::shared_ptr<const TypeTable>> Run() {
    names_ = overview_.names();
    absl::Status status;
    for (const std::string& category : type_.categories) {
      if (!status.ok()) break;
      status = ReadAll(RequestFor(category, locale_, ""), [](const auto&) { return true; });
    }
    const bool by_title = type_.categories.empty() || IsCoarse();
    const bool is_mixed = !by_title && (DropOtherTypes() || DropOtherGoods());
    size_t searched = 0;
    for (const std::string& word : type_.words) {
      if (!by_title || !type_.categories.empty() || IsWideText(word)) continue;
      if (++searched > kMaxWords || !status.ok()) break;
      status =
          ReadAll(RequestFor("", locale_, word), [&](const auto& each) { return Names(each); });
    }
    if (!status.ok()) return status;
    if (by_title) {
      if (!type_.categories.empty()) {
        std::erase_if(products_, [&](const auto& each) { return !Names(each); });
      }
      // Where records have no categories, what they state tells accessories apart.
      if (!shop_.profile()->categories.empty()) {
        DropCheapest();
      } else if (absl::Status replaced = ReplaceByKinds(); !replaced.ok()) {
        return replaced;
      }
    }
    return Build(by_title || is_mixed);
  }

  /// Whether one of the best hits for a name of the type is of it.
  absl::StatusOr<bool> FindsAny() {
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
        if (*product && Names(**product)) return true;
      }
    }
    return false;
  }

 private:
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

  /// "Fans & Heaters" holds two types: titles tell which. False: nothing was dropped.
  bool DropOtherTypes() {
    const bool names_several = std::any_of(
        type_.categories.begin(), type_.categories.end(), [](const std::string& category) {
          const size_t leaf = category.rfind(" > ");
          return category.find(" & ", leaf == std::string::npos ? 0 : leaf + 1) !=
                 std::string::npos;
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

  /// Where most titles of the category name the type, those that name other goods alone are none.
  bool DropOtherGoods() {
    const auto is_of = [&](const auto& each) { return IsOfType(each.title, type_); };
    if (!is_large_shop() || ShareOf(is_of) < kMostlyNamed) return false;
    return std::erase_if(products_, [&](const catalog::Product& each) {
             return EndsWithOtherType(each.title, type_) || NamesPartOf(each.title, type_);
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

  /// Where titles do not say what products are, their attributes do.
  absl::Status ReplaceByKinds() {
    const auto kinds = overview_.kinds();
    if (kinds == nullptr || !kinds->is_rich()) return absl::OkStatus();
    const std::vector<std::string> members = kinds->Members(type_);
    if (members.empty()) return absl::OkStatus();
    products_.clear();
    for (const std::string& id : members) {
      auto product = shop_.FindProduct(id);
      if (!product.ok()) return product.status();
      if (*product && IsForLocale((*product)->locale)) products_.push_back(**std::move(product));
    }
    TypeSplit split = SplitByTypicality(products_, *kinds);
    std::erase_if(products_, [&](const auto& each) { return split.strangers.contains(each.id); });
    typical_ = std::move(split.typical);
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
    table->locale = locale_;
    std::vector<const catalog::Product*> pointers;
    for (const catalog::Product& product : products_) {
      pointers.push_back(&product);
      table->members.push_back(product.id);
      table->reviews.push_back(product.rating ? product.rating->count : 0);
    }
    if (by_title) table->ids.insert(table->members.begin(), table->members.end());
    table->typical = typical_;
    table->schema = TypeSchema::Learn(pointers);
    return table;
  }

  const ShopReader& shop_;
  const ProductType& type_;
  const std::string locale_;
  const OverviewLookup overview_;
  const std::shared_ptr<const Departments> departments_;
  std::shared_ptr<const GoodsNames> names_;
  std::unordered_set<std::string> seen_;
  Products products_;
  std::unordered_set<std::string> typical_;
};

}  // namespace

std::string TypeCatalog::KeyOf(const ProductType& type, const std::string& locale) {
  std::string key = (type.is_advised ? "need " : "") + type.name + "\n" + locale;
  for (const std::string& category : type.categories) key += "\n" + category;
  return key;
}

absl::StatusOr<std::shared_ptr<const TypeTable>> TypeCatalog::Get(const ShopReader& shop,
                                                                  const ProductType& type,
                                                                  const std::string& locale) {
  const std::string key = KeyOf(type, locale);
  const uint64_t sequence = shop.info().sequence;
  const auto now = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.key == key; });
    if (found != entries_.end()) {
      const bool is_current = found->sequence == sequence || now - found->learned < kFresh;
      if (is_current || refreshers_ > 0) {
        if (!is_current && !found->is_refreshing) {
          found->is_refreshing = true;
          outdated_.push_back({type, locale});
          outdated_came_.notify_one();
        }
        entries_.splice(entries_.begin(), entries_, found);
        return entries_.front().table;
      }
    }
  }
  auto learned = Read(shop, type, locale);
  if (!learned.ok()) return learned;
  Keep({key, sequence, now, *learned});
  return learned;
}

absl::StatusOr<std::shared_ptr<const TypeTable>> TypeCatalog::Read(const ShopReader& shop,
                                                                   const ProductType& type,
                                                                   const std::string& locale) {
  if (type.is_advised) return Combine(shop, type, locale);
  const auto kinds = [&]() -> std::shared_ptr<const ProductKinds> {
    const auto overview = OverviewOf(shop);
    if (overview == nullptr) return nullptr;
    return {overview, &overview->kinds};
  };
  return Learner(shop, type, locale,
                 {kinds, [&] { return NamesOf(shop); }, [&] { return DepartmentsOf(shop); }})
      .Run();
}

absl::StatusOr<std::shared_ptr<const TypeTable>> TypeCatalog::Combine(const ShopReader& shop,
                                                                      const ProductType& need,
                                                                      const std::string& locale) {
  auto table = std::make_shared<TypeTable>();
  table->locale = locale;
  Products products;
  for (const std::string& name : TypesOfNeed(need.name)) {
    const auto type = FindProductType(name, "en", *shop.profile());
    if (!type || table->advised.size() == kMaxAdvised) continue;
    const auto own = Get(shop, *type, locale);
    if (!own.ok()) return own.status();
    std::unordered_set<std::string> members;
    for (size_t i = 0; i < (*own)->members.size() && members.size() < kMaxAdvisedMembers; ++i) {
      const std::string& id = (*own)->members[i];
      if (!table->ids.insert(id).second) continue;
      members.insert(id);
      table->members.push_back(id);
      table->reviews.push_back((*own)->reviews[i]);
      if (members.size() > kAdvisedSample) continue;
      auto product = shop.FindProduct(id);
      if (!product.ok()) return product.status();
      if (*product) products.push_back(**std::move(product));
    }
    if (members.empty()) continue;
    table->advised.push_back(std::move(members));
    table->advised_types.push_back(name);
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  table->schema = TypeSchema::Learn(pointers);
  return std::shared_ptr<const TypeTable>(std::move(table));
}

absl::StatusOr<bool> TypeCatalog::IsSold(const ShopReader& shop, const ProductType& type,
                                         const std::string& locale) {
  if (!type.categories.empty() || type.is_advised) return true;
  const std::string key = KeyOf(type, locale);
  const uint64_t sequence = shop.info().sequence;
  const auto now = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(mutex_);
    for (const Entry& each : entries_) {
      if (each.key == key) return each.table->schema.product_count() > 0;
    }
    const auto known = sold_.find(key);
    if (known != sold_.end()) {
      const auto fresh = known->second.is_sold ? kSoldFresh : kFresh;
      const bool is_fresh = now - known->second.learned < fresh;
      if (is_fresh || known->second.sequence == sequence) return known->second.is_sold;
    }
  }
  auto sold = Learner(shop, type, locale, {{}, {}, [&] { return DepartmentsOf(shop); }}).FindsAny();
  if (!sold.ok()) return sold;
  std::lock_guard lock(mutex_);
  if (sold_.size() >= kMaxSold) sold_.clear();
  sold_[key] = {sequence, now, *sold};
  return sold;
}

bool TypeCatalog::Knows(const ProductType& type, const std::string& locale) {
  const std::string key = KeyOf(type, locale);
  std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.key == key; });
}

bool TypeCatalog::HasRoom() {
  std::lock_guard lock(mutex_);
  return entries_.size() < kMaxTables / 2 && CountMembers() < kMaxMembers / 2;
}

absl::Status TypeCatalog::Learn(const ShopReader& shop, const ProductType& type,
                                const std::string& locale) {
  const uint64_t sequence = shop.info().sequence;
  const auto now = std::chrono::steady_clock::now();
  auto learned = Read(shop, type, locale);
  if (!learned.ok()) return learned.status();
  Keep({KeyOf(type, locale), sequence, now, *std::move(learned)});
  return absl::OkStatus();
}

void TypeCatalog::AddRefresher() {
  std::lock_guard lock(mutex_);
  ++refreshers_;
}

void TypeCatalog::RemoveRefresher() {
  std::lock_guard lock(mutex_);
  --refreshers_;
  outdated_.clear();
  for (Entry& each : entries_) each.is_refreshing = false;
}

std::optional<TypeCatalog::Outdated> TypeCatalog::NextOutdated(const std::stop_token& stop,
                                                               std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  const bool came =
      outdated_came_.wait_for(lock, stop, wait, [this] { return !outdated_.empty(); });
  if (!came) return std::nullopt;
  Outdated next = std::move(outdated_.front());
  outdated_.pop_front();
  return next;
}

void TypeCatalog::Keep(Entry entry) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& each) { return each.key == entry.key; });
  entries_.push_front(std::move(entry));
  while (entries_.size() > kMaxTables || (entries_.size() > 1 && CountMembers() > kMaxMembers)) {
    entries_.pop_back();
  }
}

size_t TypeCatalog::CountMembers() const {
  size_t members = 0;
  for (const Entry& each : entries_) members += each.table->members.size();
  return members;
}

std::shared_ptr<const TypeCatalog::Overview> TypeCatalog::ReadOverview(const ShopReader& shop) {
  auto overview = std::make_shared<Overview>();
  size_t visited = 0;
  bool is_rich = true;
  const absl::Status status = shop.VisitProducts([&](const catalog::Product& product) {
    overview->names.Add(product.title);
    overview->departments.Add(product);
    overview->units.Add(product);
    if (is_rich) overview->kinds.Add(product);
    // The first thousand tell whether attributes say what products are.
    if (++visited % kPage == 0) is_rich = is_rich && overview->kinds.is_rich();
    return visited < kMaxOverview;
  });
  if (!status.ok()) return nullptr;
  overview->kinds.Finish();
  overview->names.Finish();
  overview->departments.Finish();
  overview->units.Finish();
  return overview;
}

std::shared_ptr<const TypeCatalog::Overview> TypeCatalog::OverviewOf(const ShopReader& shop) {
  const uint64_t sequence = shop.info().sequence;
  const auto now = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(mutex_);
    const bool is_current = overview_sequence_ == sequence || now - overview_read_ < kOverviewFresh;
    if (overview_ != nullptr && is_current) return overview_;
  }
  auto overview = ReadOverview(shop);
  std::lock_guard lock(mutex_);
  overview_ = std::move(overview);
  overview_sequence_ = sequence;
  overview_read_ = now;
  return overview_;
}

std::shared_ptr<const Departments> TypeCatalog::DepartmentsOf(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  return overview == nullptr ? nullptr
                             : std::shared_ptr<const Departments>(overview, &overview->departments);
}

std::shared_ptr<const GoodsNames> TypeCatalog::NamesOf(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  return overview == nullptr ? nullptr
                             : std::shared_ptr<const GoodsNames>(overview, &overview->names);
}

std::shared_ptr<const ShopUnits> TypeCatalog::UnitsOf(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  return overview == nullptr ? nullptr
                             : std::shared_ptr<const ShopUnits>(overview, &overview->units);
}

}  // namespace emptor::services

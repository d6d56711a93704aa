// Reads the products of a type.
#include "services/assistant/types/type_catalog.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/assistant/types/needs.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_learner.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr int kPage = 1000;  // products of an overview between two looks
constexpr size_t kMaxTables = 2000;
constexpr size_t kMaxMembers = 300000;  // of all tables
constexpr size_t kMaxSold = 4096;
constexpr size_t kMaxOverview = 200000;  // products from which names and kinds are learned
constexpr std::chrono::hours kOverviewFresh{1};
constexpr uint64_t kMuchMore = 5;            // a fifth more products outdates it at once
constexpr uint64_t kTwice = 2;               // times the products: a call waits for the new ones
constexpr size_t kMaxAdvised = 4;            // types that help with a need
constexpr size_t kMaxAdvisedMembers = 2000;  // of each of them
constexpr size_t kAdvisedSample = 300;       // of each of them, from which values are learned
constexpr std::chrono::seconds kFresh{10};
constexpr std::chrono::seconds kSoldFresh{300};

using Products = std::vector<catalog::Product>;

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
  return LearnType(shop, type, locale,
                   {[&] { return KindsOf(shop); }, [&] { return NamesOf(shop); },
                    [&] { return DepartmentsOf(shop); }});
}

absl::StatusOr<std::shared_ptr<const TypeTable>> TypeCatalog::Combine(const ShopReader& shop,
                                                                      const ProductType& need,
                                                                      const std::string& locale) {
  auto table = std::make_shared<TypeTable>();
  table->locale = locale;
  table->content_changes = shop.changes().content;
  Products products;
  const auto names = need.advised.empty() ? TypesOfNeed(need.name) : need.advised;
  for (const std::string& name : names) {
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
    table->content_changes = std::min(table->content_changes, (*own)->content_changes);
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  table->schema = TypeSchema::Learn(pointers);
  table->fingerprint = FingerprintOf(*table);
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
  auto sold = HasAnyOf(shop, type, locale,
                       {[&] { return KindsOf(shop); }, {}, [&] { return DepartmentsOf(shop); }});
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
  overview_wanted_ = false;
  outdated_.clear();
  for (Entry& each : entries_) each.is_refreshing = false;
}

std::optional<TypeCatalog::Outdated> TypeCatalog::NextOutdated(const std::stop_token& stop,
                                                               std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  outdated_came_.wait_for(lock, stop, wait,
                          [this] { return !outdated_.empty() || overview_wanted_; });
  if (outdated_.empty()) return std::nullopt;
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
  overview->products = shop.info().products;
  size_t visited = 0;
  bool is_rich = true;
  const absl::Status status = shop.VisitProducts([&](const catalog::Product& product) {
    const std::vector<TitleName> named = NamesInTitle(product.title);
    overview->names.Add(product.title, named);
    overview->departments.Add(product, named);
    overview->units.Add(product);
    overview->titles.Add(product, named);
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
  const catalog::StoreInfo info = shop.info();
  const auto now = std::chrono::steady_clock::now();
  {
    std::unique_lock lock(mutex_);
    const uint64_t known = overview_ == nullptr ? 0 : overview_->products;
    const bool is_alike = info.products <= known + known / kMuchMore;
    const bool is_fresh = is_alike && now - overview_read_ < kOverviewFresh;
    if (overview_ != nullptr && (overview_sequence_ == info.sequence || is_fresh)) return overview_;
    // A first import makes another shop of it: what nothing was known of must not seem unsold.
    if (info.products < kTwice * known && refreshers_ > 0) {
      if (!overview_wanted_ && !overview_reading_) {
        overview_wanted_ = true;
        outdated_came_.notify_one();
      }
      return overview_;
    }
    if (overview_reading_) {
      overview_came_.wait(lock, [this] { return !overview_reading_; });
      return overview_;
    }
    overview_reading_ = true;
  }
  return ReadOverviewAlone(shop);
}

std::shared_ptr<const TypeCatalog::Overview> TypeCatalog::ReadOverviewAlone(
    const ShopReader& shop) {
  const uint64_t sequence = shop.info().sequence;
  const auto now = std::chrono::steady_clock::now();
  auto overview = ReadOverview(shop);
  std::lock_guard lock(mutex_);
  overview_reading_ = overview_wanted_ = false;
  // A shop that could not be read keeps what was known of it.
  if (overview != nullptr) {
    overview_ = overview;
    overview_sequence_ = sequence;
    overview_read_ = now;
  }
  overview_came_.notify_all();
  return overview;
}

void TypeCatalog::RefreshOverview(const ShopReader& shop) {
  {
    std::lock_guard lock(mutex_);
    if (!overview_wanted_ || overview_reading_) return;
    overview_reading_ = true;
  }
  ReadOverviewAlone(shop);
}

std::shared_ptr<const ProductKinds> TypeCatalog::KindsOf(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  return overview == nullptr ? nullptr
                             : std::shared_ptr<const ProductKinds>(overview, &overview->kinds);
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

void TypeCatalog::LearnMeanings(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  {
    std::lock_guard lock(mutex_);
    if (overview == nullptr || meanings_overview_.lock() == overview) return;
  }
  auto meanings = TypeMeanings::Make(shop, overview->titles);
  std::lock_guard lock(mutex_);
  meanings_overview_ = overview;
  if (meanings.ok()) meanings_ = *std::move(meanings);
}

std::shared_ptr<const TypeMeanings> TypeCatalog::MeaningsOf(const ShopReader& shop) {
  {
    std::lock_guard lock(mutex_);
    if (refreshers_ > 0) return meanings_;
  }
  LearnMeanings(shop);
  std::lock_guard lock(mutex_);
  return meanings_;
}

std::shared_ptr<const ShopUnits> TypeCatalog::UnitsOf(const ShopReader& shop) {
  const auto overview = OverviewOf(shop);
  return overview == nullptr ? nullptr
                             : std::shared_ptr<const ShopUnits>(overview, &overview->units);
}

}  // namespace emptor::services

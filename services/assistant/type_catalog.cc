// Reads the products of a type.
#include "services/assistant/type_catalog.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr int kMaxProducts = 4000;  // of a type, from which it is learned
constexpr size_t kMaxTables = 64;
constexpr size_t kMaxWords = 8;  // names of a type that titles are searched for
constexpr std::chrono::seconds kFresh{10};

using Products = std::vector<catalog::Product>;

/// The records of the type's categories, or those that mention `word`.
retrieval::SearchRequest RequestFor(const ProductType& type, const std::string& locale,
                                    const std::string& word) {
  retrieval::SearchRequest request;
  request.limit = kMaxProducts;
  request.filter.locale = locale;
  request.filter.categories = type.categories;
  request.browse = !type.categories.empty();
  request.rewrite = false;
  request.mode = retrieval::SearchMode::kLexical;
  request.query = word;
  return request;
}

/// Adds what a search finds, and is of the type by its title where no category says so.
absl::Status Read(const ShopReader& shop, const ProductType& type,
                  const retrieval::SearchRequest& request, std::unordered_set<std::string>& ids,
                  Products& products) {
  const auto found = shop.SearchProducts(request);
  if (!found.ok()) return found.status();
  for (const retrieval::Hit& hit : found->hits) {
    if (!ids.insert(hit.id).second) continue;
    auto product = shop.FindProduct(hit.id);
    if (!product.ok()) return product.status();
    if (!*product) continue;
    const bool is_of_type = !type.categories.empty() || IsOfType((*product)->title, type);
    if (is_of_type) products.push_back(**std::move(product));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const TypeTable>> Learn(const ShopReader& shop,
                                                       const ProductType& type,
                                                       const std::string& locale) {
  auto table = std::make_shared<TypeTable>();
  table->locale = locale;
  std::unordered_set<std::string> seen;
  Products products;
  std::vector<std::string> words = {""};
  if (type.categories.empty()) {
    words.clear();
    for (const std::string& word : type.words) {
      if (words.size() < kMaxWords && !IsWideText(word)) words.push_back(word);
    }
  }
  for (const std::string& word : words) {
    const absl::Status status = Read(shop, type, RequestFor(type, locale, word), seen, products);
    if (!status.ok()) return status;
  }
  if (type.categories.empty()) {
    for (const catalog::Product& product : products) table->ids.insert(product.id);
  }
  std::vector<const catalog::Product*> pointers;
  for (const catalog::Product& product : products) pointers.push_back(&product);
  table->schema = TypeSchema::Learn(pointers);
  return table;
}

}  // namespace

std::string TypeCatalog::KeyOf(const ProductType& type, const std::string& locale) {
  std::string key = type.name + "\n" + locale;
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
      if (is_current) {
        entries_.splice(entries_.begin(), entries_, found);
        return entries_.front().table;
      }
      entries_.erase(found);
    }
  }
  auto learned = Learn(shop, type, locale);
  if (!learned.ok()) return learned;
  std::lock_guard lock(mutex_);
  entries_.push_front({key, sequence, now, *learned});
  if (entries_.size() > kMaxTables) entries_.pop_back();
  return learned;
}

}  // namespace emptor::services

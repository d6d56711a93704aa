// What a shop answers with its words: searches of products, completions, synonyms.
#include <spdlog/spdlog.h>

#include <ctime>
#include <utility>

#include "services/shop/shop.h"
#include "services/shop/shop_settings.h"

namespace emptor::services {

absl::StatusOr<retrieval::SearchResult> Shop::SearchProducts(
    const retrieval::SearchRequest& request) const {
  retrieval::SearchRequest placed = request;
  const std::shared_ptr<const ShopPins> rules = pins();
  retrieval::Merchandising merchandising;
  if (request.merchandising == nullptr && rules->rules.size() > 0) {
    merchandising = rules->rules.Match({.queries = {request.query, request.typed},
                                        .brands = request.filter.brands,
                                        .categories = request.filter.categories,
                                        .now_unix = static_cast<int64_t>(std::time(nullptr))});
    if (!merchandising.empty()) placed.merchandising = &merchandising;
  }
  auto result = products_->Search(placed);
  if (result.ok() && !result->hits.empty() && result->corrections.empty()) {
    words_->CountQuery(request.query);
  }
  return result;
}

std::vector<retrieval::Completion> Shop::Complete(std::string_view typed, size_t limit) const {
  std::vector<retrieval::Completion> completions = words_->dictionary()->Complete(typed, limit);
  // A product may have been deleted or renamed since the dictionary was made.
  std::erase_if(completions, [this](retrieval::Completion& completion) {
    if (completion.kind != retrieval::CompletionKind::kProduct) return false;
    const auto product = FindProduct(completion.id);
    if (!product.ok() || !product->has_value()) return true;
    completion.text = (*product)->title;
    return false;
  });
  return completions;
}

const std::string& Shop::settings_directory() const {
  return options_.settings_directory.empty() ? options_.directory : options_.settings_directory;
}

absl::Status Shop::ReloadSynonyms() {
  auto synonyms = ReadShopSynonyms(settings_directory());
  if (!synonyms.ok()) return synonyms.status();
  words_->SetSynonyms(*std::move(synonyms));
  return absl::OkStatus();
}

absl::Status Shop::ReloadPins() {
  auto read = ReadShopPins(settings_directory());
  if (!read.ok()) return read.status();
  auto shared = std::make_shared<const ShopPins>(*std::move(read));
  const std::lock_guard lock(pins_mutex_);
  pins_ = std::move(shared);
  return absl::OkStatus();
}

absl::Status Shop::SetPins(const std::string& json) {
  const absl::Status kept = WriteShopPins(settings_directory(), json);
  return kept.ok() ? ReloadPins() : kept;
}

std::shared_ptr<const ShopPins> Shop::pins() const {
  const std::lock_guard lock(pins_mutex_);
  return pins_;
}

std::string Shop::pins_json() const { return pins()->json; }

/// Where they were not saved with the index they are read from the records, beside searches and
/// imports: those of a large shop take seconds.
void Shop::BeginWords() {
  if (words_known_) return;
  words_->BeginLoading();
  word_reader_ = std::jthread([this](const std::stop_token& stop) { ReadWords(stop); });
}

void Shop::ReadWords(const std::stop_token& stop) {
  const absl::Status scanned =
      store_->ScanProducts([&](const catalog::Product& product, std::string_view) {
        if (product.quarantine.empty()) words_->Load(product);
        return !stop.stop_requested();
      });
  if (!scanned.ok()) spdlog::warn("words: {}; searches correct less", scanned.ToString());
  words_->EndLoading();
  words_known_ = scanned.ok() && !stop.stop_requested();
}

}  // namespace emptor::services

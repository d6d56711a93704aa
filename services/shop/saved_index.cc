// The search of a shop on disk: opened as it was saved and brought up to what the store holds, or
// built from the records; saved beside its writers.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/shop/saved_state.h"
#include "services/shop/shop.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr size_t kVectorsPerWrite = 256;
constexpr size_t kReplayedTogether = 4096;
constexpr size_t kFewToReplay = 1000;
constexpr size_t kMinBrandBytes = 2;
/// A saved index tells by itself, record by record, what it holds.
constexpr const char* kIndexSource = "catalog records by their hashes";

void AddToProfile(const catalog::Product& product, ShopProfile& profile) {
  if (product.brand.size() >= kMinBrandBytes) {
    profile.brands.emplace(retrieval::FoldForComparison(product.brand), product.brand);
  }
  if (!product.locale.empty()) ++profile.languages[product.locale.substr(0, 2)];
}

/// Names what the store holds: another digest, another index.
std::string NameOf(const catalog::StoreInfo& info) {
  return fmt::format("catalog {:016x}{:016x}, {} products", info.digest[0], info.digest[1],
                     info.products);
}

std::string CommonestOf(const std::unordered_map<std::string, size_t>& counts) {
  std::string best = "USD";
  size_t most = 0;
  for (const auto& [currency, count] : counts) {
    if (count > most || (count == most && currency < best)) {
      best = currency;
      most = count;
    }
  }
  return best;
}

}  // namespace

/// Records on their way into the search.
struct Shop::Loaded {
  std::vector<IndexedProduct> records;
  std::vector<size_t> fresh;        // positions without a usable vector
  std::vector<std::string> hidden;  // in quarantine

  void Add(const catalog::Product& product, std::string_view entry,
           const retrieval::Embedder& embedder) {
    if (!product.quarantine.empty()) return hidden.push_back(product.id);
    auto vector = DecodeStoredEmbedding(entry, embedder.model_id(),
                                        retrieval::EmbeddingText(product), embedder.dimension());
    if (!vector) fresh.push_back(records.size());
    records.push_back({product, vector ? *std::move(vector) : std::vector<float>()});
  }
};

Shop::~Shop() {
  if (products_ == nullptr) return;  // was never opened
  saver_.Stop();
  {
    const std::lock_guard lock(import_mutex_);
    if (NameOf(store_->info()) == saved_index_) return;
  }
  if (word_reader_.joinable()) word_reader_.join();  // what it reads is saved as well
  const absl::Status saved = SaveIndex();
  if (!saved.ok()) spdlog::warn("{}; the next start takes longer", saved.ToString());
}

absl::Status Shop::LoadProducts() {
  retrieval::HybridOptions search;
  search.fusion = options_.fusion;
  search.ranker = options_.ranker;
  search.faiss = options_.faiss;
  search.index_directory = options_.directory + "/index";
  search.words = words_.get();
  auto opened = OpenSavedIndex(search);
  if (!opened.ok() || *opened) return opened.status();
  if (absl::Status status = BuildProducts(search); !status.ok()) return status;
  if (const absl::Status saved = SaveIndex(); !saved.ok()) {
    spdlog::warn("{}; the next start builds the index", saved.ToString());
  }
  return absl::OkStatus();
}

/// False when there is no index that is near enough to what the store holds: it must be built.
absl::StatusOr<bool> Shop::OpenSavedIndex(const retrieval::HybridOptions& search) {
  auto opened = retrieval::HybridSearcher::Open(kIndexSource, embedder_, search);
  if (absl::IsNotFound(opened.status())) return false;
  if (absl::IsFailedPrecondition(opened.status())) {
    spdlog::info("{}; the index is built anew", opened.status().ToString());
    return false;
  }
  std::optional<SavedState> state;
  if (opened.ok()) state = DecodeSavedState(opened->attachment);
  if (!state) {
    spdlog::warn("{}; the index is built anew", opened.ok()
                                                    ? "saved index: its records cannot be read"
                                                    : opened.status().ToString());
    return false;
  }
  StoreDifference behind;
  if (state->store != NameOf(store_->info())) {
    auto found = CompareWithStore(state->fingerprints, *store_);
    if (!found.ok()) return found.status();
    behind = *std::move(found);
  }
  const size_t changes = behind.changed.size() + behind.removed.size();
  const uint64_t products = store_->info().products;
  if (changes > std::max<uint64_t>(kFewToReplay, products / 2)) {
    spdlog::info("saved index: {} of {} products have changed since; it is built anew", changes,
                 products);
    return false;
  }
  products_ = std::move(opened->searcher);
  currency_counts_ = std::move(state->currency_counts);
  state->profile.currency = CommonestOf(currency_counts_);
  profile_ = std::make_shared<const ShopProfile>(std::move(state->profile));
  saved_index_ = state->store;
  words_known_ = state->words.has_value();
  if (state->words) words_->Restore(*std::move(state->words));
  if (absl::Status status = Replay(behind); !status.ok()) return status;
  if (products_->size() <= products) return true;  // some are in quarantine
  spdlog::warn("saved index: it holds more than the store; it is built anew");
  products_.reset();
  words_known_ = false;
  return false;
}

/// Takes what was written since the index was saved.
absl::Status Shop::Replay(const StoreDifference& behind) {
  const size_t count = behind.changed.size() + behind.removed.size();
  index_replayed_ = count;
  if (count == 0) return absl::OkStatus();
  spdlog::info("saved index: {} products were written and {} deleted since; they are taken again",
               behind.changed.size(), behind.removed.size());
  products_->Remove(behind.removed);
  words_->Remove(behind.removed);
  for (size_t begin = 0; begin < behind.changed.size(); begin += kReplayedTogether) {
    const size_t end = std::min(behind.changed.size(), begin + kReplayedTogether);
    Loaded loaded;
    catalog::StoreBatch changes;
    for (size_t i = begin; i < end; ++i) {
      const auto product = store_->Find(behind.changed[i]);
      if (!product.ok()) return product.status();
      const auto entry = store_->FindStoredEmbedding(behind.changed[i]);
      if (!entry.ok()) return entry.status();
      if (!product->has_value()) continue;
      changes.puts.push_back({.product = **product});
      if ((*product)->quarantine.empty()) words_->Put(**product);
      loaded.Add(**product, *entry, embedder_);
    }
    if (absl::Status status = StoreVectors(loaded); !status.ok()) return status;
    products_->Remove(loaded.hidden);
    words_->Remove(loaded.hidden);
    absl::Status status = products_->Upsert(std::move(loaded.records));
    if (!status.ok()) return status;
    UpdateProfile(changes);
  }
  saver_.NoteChanges(count, store_->info().products);
  return absl::OkStatus();
}

/// The batch will be written: what a save that is under way has read of its records may be old.
void Shop::NoteWritten(const catalog::StoreBatch& changes) {
  if (touched_) {
    for (const catalog::ProductPut& put : changes.puts) touched_->insert(put.product.id);
    touched_->insert(changes.deleted_products.begin(), changes.deleted_products.end());
  }
  if (duplicates_ != nullptr) {
    for (const catalog::ProductPut& put : changes.puts) duplicates_->Add(put.product);
  }
  saver_.NoteChanges(changes.puts.size() + changes.deleted_products.size(),
                     store_->info().products);
}

/// Read from the store by the first who asks, and again when most of it is stale. Writers add what
/// they write from the moment on that it is there, so nothing is missed.
absl::StatusOr<std::shared_ptr<catalog::DuplicateIndex>> Shop::Duplicates() {
  constexpr size_t kStaleAtLeast = 100000;
  constexpr size_t kEntriesPerProduct = 6;  // two keys each, three times over
  const std::lock_guard reading(duplicates_mutex_);
  std::shared_ptr<catalog::DuplicateIndex> index;
  {
    const std::lock_guard lock(import_mutex_);
    const bool is_stale =
        duplicates_ != nullptr &&
        duplicates_->size() > kStaleAtLeast + kEntriesPerProduct * store_->info().products;
    if (duplicates_ != nullptr && knows_all_duplicates_ && !is_stale) return duplicates_;
    index = duplicates_ = std::make_shared<catalog::DuplicateIndex>();
    knows_all_duplicates_ = false;
  }
  if (absl::Status status = index->AddAll(*store_); !status.ok()) return status;
  const std::lock_guard lock(import_mutex_);
  knows_all_duplicates_ = true;
  return index;
}

absl::Status Shop::CheckInStep() const {
  if (absl::Status status = store_->health(); !status.ok()) return status;
  if (in_step_ && products_in_doubt_.empty() && documents_in_doubt_.empty()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError("index: it may not hold what the store holds");
}

/// Beside writers. First the store is read, then the search is frozen: what is written in between
/// is in the saved index or not, so it is marked as unsure, to be taken again by who opens it.
/// REQUIRES: one call at a time.
absl::Status Shop::SaveIndex() {
  {
    const std::lock_guard lock(import_mutex_);
    if (absl::Status status = CheckInStep(); !status.ok()) return status;
    touched_.emplace();
  }
  SavedState state;
  auto fingerprints = StoreFingerprints::Read(*store_);
  absl::Status status = fingerprints.ok() ? ReadState(state) : fingerprints.status();
  if (words_known_) state.words = words_->state();
  std::shared_ptr<const retrieval::Snapshot> frozen;
  std::set<std::string> touched;
  {
    const std::lock_guard lock(import_mutex_);
    touched = *std::exchange(touched_, std::nullopt);
    if (status.ok()) status = CheckInStep();
    frozen = products_->Freeze();
    state.store = NameOf(store_->info());
  }
  if (!status.ok()) return status;
  state.fingerprints = fingerprints->Without(touched);
  status = products_->Save(*frozen, kIndexSource, EncodeSavedState(state));
  if (!status.ok()) return status;
  const std::lock_guard lock(import_mutex_);
  saved_index_ = std::move(state.store);
  ++index_saves_;
  return status;
}

/// Anew from the records: what was learnt from changes also holds brands that are gone.
absl::Status Shop::ReadState(SavedState& state) const {
  return store_->ScanProducts([&](const catalog::Product& product, std::string_view) {
    if (!product.quarantine.empty()) return true;
    AddToProfile(product, state.profile);
    if (product.price) ++state.currency_counts[product.price->currency];
    return true;
  });
}

absl::Status Shop::BuildProducts(const retrieval::HybridOptions& search) {
  Loaded loaded;
  const absl::Status scanned =
      store_->ScanProducts([&](const catalog::Product& product, std::string_view entry) {
        loaded.Add(product, entry, embedder_);
        return true;
      });
  if (!scanned.ok()) return scanned;
  if (absl::Status status = StoreVectors(loaded); !status.ok()) return status;
  SavedState state;
  if (absl::Status status = ReadState(state); !status.ok()) return status;
  currency_counts_ = std::move(state.currency_counts);
  state.profile.currency = CommonestOf(currency_counts_);
  profile_ = std::make_shared<const ShopProfile>(std::move(state.profile));
  auto built = retrieval::HybridSearcher::Build(std::move(loaded.records), embedder_, search);
  if (!built.ok()) return built.status();
  products_ = *std::move(built);
  ++index_builds_;
  return absl::OkStatus();
}

/// Embeds the records without a vector and stores their vectors beside them.
absl::Status Shop::StoreVectors(Loaded& loaded) {
  std::vector<IndexedProduct>& records = loaded.records;
  const std::vector<size_t>& fresh = loaded.fresh;
  for (size_t begin = 0; begin < fresh.size(); begin += kVectorsPerWrite) {
    const size_t count = std::min(kVectorsPerWrite, fresh.size() - begin);
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) {
      texts.push_back(retrieval::EmbeddingText(records[fresh[begin + i]].product));
    }
    auto vectors = Embed(texts);
    if (!vectors.ok()) return vectors.status();
    catalog::StoreBatch batch;
    for (size_t i = 0; i < count; ++i) {
      IndexedProduct& record = records[fresh[begin + i]];
      record.vector = std::move((*vectors)[i]);
      batch.puts.push_back(
          {record.product, EncodeStoredEmbedding(embedder_.model_id(), texts[i], record.vector)});
    }
    if (absl::Status status = store_->Write(batch); !status.ok()) return status;
  }
  return absl::OkStatus();
}

void Shop::UpdateProfile(const catalog::StoreBatch& changes) {
  ShopProfile profile = *this->profile();
  for (const catalog::ProductPut& put : changes.puts) {
    if (!put.product.quarantine.empty()) continue;
    AddToProfile(put.product, profile);
    if (put.product.price) ++currency_counts_[put.product.price->currency];
  }
  profile.currency = CommonestOf(currency_counts_);
  auto shared = std::make_shared<const ShopProfile>(std::move(profile));
  std::lock_guard lock(profile_mutex_);
  profile_ = std::move(shared);
}

}  // namespace emptor::services

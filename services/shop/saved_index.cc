// Opening, replaying, building and saving the index of a shop's products.
#include "services/shop/saved_index.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "services/shop/batch_writer.h"
#include "services/shop/saved_state.h"
#include "services/shop/stored_embedding.h"

namespace emptor::services {
namespace {

using retrieval::IndexedProduct;

constexpr size_t kVectorsPerWrite = 256;
constexpr size_t kReplayedTogether = 4096;
constexpr size_t kFewToReplay = 1000;
/// The saved state lists the records that the index holds.
constexpr const char* kIndexSource = "catalog records by their hashes";

/// Identifies the content of a store.
std::string FingerprintOf(const catalog::StoreInfo& info) {
  return fmt::format("catalog {:016x}{:016x}, {} products", info.digest[0], info.digest[1],
                     info.products);
}

/// Records to be added to the search.
struct LoadedRecords {
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

/// Embeds the records without a vector and stores their vectors with them.
absl::Status StoreVectors(ShopParts& parts, LoadedRecords& loaded) {
  std::vector<IndexedProduct>& records = loaded.records;
  const std::vector<size_t>& fresh = loaded.fresh;
  for (size_t begin = 0; begin < fresh.size(); begin += kVectorsPerWrite) {
    const size_t count = std::min(kVectorsPerWrite, fresh.size() - begin);
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) {
      texts.push_back(retrieval::EmbeddingText(records[fresh[begin + i]].product));
    }
    auto vectors = parts.embeddings.Embed(texts);
    if (!vectors.ok()) return vectors.status();
    catalog::StoreBatch batch;
    for (size_t i = 0; i < count; ++i) {
      IndexedProduct& record = records[fresh[begin + i]];
      record.vector = std::move((*vectors)[i]);
      batch.puts.push_back(
          {record.product,
           EncodeStoredEmbedding(parts.embeddings.embedder().model_id(), texts[i], record.vector)});
    }
    if (absl::Status status = parts.store->Write(batch); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// Upserts the products that have changed since the index was saved.
absl::Status ReplayChanged(ShopParts& parts, std::span<const std::string> ids) {
  LoadedRecords loaded;
  catalog::StoreBatch changes;
  for (const std::string& id : ids) {
    const auto product = parts.store->Find(id);
    if (!product.ok()) return product.status();
    const auto entry = parts.store->FindStoredEmbedding(id);
    if (!entry.ok()) return entry.status();
    if (!product->has_value()) continue;
    changes.puts.push_back({.product = **product});
    if ((*product)->quarantine.empty()) parts.words->Put(**product);
    loaded.Add(**product, *entry, parts.embeddings.embedder());
  }
  if (absl::Status status = StoreVectors(parts, loaded); !status.ok()) return status;
  parts.products->Remove(loaded.hidden);
  parts.words->Remove(loaded.hidden);
  absl::Status status = parts.products->Upsert(std::move(loaded.records));
  if (status.ok()) parts.profile.Add(changes);
  return status;
}

/// Brings the saved index up to date with the store.
absl::Status Replay(ShopParts& parts, const StoreDifference& behind) {
  const size_t count = behind.changed.size() + behind.removed.size();
  parts.counters.replayed = count;
  if (count == 0) return absl::OkStatus();
  spdlog::info("saved index: {} products were written and {} deleted since; replaying them",
               behind.changed.size(), behind.removed.size());
  parts.products->Remove(behind.removed);
  parts.words->Remove(behind.removed);
  const std::span<const std::string> changed(behind.changed);
  for (size_t begin = 0; begin < changed.size(); begin += kReplayedTogether) {
    const size_t size = std::min(changed.size() - begin, kReplayedTogether);
    absl::Status status = ReplayChanged(parts, changed.subspan(begin, size));
    if (!status.ok()) return status;
  }
  parts.saver.NoteChanges(count, parts.store->info().products);
  return absl::OkStatus();
}

/// The products that the index of `state` does not show as the store holds them.
absl::StatusOr<StoreDifference> FindBehind(const ShopParts& parts, const SavedState& state) {
  if (state.store == FingerprintOf(parts.store->info())) return StoreDifference();
  return CompareWithStore(state.fingerprints, *parts.store);
}

/// The saved index with its state; nothing if there is no usable one.
struct Saved {
  retrieval::HybridSearcher::Opened index;
  SavedState state;  // views into index.attachment
};
std::unique_ptr<Saved> ReadSaved(const ShopParts& parts, const retrieval::HybridOptions& search) {
  auto opened = retrieval::HybridSearcher::Open(kIndexSource, parts.embeddings.embedder(), search);
  if (absl::IsNotFound(opened.status())) return nullptr;
  if (absl::IsFailedPrecondition(opened.status())) {
    spdlog::info("{}; building the index from the records", opened.status().ToString());
    return nullptr;
  }
  auto saved = std::make_unique<Saved>();
  std::optional<SavedState> state;
  if (opened.ok()) {
    saved->index = *std::move(opened);
    state = DecodeSavedState(saved->index.attachment);
  }
  if (!state) {
    spdlog::warn(
        "{}; building the index from the records",
        opened.ok() ? "saved index: its records cannot be read" : opened.status().ToString());
    return nullptr;
  }
  saved->state = *std::move(state);
  return saved;
}

/// For a saved index of a build that did not learn them.
absl::Status ReadImageHosts(const ShopParts& parts, ShopProfile& profile) {
  return parts.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
    if (product.quarantine.empty()) CountImageHosts(product, profile.image_hosts);
    return true;
  });
}

/// False if no saved index is close enough to the store, so that it must be built.
absl::StatusOr<bool> OpenSaved(ShopParts& parts, const retrieval::HybridOptions& search) {
  const std::unique_ptr<Saved> saved = ReadSaved(parts, search);
  if (saved == nullptr) return false;
  SavedState& state = saved->state;
  const auto behind = FindBehind(parts, state);
  if (!behind.ok()) return behind.status();
  const size_t changes = behind->changed.size() + behind->removed.size();
  const uint64_t products = parts.store->info().products;
  if (changes > std::max<uint64_t>(kFewToReplay, products / 2)) {
    spdlog::info("saved index: {} of {} products have changed since; building it from the records",
                 changes, products);
    return false;
  }
  if (!state.knows_image_hosts) {
    if (absl::Status status = ReadImageHosts(parts, state.profile); !status.ok()) return status;
  }
  parts.products = std::move(saved->index.searcher);
  parts.profile.Set(std::move(state.profile), std::move(state.currency_counts));
  parts.writes.saved_index = state.store;
  parts.words_known = state.words.has_value();
  if (state.words) parts.words->Restore(*std::move(state.words));
  if (absl::Status status = Replay(parts, *behind); !status.ok()) return status;
  if (parts.products->size() <= products) return true;  // products in quarantine are not in it
  spdlog::warn("saved index: it holds more than the store; building it from the records");
  parts.products.reset();
  parts.words_known = false;
  return false;
}

/// From the records: the profile in memory also holds brands that are gone.
absl::Status ReadProfile(const ShopParts& parts, SavedState& state) {
  return parts.store->ScanProducts([&](const catalog::Product& product, std::string_view) {
    AddToProfile(product, state.profile, state.currency_counts);
    return true;
  });
}

absl::Status BuildIndex(ShopParts& parts, const retrieval::HybridOptions& search) {
  LoadedRecords loaded;
  const absl::Status scanned =
      parts.store->ScanProducts([&](const catalog::Product& product, std::string_view entry) {
        loaded.Add(product, entry, parts.embeddings.embedder());
        return true;
      });
  if (!scanned.ok()) return scanned;
  if (absl::Status status = StoreVectors(parts, loaded); !status.ok()) return status;
  SavedState state;
  if (absl::Status status = ReadProfile(parts, state); !status.ok()) return status;
  parts.profile.Set(std::move(state.profile), std::move(state.currency_counts));
  auto built = retrieval::HybridSearcher::Build(std::move(loaded.records),
                                                parts.embeddings.embedder(), search);
  if (!built.ok()) return built.status();
  parts.products = *std::move(built);
  ++parts.counters.builds;
  return absl::OkStatus();
}

}  // namespace

absl::Status OpenIndex(ShopParts& parts) {
  retrieval::HybridOptions search;
  search.fusion = parts.options.fusion;
  search.vector_index = parts.options.vector_index;
  search.index_directory = parts.options.directory + "/index";
  search.words = parts.words.get();
  auto opened = OpenSaved(parts, search);
  if (!opened.ok() || *opened) return opened.status();
  if (absl::Status status = BuildIndex(parts, search); !status.ok()) return status;
  if (const absl::Status saved = SaveIndex(parts); !saved.ok()) {
    spdlog::warn("{}; the next start builds the index", saved.ToString());
  }
  return absl::OkStatus();
}

/// Reads the store, then freezes the search. A record that is written in between may be in the
/// saved index, profile and words or not, so its fingerprint says "unsure" and the next opening
/// replays it; no state of the store is named then, as none is shown whole.
absl::Status SaveIndex(ShopParts& parts) {
  WriteState& writes = parts.writes;
  {
    const std::lock_guard lock(writes.mutex);
    if (absl::Status status = CheckInStep(parts); !status.ok()) return status;
    writes.touched.emplace();
  }
  SavedState state;
  auto fingerprints = StoreFingerprints::Read(*parts.store);
  absl::Status status = fingerprints.ok() ? ReadProfile(parts, state) : fingerprints.status();
  if (parts.words_known) state.words = parts.words->state();
  std::shared_ptr<const retrieval::Snapshot> frozen;
  std::set<std::string> touched;
  {
    const std::lock_guard lock(writes.mutex);
    touched = *std::exchange(writes.touched, std::nullopt);
    if (status.ok()) status = CheckInStep(parts);
    frozen = parts.products->Freeze();
    if (touched.empty()) state.store = FingerprintOf(parts.store->info());
  }
  if (!status.ok()) return status;
  state.fingerprints = fingerprints->Without(touched);
  status = parts.products->Save(*frozen, kIndexSource, EncodeSavedState(state));
  if (!status.ok()) return status;
  const std::lock_guard lock(writes.mutex);
  writes.saved_index = std::move(state.store);
  ++parts.counters.saves;
  return status;
}

bool IsIndexSaved(ShopParts& parts) {
  const std::lock_guard lock(parts.writes.mutex);
  return FingerprintOf(parts.store->info()) == parts.writes.saved_index;
}

}  // namespace emptor::services

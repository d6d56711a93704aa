// What ShopReader, ShopWriter and ShopLifecycle share. Included by files of this folder alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "catalog/import/importer.h"
#include "catalog/product_store.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/words/shop_words.h"
#include "services/shop/document_search.h"
#include "services/shop/index_saver.h"
#include "services/shop/record_embedder.h"
#include "services/shop/shop_changes.h"
#include "services/shop/shop_faq.h"
#include "services/shop/shop_options.h"
#include "services/shop/shop_profile.h"
#include "services/shop/shop_settings.h"
#include "services/shop/written_records.h"

namespace emptor::services {

/// State of a shop's writers. `mutex` guards all of it but the atomic.
struct WriteState {
  std::mutex mutex;  // held while a batch is compared and written
  /// False when a change is stored that the search has not taken.
  bool in_step = true;
  bool is_retired = false;  // another generation is served; every write is refused
  /// Records of writes that failed: whether they are stored shows once the store is reopened.
  std::set<std::string> products_in_doubt, documents_in_doubt;
  std::optional<WrittenRecords> followed;  // since ShopLifecycle::FollowWrites
  std::atomic<size_t> followed_bytes{0};   // of `followed`, or of the delta that is replayed
  std::string saved_index;                 // fingerprint of the store that the saved index shows
  /// Products written since the save that is under way began.
  std::optional<std::set<std::string>> touched;
  std::shared_ptr<catalog::DuplicateIndex> duplicates;  // null until an import looks for some
  bool knows_all_duplicates = false;
};

/// How the search index came to be and how often it was saved.
struct IndexCounters {
  std::atomic<uint64_t> builds{0}, replayed{0}, saves{0};
};

/// Lifetime: the embedder outlives it. Members are destroyed in reverse order, so the threads end
/// before what they read.
struct ShopParts {
  ShopParts(const ShopOptions& options_in, const retrieval::Embedder& embedder,
            std::unique_ptr<catalog::ProductStore> store_in, const retrieval::Analyzer& analyzer);

  const std::string& settings_directory() const {
    return options.settings_directory.empty() ? options.directory : options.settings_directory;
  }

  const ShopOptions options;
  const std::unique_ptr<catalog::ProductStore> store;
  const std::unique_ptr<retrieval::ShopWords> words;    // of products
  std::unique_ptr<retrieval::HybridSearcher> products;  // set once, when the shop is opened
  std::unique_ptr<DocumentSearch> documents;            // set once, when the shop is opened
  std::unique_ptr<ShopFaq> faq;                         // set once, when the shop is opened
  const RecordEmbedder embeddings;
  ProfileTracker profile;
  MerchandisingFile merchandising;
  std::atomic<uint64_t> synonyms_fingerprint{0};  // of those in use

  WriteState writes;
  ChangeCounter changes;
  std::mutex duplicates_mutex;           // held while duplicates are read from the store
  std::atomic<bool> words_known{false};  // the words of all records have been read
  IndexCounters counters;

  std::jthread word_reader;
  IndexSaver saver;
};

/// Bytes the shop holds in memory, its caches taken as full. Near enough for a budget.
size_t MemoryBytes(const ShopParts& parts);

}  // namespace emptor::services

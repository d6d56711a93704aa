// One shop's data directory: the records, and the search over them, kept in step.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <istream>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/import/importer.h"
#include "catalog/product.h"
#include "catalog/product_store.h"
#include "retrieval/embedding/embedder.h"
#include "retrieval/hybrid/hybrid_searcher.h"
#include "retrieval/query/vocabulary.h"
#include "retrieval/words/shop_words.h"
#include "services/ingest/document_search.h"

namespace emptor::services {

struct ShopOptions {
  std::string directory;
  std::string settings_directory = {};  // holds synonyms.txt; empty: `directory`
  bool create_if_missing = false;
  retrieval::FusionOptions fusion;
  std::shared_ptr<const retrieval::RankingModel> ranker;  // of products; null: fused scores decide
  size_t embed_batch = 64;
  /// What it may hold in memory: the storage's caches are a part of it, and text that does not fit
  /// is refused. 0: as much as it takes.
  size_t memory_bytes = 0;
};

/// What is worth knowing about the records as a whole.
struct ShopProfile {
  std::string currency = "USD";                         // of most prices
  std::unordered_map<std::string, std::string> brands;  // folded -> as the shop writes it
  std::unordered_map<std::string, size_t> languages;    // "en" -> products
};

using VectorsById = std::unordered_map<std::string, std::vector<float>>;
/// As ImportOptions::on_batch, with the reader that gave the rows.
using BatchHook = std::function<absl::Status(catalog::ImportBatch&, const catalog::FeedReader&)>;

/// Thread-safety: every method from any thread; writes are serialised inside.
/// Lifetime: the embedder outlives it. Invariant: a record that the store has acknowledged is found
/// by the next search; prices and stock are always those of the store.
class Shop {
 public:
  /// Takes the search as it was saved when it holds what the store holds. Else reads every record
  /// and builds it; embeds only texts without a stored vector of this embedder, and stores those.
  /// Errors: of ProductStore::Open and HybridSearcher::Build.
  static absl::StatusOr<std::unique_ptr<Shop>> Open(const ShopOptions& options,
                                                    const retrieval::Embedder& embedder);
  /// Saves the search if it has changed since.
  ~Shop();

  /// Nothing, too, for a record in quarantine: nobody is shown it, and no search finds it.
  absl::StatusOr<std::optional<catalog::Product>> FindProduct(std::string_view id) const;
  absl::StatusOr<std::optional<catalog::Document>> FindDocument(std::string_view id) const;
  absl::StatusOr<retrieval::SearchResult> SearchProducts(
      const retrieval::SearchRequest& request) const;
  /// Prices in the filter's currency, else in that of the shop.
  absl::StatusOr<retrieval::Facets> CountFacets(const retrieval::SearchRequest& request) const;
  /// Documents, each with its best passage.
  absl::StatusOr<std::vector<DocumentHit>> SearchDocuments(
      const retrieval::SearchRequest& request) const;

  /// Takes a feed: changed text is embedded, the batch is written, then searched. Imports may run
  /// side by side: a change waits for one batch of another at most.
  /// `on_result` gets one result per row, in order. Errors: of the feed, the store or the embedder;
  /// what was written before stays. After a full disk an import begins by trying whether there is
  /// room again (ProductStore::Resume); kResourceExhausted while there is none, and for new text
  /// beyond the shop's budget of memory (prices, stock and deletions are always taken).
  absl::StatusOr<catalog::ImportReport> Import(std::istream& stream,
                                               const catalog::FeedOptions& feed,
                                               const catalog::ImportOptions& options,
                                               const catalog::ResultSink& on_result,
                                               const BatchHook& on_batch = nullptr);
  /// Takes one row by itself, as an import of one row does: a new price, a deletion. Live when it
  /// returns. Errors: as Import; what is wrong with the row is in the result.
  absl::StatusOr<catalog::LineResult> Change(catalog::FeedRow row, catalog::ImportMode mode);

  /// Writes notes alone; reads them all. Errors: of the store.
  absl::Status WriteNotes(std::vector<catalog::StoreNote> notes);
  absl::Status ScanNotes(const catalog::ProductStore::NoteVisitor& visit) const;

  /// Proposals for what stands in the search box; titles are those of the store at this moment.
  std::vector<retrieval::Completion> Complete(std::string_view typed, size_t limit) const;

  /// Reads <directory>/synonyms.txt beside the built-in list; without the file that list alone.
  /// Searches use it from then on. Errors: kInvalidArgument names the line; the list in use stays.
  /// Every import begins with it.
  absl::Status ReloadSynonyms();

  /// Returns when corrections and completions know every record; searches need not wait for it.
  /// False: they do not yet, and `patience` is over.
  bool WaitForWords(std::chrono::milliseconds patience = std::chrono::hours(24)) {
    return words_->WaitUntilCurrent(patience);
  }

  std::shared_ptr<const ShopProfile> profile() const;
  retrieval::ShopWords::Stats word_stats() const { return words_->stats(); }
  const std::string& directory() const { return options_.directory; }
  /// The records, for backups (catalog/backup/).
  catalog::ProductStore& store() { return *store_; }
  /// What the catalog knows, for understanding queries. Lifetime: within the shop's.
  retrieval::QueryVocabulary vocabulary() const;
  catalog::StoreInfo info() const { return store_->info(); }
  retrieval::HybridSearcher::Stats search_stats() const { return products_->stats(); }
  /// What it holds in memory, its caches taken as full. Near enough for a budget.
  size_t memory_bytes() const;
  /// OK, or why the store takes no more writes.
  absl::Status health() const { return store_->health(); }

 private:
  Shop(const ShopOptions& options, const retrieval::Embedder& embedder);
  absl::Status LoadProducts();
  void BeginWords();
  void ReadWords(const std::stop_token& stop);
  absl::Status ReadProfile();
  absl::Status BuildProducts(const retrieval::HybridOptions& search);
  bool OpenSavedIndex(const retrieval::HybridOptions& search);
  void SaveIndex();
  absl::Status LoadDocuments();
  absl::Status StoreVectors(std::vector<retrieval::IndexedProduct>& records,
                            const std::vector<size_t>& fresh);
  absl::StatusOr<std::vector<std::vector<float>>> Embed(
      const std::vector<std::string>& texts) const;
  absl::Status Apply(catalog::ImportBatch& batch);
  absl::Status CheckMemory(const catalog::ImportBatch& batch) const;
  absl::Status ResumeWrites();
  void KeepInDoubt(const catalog::StoreBatch& changes);
  absl::Status SettleDoubts();
  absl::Status FillIndexEntries(catalog::ImportBatch& batch, VectorsById& vectors);
  absl::Status UpdateSearch(const catalog::StoreBatch& changes,
                            const std::vector<bool>& is_new_text, VectorsById& vectors);
  absl::Status UpdateDocumentSearch(const catalog::StoreBatch& changes);
  void UpdateProfile(const catalog::StoreBatch& changes);

  const ShopOptions options_;
  const retrieval::Embedder& embedder_;
  std::unique_ptr<catalog::ProductStore> store_;
  std::unique_ptr<retrieval::ShopWords> words_;  // of products
  std::unique_ptr<retrieval::HybridSearcher> products_;
  std::unique_ptr<DocumentSearch> documents_;

  std::mutex import_mutex_;   // held while a batch is compared and written
  std::string saved_index_;   // what the saved index was made from; guarded by import_mutex_
  bool saved_words_ = false;  // it holds the words as well; guarded by import_mutex_
  std::atomic<bool> words_known_{false};  // all records' words have been read
  /// False when a change is stored that the search has not taken; guarded by import_mutex_.
  bool in_step_ = true;
  std::unordered_map<std::string, size_t> currency_counts_;  // guarded by import_mutex_
  /// Of writes that failed: whether they are stored shows when the store has been opened anew.
  std::set<std::string> products_in_doubt_, documents_in_doubt_;  // guarded by import_mutex_

  mutable std::mutex profile_mutex_;
  std::shared_ptr<const ShopProfile> profile_;  // guarded by profile_mutex_

  std::jthread word_reader_;  // last: ends before what it reads
};

}  // namespace emptor::services

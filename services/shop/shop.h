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
#include <span>
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
#include "services/shop/document_search.h"
#include "services/shop/index_saver.h"
#include "services/shop/text_counters.h"
#include "services/shop/written_records.h"

namespace emptor::services {

struct ShopOptions {
  std::string directory;
  std::string settings_directory = {};  // holds synonyms.txt, pins.json; empty: `directory`
  bool create_if_missing = false;
  retrieval::FusionOptions fusion;
  /// Vectors from which on the search keeps them in a FAISS structure.
  retrieval::FaissSizes faiss;
  std::shared_ptr<const retrieval::RankingModel> ranker;  // of products; null: fused scores decide
  size_t embed_batch = 64;
  /// When the stored vectors are another embedder's: embed every record anew, in place. Otherwise
  /// the shop does not open.
  bool embed_when_changed = false;
  /// What it may hold in memory: the storage's caches are a part of it, and text that does not fit
  /// is refused. 0: as much as it takes.
  size_t memory_bytes = 0;
  SaveLimits saves;  // of the search, beside writers
  /// What becomes of text that speaks to the assistant, where an import does not say.
  catalog::ScreenPolicy screen = catalog::ScreenPolicy::kFlag;
  std::shared_ptr<TextCounters> counters;  // null: nobody counts
};

/// A record that shoppers may not see.
struct QuarantinedRecord {
  bool is_document = false;
  std::string id, title, reason;
};
struct QuarantineList {
  size_t total = 0;
  std::vector<QuarantinedRecord> records;  // the first of them, products in front
};

/// What is worth knowing about the records as a whole.
struct ShopProfile {
  std::string currency = "USD";                         // of most prices
  std::unordered_map<std::string, std::string> brands;  // folded -> as the shop writes it
  std::unordered_map<std::string, size_t> languages;    // "en" -> products
};

struct SavedState;
struct StoreDifference;
struct ShopPins;

using VectorsById = std::unordered_map<std::string, std::vector<float>>;
using VectorsByText = std::unordered_map<std::string, std::vector<float>>;
/// As ImportOptions::on_batch, with the reader that gave the rows.
using BatchHook = std::function<absl::Status(catalog::ImportBatch&, const catalog::FeedReader&)>;

/// Thread-safety: every method from any thread; writes are serialised inside.
/// Lifetime: the embedder outlives it. Invariant: a record that the store has acknowledged is found
/// by the next search; prices and stock are always those of the store.
class Shop {
 public:
  /// Takes the search as it was saved and brings it up to what the store holds. Where there is
  /// none, or more than half has changed, reads every record and builds it; embeds only texts
  /// without a stored vector of this embedder, and stores those. Errors: of ProductStore::Open and
  /// HybridSearcher::Build; kFailedPrecondition when the stored vectors are another embedder's.
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
  /// options.duplicates is the shop's own. `on_result` gets one result per row, in order. Errors:
  /// of the feed, the store or the embedder; what was written before stays. After a full disk an
  /// import begins by trying whether there is room again (ProductStore::Resume); kResourceExhausted
  /// while there is none, and for new text beyond the shop's budget of memory (prices, stock and
  /// deletions are always taken).
  absl::StatusOr<catalog::ImportReport> Import(std::istream& stream,
                                               const catalog::FeedOptions& feed,
                                               const catalog::ImportOptions& options,
                                               const catalog::ResultSink& on_result,
                                               const BatchHook& on_batch = nullptr);
  /// Takes one row by itself, as an import of one row does: a new price, a deletion. Live when it
  /// returns. Errors: as Import; what is wrong with the row is in the result.
  absl::StatusOr<catalog::LineResult> Change(catalog::FeedRow row, catalog::ImportMode mode);

  /// Records in quarantine. Reads every record. Errors: of the store.
  absl::StatusOr<QuarantineList> ListQuarantine(size_t limit) const;
  /// Lets a record out; imports do not hold it again for this text. Live when it returns.
  /// Errors: kNotFound, kFailedPrecondition (it is not in quarantine), as Import.
  absl::Status Release(bool is_document, std::string_view id);
  catalog::ScreenPolicy screen_policy() const { return options_.screen; }
  /// Null where nobody counts.
  TextCounters* counters() const { return options_.counters.get(); }
  /// While this lives nothing is written to the shop; searches go on.
  class WritePause {
   public:
    explicit WritePause(std::mutex& mutex) : lock_(mutex) {}

   private:
    std::unique_lock<std::mutex> lock_;
  };
  /// Waits for the batch that is under way. REQUIRES: the thread writes nothing to this shop until
  /// it lets go.
  WritePause PauseWrites() { return WritePause(import_mutex_); }
  /// From here on remembers which records are written, all notes among them; or no longer.
  /// Errors: of the store.
  absl::Status FollowWrites(const WritePause& pause);
  void ForgetWrites(const WritePause& pause);
  /// What was written since FollowWrites or the last call. REQUIRES: writes are followed.
  WrittenRecords TakeWritten(const WritePause& pause);
  /// A retired shop refuses every write with kAborted: another generation is served.
  void Retire(const WritePause& pause, bool is_retired);
  /// Makes of `written` what `from` holds: the last word of an import that went on meanwhile. What
  /// came before an error stays. Errors: of the stores and the embedder; kResourceExhausted for new
  /// text beyond the budget of memory, as for imports.
  absl::Status TakeOver(const WrittenRecords& written, const Shop& from);

  /// Takes every record and note of another store, embedding all texts. For a shop that nobody else
  /// uses yet. Errors: of the stores or the embedder; what was written before stays.
  absl::Status TakeRecords(const catalog::ProductStore& from);

  /// Takes the documents of another store but those named, embedding their passages. How many.
  /// Errors: as TakeRecords.
  absl::StatusOr<uint64_t> TakeDocuments(const catalog::ProductStore& from,
                                         const std::set<std::string>& but);

  /// Writes notes alone; reads them all. Errors: of the store.
  absl::Status WriteMetadata(std::vector<catalog::MetadataEntry> notes);
  absl::Status ScanMetadata(const catalog::ProductStore::MetadataVisitor& visit) const;

  /// Proposals for what stands in the search box; titles are those of the store at this moment.
  std::vector<retrieval::Completion> Complete(std::string_view typed, size_t limit) const;

  /// Reads <directory>/synonyms.txt beside the built-in list; without the file that list alone.
  /// Searches use it from then on. Errors: kInvalidArgument names the line; the list in use stays.
  /// Every import begins with it.
  absl::Status ReloadSynonyms();

  /// Reads pins.json, which lies there too: the rules of docs/formats/pins.md. Searches follow them
  /// from then on. Every import begins with it, too. Errors: as ReloadSynonyms.
  absl::Status ReloadPins();
  /// Checks the rules, keeps the file durably and follows them. Errors: kInvalidArgument names the
  /// place; kUnavailable, kResourceExhausted (file system): the rules in use stay.
  absl::Status SetPins(const std::string& json);
  std::string pins_json() const;

  /// At the end of a job: the search may be saved now, which nobody waits for.
  void NoteJobEnd() { saver_.NoteJobEnd(); }
  /// Returns when no save runs or is due.
  void WaitForSaves() { saver_.WaitUntilIdle(); }
  /// How the search came to be and how often it was saved.
  struct IndexCounts {
    uint64_t builds = 0;    // from all records
    uint64_t replayed = 0;  // records that were taken again on a saved index
    uint64_t saves = 0;
  };
  IndexCounts index_counts() const { return {index_builds_, index_replayed_, index_saves_}; }

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
  DocumentStats document_stats() const { return documents_->stats(); }
  /// What it holds in memory, its caches taken as full. Near enough for a budget.
  size_t memory_bytes() const;
  /// OK, or why the store takes no more writes.
  absl::Status health() const { return store_->health(); }

 private:
  Shop(const ShopOptions& options, const retrieval::Embedder& embedder);
  struct Loaded;
  absl::Status LoadProducts();
  void BeginWords();
  void ReadWords(const std::stop_token& stop);
  absl::Status BuildProducts(const retrieval::HybridOptions& search);
  absl::StatusOr<bool> OpenSavedIndex(const retrieval::HybridOptions& search);
  absl::Status Replay(const StoreDifference& behind);
  void NoteWritten(const catalog::StoreBatch& changes);
  absl::StatusOr<std::shared_ptr<catalog::DuplicateIndex>> Duplicates();
  absl::Status CheckInStep() const;
  absl::Status SaveIndex();
  absl::Status ReadState(SavedState& state) const;
  absl::Status LoadDocuments();
  absl::Status LoadVectors();
  absl::Status StoreVectors(Loaded& loaded);
  absl::StatusOr<std::vector<std::vector<float>>> Embed(
      const std::vector<std::string>& texts) const;
  absl::Status AddMissing(const catalog::FeedRow& row, std::vector<std::string>& texts) const;
  void PrepareOutsideLock(VectorsByText& prepared, catalog::ImportOptions& options);
  absl::Status Apply(catalog::ImportBatch& batch, const VectorsByText& prepared = {});
  template <typename Record>
  static absl::Status AddReleased(absl::StatusOr<std::optional<Record>> stored, std::string_view id,
                                  catalog::ImportBatch& batch);
  std::function<void(std::span<const catalog::TextWarning>)> ScreenCounter(
      catalog::ScreenPolicy policy) const;
  absl::Status CheckMemory(const catalog::ImportBatch& batch) const;
  absl::Status ResumeWrites();
  void KeepInDoubt(const catalog::StoreBatch& changes);
  absl::Status SettleDoubts();
  absl::Status RefuseIfRetired() const;
  void KeepWritten(std::optional<WrittenRecords> written);
  absl::Status TakeOverAll(const WrittenRecords& written, const Shop& from);
  absl::Status TakeOverBatch(catalog::ImportBatch batch, const Shop& from);
  absl::Status TakeOverProduct(const std::string& id, const std::set<std::string>& fields,
                               const Shop& from, catalog::ImportBatch& batch) const;
  absl::Status TakeOverDocument(const std::string& id, const Shop& from,
                                catalog::ImportBatch& batch) const;
  absl::Status FindReplaced(const Shop& from, std::vector<std::string>& replaced) const;
  absl::Status FillStoredEmbeddings(catalog::ImportBatch& batch, const VectorsByText& prepared,
                                    VectorsById& by_id);
  absl::Status UpdateSearch(const catalog::StoreBatch& changes,
                            const std::vector<bool>& is_new_text, VectorsById& vectors,
                            std::vector<DocumentPassages> documents);
  absl::Status EmbedPassages(std::span<DocumentPassages> documents,
                             std::vector<catalog::StoredDocumentEmbedding>& entries,
                             const VectorsByText& prepared = {}) const;
  absl::StatusOr<std::vector<DocumentPassages>> IndexDocuments(
      catalog::StoreBatch& changes, const Shop* from = nullptr,
      const VectorsByText& prepared = {}) const;
  void UpdateProfile(const catalog::StoreBatch& changes);

  const ShopOptions options_;
  const retrieval::Embedder& embedder_;
  std::unique_ptr<catalog::ProductStore> store_;
  std::unique_ptr<retrieval::ShopWords> words_;  // of products
  std::unique_ptr<retrieval::HybridSearcher> products_;
  std::unique_ptr<DocumentSearch> documents_;

  mutable std::mutex import_mutex_;  // held while a batch is compared and written
  std::string saved_index_;          // the store that it was saved of; guarded by import_mutex_
  std::atomic<bool> words_known_{false};  // all records' words have been read
  /// Products written since the save that is under way began; guarded by import_mutex_.
  std::optional<std::set<std::string>> touched_;
  /// Null until an import looks for duplicates; guarded by import_mutex_, as the next.
  std::shared_ptr<catalog::DuplicateIndex> duplicates_;
  bool knows_all_duplicates_ = false;
  std::mutex duplicates_mutex_;  // held while they are read from the store
  std::atomic<uint64_t> index_builds_{0}, index_replayed_{0}, index_saves_{0};
  /// False when a change is stored that the search has not taken; guarded by import_mutex_.
  bool in_step_ = true;
  std::unordered_map<std::string, size_t> currency_counts_;  // guarded by import_mutex_
  std::optional<WrittenRecords> written_;  // since FollowWrites; guarded by import_mutex_
  std::atomic<size_t> written_bytes_{0};   // of written_, or of what is being taken over
  bool is_retired_ = false;                // guarded by import_mutex_
  /// Of writes that failed: whether they are stored shows when the store has been opened anew.
  std::set<std::string> products_in_doubt_, documents_in_doubt_;  // guarded by import_mutex_

  const std::string& settings_directory() const;
  std::shared_ptr<const ShopPins> pins() const;

  mutable std::mutex pins_mutex_;
  std::shared_ptr<const ShopPins> pins_;  // guarded by pins_mutex_

  mutable std::mutex profile_mutex_;
  std::shared_ptr<const ShopProfile> profile_;  // guarded by profile_mutex_

  std::jthread word_reader_;  // ends before what it reads, as does
  IndexSaver saver_;
};

}  // namespace emptor::services

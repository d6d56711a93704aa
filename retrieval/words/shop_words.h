// The words of a shop whose catalog changes; builds its dictionary in the background.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "catalog/product.h"
#include "retrieval/text/analyzer.h"
#include "retrieval/words/dictionary.h"
#include "retrieval/words/synonyms.h"
#include "retrieval/words/word_state.h"

namespace emptor::retrieval {

struct ShopWordsOptions {
  /// A new dictionary is built this long after a change, so that an import causes few builds...
  std::chrono::milliseconds quiet{200};
  /// ... and not before the last one has been in use for this many times its build time.
  int rest_factor = 4;
  size_t max_asked = 20000;     // distinct queries that are counted
  uint32_t min_asked = 5;       // a query asked less often is not proposed to other shoppers
  size_t max_query_bytes = 64;  // longer queries are not counted
};

/// Thread-safety: every method from any thread. Memory: about 100 bytes a record, and 8 for each
/// word of its title, brand and categories.
/// A change reaches the dictionary some time after its call. Exact words are searchable through the
/// index at once; corrections, variants and completions follow with the next dictionary.
class ShopWords {
 public:
  explicit ShopWords(const Analyzer& analyzer, ShopWordsOptions options = {});
  ~ShopWords();
  ShopWords(const ShopWords&) = delete;
  ShopWords& operator=(const ShopWords&) = delete;

  /// Adds or replaces a record's words. A record with unchanged words (a new price) causes no
  /// build.
  void Put(const catalog::Product& product);
  void Remove(std::span<const std::string> ids);

  /// Reads a stored catalog while changes arrive: between BeginLoading and EndLoading, Load adds a
  /// record unless it was put or removed in the meantime, and no dictionary is built.
  void BeginLoading();
  void Load(const catalog::Product& product);
  void EndLoading();

  /// All records that were put, for Restore; nothing while loading.
  std::optional<WordState> state() const;
  /// Starts from a state instead of loading; the dictionary is built at once. REQUIRES: nothing was
  /// put before; the positions in the state are in range.
  void Restore(WordState state);

  /// Counts a query that had results. A query with a word that the catalog lacks, or longer than
  /// max_query_bytes, is not kept: only words of the catalog are ever proposed to other shoppers.
  void CountQuery(std::string_view query);

  void SetSynonyms(Synonyms synonyms);

  std::shared_ptr<const Dictionary> dictionary() const;  // never null
  std::shared_ptr<const Synonyms> synonyms() const;

  /// Waits until the dictionary has every change made before the call. False when `patience` passed
  /// first.
  bool WaitUntilCurrent(std::chrono::milliseconds patience = std::chrono::hours(24));

  struct Stats {
    size_t records = 0, words = 0, completions_asked = 0;
    uint64_t dictionaries = 0;  // built so far
    double last_seconds = 0;    // build time of the last one
    size_t bytes = 0;           // memory, estimated
  };
  Stats stats() const;

 private:
  using Record = WordRecord;

  /// Distinct strings by number. Never shrinks: an unused string keeps its memory.
  struct Names {
    std::vector<std::string> texts;
    absl::flat_hash_map<std::string, uint32_t> ids;
    uint32_t Intern(const std::string& key, const std::string& text);
    void Take(std::vector<std::string> all);
  };

  /// The input of a dictionary, copied while the lock is held.
  struct Copy {
    WordState state;
    std::vector<AskedQuery> queries;
  };

  void AppendWords(std::string_view text, std::vector<uint32_t>& words);
  Record ReadRecord(const catalog::Product& product);
  void KeepRecord(Record record);
  void MarkChanged();
  void MakeDictionaries(const std::stop_token& stop);
  WordState CopyState() const;
  Copy CopyAll() const;

  const Analyzer analyzer_;
  const ShopWordsOptions options_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Record> records_;                           // guarded by mutex_, as all below
  std::vector<uint32_t> free_;                            // positions in records_
  absl::flat_hash_map<std::string, uint32_t> positions_;  // by id
  std::vector<VocabularyWord> words_;
  absl::flat_hash_map<std::string, uint32_t> word_ids_;
  size_t word_uses_ = 0;  // of all records
  Names brands_, categories_;
  absl::flat_hash_map<std::string, uint32_t> asked_;
  bool loading_ = false;
  absl::flat_hash_set<std::string> touched_;  // ids put or removed while loading
  uint64_t wanted_ = 0;                       // changes so far
  uint64_t made_ = 0;                         // changes that the dictionary has
  bool making_ = false;                       // maker_ runs
  size_t waiting_ = 0;                        // callers of WaitUntilCurrent; they end the pause
  bool restored_ = false;                     // the next build starts without a pause
  Stats stats_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Synonyms> synonyms_;
  std::jthread maker_;  // last member: joined before the members that it uses are destroyed
};

}  // namespace emptor::retrieval

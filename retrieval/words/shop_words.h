// The words of a living shop: takes changes of the catalog, makes dictionaries in the background.
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
  /// A new dictionary is begun this long after a change, so that an import is read in one go...
  std::chrono::milliseconds quiet{200};
  /// ... and not before the last one has been in use for this many times what it took to make.
  int rest_factor = 4;
  size_t max_asked = 20000;     // distinct queries that are counted
  uint32_t min_asked = 5;       // times, before others are shown a query
  size_t max_query_bytes = 64;  // longer ones are not counted
};

/// Thread-safety: every method from any thread. Memory: some 100 bytes and 8 for each word of a
/// record's title, brand and categories.
/// A change is in the dictionary some time after its call: exact words are found through the index
/// at once, corrections, variants and completions when the next dictionary is there.
class ShopWords {
 public:
  explicit ShopWords(const Analyzer& analyzer, ShopWordsOptions options = {});
  ~ShopWords();
  ShopWords(const ShopWords&) = delete;
  ShopWords& operator=(const ShopWords&) = delete;

  /// Adds or replaces a record's words. A record whose words are unchanged (a new price) is no
  /// change.
  void Put(const catalog::Product& product);
  void Remove(std::span<const std::string> ids);

  /// Reading a stored catalog beside changes: between BeginLoading and EndLoading, Load adds
  /// records that nothing else has put or removed in the meantime, and no dictionary is made.
  void BeginLoading();
  void Load(const catalog::Product& product);
  void EndLoading();

  /// All that was put, for Restore; nothing while it is being loaded.
  std::optional<WordState> state() const;
  /// Begins with a state instead of loading: the dictionary is made at once. REQUIRES: nothing was
  /// put before; the numbers of the state name something.
  void Restore(WordState state);

  /// Counts a query that found something. Only words of the catalog can ever be proposed to others:
  /// a query with any other word, or longer than options say, is forgotten at once.
  void NoteQuery(std::string_view query);

  void SetSynonyms(Synonyms synonyms);

  std::shared_ptr<const Dictionary> dictionary() const;  // never null
  std::shared_ptr<const Synonyms> synonyms() const;

  /// Returns when every change before the call is in the dictionary: true; or when `patience` is
  /// over.
  bool WaitUntilCurrent(std::chrono::milliseconds patience = std::chrono::hours(24));

  struct Stats {
    size_t records = 0, words = 0, completions_asked = 0;
    uint64_t dictionaries = 0;  // made so far
    double last_seconds = 0;    // the making of the last one
    size_t bytes = 0;           // in memory, as the class says
  };
  Stats stats() const;

 private:
  using Record = WordRecord;

  /// Distinct strings by number; never shrinks, what nothing uses costs its text.
  struct Names {
    std::vector<std::string> texts;
    absl::flat_hash_map<std::string, uint32_t> ids;
    uint32_t Intern(const std::string& key, const std::string& text);
    void Take(std::vector<std::string> all);
  };

  /// What a dictionary is made from, copied while the lock is held.
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
  size_t waiting_ = 0;                        // callers of WaitUntilCurrent: no pause for them
  bool restored_ = false;                     // no pause before the dictionary of a state
  Stats stats_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::shared_ptr<const Synonyms> synonyms_;
  std::jthread maker_;  // last: stops before what it uses dies
};

}  // namespace emptor::retrieval

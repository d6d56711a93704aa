// The FAQ of a shop: the entries of its staff, and the look-up over them and over the catalog's
// documents of kind faq.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_entry.h"
#include "catalog/faq/faq_store.h"
#include "catalog/product_store.h"
#include "retrieval/cache/faq_index.h"
#include "retrieval/embedding/embedder.h"

namespace emptor::services {

/// What answers a question: an entry, or a document of the catalog as one. A document's text holds
/// no references; one that is about a product, or that the shop did not write, is none.
struct FaqRecord {
  catalog::FaqEntry entry;
  bool is_document = false;
  std::string link = {};  // of a document
};

/// An entry replaces the document of the same id. Only entries that are valid now are found.
/// Thread-safety: any thread. Lifetime: within that of products and embedder.
class ShopFaq {
 public:
  /// Makes the index of what both stores hold: at once for up to kAtOnce records, of more on a
  /// thread while look-ups go on. Where the embedder does not answer, later look-ups retry.
  /// `vectors_file`: a cache of the phrasings' vectors (faq_vectors.h), of this generation alone.
  /// Errors: of the stores.
  static absl::StatusOr<std::unique_ptr<ShopFaq>> Open(std::shared_ptr<catalog::FaqStore> entries,
                                                       const catalog::ProductStore& products,
                                                       const retrieval::Embedder& embedder,
                                                       const std::string& vectors_file);
  static constexpr size_t kAtOnce = 2000;
  ~ShopFaq();

  /// Candidates are records of this moment or of shortly before: read them again with Find.
  retrieval::FaqAnswer Lookup(std::string_view question, std::string_view locale,
                              int64_t now_unix) const;
  /// The record that answers now; nothing where there is none, or it is not valid. Errors: of the
  /// stores.
  absl::StatusOr<std::optional<FaqRecord>> Find(const std::string& id, int64_t now_unix) const;

  /// For reading. Another generation of the shop shares it.
  const catalog::FaqStore& entries() const { return *entries_; }
  /// For backups.
  catalog::FaqStore& store() { return *entries_; }

  /// As FaqStore; look-ups find what is acknowledged. `dry_run`: FaqStore::Check.
  absl::StatusOr<std::vector<catalog::FaqPutResult>> Write(std::vector<catalog::FaqPut> puts,
                                                           const std::string& who,
                                                           bool dry_run = false);
  absl::Status Delete(std::string_view id, const catalog::FaqMatch& match, const std::string& who);
  /// From now on the next look-up indexes what Write stores, not Write itself: for a command that
  /// imports and ends.
  void DeferIndexing();
  /// Documents of the catalog that changed.
  void NoteDocuments(std::span<const std::string> ids);

  /// When an entry is served, from now on (retrieval/cache/faq_tuning.h).
  void SetTuning(retrieval::FaqTuning tuning);

  /// Until when look-ups find the same without a change, Unix seconds; 0 while one may miss an
  /// entry that was acknowledged, because it is being indexed.
  int64_t SettledUntil(int64_t now_unix) const;

  /// Waits until everything is indexed, or the embedder has failed.
  void WaitUntilBuilt() const;
  size_t indexed() const;
  size_t memory_bytes() const;

 private:
  struct Impl;
  ShopFaq(std::shared_ptr<catalog::FaqStore> entries, std::unique_ptr<Impl> impl);

  const std::shared_ptr<catalog::FaqStore> entries_;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::services

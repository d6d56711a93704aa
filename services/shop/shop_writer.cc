// Imports and single changes, on one path; settings.
#include "services/shop/shop_writer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "services/shop/batch_writer.h"
#include "services/shop/shop_parts.h"

namespace emptor::services {
namespace {

catalog::ScreenSink ScreenCounter(const ShopParts& parts, catalog::ScreenPolicy policy) {
  if (parts.options.counters == nullptr) return nullptr;
  return [counters = parts.options.counters, policy](std::span<const catalog::TextWarning> found) {
    counters->CountScreened(policy, found);
  };
}

/// Embeds what a batch needs before the importer takes the lock, so that a slow embedder does not
/// delay new prices. The comparison under the lock decides; this is a prediction.
void EmbedAhead(const ShopParts& parts, catalog::ImportOptions& options, VectorsByText& prepared) {
  const bool is_slow = parts.embeddings.embedder().is_slow();
  if (!is_slow || options.dry_run || options.mode == catalog::ImportMode::kDelete) return;
  options.before_batch = [&parts, &prepared](std::span<const catalog::FeedRow> rows) {
    auto vectors = parts.embeddings.EmbedAhead(rows);
    if (vectors.ok()) prepared = *std::move(vectors);
    return vectors.status();
  };
}

/// Finds duplicates of an import's products. Read from the store by the first import that asks, and
/// again when most of it is stale. Writers add their products from the moment it exists, so none is
/// missed.
absl::StatusOr<std::shared_ptr<catalog::DuplicateIndex>> Duplicates(ShopParts& parts) {
  constexpr size_t kStaleAtLeast = 100000;
  constexpr size_t kEntriesPerProduct = 6;  // two keys each, three times over
  WriteState& writes = parts.writes;
  const std::lock_guard reading(parts.duplicates_mutex);
  std::shared_ptr<catalog::DuplicateIndex> index;
  {
    const std::lock_guard lock(writes.mutex);
    const bool is_stale = writes.duplicates != nullptr &&
                          writes.duplicates->size() >
                              kStaleAtLeast + kEntriesPerProduct * parts.store->info().products;
    if (writes.duplicates != nullptr && writes.knows_all_duplicates && !is_stale) {
      return writes.duplicates;
    }
    index = writes.duplicates = std::make_shared<catalog::DuplicateIndex>();
    writes.knows_all_duplicates = false;
  }
  if (absl::Status status = index->AddAll(*parts.store); !status.ok()) return status;
  const std::lock_guard lock(writes.mutex);
  writes.knows_all_duplicates = true;
  return index;
}

/// Of merchandising rules that were read.
absl::Status CountIfOther(ShopParts& parts, const absl::StatusOr<bool>& is_other) {
  if (is_other.ok() && *is_other) parts.changes.CountContent();
  return is_other.status();
}

absl::Status Resume(ShopParts& parts) {
  const std::lock_guard lock(parts.writes.mutex);
  return ResumeWrites(parts);
}

}  // namespace

absl::StatusOr<catalog::ImportReport> ShopWriter::Import(std::istream& stream,
                                                         const catalog::FeedOptions& feed,
                                                         const catalog::ImportOptions& options,
                                                         const catalog::ResultSink& on_result,
                                                         const BatchHook& on_batch) {
  if (const absl::Status status = ReloadSynonyms(); !status.ok()) {
    spdlog::warn("the synonyms in use are kept: {}", status.ToString());
  }
  if (const absl::Status status = ReloadMerchandising(); !status.ok()) {
    spdlog::warn("the merchandising rules in use are kept: {}", status.ToString());
  }
  if (absl::Status status = Resume(parts_); !status.ok()) return status;
  std::unique_ptr<catalog::FeedReader> reader;
  catalog::ImportOptions hooked = options;
  hooked.on_screened = ScreenCounter(parts_, options.screen);
  std::shared_ptr<catalog::DuplicateIndex> duplicates;
  if (options.dedupe != catalog::DedupeMode::kOff) {
    auto known = Duplicates(parts_);
    if (!known.ok()) return known.status();
    duplicates = *std::move(known);
    hooked.duplicates = duplicates.get();
  }
  if (on_batch) {
    hooked.on_batch = [&](catalog::ImportBatch& batch) { return on_batch(batch, *reader); };
  }
  VectorsByText prepared;
  EmbedAhead(parts_, hooked, prepared);
  catalog::Importer importer(
      *parts_.store, parts_.writes.mutex, hooked,
      [&](catalog::ImportBatch& batch) {
        return WriteBatch(parts_, batch, {.prepared = &prepared});
      },
      on_result);
  reader = catalog::MakeFeedReader(
      feed, [&](catalog::FeedRow&& row) { return importer.Take(std::move(row)); });
  return catalog::ImportFeed(stream, *reader, importer);
}

std::shared_ptr<const ShopProfile> ShopWriter::profile() const { return parts_.profile.Get(); }

absl::StatusOr<catalog::LineResult> ShopWriter::Change(catalog::FeedRow row,
                                                       catalog::ImportMode mode) {
  if (absl::Status status = Resume(parts_); !status.ok()) return status;
  catalog::LineResult result;
  catalog::ImportOptions options{.mode = mode,
                                 .strict = true,
                                 .screen = screen_policy(),
                                 .on_screened = ScreenCounter(parts_, screen_policy())};
  VectorsByText prepared;
  EmbedAhead(parts_, options, prepared);
  catalog::Importer importer(
      *parts_.store, parts_.writes.mutex, options,
      [&](catalog::ImportBatch& batch) {
        return WriteBatch(parts_, batch, {.prepared = &prepared});
      },
      [&](const catalog::LineResult& each) { result = each; });
  row.end_offset = std::max<uint64_t>(row.end_offset, 1);
  absl::Status status = importer.Take(std::move(row));
  if (status.ok()) status = importer.Flush();
  if (!status.ok()) return status;
  return result;
}

ShopFaq& ShopWriter::faq() { return *parts_.faq; }

absl::Status ShopWriter::WriteMetadata(std::vector<catalog::MetadataEntry> entries) {
  const std::lock_guard lock(parts_.writes.mutex);
  if (absl::Status status = ResumeWrites(parts_); !status.ok()) return status;
  catalog::ImportBatch batch;
  batch.changes.metadata = std::move(entries);
  return WriteBatch(parts_, batch);
}

absl::Status ShopWriter::ScanMetadata(const catalog::ProductStore::MetadataVisitor& visit) const {
  return parts_.store->ScanMetadata(visit);
}

catalog::ScreenPolicy ShopWriter::screen_policy() const { return parts_.options.screen; }

TextCounters* ShopWriter::counters() const { return parts_.options.counters.get(); }

absl::Status ShopWriter::ReloadSynonyms() {
  auto synonyms = ReadShopSynonyms(parts_.settings_directory());
  if (!synonyms.ok()) return synonyms.status();
  parts_.words->SetSynonyms(std::move(synonyms->synonyms));
  const uint64_t fingerprint = synonyms->fingerprint;
  if (parts_.synonyms_fingerprint.exchange(fingerprint) != fingerprint) {
    parts_.changes.CountContent();
  }
  return absl::OkStatus();
}

absl::Status ShopWriter::ReloadMerchandising() {
  return CountIfOther(parts_, parts_.merchandising.Reload());
}

absl::Status ShopWriter::SetMerchandising(const std::string& json) {
  return CountIfOther(parts_, parts_.merchandising.Set(json));
}

void ShopWriter::NoteJobEnd() { parts_.saver.NoteJobEnd(); }

absl::Status ShopWriter::health() const { return parts_.store->health(); }

}  // namespace emptor::services

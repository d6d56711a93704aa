// Building, opening, changing and searching a shop's index.
#include "retrieval/hybrid/hybrid_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "retrieval/hybrid/expansion.h"
#include "retrieval/hybrid/facets.h"
#include "retrieval/hybrid/snapshot_search.h"
#include "retrieval/segment/segment.h"
#include "retrieval/segment/segment_file.h"
#include "retrieval/segment/segment_store.h"
#include "retrieval/segment/vector_part.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr int kMaxLimit = 4000;
constexpr const char* kSegmentFileName = "segments.idx";

int64_t SystemNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

absl::Status ValidateRequest(const SearchRequest& request) {
  if (request.limit < 1 || request.limit > kMaxLimit) {
    return absl::InvalidArgumentError(
        fmt::format("search: limit: expected 1 to {}, found {}", kMaxLimit, request.limit));
  }
  if (request.query.size() > kMaxQueryBytes) {
    return absl::InvalidArgumentError(
        fmt::format("search: query: expected at most {} bytes, found {}", kMaxQueryBytes,
                    request.query.size()));
  }
  if (!IsValidUtf8(request.query)) {
    return absl::InvalidArgumentError("search: query: expected UTF-8, found ill-formed bytes");
  }
  return absl::OkStatus();
}

/// Validates a vector and normalises it; a zero vector stays zero.
absl::Status NormalizeVector(const std::string& id, int dimension, std::vector<float>& vector) {
  if (vector.size() != static_cast<size_t>(dimension)) {
    return absl::InvalidArgumentError(fmt::format("index: {}: vector: expected {} values, found {}",
                                                  id, dimension, vector.size()));
  }
  double squares = 0;
  for (const float value : vector) squares += double{value} * value;
  if (!std::isfinite(squares)) {
    return absl::InvalidArgumentError(
        fmt::format("index: {}: vector: expected finite values, found infinity or NaN", id));
  }
  if (squares == 0 || std::abs(squares - 1) < 1e-4) return absl::OkStatus();
  const double scale = 1 / std::sqrt(squares);
  for (float& value : vector) value = static_cast<float>(value * scale);
  return absl::OkStatus();
}

/// Validates the records and sorts them by id; of equal ids the last one stays. Accepts an empty
/// vector if `vectors_exist`.
absl::Status PrepareRecords(int dimension, bool vectors_exist,
                            std::vector<IndexedProduct>& records) {
  for (IndexedProduct& record : records) {
    if (record.product.id.empty()) {
      return absl::InvalidArgumentError("index: id: expected a name, found nothing");
    }
    if (vectors_exist && record.vector.empty()) continue;
    absl::Status status = NormalizeVector(record.product.id, dimension, record.vector);
    if (!status.ok()) return status;
  }
  std::reverse(records.begin(), records.end());
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.product.id < b.product.id; });
  for (size_t i = records.size(); i-- > 1;) {  // the last one of an id may leave out the vector
    IndexedProduct& later = records[i - 1];
    if (later.product.id != records[i].product.id) continue;
    later.same_text = later.same_text && records[i].same_text;
    if (later.vector.empty()) later.vector = records[i].vector;
  }
  const auto same_id = [](const auto& a, const auto& b) { return a.product.id == b.product.id; };
  records.erase(std::unique(records.begin(), records.end(), same_id), records.end());
  return absl::OkStatus();
}

/// The segment and position of a live record.
struct Place {
  size_t view = 0;
  uint32_t record = 0;
};

std::optional<Place> FindPlace(const std::string& id, std::span<const SegmentView> views) {
  for (size_t v = 0; v < views.size(); ++v) {
    const auto position = views[v].segment->Find(id);
    if (position && views[v].live->contains(*position)) return Place{v, *position};
  }
  return std::nullopt;
}

/// The vector of the live record; null rows when there is none.
RowSource FindRow(const std::string& id, std::span<const SegmentView> views) {
  const auto place = FindPlace(id, views);
  if (!place) return {};
  return {&views[place->view].segment->vectors->rows(), place->record};
}

/// False if the item group changed, which is not inventory.
bool HoldsAllButInventory(const SegmentView& view, uint32_t record,
                          const catalog::Product& product) {
  const FilterColumns& columns = view.columns();
  const auto ids = columns.values(FilterField::kItemGroup, record);
  const std::string stored = ids.empty() ? "" : columns.value(FilterField::kItemGroup, ids[0]);
  return stored == product.item_group_id ||
         FoldFilterValue(FilterField::kItemGroup, stored) ==
             FoldFilterValue(FilterField::kItemGroup, product.item_group_id);
}

/// Replaces the inventory of the records with unchanged text and removes them from `records`.
/// REQUIRES: records ascend strictly by id.
void ChangeInventory(std::vector<IndexedProduct>& records, std::vector<SegmentView>& views) {
  std::vector<std::vector<InventoryChange>> changes(views.size());
  std::erase_if(records, [&](const IndexedProduct& each) {
    if (!each.same_text) return false;
    const auto place = FindPlace(each.product.id, views);
    if (!place) return false;
    if (!HoldsAllButInventory(views[place->view], place->record, each.product)) return false;
    changes[place->view].push_back({place->record, MakeInventoryRow(each.product)});
    return true;
  });
  for (size_t v = 0; v < views.size(); ++v) {
    if (changes[v].empty()) continue;
    views[v].changed = std::make_shared<FilterColumns>(views[v].columns().With(changes[v]));
  }
}

/// OK when every record has a vector, its own or in `views`.
absl::Status CheckVectorsExist(std::span<const IndexedProduct> records,
                               std::span<const SegmentView> views) {
  for (const IndexedProduct& record : records) {
    if (!record.vector.empty() || FindRow(record.product.id, views).rows != nullptr) continue;
    return absl::InvalidArgumentError(fmt::format(
        "index: {}: vector: expected one, or one from before: found neither", record.product.id));
  }
  return absl::OkStatus();
}

/// Marks records as deleted.
void BuryRecord(const std::string& id, std::vector<SegmentView>& views,
                std::vector<std::shared_ptr<RecordSet>>& own) {
  for (size_t s = 0; s < views.size(); ++s) {
    const auto position = views[s].segment->Find(id);
    if (!position || !views[s].live->contains(*position)) continue;
    if (own[s] == nullptr) views[s].live = own[s] = std::make_shared<RecordSet>(*views[s].live);
    own[s]->Erase(*position);
    --views[s].live_count;
  }
}

}  // namespace

struct HybridSearcher::Impl {
  Impl(const Embedder& embedder_in, HybridOptions options_in, Analyzer analyzer_in)
      : embedder(embedder_in), options(std::move(options_in)), analyzer(std::move(analyzer_in)) {}

  std::shared_ptr<const Snapshot> Current() const { return segments->Current(); }

  absl::Status BuildImmutable(std::vector<IndexedProduct> records);
  void Serve(std::vector<SegmentView> views);
  absl::Status AddSegment(std::span<const IndexedProduct> records,
                          std::vector<SegmentView>& views) const;
  absl::StatusOr<std::vector<float>> EmbedQuery(const std::string& query) const;
  SegmentBuildOptions BuildOptions(bool immutable, bool in_background) const;

  const Embedder& embedder;
  const HybridOptions options;
  const Analyzer analyzer;
  mutable std::atomic<uint64_t> faiss_searches{0};
  mutable std::atomic<uint64_t> scan_searches{0};
  mutable std::atomic<uint64_t> words_only_searches{0};
  std::unique_ptr<SegmentStore> segments;  // destroyed first: its compactions use the members above
};

SegmentBuildOptions HybridSearcher::Impl::BuildOptions(bool immutable, bool in_background) const {
  const VectorPartOptions vectors{.dimension = embedder.dimension(),
                                  .model_id = embedder.model_id(),
                                  .index_directory = immutable ? options.index_directory : "",
                                  .index = immutable ? options.vector_index : VectorIndexSpec{},
                                  .training_threads = in_background ? 1 : 0};
  return {.bm25 = options.bm25,
          .averages = nullptr,
          .dimension = embedder.dimension(),
          .make_vectors =
              [vectors](std::span<const std::string> ids, QuantizedRows rows,
                        const std::stop_token& stop) {
                return MakeVectorPart(vectors, ids, std::move(rows), stop);
              },
          .find_row = nullptr,
          .stop = {}};
}

absl::Status HybridSearcher::Impl::BuildImmutable(std::vector<IndexedProduct> records) {
  absl::Status status = PrepareRecords(embedder.dimension(), false, records);
  if (!status.ok()) return status;
  auto segment = BuildSegment(analyzer, records, BuildOptions(true, false));
  if (!segment.ok()) return segment.status();
  Serve({ViewOf(*std::move(segment))});
  return absl::OkStatus();
}

void HybridSearcher::Impl::Serve(std::vector<SegmentView> views) {
  segments = std::make_unique<SegmentStore>(
      options.merges, std::move(views),
      [this](MergeKind kind, std::span<const SegmentView> inputs, const LengthStatistics* averages,
             const std::stop_token& stop) {
        SegmentBuildOptions build = BuildOptions(kind == MergeKind::kFullCompaction, true);
        build.averages = averages;
        build.stop = stop;
        return MergeSegments(inputs, build);
      });
}

/// Deletes the old versions of the records and appends a segment with the new ones.
absl::Status HybridSearcher::Impl::AddSegment(std::span<const IndexedProduct> records,
                                              std::vector<SegmentView>& views) const {
  if (absl::Status status = CheckVectorsExist(records, views); !status.ok()) return status;
  SegmentBuildOptions build = BuildOptions(false, false);
  build.find_row = [&views](const std::string& id) { return FindRow(id, views); };
  const LengthStatistics& immutable = views[0].segment->lexical.length_statistics();
  if (immutable.records > 0) build.averages = &immutable;
  auto segment = BuildSegment(analyzer, records, build);
  if (!segment.ok()) return segment.status();
  std::vector<std::shared_ptr<RecordSet>> own(views.size());
  for (const IndexedProduct& record : records) BuryRecord(record.product.id, views, own);
  views.push_back(ViewOf(*std::move(segment)));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> HybridSearcher::Impl::EmbedQuery(
    const std::string& query) const {
  std::vector<float> vector(static_cast<size_t>(embedder.dimension()));
  const absl::Status status = embedder.EmbedQueryInto(query, vector);
  if (!status.ok()) return status;
  const bool usable =
      std::all_of(vector.begin(), vector.end(), [](float value) { return std::isfinite(value); }) &&
      std::any_of(vector.begin(), vector.end(), [](float x) { return x != 0; });
  if (!usable) vector.clear();  // no known word: search by words only
  return vector;
}

HybridSearcher::HybridSearcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HybridSearcher::~HybridSearcher() = default;

absl::StatusOr<std::unique_ptr<HybridSearcher>> HybridSearcher::Build(
    std::vector<IndexedProduct> records, const Embedder& embedder, const HybridOptions& options) {
  auto analyzer = Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  auto impl = std::make_unique<Impl>(embedder, options, *std::move(analyzer));
  const absl::Status status = impl->BuildImmutable(std::move(records));
  if (!status.ok()) return status;
  return std::unique_ptr<HybridSearcher>(new HybridSearcher(std::move(impl)));
}

absl::StatusOr<HybridSearcher::Opened> HybridSearcher::Open(const std::string& source,
                                                            const Embedder& embedder,
                                                            const HybridOptions& options) {
  if (options.index_directory.empty()) {
    return absl::NotFoundError("index: nothing to open: no index_directory");
  }
  auto analyzer = Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  auto impl = std::make_unique<Impl>(embedder, options, *std::move(analyzer));
  const auto payload = MapSealedFile(options.index_directory + '/' + kSegmentFileName,
                                     SegmentFileKind(impl->analyzer, embedder.model_id(), source));
  if (!payload.ok()) return payload.status();
  auto stored = ReadSegments(
      *payload, embedder.dimension(),
      [&](size_t number, std::span<const std::string> ids, QuantizedRows rows) {
        return impl->BuildOptions(number == 0, false).make_vectors(ids, std::move(rows), {});
      });
  if (!stored.ok()) return stored.status();
  impl->Serve(std::move(stored->views));
  return Opened{std::unique_ptr<HybridSearcher>(new HybridSearcher(std::move(impl))),
                std::move(stored->attachment)};
}

std::shared_ptr<const Snapshot> HybridSearcher::Freeze() const { return impl_->Current(); }

absl::Status HybridSearcher::Save(const Snapshot& frozen, const std::string& source,
                                  std::string_view attachment) const {
  const std::string& directory = impl_->options.index_directory;
  if (directory.empty()) {
    return absl::FailedPreconditionError("index: cannot save: no index_directory");
  }
  std::error_code ignored;  // the write below reports a directory that could not be made
  std::filesystem::create_directories(directory, ignored);
  return WriteSealedFile(directory + '/' + kSegmentFileName,
                         SegmentFileKind(impl_->analyzer, impl_->embedder.model_id(), source),
                         [&](const SealedPayloadSink& sink) {
                           return WriteSegments(frozen.segments, attachment, sink);
                         });
}

absl::StatusOr<SearchResult> HybridSearcher::Search(const SearchRequest& request) const {
  if (absl::Status status = ValidateRequest(request); !status.ok()) return status;
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  const RewrittenQuery rewritten = RewriteForSearch(impl_->options.words, request, *snapshot);
  absl::StatusOr<std::vector<float>> vector = std::vector<float>();
  if (request.mode != SearchMode::kLexical && !request.browse) {
    vector = impl_->EmbedQuery(rewritten.text);
  }
  const bool words_only = !vector.ok();
  if (words_only && request.mode == SearchMode::kVector) return vector.status();
  if (words_only) {
    ++impl_->words_only_searches;
    vector = std::vector<float>();
  }
  const SnapshotQuery query{
      .request = &request,
      .rewritten = &rewritten,
      .vector = *std::move(vector),
      .now_unix = impl_->options.now_unix ? impl_->options.now_unix() : SystemNow()};
  PathCounts paths;
  auto result = SearchSnapshot(*snapshot, impl_->analyzer, impl_->options.fusion, query, paths);
  impl_->faiss_searches += paths.faiss;
  impl_->scan_searches += paths.scan;
  if (result.ok()) result->words_only = words_only;
  return result;
}

absl::StatusOr<std::vector<std::string>> HybridSearcher::FindIds(
    const SearchRequest& request) const {
  if (absl::Status status = ValidateRequest(request); !status.ok()) return status;
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  const RewrittenQuery rewritten = RewriteForSearch(impl_->options.words, request, *snapshot);
  const int64_t now_unix = impl_->options.now_unix ? impl_->options.now_unix() : SystemNow();
  return MatchingIds(
      *snapshot, impl_->analyzer,
      {.request = &request, .rewritten = &rewritten, .vector = {}, .now_unix = now_unix});
}

absl::StatusOr<Facets> HybridSearcher::CountFacets(const SearchRequest& request,
                                                   const std::string& currency) const {
  if (absl::Status status = ValidateRequest(request); !status.ok()) return status;
  const int64_t now_unix = impl_->options.now_unix ? impl_->options.now_unix() : SystemNow();
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  const RewrittenQuery rewritten = RewriteForSearch(impl_->options.words, request, *snapshot);
  return retrieval::CountFacets(*snapshot, impl_->analyzer, request, rewritten, currency, now_unix);
}

absl::Status HybridSearcher::Upsert(std::vector<IndexedProduct> records) {
  absl::Status status = PrepareRecords(impl_->embedder.dimension(), true, records);
  if (!status.ok() || records.empty()) return status;
  return impl_->segments->Change([this, &records](std::vector<SegmentView>& views) {
    ChangeInventory(records, views);
    return records.empty() ? absl::OkStatus() : impl_->AddSegment(records, views);
  });
}

void HybridSearcher::Remove(std::span<const std::string> ids) {
  const absl::Status removed =
      impl_->segments->Change([ids](std::vector<SegmentView>& views) -> absl::Status {
        std::vector<std::shared_ptr<RecordSet>> own(views.size());
        for (const std::string& id : ids) BuryRecord(id, views, own);
        return absl::OkStatus();
      });
  assert(removed.ok());
  static_cast<void>(removed);
}

void HybridSearcher::WaitForMerges() { impl_->segments->WaitForMerges(); }

size_t HybridSearcher::size() const {
  size_t live = 0;
  for (const SegmentView& view : impl_->Current()->segments) live += view.live_count;
  return live;
}

bool HybridSearcher::Contains(const std::string& id) const {
  return FindRow(id, impl_->Current()->segments).rows != nullptr;
}

std::optional<HybridSearcher::KnownValue> HybridSearcher::FindFilterValue(
    FilterField field, const std::string& folded) const {
  std::optional<KnownValue> value;
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  for (const SegmentView& view : snapshot->segments) {
    const auto known = view.columns().Find(field, folded);
    if (!known || known->records == 0) continue;
    if (!value) value = KnownValue{std::string(known->text), 0};
    value->records += known->records;
  }
  return value;
}

size_t HybridSearcher::CountClaiming(const std::string& term) const {
  size_t records = 0;
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  for (const SegmentView& view : snapshot->segments) {
    records += view.columns().CountTerm(term);
  }
  return records;
}

bool HybridSearcher::HasMeasure(const std::string& attribute, const std::string& base_unit) const {
  MeasureCounts all;
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  for (const SegmentView& view : snapshot->segments) {
    const MeasureCounts counts = view.columns().CountMeasures(attribute, base_unit);
    all.measured += counts.measured;
    all.plain += counts.plain;
  }
  return all.answers_bounds();
}

HybridSearcher::Stats HybridSearcher::stats() const {
  const std::shared_ptr<const Snapshot> snapshot = impl_->Current();
  Stats stats;
  for (const SegmentView& view : snapshot->segments) {
    const bool fresh = &view != &snapshot->segments.front();
    (fresh ? stats.fresh_vectors : stats.immutable_vectors) += view.segment->size();
    stats.products += view.live_count;
    stats.tombstones += view.segment->size() - view.live_count;
    stats.terms += view.segment->lexical.term_count();
    stats.bytes += view.segment->bytes;
  }
  const MergeCounts merges = impl_->segments->merge_counts();
  stats.full_compactions = merges.full_compactions;
  stats.minor_compactions = merges.minor_compactions;
  stats.merge_seconds = merges.seconds;
  stats.faiss_searches = impl_->faiss_searches;
  stats.scan_searches = impl_->scan_searches;
  stats.words_only_searches = impl_->words_only_searches;
  return stats;
}

}  // namespace emptor::retrieval

// Search parameters of each kind of index. What FAISS throws becomes a Status here.
#include "retrieval/vector/vector_index.h"

#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVF.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "retrieval/byte_count.h"
#include "retrieval/vector/faiss_factory.h"
#include "retrieval/vector/faiss_file.h"
#include "retrieval/vector/rabitq_index.h"
#include "retrieval/vector/record_selector.h"
#include "retrieval/vector/row_scan.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr size_t kMinProbes = 24;

absl::Status FaissError(std::string_view what, const std::exception& error) {
  return absl::InternalError(fmt::format("faiss: {}: {}", what, error.what()));
}

int TrainingThreads(const VectorIndexOptions& options) {
  if (options.training_threads > 0) return options.training_threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

/// Enough lists to score about eight allowed vectors per requested result.
size_t ChooseProbes(const faiss::IndexIVF& index, double probed_share, size_t k, double share) {
  const auto lists = static_cast<double>(index.nlist);
  const double per_list = static_cast<double>(index.ntotal) / lists;
  const double base = std::max<double>(kMinProbes, probed_share * lists);
  const double probes = std::max(base, 8 * static_cast<double>(k) / per_list) / share;
  return std::min(static_cast<size_t>(std::ceil(probes)), index.nlist);
}

/// The search also visits rows that the filter drops, so ef_search is divided by the share kept.
int ChooseEfSearch(size_t rows, size_t ef_search, size_t k, double share) {
  const double wanted = static_cast<double>(std::max(ef_search, k + k / 2)) / share;
  return static_cast<int>(std::min(std::ceil(wanted), static_cast<double>(rows)));
}

size_t BytesOf(const faiss::Index& index) {
  if (const auto* flat = dynamic_cast<const faiss::IndexFlatCodes*>(&index)) {
    return flat->codes.size();
  }
  if (const auto* graph = dynamic_cast<const faiss::IndexHNSW*>(&index)) {
    return BytesOf(*graph->storage) + ByteCount(graph->hnsw.levels) +
           ByteCount(graph->hnsw.offsets) + ByteCount(graph->hnsw.neighbors);
  }
  const auto& lists = dynamic_cast<const faiss::IndexIVF&>(index);
  return BytesOf(*lists.quantizer) +
         static_cast<size_t>(lists.ntotal) * (lists.code_size + sizeof(faiss_id));
}

}  // namespace

VectorIndex::VectorIndex(QuantizedRows rows, std::unique_ptr<faiss::Index> index,
                         const VectorIndexOptions& options)
    : options_(options),
      own_rows_(std::move(rows)),
      index_(std::move(index)),
      rabitq_(dynamic_cast<const RaBitQIndex*>(index_.get())),
      rows_(rabitq_ != nullptr ? &rabitq_->rows() : &own_rows_) {}

VectorIndex::VectorIndex(QuantizedRows rows)
    : VectorIndex(QuantizedRows(rows.dimension()), std::make_unique<RaBitQIndex>(std::move(rows)),
                  {}) {}

VectorIndex::~VectorIndex() = default;

absl::StatusOr<std::unique_ptr<VectorIndex>> VectorIndex::Build(QuantizedRows rows,
                                                                const VectorIndexOptions& options,
                                                                const std::stop_token& stop) {
  const bool is_default = options.spec.structure == VectorIndexSpec::Structure::kRaBitQ;
  if (is_default || rows.size() < options.spec.min_rows()) {
    return std::make_unique<VectorIndex>(std::move(rows));
  }
  try {
    const OpenMpThreads threads(TrainingThreads(options));
    auto index = MakeFaissIndex(options.spec, rows.dimension());
    if (absl::Status status = FillFaissIndex(rows, *index, stop); !status.ok()) return status;
    return std::unique_ptr<VectorIndex>(
        new VectorIndex(std::move(rows), std::move(index), options));
  } catch (const std::exception& error) {
    return FaissError("training", error);
  }
}

absl::StatusOr<std::unique_ptr<VectorIndex>> VectorIndex::Load(const std::string& path,
                                                               const IndexFileKey& expected,
                                                               QuantizedRows& rows,
                                                               const VectorIndexOptions& options) {
  assert(rows.size() == expected.count && options.spec.is_kept());
  auto file = IndexFileReader::Open(path, expected);
  if (!file.ok()) return file.status();
  absl::StatusOr<std::unique_ptr<faiss::Index>> index;
  try {
    index = ReadFaissIndex(options.spec, rows.dimension(), rows.size(), **file);
  } catch (const std::exception& error) {
    index = absl::DataLossError(error.what());
  }
  if (!index.ok()) {
    return absl::DataLossError(
        fmt::format("vector index: {}: payload: {}", path, std::string(index.status().message())));
  }
  return std::unique_ptr<VectorIndex>(new VectorIndex(std::move(rows), *std::move(index), options));
}

absl::Status VectorIndex::Save(const std::string& path, const IndexFileKey& key) const {
  assert(key.count == size() && key.dimension == dimension());
  return WriteIndexFile(path, key, [this](const PayloadSink& sink) -> absl::Status {
    try {
      return WriteFaissIndex(*index_, sink);
    } catch (const std::exception& error) {
      return FaissError("writing", error);
    }
  });
}

size_t VectorIndex::byte_size() const {
  return rabitq_ != nullptr ? rabitq_->byte_size() : own_rows_.byte_size() + BytesOf(*index_);
}

std::vector<ScoredRecord> VectorIndex::SearchFaiss(std::span<const float> query, size_t k,
                                                   const RecordSet* allowed, double share) const {
  std::optional<OpenMpThreads> one_thread;
  if (rabitq_ == nullptr) one_thread.emplace(1);
  std::optional<RecordSelector> selector;
  faiss::SearchParameters plain;
  faiss::SearchParametersIVF of_lists;
  faiss::SearchParametersHNSW of_graph;
  faiss::SearchParameters* parameters = &plain;
  if (const auto* lists = dynamic_cast<const faiss::IndexIVF*>(index_.get())) {
    of_lists.nprobe = ChooseProbes(*lists, options_.probed_share, k, share);
    parameters = &of_lists;
  } else if (options_.spec.structure == VectorIndexSpec::Structure::kHnsw) {
    of_graph.efSearch = ChooseEfSearch(size(), options_.ef_search, k, share);
    parameters = &of_graph;
  }
  if (allowed != nullptr) parameters->sel = &selector.emplace(*allowed);
  std::vector<float> scores(k);
  std::vector<faiss_id> ids(k);
  index_->search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(), parameters);
  std::vector<ScoredRecord> found;
  found.reserve(k);
  for (size_t i = 0; i < k && ids[i] >= 0; ++i) {  // -1 stands for "no more"
    found.push_back({static_cast<uint32_t>(ids[i]), scores[i]});
  }
  return found;
}

absl::StatusOr<VectorMatches> VectorIndex::Search(std::span<const float> query, size_t k,
                                                  const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension()); !status.ok()) return status;
  const size_t allowed_count = allowed == nullptr ? size() : allowed->count();
  k = std::min(k, allowed_count);
  if (k == 0) return VectorMatches{};
  const double share = static_cast<double>(allowed_count) / static_cast<double>(size());
  if (!options_.spec.is_kept() || share >= options_.scan_below) {
    try {
      if (rabitq_ != nullptr) return VectorMatches{.best = SearchFaiss(query, k, allowed, share)};
      const size_t shortlist = std::min(ShortlistSize(k), allowed_count);
      std::vector<ScoredRecord> found = SearchFaiss(query, shortlist, allowed, share);
      if (found.size() >= k) {
        return VectorMatches{.best = Refine(*rows_, query, k, std::move(found))};
      }
    } catch (const std::exception& error) {
      return FaissError("search", error);
    }
  }
  return VectorMatches{.best = ScanExactly(*rows_, query, k, allowed), .path = VectorPath::kScan};
}

absl::Status ValidateQueryVector(std::span<const float> query, int dimension) {
  if (query.size() != static_cast<size_t>(dimension)) {
    return absl::InvalidArgumentError(
        fmt::format("vector search: query: expected {} values, found {}", dimension, query.size()));
  }
  if (!std::all_of(query.begin(), query.end(), [](float x) { return std::isfinite(x); })) {
    return absl::InvalidArgumentError(
        "vector search: query: expected finite values, found infinity or NaN");
  }
  if (std::all_of(query.begin(), query.end(), [](float x) { return x == 0.0f; })) {
    return absl::InvalidArgumentError("vector search: query: expected a direction, found zeros");
  }
  return absl::OkStatus();
}

}  // namespace emptor::retrieval

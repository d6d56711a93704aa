// The graph of near neighbours: FAISS links the rows and walks the links; distances are ours.
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/impl/DistanceComputer.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "retrieval/byte_count.h"
#include "retrieval/vector/faiss_structure.h"
#include "retrieval/vector/faiss_support.h"
#include "retrieval/vector/int8_dot.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

// Below 32 parts of the graph may not be reached from others.
constexpr int kGraphDegree = 32;
constexpr int kConstructionBreadth = 100;
constexpr size_t kLinkedTogether = 8192;

/// Our integer products in place of FAISS' scalar code, over rows that FAISS never holds.
class RowDistances final : public faiss::DistanceComputer {
 public:
  explicit RowDistances(const QuantizedRows& rows)
      : rows_(rows), codes_(static_cast<size_t>(rows.dimension())) {}

  void set_query(const float* x) override { query_.emplace(std::span(x, codes_.size())); }
  float operator()(faiss_id i) override {
    float score = 0;
    rows_.ScoreCoarselyInto(*query_, static_cast<size_t>(i), 1, &score);
    return score;
  }
  /// FAISS compares one `j` with many `i` in turn.
  float symmetric_dis(faiss_id i, faiss_id j) override {
    if (j != row_) TakeRow(j);
    int32_t product = 0;
    dot_(rows_.coarse_at(static_cast<size_t>(i)), 1, codes_.data(), codes_.size(), &product);
    return static_cast<float>(product - kCodeZero * sum_) * scale_ *
           rows_.scale_at(static_cast<size_t>(i));
  }

 private:
  void TakeRow(faiss_id j) {
    const uint8_t* row = rows_.coarse_at(static_cast<size_t>(j));
    sum_ = 0;
    for (size_t at = 0; at < codes_.size(); ++at) {
      codes_[at] = static_cast<int8_t>(row[at] - kCodeZero);
      sum_ += codes_[at];
    }
    scale_ = rows_.scale_at(static_cast<size_t>(j));
    row_ = j;
  }

  const QuantizedRows& rows_;
  const Int8DotFunction dot_ = SelectInt8Dot();
  std::optional<QuantizedQuery> query_;
  faiss_id row_ = -1;
  std::vector<int8_t> codes_;  // of row_
  int32_t sum_ = 0;
  float scale_ = 0;
};

/// Stands where FAISS expects a graph's vectors; written to files as an empty IndexFlatIP.
struct RowStorage final : faiss::IndexFlatIP {
  explicit RowStorage(const QuantizedRows& rows_in)
      : faiss::IndexFlatIP(rows_in.dimension()), rows(rows_in) {}
  void add(faiss_id n, const float*) override { ntotal += n; }
  faiss::DistanceComputer* get_distance_computer() const override { return new RowDistances(rows); }

  const QuantizedRows& rows;
};

std::unique_ptr<faiss::IndexHNSWFlat> MakeGraph(const QuantizedRows& rows) {
  auto graph = std::make_unique<faiss::IndexHNSWFlat>(rows.dimension(), kGraphDegree,
                                                      faiss::METRIC_INNER_PRODUCT);
  delete graph->storage;
  graph->storage = new RowStorage(rows);
  graph->hnsw.efConstruction = kConstructionBreadth;
  // FAISS' bounded queue is searched in linear time and holds at most this index' efSearch,
  // whatever a search asks for. The other one takes its breadth from the number of results wanted.
  graph->hnsw.search_bounded_queue = false;
  graph->hnsw.efSearch = 1;
  return graph;
}

class Graph final : public FaissStructure {
 public:
  Graph(std::unique_ptr<faiss::IndexHNSWFlat> index, const QuantizedRows& rows,
        const FaissOptions& options)
      : FaissStructure(rows), index_(std::move(index)), breadth_(options.graph_breadth) {}

  IndexKind kind() const override { return IndexKind::kGraph; }
  size_t byte_size() const override {
    const faiss::HNSW& graph = index_->hnsw;
    return ByteCount(graph.levels) + ByteCount(graph.offsets) + ByteCount(graph.neighbors);
  }

  std::vector<ScoredRecord> Search(std::span<const float> query, size_t k, const RecordSet* allowed,
                                   double share) const override {
    const OpenMpThreads one_thread(1);
    // The walk goes through rows that the filter drops, so it is as much wider as fewer are kept.
    const double wanted = static_cast<double>(std::max(breadth_, k + k / 2)) / share;
    const size_t breadth =
        std::min(static_cast<size_t>(std::ceil(wanted)), static_cast<size_t>(index_->ntotal));
    std::vector<float> scores(breadth);
    std::vector<faiss_id> ids(breadth);
    index_->search(1, query.data(), static_cast<faiss_id>(breadth), scores.data(), ids.data());
    std::vector<ScoredRecord> found;  // FAISS gives them best first
    for (size_t i = 0; i < breadth && found.size() < k; ++i) {
      const auto position = static_cast<uint32_t>(ids[i]);
      if (ids[i] < 0 || (allowed != nullptr && !allowed->contains(position))) continue;
      found.push_back({position, scores[i]});
    }
    return found;
  }

  absl::Status Write(const PayloadSink& sink) const override {
    return WriteFaissIndex(*index_, sink);
  }

 private:
  std::unique_ptr<faiss::IndexHNSWFlat> index_;
  size_t breadth_;
};

/// Whether every row has the links of its levels (`widths` up to each) and every link leads to a
/// row, so that no walk leaves the rows.
bool IsSound(const faiss::HNSW& graph, const std::vector<int>& widths, size_t rows) {
  const auto count = static_cast<faiss::HNSW::storage_idx_t>(rows);
  if (graph.levels.size() != rows || graph.offsets.size() != rows + 1 || graph.offsets[0] != 0 ||
      graph.offsets.back() != graph.neighbors.size() || graph.entry_point < 0 ||
      graph.entry_point >= count) {
    return false;
  }
  for (size_t i = 0; i < rows; ++i) {
    const int levels = graph.levels[i];
    if (levels < 1 || static_cast<size_t>(levels) >= widths.size()) return false;
    const auto width = static_cast<size_t>(widths[static_cast<size_t>(levels)]);
    if (graph.offsets[i + 1] - graph.offsets[i] != width) return false;
  }
  const int entry_levels = graph.levels[static_cast<size_t>(graph.entry_point)];
  if (graph.max_level < 0 || graph.max_level + 1 != entry_levels) return false;
  return std::all_of(graph.neighbors.begin(), graph.neighbors.end(),
                     [count](auto neighbor) { return neighbor >= -1 && neighbor < count; });
}

}  // namespace

absl::StatusOr<FaissStructurePointer> TrainGraph(const QuantizedRows& rows,
                                                 const FaissOptions& options,
                                                 const std::stop_token& stop) {
  auto graph = MakeGraph(rows);
  const auto width = static_cast<size_t>(rows.dimension());
  graph->hnsw.neighbors.reserve(rows.size() * (2 * kGraphDegree + 2));
  std::vector<float> block(std::min(kLinkedTogether, rows.size()) * width);
  for (size_t done = 0; done < rows.size();) {
    if (stop.stop_requested()) return absl::CancelledError("faiss: training was stopped");
    // The first rows are few: until there is a graph, parallel insertion links poorly.
    const size_t count = std::min({kLinkedTogether, rows.size() - done, done + 64});
    for (size_t i = 0; i < count; ++i) {
      rows.DecodeInto(static_cast<uint32_t>(done + i), std::span(block).subspan(i * width, width));
    }
    graph->add(static_cast<faiss_id>(count), block.data());
    done += count;
  }
  graph->storage->ntotal = 0;  // what a file says of it
  return std::make_unique<Graph>(std::move(graph), rows, options);
}

absl::StatusOr<FaissStructurePointer> ReadGraph(const QuantizedRows& rows,
                                                const FaissOptions& options,
                                                IndexFileReader& file) {
  const std::unique_ptr<faiss::Index> index = ReadFaissIndex(file);
  auto* read = dynamic_cast<faiss::IndexHNSWFlat*>(index.get());
  if (read == nullptr || read->d != rows.dimension() ||
      read->metric_type != faiss::METRIC_INNER_PRODUCT ||
      read->ntotal != static_cast<faiss_id>(rows.size())) {
    return absl::DataLossError("faiss: payload: not a graph that this version writes");
  }
  auto graph = MakeGraph(rows);
  if (!IsSound(read->hnsw, graph->hnsw.cum_nneighbor_per_level, rows.size())) {
    return absl::DataLossError("faiss: payload: graph: a link leads nowhere");
  }
  faiss::HNSW& own = graph->hnsw;
  own.levels = std::move(read->hnsw.levels);
  own.offsets = std::move(read->hnsw.offsets);
  own.neighbors = std::move(read->hnsw.neighbors);
  own.entry_point = read->hnsw.entry_point;
  own.max_level = read->hnsw.max_level;
  graph->ntotal = read->ntotal;
  return std::make_unique<Graph>(std::move(graph), rows, options);
}

}  // namespace emptor::retrieval

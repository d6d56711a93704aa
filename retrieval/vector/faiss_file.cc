// FAISS reads its own classes; their contents are checked and moved into ours.
#include "retrieval/vector/faiss_file.h"

#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <faiss/IndexScalarQuantizer.h>
#include <faiss/impl/io.h>
#include <faiss/index_io.h>
#include <faiss/invlists/InvertedLists.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "retrieval/vector/faiss_factory.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

/// Remembers the sink's first error; FAISS then throws.
struct SinkWriter final : faiss::IOWriter {
  explicit SinkWriter(const PayloadSink& sink_in) : sink(sink_in) {}
  size_t operator()(const void* data, size_t size, size_t count) override {
    if (status.ok()) status = sink(data, size * count);
    return status.ok() ? count : 0;
  }
  const PayloadSink& sink;
  absl::Status status;
};

struct FileReader final : faiss::IOReader {
  explicit FileReader(IndexFileReader& file_in) : file(file_in) {}
  size_t operator()(void* data, size_t size, size_t count) override {
    return size == 0 ? 0 : file.Read(data, size * count) / size;
  }
  IndexFileReader& file;
};

absl::Status Unsound(const char* what) { return absl::DataLossError(what); }

bool IsSound(const faiss::ScalarQuantizer& sq, int dimension) {
  const auto width = static_cast<size_t>(dimension);
  return sq.qtype == faiss::ScalarQuantizer::QT_8bit && sq.d == width && sq.code_size == width &&
         sq.trained.size() == 2 * width &&
         std::all_of(sq.trained.begin(), sq.trained.end(),
                     [](float x) { return std::isfinite(x); });
}

/// Whether `index` holds the codes of `rows` vectors.
bool IsSound(const faiss::IndexFlatCodes* index, int dimension, size_t code_size, size_t rows) {
  return index != nullptr && index->d == dimension && index->code_size == code_size &&
         index->metric_type == faiss::METRIC_INNER_PRODUCT &&
         index->ntotal == static_cast<faiss_id>(rows) && index->codes.size() == rows * code_size;
}

/// Whether the lists hold each id 0..rows-1 once, with its code.
bool IsSound(const faiss::ArrayInvertedLists* lists, size_t nlist, size_t code_size, size_t rows) {
  if (lists == nullptr || lists->nlist != nlist || lists->code_size != code_size ||
      lists->ids.size() != nlist || lists->codes.size() != nlist) {
    return false;
  }
  std::vector<bool> seen(rows);
  size_t count = 0;
  for (size_t list = 0; list < nlist; ++list) {
    if (lists->codes[list].size() != lists->ids[list].size() * code_size) return false;
    for (const faiss_id id : lists->ids[list]) {
      if (id < 0 || id >= static_cast<faiss_id>(rows) || seen[static_cast<size_t>(id)])
        return false;
      seen[static_cast<size_t>(id)] = true;
    }
    count += lists->ids[list].size();
  }
  return count == rows;
}

/// Whether every row has the links of its levels (`widths`, cumulated) and every link leads to a
/// row.
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

absl::Status MoveLists(faiss::IndexIVF* read, size_t rows, faiss::IndexIVF& made) {
  if (read == nullptr || read->nlist != made.nlist || read->code_size != made.code_size) {
    return Unsound("not the inverted lists that were expected");
  }
  const auto* centres = dynamic_cast<const faiss::IndexFlat*>(read->quantizer);
  const size_t centre_bytes = static_cast<size_t>(made.d) * sizeof(float);
  if (!IsSound(centres, made.d, centre_bytes, made.nlist)) {
    return Unsound("inverted lists: their centres are damaged");
  }
  const auto* lists = dynamic_cast<const faiss::ArrayInvertedLists*>(read->invlists);
  if (!IsSound(lists, made.nlist, made.code_size, rows)) {
    return Unsound("inverted lists: a row is missing or named twice");
  }
  if (auto* made_sq = dynamic_cast<faiss::IndexIVFScalarQuantizer*>(&made)) {
    auto* read_sq = dynamic_cast<faiss::IndexIVFScalarQuantizer*>(read);
    if (read_sq == nullptr || read_sq->by_residual != made_sq->by_residual ||
        !IsSound(read_sq->sq, made.d)) {
      return Unsound("inverted lists: their scalar quantizer is damaged");
    }
    made_sq->sq = std::move(read_sq->sq);
  } else if (dynamic_cast<faiss::IndexIVFFlat*>(read) == nullptr) {
    return Unsound("not the inverted lists that were expected");
  }
  std::swap(made.quantizer, read->quantizer);
  std::swap(made.own_fields, read->own_fields);
  made.replace_invlists(std::exchange(read->invlists, nullptr), true);
  read->own_invlists = false;
  return absl::OkStatus();
}

absl::Status MoveGraph(faiss::IndexHNSW* read, size_t rows, faiss::IndexHNSW& made) {
  auto* storage = dynamic_cast<faiss::IndexFlatCodes*>(made.storage);
  auto* read_storage =
      read == nullptr ? nullptr : dynamic_cast<faiss::IndexFlatCodes*>(read->storage);
  if (!IsSound(read_storage, made.d, storage->code_size, rows)) {
    return Unsound("not the graph that was expected");
  }
  if (auto* made_sq = dynamic_cast<faiss::IndexScalarQuantizer*>(storage)) {
    auto* read_sq = dynamic_cast<faiss::IndexScalarQuantizer*>(read_storage);
    if (read_sq == nullptr || !IsSound(read_sq->sq, made.d)) {
      return Unsound("graph: its scalar quantizer is damaged");
    }
    made_sq->sq = std::move(read_sq->sq);
  }
  if (!IsSound(read->hnsw, made.hnsw.cum_nneighbor_per_level, rows)) {
    return Unsound("graph: a link leads nowhere");
  }
  storage->codes = std::move(read_storage->codes);
  storage->ntotal = static_cast<faiss_id>(rows);
  storage->is_trained = true;
  made.hnsw.levels = std::move(read->hnsw.levels);
  made.hnsw.offsets = std::move(read->hnsw.offsets);
  made.hnsw.neighbors = std::move(read->hnsw.neighbors);
  made.hnsw.entry_point = read->hnsw.entry_point;
  made.hnsw.max_level = read->hnsw.max_level;
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteFaissIndex(const faiss::Index& index, const PayloadSink& sink) {
  SinkWriter writer(sink);
  try {
    faiss::BufferedIOWriter buffered(&writer, size_t{1} << 20);
    faiss::write_index(&index, &buffered);
  } catch (const std::exception&) {
    if (writer.status.ok()) throw;
  }
  return writer.status;
}

absl::StatusOr<std::unique_ptr<faiss::Index>> ReadFaissIndex(const VectorIndexSpec& spec,
                                                             int dimension, size_t rows,
                                                             IndexFileReader& file) {
  FileReader reader(file);
  faiss::BufferedIOReader buffered(&reader);
  const std::unique_ptr<faiss::Index> read(faiss::read_index(&buffered));
  auto made = MakeFaissIndex(spec, dimension);
  if (read->d != made->d || read->metric_type != made->metric_type || !read->is_trained ||
      read->ntotal != static_cast<faiss_id>(rows)) {
    return Unsound("an index of other vectors");
  }
  absl::Status status;
  if (auto* graph = dynamic_cast<faiss::IndexHNSW*>(made.get())) {
    status = MoveGraph(dynamic_cast<faiss::IndexHNSW*>(read.get()), rows, *graph);
  } else {
    auto& lists = dynamic_cast<faiss::IndexIVF&>(*made);
    status = MoveLists(dynamic_cast<faiss::IndexIVF*>(read.get()), rows, lists);
  }
  if (!status.ok()) return status;
  made->ntotal = read->ntotal;
  made->is_trained = true;
  return made;
}

}  // namespace emptor::retrieval

// The only file that sees FAISS. Everything that FAISS throws becomes a Status here.
#include "retrieval/vector/faiss_index.h"

#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/IndexIVFFlat.h>
#include <faiss/impl/DistanceComputer.h>
#include <faiss/impl/IDSelector.h>
#include <faiss/impl/io.h>
#include <faiss/index_io.h>
#include <faiss/utils/Heap.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <exception>
#include <utility>

#include "retrieval/vector/dot_product.h"

static_assert(std::endian::native == std::endian::little,
              "RecordSet's words are handed to FAISS as bytes, and files hold FAISS' own layout");

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr int kGraphDegree = 32;
constexpr int kGraphConstructionBreadth = 100;
// FAISS ignores a search's own efSearch above the index' member, so the member is the ceiling.
constexpr int kGraphSearchBreadth = 512;
constexpr size_t kMinProbes = 24;

/// OpenMP regions of this thread stay on it: request threads are parallel already.
class OneOpenMpThread {
 public:
  OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneOpenMpThread() { omp_set_num_threads(before_); }
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

 private:
  int before_;
};

/// Our inner product in place of FAISS', which Debian compiles to scalar code.
class InnerProductComputer final : public faiss::FlatCodesDistanceComputer {
 public:
  InnerProductComputer(const uint8_t* rows, size_t dimension)
      : faiss::FlatCodesDistanceComputer(rows, dimension * sizeof(float)), dimension_(dimension) {}

  void set_query(const float* x) override { query_ = x; }
  float distance_to_code(const uint8_t* code) override {
    return dot_(query_, reinterpret_cast<const float*>(code), dimension_);
  }
  float symmetric_dis(faiss_id i, faiss_id j) override {
    const auto row = [this](faiss_id at) {
      return reinterpret_cast<const float*>(codes + static_cast<size_t>(at) * code_size);
    };
    return dot_(row(i), row(j), dimension_);
  }

 private:
  size_t dimension_;
  DotProductFunction dot_ = SelectDotProduct();
  const float* query_ = nullptr;
};

/// Vectors of the graph; written to files as FAISS' own IndexFlatIP.
struct GraphStorage final : faiss::IndexFlatIP {
  explicit GraphStorage(int dimension) : faiss::IndexFlatIP(dimension) {}
  faiss::FlatCodesDistanceComputer* get_FlatCodesDistanceComputer() const override {
    return new InnerProductComputer(codes.data(), static_cast<size_t>(d));
  }
};

/// Scans inverted lists with our inner product; REQUIRES (as FAISS' own search does): no pairs.
class ListScanner final : public faiss::InvertedListScanner {
 public:
  ListScanner(size_t dimension, const faiss::IDSelector* filter)
      : faiss::InvertedListScanner(false, filter), dimension_(dimension) {
    keep_max = true;
    code_size = dimension * sizeof(float);
  }

  void set_query(const float* query) override { query_ = query; }
  void set_list(faiss_id list, float) override { list_no = list; }
  float distance_to_code(const uint8_t* code) const override {
    return dot_(query_, reinterpret_cast<const float*>(code), dimension_);
  }
  size_t scan_codes(size_t n, const uint8_t* codes, const faiss_id* ids, float* scores,
                    faiss_id* labels, size_t k) const override {
    size_t updates = 0;
    for (size_t i = 0; i < n; ++i) {
      if (sel != nullptr && !sel->is_member(ids[i])) continue;
      const float score = distance_to_code(codes + i * code_size);
      if (score <= scores[0]) continue;
      faiss::minheap_replace_top(k, scores, labels, score, ids[i]);
      ++updates;
    }
    return updates;
  }

 private:
  size_t dimension_;
  DotProductFunction dot_ = SelectDotProduct();
  const float* query_ = nullptr;
};

/// Inverted lists; written to files as FAISS' own IndexIVFFlat.
struct Lists final : faiss::IndexIVFFlat {
  Lists(faiss::Index* quantizer_in, int dimension, size_t list_count)
      : faiss::IndexIVFFlat(quantizer_in, static_cast<size_t>(dimension), list_count,
                            faiss::METRIC_INNER_PRODUCT) {
    own_fields = true;
  }

  /// Takes over what FAISS read from a file.
  static std::unique_ptr<Lists> FromRead(faiss::IndexIVFFlat& read) {
    auto lists = std::make_unique<Lists>(read.quantizer, static_cast<int>(read.d), read.nlist);
    read.own_fields = false;
    lists->replace_invlists(read.invlists, true);
    read.own_invlists = false;
    lists->ntotal = read.ntotal;
    lists->is_trained = read.is_trained;
    return lists;
  }

  faiss::InvertedListScanner* get_InvertedListScanner(
      bool pairs, const faiss::IDSelector* filter) const override {
    assert(!pairs);
    static_cast<void>(pairs);
    return new ListScanner(static_cast<size_t>(d), filter);
  }
};

absl::Status FaissError(std::string_view what, const std::exception& error) {
  return absl::InternalError(fmt::format("faiss: {}: {}", what, error.what()));
}

/// About 4 sqrt(n) lists of at least some 20 vectors.
size_t ChooseListCount(size_t vectors) {
  const auto lists = static_cast<size_t>(4 * std::sqrt(static_cast<double>(vectors)));
  return std::clamp<size_t>(lists, 1, std::max<size_t>(1, vectors / 20));
}

std::unique_ptr<faiss::Index> TrainLists(int dimension, const std::vector<float>& rows) {
  const size_t count = rows.size() / static_cast<size_t>(dimension);
  auto quantizer = std::make_unique<faiss::IndexFlatIP>(dimension);
  auto index = std::make_unique<Lists>(quantizer.get(), dimension, ChooseListCount(count));
  quantizer.release();
  index->cp.spherical = true;
  index->cp.min_points_per_centroid = 1;
  index->train(static_cast<faiss_id>(count), rows.data());
  index->add(static_cast<faiss_id>(count), rows.data());
  return index;
}

std::unique_ptr<faiss::Index> TrainGraph(int dimension, const std::vector<float>& rows) {
  auto index =
      std::make_unique<faiss::IndexHNSWFlat>(dimension, kGraphDegree, faiss::METRIC_INNER_PRODUCT);
  delete index->storage;
  index->storage = new GraphStorage(dimension);
  index->hnsw.efConstruction = kGraphConstructionBreadth;
  index->add(static_cast<faiss_id>(rows.size() / static_cast<size_t>(dimension)), rows.data());
  return index;
}

/// Hands the bytes that FAISS writes to a PayloadSink. Remembers the first error; FAISS then
/// throws.
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

}  // namespace

struct FaissIndex::Impl {
  int dimension = 0;
  FaissOptions options;
  std::unique_ptr<faiss::Index> index;
  const Lists* lists = nullptr;  // one of these two is `index`
  const faiss::IndexHNSWFlat* graph = nullptr;
  std::vector<const float*> rows;  // [size] where FAISS keeps each vector

  absl::Status Adopt(std::unique_ptr<faiss::Index> adopted);
  bool FindRows();
  std::vector<ScoredRecord> SearchFaiss(std::span<const float> query, size_t k,
                                        const RecordSet* allowed, double share) const;
  size_t ChooseProbes(size_t k, double share) const;
};

/// Checks that the structure is one that we make, and finds its vectors.
absl::Status FaissIndex::Impl::Adopt(std::unique_ptr<faiss::Index> adopted) {
  index = std::move(adopted);
  if (index->d != dimension || !index->is_trained ||
      index->metric_type != faiss::METRIC_INNER_PRODUCT) {
    return absl::DataLossError("faiss: payload: not a structure that this version writes");
  }
  if (auto* read = dynamic_cast<faiss::IndexIVFFlat*>(index.get());
      read != nullptr && dynamic_cast<Lists*>(read) == nullptr) {
    index = Lists::FromRead(*read);
  }
  if (auto* hnsw = dynamic_cast<faiss::IndexHNSWFlat*>(index.get()); hnsw != nullptr) {
    auto* read = dynamic_cast<faiss::IndexFlat*>(hnsw->storage);
    if (read == nullptr) return absl::DataLossError("faiss: payload: graph without flat storage");
    if (dynamic_cast<GraphStorage*>(read) == nullptr) {
      auto own = std::make_unique<GraphStorage>(dimension);
      own->codes = std::move(read->codes);
      own->ntotal = read->ntotal;
      delete hnsw->storage;
      hnsw->storage = own.release();
    }
    hnsw->own_fields = true;
    hnsw->hnsw.efSearch = kGraphSearchBreadth;
  }
  lists = dynamic_cast<const Lists*>(index.get());
  graph = dynamic_cast<const faiss::IndexHNSWFlat*>(index.get());
  if (lists == nullptr && graph == nullptr) {
    return absl::DataLossError("faiss: payload: neither inverted lists nor a graph");
  }
  if (!FindRows()) return absl::DataLossError("faiss: payload: vectors are missing or named twice");
  return absl::OkStatus();
}

/// Fills `rows`. False when the positions are not exactly 0 .. ntotal - 1.
bool FaissIndex::Impl::FindRows() {
  const auto count = static_cast<size_t>(index->ntotal);
  const auto d = static_cast<size_t>(dimension);
  rows.assign(count, nullptr);
  if (graph != nullptr) {
    const auto& storage = dynamic_cast<const faiss::IndexFlat&>(*graph->storage);
    if (storage.codes.size() != count * d * sizeof(float)) return false;
    for (size_t i = 0; i < count; ++i) rows[i] = storage.get_xb() + i * d;
    return true;
  }
  size_t found = 0;
  for (size_t list = 0; list < lists->nlist; ++list) {
    const faiss_id* ids = lists->invlists->get_ids(list);
    const auto* codes = reinterpret_cast<const float*>(lists->invlists->get_codes(list));
    for (size_t i = 0; i < lists->invlists->list_size(list); ++i, ++found) {
      if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= count) return false;
      const float*& row = rows[static_cast<size_t>(ids[i])];
      if (row != nullptr) return false;
      row = codes + i * d;
    }
  }
  return found == count;
}

/// Enough lists that some eight allowed vectors are looked at for each that is wanted.
size_t FaissIndex::Impl::ChooseProbes(size_t k, double share) const {
  const double per_list = static_cast<double>(rows.size()) / static_cast<double>(lists->nlist);
  const double base =
      std::max<double>(kMinProbes, options.probed_share * static_cast<double>(lists->nlist));
  const double probes = std::max(base, 8 * static_cast<double>(k) / per_list) / share;
  return std::min(static_cast<size_t>(std::ceil(probes)), lists->nlist);
}

std::vector<ScoredRecord> FaissIndex::Impl::SearchFaiss(std::span<const float> query, size_t k,
                                                        const RecordSet* allowed,
                                                        double share) const {
  const OneOpenMpThread one_thread;
  std::vector<float> scores(k);
  std::vector<faiss_id> ids(k);
  faiss::IDSelectorBitmap selector(
      allowed == nullptr ? 0 : allowed->words().size_bytes(),
      allowed == nullptr ? nullptr : reinterpret_cast<const uint8_t*>(allowed->words().data()));
  faiss::IDSelector* filter = allowed == nullptr ? nullptr : &selector;
  if (lists != nullptr) {
    faiss::SearchParametersIVF parameters;
    parameters.sel = filter;
    parameters.nprobe = ChooseProbes(k, share);
    lists->search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(),
                  &parameters);
  } else {
    faiss::SearchParametersHNSW parameters;
    parameters.sel = filter;
    parameters.efSearch = kGraphSearchBreadth;
    graph->search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(),
                  &parameters);
  }
  std::vector<ScoredRecord> best;
  for (size_t i = 0; i < k; ++i) {  // -1 stands for "no more"
    if (ids[i] >= 0) best.push_back({static_cast<uint32_t>(ids[i]), scores[i]});
  }
  std::sort(best.begin(), best.end(), RanksBefore);
  return best;
}

FaissIndex::FaissIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FaissIndex::~FaissIndex() = default;

absl::StatusOr<std::unique_ptr<FaissIndex>> FaissIndex::Train(int dimension,
                                                              const std::vector<float>& rows,
                                                              const FaissOptions& options) {
  if (dimension < 1 || rows.empty() || rows.size() % static_cast<size_t>(dimension) != 0) {
    return absl::InvalidArgumentError(fmt::format(
        "faiss: rows: expected a positive multiple of the dimension {}, found {} values", dimension,
        rows.size()));
  }
  auto impl = std::make_unique<Impl>();
  impl->dimension = dimension;
  impl->options = options;
  const size_t count = rows.size() / static_cast<size_t>(dimension);
  const bool graph =
      options.structure == FaissOptions::Structure::kHnsw ||
      (options.structure == FaissOptions::Structure::kBySize && count >= options.hnsw_from);
  try {
    absl::Status status =
        impl->Adopt(graph ? TrainGraph(dimension, rows) : TrainLists(dimension, rows));
    if (!status.ok()) return absl::InternalError(std::string(status.message()));
  } catch (const std::exception& error) {
    return FaissError("training", error);
  }
  return std::unique_ptr<FaissIndex>(new FaissIndex(std::move(impl)));
}

absl::StatusOr<std::unique_ptr<FaissIndex>> FaissIndex::Load(const std::string& path,
                                                             const IndexFileKey& expected,
                                                             const FaissOptions& options) {
  auto file = IndexFileReader::Open(path, expected);
  if (!file.ok()) return file.status();
  auto impl = std::make_unique<Impl>();
  impl->dimension = expected.dimension;
  impl->options = options;
  try {
    FileReader reader(**file);
    faiss::BufferedIOReader buffered(&reader);
    absl::Status status = impl->Adopt(std::unique_ptr<faiss::Index>(faiss::read_index(&buffered)));
    if (!status.ok()) return status;
  } catch (const std::exception& error) {
    return absl::DataLossError(fmt::format("vector index: {}: payload: {}", path, error.what()));
  }
  std::unique_ptr<FaissIndex> loaded(new FaissIndex(std::move(impl)));
  if (loaded->size() != expected.count || loaded->kind() != (*file)->kind()) {
    return absl::DataLossError(
        fmt::format("vector index: {}: payload: expected {} vectors, found {}", path,
                    expected.count, loaded->size()));
  }
  return loaded;
}

absl::Status FaissIndex::Save(const std::string& path, const IndexFileKey& key) const {
  assert(key.count == size() && key.dimension == dimension());
  return WriteIndexFile(path, key, kind(), [this](const PayloadSink& sink) -> absl::Status {
    SinkWriter writer(sink);
    try {
      faiss::BufferedIOWriter buffered(&writer, size_t{1} << 20);
      faiss::write_index(impl_->index.get(), &buffered);
    } catch (const std::exception& error) {
      return writer.status.ok() ? FaissError("writing", error) : writer.status;
    }
    return writer.status;
  });
}

int FaissIndex::dimension() const { return impl_->dimension; }
size_t FaissIndex::size() const { return impl_->rows.size(); }

IndexKind FaissIndex::kind() const {
  return impl_->graph != nullptr ? IndexKind::kHnsw : IndexKind::kIvfFlat;
}

std::span<const float> FaissIndex::vector(uint32_t position) const {
  assert(position < impl_->rows.size());
  return {impl_->rows[position], static_cast<size_t>(impl_->dimension)};
}

absl::StatusOr<VectorMatches> FaissIndex::Search(std::span<const float> query, size_t k,
                                                 const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, impl_->dimension); !status.ok())
    return status;
  const size_t allowed_count = allowed == nullptr ? size() : allowed->count();
  k = std::min(k, allowed_count);
  if (k == 0) return VectorMatches{};
  const double share = static_cast<double>(allowed_count) / static_cast<double>(size());
  if (share >= impl_->options.exact_below) {
    try {
      std::vector<ScoredRecord> best = impl_->SearchFaiss(query, k, allowed, share);
      if (best.size() == k)
        return VectorMatches{.best = std::move(best), .path = VectorPath::kFaiss};
    } catch (const std::exception& error) {
      return FaissError("search", error);
    }
  }
  return VectorMatches{.best = ScanExactly(*this, query, k, allowed), .path = VectorPath::kExact};
}

}  // namespace emptor::retrieval

// Inverted lists: FAISS clusters the rows, finds the lists near a query and walks them; the codes
// that it walks are stretches of QuantizedRows.
#include <faiss/Clustering.h>
#include <faiss/IndexFlat.h>
#include <faiss/IndexIVF.h>
#include <faiss/impl/FaissAssert.h>
#include <faiss/impl/IDSelector.h>
#include <faiss/utils/Heap.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "retrieval/vector/bit_code_scan.h"
#include "retrieval/vector/dot_product.h"
#include "retrieval/vector/faiss_structure.h"
#include "retrieval/vector/faiss_support.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;

constexpr size_t kMinProbes = 24;
constexpr size_t kTrainingRowsPerList = 48;
constexpr int kTrainingRounds = 8;
constexpr size_t kAssignedTogether = 4096;

/// The centres of the lists. One query is compared by our own inner product: FAISS' own is scalar.
struct Centres final : faiss::IndexFlatIP {
  explicit Centres(int dimension) : faiss::IndexFlatIP(dimension) {}

  void search(faiss_id n, const float* x, faiss_id k, float* scores, faiss_id* labels,
              const faiss::SearchParameters* parameters = nullptr) const override {
    if (n != 1) return faiss::IndexFlatIP::search(n, x, k, scores, labels, parameters);
    const DotProductFunction dot = SelectDotProduct();
    const auto width = static_cast<size_t>(d);
    TopKQueue queue(static_cast<size_t>(k));
    for (uint32_t list = 0; list < static_cast<uint32_t>(ntotal); ++list) {
      queue.Push({list, dot(x, get_xb() + list * width, width)});
    }
    std::fill_n(labels, k, -1);
    for (const ScoredRecord& best : queue.TakeSorted()) {
      *scores++ = best.score;
      *labels++ = best.record;
    }
  }
};

/// Stretches of the rows as FAISS' inverted lists; they hold nothing themselves.
struct RowLists final : faiss::ReadOnlyInvertedLists {
  RowLists(const QuantizedRows& rows_in, const BitCodes& signs_in, std::vector<size_t> begins_in)
      : faiss::ReadOnlyInvertedLists(begins_in.size() - 1,
                                     static_cast<size_t>(rows_in.dimension())),
        rows(rows_in),
        signs(signs_in),
        begins(std::move(begins_in)) {}

  size_t list_size(size_t list) const override { return begins[list + 1] - begins[list]; }
  const uint8_t* get_codes(size_t list) const override {
    return list_size(list) == 0 ? nullptr : rows.coarse_at(begins[list]);
  }
  const faiss_id* get_ids(size_t) const override { return nullptr; }  // the scanner knows them

  const QuantizedRows& rows;
  const BitCodes& signs;
  const std::vector<size_t> begins;  // [lists + 1] places
};

/// The filter as FAISS asks for it, by position.
struct AllowedPositions final : faiss::IDSelector {
  explicit AllowedPositions(const RecordSet& set_in) : set(set_in) {}
  bool is_member(idx_t id) const override { return set.contains(static_cast<uint32_t>(id)); }
  const RecordSet& set;
};

/// Scores of a list what its signs pass, by our integer product. FAISS keeps the heap.
class ListScanner final : public faiss::InvertedListScanner {
 public:
  ListScanner(const RowLists& lists, const faiss::IDSelector* filter)
      : faiss::InvertedListScanner(false, filter), lists_(lists) {
    keep_max = true;
    code_size = lists.code_size;
  }

  void set_query(const float* query) override {
    scan_.emplace(lists_.rows, lists_.signs, std::span(query, lists_.code_size));
  }
  void set_list(faiss_id list, float) override { list_no = list; }
  float distance_to_code(const uint8_t* code) const override {
    return scan_->Score(static_cast<size_t>(code - lists_.rows.coarse_at(0)) / code_size);
  }
  size_t scan_codes(size_t n, const uint8_t*, const faiss_id*, float* scores, faiss_id* labels,
                    size_t k) const override {
    const size_t begin = lists_.begins[static_cast<size_t>(list_no)];
    size_t updates = 0;
    scan_->Run(
        begin, begin + n, [](size_t) { return ~uint32_t{0}; },
        [&](size_t place) {
          return sel == nullptr || sel->is_member(lists_.rows.position_at(place));
        },
        [scores] { return scores[0]; },
        [&](size_t place, float score) {
          if (score <= scores[0]) return;
          faiss::minheap_replace_top(k, scores, labels, score,
                                     faiss_id{lists_.rows.position_at(place)});
          ++updates;
        });
    return updates;
  }

 private:
  const RowLists& lists_;
  std::optional<BitCodeScan> scan_;
};

/// FAISS' search over our centres and lists.
struct ListsIndex final : faiss::IndexIVF {
  ListsIndex(std::unique_ptr<Centres> centres, std::unique_ptr<RowLists> lists)
      : faiss::IndexIVF(centres.get(), static_cast<size_t>(centres->d), lists->nlist,
                        lists->code_size, faiss::METRIC_INNER_PRODUCT) {
    centres.release();
    own_fields = true;
    is_trained = true;
    ntotal = static_cast<faiss_id>(lists->begins.back());
    replace_invlists(lists.release(), true);
  }

  const RowLists& row_lists() const { return static_cast<const RowLists&>(*invlists); }

  faiss::InvertedListScanner* get_InvertedListScanner(
      bool, const faiss::IDSelector* filter) const override {
    return new ListScanner(row_lists(), filter);
  }
  void encode_vectors(faiss_id, const float*, const faiss_id*, uint8_t*, bool) const override {
    FAISS_THROW_MSG("rows are added by training alone");
  }
};

class Lists final : public FaissStructure {
 public:
  Lists(std::unique_ptr<Centres> centres, const QuantizedRows& rows, std::vector<size_t> begins,
        const FaissOptions& options)
      : FaissStructure(rows),
        index_(std::move(centres), std::make_unique<RowLists>(rows, signs(), std::move(begins))),
        probed_share_(options.probed_share) {}

  IndexKind kind() const override { return IndexKind::kLists; }
  size_t byte_size() const override {
    const auto width = static_cast<size_t>(index_.d);
    return index_.nlist * (width * sizeof(float) + sizeof(size_t));  // centres, begins
  }

  std::vector<ScoredRecord> Search(std::span<const float> query, size_t k, const RecordSet* allowed,
                                   double share) const override {
    const OpenMpThreads one_thread(1);
    std::vector<float> scores(k);
    std::vector<faiss_id> ids(k);
    faiss::SearchParametersIVF parameters;
    std::optional<AllowedPositions> filter;
    if (allowed != nullptr) parameters.sel = &filter.emplace(*allowed);
    parameters.nprobe = ChooseProbes(k, share);
    index_.search(1, query.data(), static_cast<faiss_id>(k), scores.data(), ids.data(),
                  &parameters);
    std::vector<ScoredRecord> found;
    for (size_t i = 0; i < k; ++i) {  // -1 stands for "no more"
      if (ids[i] >= 0) found.push_back({static_cast<uint32_t>(ids[i]), scores[i]});
    }
    return found;
  }

  absl::Status Write(const PayloadSink& sink) const override;

 private:
  /// Enough lists that some eight allowed vectors are looked at for each that is wanted.
  size_t ChooseProbes(size_t k, double share) const {
    const auto lists = static_cast<double>(index_.nlist);
    const double per_list = static_cast<double>(index_.ntotal) / lists;
    const double base = std::max<double>(kMinProbes, probed_share_ * lists);
    const double probes = std::max(base, 8 * static_cast<double>(k) / per_list) / share;
    return std::min(static_cast<size_t>(std::ceil(probes)), index_.nlist);
  }

  ListsIndex index_;
  double probed_share_;
};

/// order, sizes of the lists, then the centres as FAISS writes them.
absl::Status Lists::Write(const PayloadSink& sink) const {
  const RowLists& lists = index_.row_lists();
  std::vector<uint32_t> order(lists.rows.size());
  for (size_t place = 0; place < order.size(); ++place)
    order[place] = lists.rows.position_at(place);
  const uint64_t count = lists.nlist;
  absl::Status status = sink(&count, sizeof count);
  std::vector<uint64_t> ends(lists.begins.begin() + 1, lists.begins.end());
  if (status.ok()) status = sink(ends.data(), ends.size() * sizeof(uint64_t));
  if (status.ok()) status = sink(order.data(), order.size() * sizeof(uint32_t));
  if (!status.ok()) return status;
  return WriteFaissIndex(*index_.quantizer, sink);
}

/// About 4 sqrt(n) lists of at least some 20 vectors.
size_t ChooseListCount(size_t vectors) {
  const auto lists = static_cast<size_t>(4 * std::sqrt(static_cast<double>(vectors)));
  return std::clamp<size_t>(lists, 1, std::max<size_t>(1, vectors / 20));
}

/// Rows from all over, decoded: [some, dimension] f32.
std::vector<float> TrainingRows(const QuantizedRows& rows, size_t lists) {
  const size_t wanted = std::min(rows.size(), lists * kTrainingRowsPerList);
  const auto width = static_cast<size_t>(rows.dimension());
  std::vector<float> sample(wanted * width);
  for (size_t i = 0; i < wanted; ++i) {
    const size_t position = i * rows.size() / wanted;
    rows.DecodeInto(static_cast<uint32_t>(position), std::span(sample).subspan(i * width, width));
  }
  return sample;
}

absl::StatusOr<std::unique_ptr<Centres>> TrainCentres(const QuantizedRows& rows, size_t lists,
                                                      const std::stop_token& stop) {
  const std::vector<float> sample = TrainingRows(rows, lists);
  faiss::ClusteringParameters parameters;
  parameters.niter = 1;
  parameters.spherical = true;
  parameters.min_points_per_centroid = 1;
  parameters.max_points_per_centroid = static_cast<int>(sample.size());
  auto centres = std::make_unique<Centres>(rows.dimension());
  faiss::Clustering clustering(rows.dimension(), static_cast<int>(lists), parameters);
  const size_t count = sample.size() / static_cast<size_t>(rows.dimension());
  for (int round = 0; round < kTrainingRounds; ++round) {  // each begins where the last one ended
    if (stop.stop_requested()) return absl::CancelledError("faiss: training was stopped");
    clustering.train(static_cast<faiss_id>(count), sample.data(), *centres);
  }
  return centres;
}

/// The list of each position.
absl::StatusOr<std::vector<uint32_t>> AssignRows(const QuantizedRows& rows, const Centres& centres,
                                                 const std::stop_token& stop) {
  const auto width = static_cast<size_t>(rows.dimension());
  std::vector<uint32_t> assigned;
  assigned.reserve(rows.size());
  std::vector<float> block(kAssignedTogether * width);
  std::vector<float> scores(kAssignedTogether);
  std::vector<faiss_id> lists(kAssignedTogether);
  while (assigned.size() < rows.size()) {
    if (stop.stop_requested()) return absl::CancelledError("faiss: training was stopped");
    const size_t count = std::min(kAssignedTogether, rows.size() - assigned.size());
    for (size_t i = 0; i < count; ++i) {
      rows.DecodeInto(static_cast<uint32_t>(assigned.size() + i),
                      std::span(block).subspan(i * width, width));
    }
    centres.search(static_cast<faiss_id>(count), block.data(), 1, scores.data(), lists.data());
    for (size_t i = 0; i < count; ++i) {
      assigned.push_back(static_cast<uint32_t>(std::max<faiss_id>(lists[i], 0)));
    }
  }
  return assigned;
}

}  // namespace

absl::StatusOr<FaissStructurePointer> TrainLists(QuantizedRows& rows, const FaissOptions& options,
                                                 const std::stop_token& stop) {
  const size_t lists = ChooseListCount(rows.size());
  auto centres = TrainCentres(rows, lists, stop);
  if (!centres.ok()) return centres.status();
  const auto assigned = AssignRows(rows, **centres, stop);
  if (!assigned.ok()) return assigned.status();
  std::vector<size_t> begins(lists + 1);
  for (const uint32_t list : *assigned) ++begins[list + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<size_t> next(begins.begin(), begins.end() - 1);
  std::vector<uint32_t> order(rows.size());
  for (uint32_t position = 0; position < rows.size(); ++position) {
    order[next[(*assigned)[position]]++] = position;
  }
  rows.Arrange(std::move(order));
  return std::make_unique<Lists>(*std::move(centres), rows, std::move(begins), options);
}

absl::StatusOr<FaissStructurePointer> ReadLists(QuantizedRows& rows, const FaissOptions& options,
                                                IndexFileReader& file) {
  const auto read = [&file](auto& values) {
    const size_t bytes = values.size() * sizeof(values[0]);
    return file.Read(values.data(), bytes) == bytes;
  };
  std::array<uint64_t, 1> count{};
  if (!read(count) || count[0] < 1 || count[0] > rows.size()) {
    return absl::DataLossError("faiss: payload: lists: their number is out of bounds");
  }
  std::vector<uint64_t> ends(count[0]);
  std::vector<uint32_t> order(rows.size());
  if (!read(ends) || !read(order)) return absl::DataLossError("faiss: payload: lists are cut");
  if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() != rows.size()) {
    return absl::DataLossError("faiss: payload: lists: their ends do not ascend to the row count");
  }
  std::vector<bool> seen(rows.size());
  for (const uint32_t position : order) {
    if (position >= seen.size() || seen[position]) {
      return absl::DataLossError("faiss: payload: lists: a row is missing or named twice");
    }
    seen[position] = true;
  }
  const std::unique_ptr<faiss::Index> index = ReadFaissIndex(file);
  auto* flat = dynamic_cast<faiss::IndexFlat*>(index.get());
  if (flat == nullptr || flat->d != rows.dimension() ||
      flat->metric_type != faiss::METRIC_INNER_PRODUCT ||
      flat->ntotal != static_cast<faiss_id>(count[0])) {
    return absl::DataLossError("faiss: payload: lists: not the centres that this version writes");
  }
  auto centres = std::make_unique<Centres>(rows.dimension());
  centres->codes = std::move(flat->codes);
  centres->ntotal = flat->ntotal;
  rows.Arrange(std::move(order));
  std::vector<size_t> begins(1);
  begins.insert(begins.end(), ends.begin(), ends.end());
  return std::make_unique<Lists>(std::move(centres), rows, std::move(begins), options);
}

}  // namespace emptor::retrieval

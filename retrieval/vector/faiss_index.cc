// Training, files and searches over either structure. Everything that FAISS throws becomes a Status
// here.
#include "retrieval/vector/faiss_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <thread>
#include <utility>

#include "retrieval/vector/faiss_structure.h"
#include "retrieval/vector/faiss_support.h"

namespace emptor::retrieval {
namespace {

absl::Status FaissError(std::string_view what, const std::exception& error) {
  return absl::InternalError(fmt::format("faiss: {}: {}", what, error.what()));
}

bool ChoosesGraph(const FaissOptions& options, size_t rows) {
  return options.structure == FaissOptions::Structure::kGraph ||
         (options.structure == FaissOptions::Structure::kBySize && rows >= options.graph_from);
}

int TrainingThreads(const FaissOptions& options) {
  if (options.training_threads > 0) return options.training_threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

struct FaissIndex::Impl {
  Impl(QuantizedRows rows_in, const FaissOptions& options_in)
      : rows(std::move(rows_in)), options(options_in) {}

  QuantizedRows rows;
  FaissOptions options;
  FaissStructurePointer structure;  // refers to rows
};

FaissIndex::FaissIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FaissIndex::~FaissIndex() = default;

absl::StatusOr<std::unique_ptr<FaissIndex>> FaissIndex::Train(QuantizedRows rows,
                                                              const FaissOptions& options,
                                                              const std::stop_token& stop) {
  if (rows.size() == 0) return absl::InvalidArgumentError("faiss: rows: expected some, found none");
  auto impl = std::make_unique<Impl>(std::move(rows), options);
  try {
    const OpenMpThreads threads(TrainingThreads(options));
    auto trained = ChoosesGraph(options, impl->rows.size()) ? TrainGraph(impl->rows, options, stop)
                                                            : TrainLists(impl->rows, options, stop);
    if (!trained.ok()) return trained.status();
    impl->structure = *std::move(trained);
  } catch (const std::exception& error) {
    return FaissError("training", error);
  }
  return std::unique_ptr<FaissIndex>(new FaissIndex(std::move(impl)));
}

absl::StatusOr<std::unique_ptr<FaissIndex>> FaissIndex::Load(const std::string& path,
                                                             const IndexFileKey& expected,
                                                             QuantizedRows& rows,
                                                             const FaissOptions& options) {
  assert(rows.size() == expected.count);
  auto file = IndexFileReader::Open(path, expected);
  if (!file.ok()) return file.status();
  auto impl = std::make_unique<Impl>(std::move(rows), options);
  absl::Status status;
  try {
    auto read = (*file)->kind() == IndexKind::kGraph ? ReadGraph(impl->rows, options, **file)
                                                     : ReadLists(impl->rows, options, **file);
    if (read.ok()) impl->structure = *std::move(read);
    status = read.status();
  } catch (const std::exception& error) {
    status = absl::DataLossError(fmt::format("payload: {}", error.what()));
  }
  if (status.ok()) return std::unique_ptr<FaissIndex>(new FaissIndex(std::move(impl)));
  rows = std::move(impl->rows);
  return absl::DataLossError(
      fmt::format("vector index: {}: {}", path, std::string(status.message())));
}

absl::Status FaissIndex::Save(const std::string& path, const IndexFileKey& key) const {
  assert(key.count == size() && key.dimension == dimension());
  return WriteIndexFile(path, key, kind(), [this](const PayloadSink& sink) -> absl::Status {
    try {
      return impl_->structure->Write(sink);
    } catch (const std::exception& error) {
      return FaissError("writing", error);
    }
  });
}

const QuantizedRows& FaissIndex::rows() const { return impl_->rows; }
IndexKind FaissIndex::kind() const { return impl_->structure->kind(); }

size_t FaissIndex::byte_size() const {
  return impl_->rows.byte_size() + impl_->structure->signs().byte_size() +
         impl_->structure->byte_size();
}

absl::StatusOr<VectorMatches> FaissIndex::Search(std::span<const float> query, size_t k,
                                                 const RecordSet* allowed) const {
  if (absl::Status status = ValidateQueryVector(query, dimension()); !status.ok()) return status;
  const size_t allowed_count = allowed == nullptr ? size() : allowed->count();
  k = std::min(k, allowed_count);
  if (k == 0) return VectorMatches{};
  const double share = static_cast<double>(allowed_count) / static_cast<double>(size());
  if (share >= impl_->options.scan_below) {
    try {
      std::vector<ScoredRecord> found = impl_->structure->Search(
          query, std::min(ShortlistSize(k), allowed_count), allowed, share);
      if (found.size() >= k) {
        return VectorMatches{.best = RankFinely(impl_->rows, query, k, std::move(found)),
                             .path = VectorPath::kFaiss};
      }
    } catch (const std::exception& error) {
      return FaissError("search", error);
    }
  }
  return VectorMatches{
      .best = ScanBitCodes(impl_->rows, impl_->structure->signs(), query, k, allowed),
      .path = VectorPath::kScan};
}

}  // namespace emptor::retrieval

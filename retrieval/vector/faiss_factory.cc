// Which class a factory string makes, and how long-running training can be stopped.
#include "retrieval/vector/faiss_factory.h"

#include <faiss/Clustering.h>
#include <faiss/IndexFlat.h>
#include <faiss/IndexIVF.h>
#include <faiss/index_factory.h>
#include <omp.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "retrieval/vector/faiss_hnsw.h"
#include "retrieval/vector/faiss_sq8.h"
#include "retrieval/vector/rabitq_index.h"

namespace emptor::retrieval {
namespace {

using faiss_id = faiss::Index::idx_t;
using Structure = VectorIndexSpec::Structure;

constexpr int kEfConstruction = 100;  // FAISS' 40 finds less
constexpr size_t kTrainingRowsPerList = 48;
constexpr size_t kMinTrainingRows = 65536;
constexpr int kTrainingRounds = 8;
constexpr size_t kAddedTogether = 8192;

absl::Status Stopped() { return absl::CancelledError("vector index: training was stopped"); }

std::unique_ptr<faiss::Index> MakeHnsw(const VectorIndexSpec& spec, int dimension) {
  const auto links = static_cast<int>(spec.links);
  if (!spec.has_sq8) {
    auto index = std::make_unique<HnswIndex<faiss::IndexHNSWFlat>>(dimension, links,
                                                                   faiss::METRIC_INNER_PRODUCT);
    index->hnsw.efConstruction = kEfConstruction;
    return index;
  }
  auto index = std::make_unique<HnswIndex<faiss::IndexHNSWSQ>>(
      dimension, faiss::ScalarQuantizer::QT_8bit, links, faiss::METRIC_INNER_PRODUCT);
  delete std::exchange(index->storage, new Sq8Index(dimension));
  index->hnsw.efConstruction = kEfConstruction;
  return index;
}

/// `wanted` rows from all over, decoded: [wanted, dimension] f32.
std::vector<float> SampleRows(const QuantizedRows& rows, size_t wanted) {
  wanted = std::min(rows.size(), wanted);
  const auto width = static_cast<size_t>(rows.dimension());
  std::vector<float> sample(wanted * width);
  for (size_t i = 0; i < wanted; ++i) {
    rows.DecodeInto(i * rows.size() / wanted, std::span(sample).subspan(i * width, width));
  }
  return sample;
}

/// The centres of inverted lists, round by round so that it can be stopped.
absl::Status TrainCentres(const std::vector<float>& sample, faiss::IndexIVF& index,
                          const std::stop_token& stop) {
  faiss::ClusteringParameters parameters;
  parameters.niter = 1;
  parameters.spherical = true;
  parameters.min_points_per_centroid = 1;
  parameters.max_points_per_centroid = static_cast<int>(sample.size());
  faiss::Clustering clustering(index.d, static_cast<int>(index.nlist), parameters);
  const size_t count = sample.size() / static_cast<size_t>(index.d);
  for (int round = 0; round < kTrainingRounds; ++round) {  // each begins where the last one ended
    if (stop.stop_requested()) return Stopped();
    clustering.train(static_cast<faiss_id>(count), sample.data(), *index.quantizer);
  }
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<faiss::Index> MakeFaissIndex(const VectorIndexSpec& spec, int dimension) {
  if (spec.structure == Structure::kRaBitQ) return std::make_unique<RaBitQIndex>(dimension);
  if (spec.structure == Structure::kHnsw) return MakeHnsw(spec, dimension);
  if (spec.has_sq8 && spec.structure == Structure::kExhaustive) {
    return std::make_unique<Sq8Index>(dimension);
  }
  if (spec.has_sq8) {
    auto centres = std::make_unique<faiss::IndexFlatIP>(dimension);
    return std::make_unique<IvfSq8Index>(centres.release(), dimension, spec.lists);
  }
  return std::unique_ptr<faiss::Index>(
      faiss::index_factory(dimension, spec.factory.c_str(), faiss::METRIC_INNER_PRODUCT));
}

absl::Status FillFaissIndex(const QuantizedRows& rows, faiss::Index& index,
                            const std::stop_token& stop) {
  auto* inverted = dynamic_cast<faiss::IndexIVF*>(&index);
  if (inverted != nullptr || !index.is_trained) {
    const size_t lists = inverted != nullptr ? inverted->nlist : 0;
    const std::vector<float> sample =
        SampleRows(rows, std::max(kMinTrainingRows, lists * kTrainingRowsPerList));
    if (inverted != nullptr) {
      if (absl::Status status = TrainCentres(sample, *inverted, stop); !status.ok()) return status;
    }
    const auto width = static_cast<size_t>(index.d);
    index.train(static_cast<faiss_id>(sample.size() / width), sample.data());
  }
  const auto width = static_cast<size_t>(index.d);
  std::vector<float> block(std::min(kAddedTogether, rows.size()) * width);
  for (size_t done = 0; done < rows.size();) {
    if (stop.stop_requested()) return Stopped();
    // The first blocks are small: parallel insertion links poorly until HNSW has a graph.
    const size_t count = std::min({kAddedTogether, rows.size() - done, done + 64});
    for (size_t i = 0; i < count; ++i) {
      rows.DecodeInto(done + i, std::span(block).subspan(i * width, width));
    }
    index.add(static_cast<faiss_id>(count), block.data());
    done += count;
  }
  return absl::OkStatus();
}

OpenMpThreads::OpenMpThreads(int threads) : before_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}
OpenMpThreads::~OpenMpThreads() { omp_set_num_threads(before_); }

}  // namespace emptor::retrieval

// FAISS' readers and writers over our files.
#include "retrieval/vector/faiss_support.h"

#include <faiss/Index.h>
#include <faiss/impl/io.h>
#include <faiss/index_io.h>
#include <omp.h>

#include <cstddef>
#include <exception>

namespace emptor::retrieval {
namespace {

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

}  // namespace

OpenMpThreads::OpenMpThreads(int threads) : before_(omp_get_max_threads()) {
  omp_set_num_threads(threads);
}
OpenMpThreads::~OpenMpThreads() { omp_set_num_threads(before_); }

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

std::unique_ptr<faiss::Index> ReadFaissIndex(IndexFileReader& file) {
  FileReader reader(file);
  faiss::BufferedIOReader buffered(&reader);
  return std::unique_ptr<faiss::Index>(faiss::read_index(&buffered));
}

}  // namespace emptor::retrieval

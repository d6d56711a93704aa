// What both FAISS structures need: threads and files.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "retrieval/vector/index_file.h"

namespace faiss {
struct Index;
}

namespace emptor::retrieval {

/// OpenMP regions of this thread use `threads` of them while it lives.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads);
  ~OpenMpThreads();
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int before_;
};

/// Writes what FAISS makes of the index. Errors: those of the sink. Throws what FAISS throws.
absl::Status WriteFaissIndex(const faiss::Index& index, const PayloadSink& sink);

/// Reads it again from where the file stands. Throws what FAISS throws.
std::unique_ptr<faiss::Index> ReadFaissIndex(IndexFileReader& file);

}  // namespace emptor::retrieval

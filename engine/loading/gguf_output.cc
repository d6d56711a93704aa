// Writes, pads, renames or removes.
#include "engine/loading/gguf_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/loading/gguf_head.h"
#include "fmt/format.h"

namespace emptor::engine {

GgufOutput::GgufOutput(const std::string& path)
    : path_(path), unfinished_(path + ".part"), file_(unfinished_, std::ios::binary) {}

GgufOutput::~GgufOutput() {
  if (finished_) return;
  file_.close();
  std::remove(unfinished_.c_str());
}

void GgufOutput::Write(const void* data, uint64_t bytes) {
  file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  written_ += bytes;
}

void GgufOutput::Align() {
  const std::string zeros(GgufAligned(written_) - written_, '\0');
  Write(zeros.data(), zeros.size());
}

absl::Status GgufOutput::Finish() {
  file_.close();
  if (!file_.good()) {
    return absl::UnavailableError(fmt::format("{}: {}", unfinished_, std::strerror(errno)));
  }
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) {
    return absl::UnavailableError(fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  finished_ = true;
  return absl::OkStatus();
}

}  // namespace emptor::engine

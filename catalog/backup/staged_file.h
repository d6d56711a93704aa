// Private to catalog/backup: a temporary file.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

namespace emptor::catalog {

/// A unique path in `directory`, which is created; the file is removed with the object.
class StagedFile {
 public:
  explicit StagedFile(const std::string& directory) {
    static std::atomic<int> count{0};
    std::error_code ignored;  // an error appears when the file is written
    std::filesystem::create_directories(directory, ignored);
    path_ = directory + "/staged-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  }
  ~StagedFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace emptor::catalog

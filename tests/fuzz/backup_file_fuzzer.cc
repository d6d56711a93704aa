// Any bytes as a file of a backup, with a digest that fits, and as a target's list: an error or a
// whole file, never a crash.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "catalog/backup/backup.h"
#include "catalog/encoding/sha256.h"

namespace {

using emptor::catalog::BatchChanges;

void WriteTo(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void ReadAsFile(const std::string& path) {
  uint64_t entries = 0;
  const auto seal = emptor::catalog::ReadBackupFile(path, {[&](std::string_view, std::string_view) {
                                                             ++entries;
                                                             return absl::OkStatus();
                                                           },
                                                           [&](const BatchChanges&) {
                                                             ++entries;
                                                             return absl::OkStatus();
                                                           }});
  if (seal.ok() && entries != seal->entries) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string folder = (std::filesystem::temp_directory_path() /
                              ("emptor_fuzz_backup_" + std::to_string(::getpid())))
                                 .string();
  std::filesystem::create_directories(folder);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto digest = emptor::catalog::ComputeSha256(bytes.data(), bytes.size());
  WriteTo(folder + "/file.ebk", bytes + std::string(digest.begin(), digest.end()));
  ReadAsFile(folder + "/file.ebk");
  WriteTo(folder + "/backups.json", bytes);
  emptor::catalog::DirectoryTarget target(folder);
  (void)emptor::catalog::ListBackups(target, folder + "/staging");
  std::filesystem::remove_all(folder);
  return 0;
}

// Files of the test data, through zstd where they are compressed.
#include "tests/support/test_data.h"

#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

#include "absl/status/status.h"

namespace emptor::testing {
namespace {

absl::StatusOr<std::string> Decompress(const std::string& path, const std::string& bytes) {
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx);
  std::string out;
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  while (input.pos < input.size) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    const size_t result = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(result) != 0) {
      return absl::DataLossError(path + ": " + ZSTD_getErrorName(result));
    }
    out.append(buffer, 0, output.pos);
  }
  return out;
}

}  // namespace

std::string TestDataPath(std::string_view relative) {
  const char* configured = std::getenv("EMPTOR_TEST_DATA");
  const std::string root =
      configured != nullptr ? configured : std::string(EMPTOR_SOURCE_DIR) + "/../shared/data";
  return root + "/" + std::string(relative);
}

absl::StatusOr<std::string> ReadTestData(std::string_view relative) {
  const std::string path = TestDataPath(relative);
  std::error_code unseen;
  if (!std::filesystem::exists(path, unseen) && !unseen) {
    return absl::NotFoundError(path + ": not there (set EMPTOR_TEST_DATA)");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::UnavailableError(path + ": cannot be read");
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (path.ends_with(".zst")) return Decompress(path, bytes);
  return bytes;
}

}  // namespace emptor::testing

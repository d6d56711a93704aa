// Reads, then parses.
#include "engine/loading/json_file.h"

#include <string_view>

#include "engine/tensor/file_image.h"
#include "fmt/format.h"

namespace emptor::engine {

absl::StatusOr<JsonTree> ReadJsonFile(const std::string& path, const JsonLimits& limits) {
  const absl::StatusOr<AlignedBuffer> image = ReadFileImage(path, limits.max_bytes);
  if (!image.ok()) return image.status();
  const std::string_view text(reinterpret_cast<const char*>(image->data()), image->size());
  absl::StatusOr<JsonTree> tree = JsonTree::Parse(text, limits);
  if (tree.ok()) return tree;
  return absl::Status(tree.status().code(),
                      fmt::format("{}: {}", path, std::string(tree.status().message())));
}

}  // namespace emptor::engine

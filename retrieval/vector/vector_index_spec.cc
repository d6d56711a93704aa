// The grammar of factory strings.
#include "retrieval/vector/vector_index_spec.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace emptor::retrieval {
namespace {

using Structure = VectorIndexSpec::Structure;

// FAISS warns below so many training rows a list.
constexpr size_t kMinRowsPerList = 39;
constexpr size_t kMaxLists = 65536;
constexpr size_t kMinLinks = 4, kMaxLinks = 128;

/// The number behind `prefix` when it is all that follows and in bounds.
std::optional<size_t> NumberAfter(std::string_view prefix, std::string_view text, size_t min,
                                  size_t max) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole && number >= min && number <= max ? std::optional(number) : std::nullopt;
}

/// Reads "IVF4096" or "HNSW32".
bool ReadStructure(std::string_view text, VectorIndexSpec& spec) {
  if (const auto lists = NumberAfter("IVF", text, 1, kMaxLists)) {
    spec.structure = Structure::kInvertedLists;
    spec.lists = *lists;
    return true;
  }
  if (const auto links = NumberAfter("HNSW", text, kMinLinks, kMaxLinks)) {
    spec.structure = Structure::kHnsw;
    spec.links = *links;
    return true;
  }
  return false;
}

}  // namespace

size_t VectorIndexSpec::min_rows() const {
  return structure == Structure::kInvertedLists ? kMinRowsPerList * lists : 1;
}

absl::StatusOr<VectorIndexSpec> ParseVectorIndex(std::string_view factory) {
  VectorIndexSpec spec;
  spec.factory = std::string(factory);
  if (factory == kDefaultVectorIndex) return spec;
  spec.structure = Structure::kExhaustive;
  std::string_view codes = factory;
  const size_t comma = factory.find(',');
  bool is_known = true;
  if (comma != std::string_view::npos) {
    is_known = ReadStructure(factory.substr(0, comma), spec);
    codes = factory.substr(comma + 1);
  }
  spec.has_sq8 = codes == "SQ8";
  if (is_known && (spec.has_sq8 || codes == "Flat")) return spec;
  return absl::InvalidArgumentError(
      fmt::format("vector index: expected a factory string such as {}, Flat, SQ8, \"IVF4096,SQ8\" "
                  "(1 to {} lists) or \"HNSW32,SQ8\" ({} to {} links), found \"{}\"",
                  kDefaultVectorIndex, kMaxLists, kMinLinks, kMaxLinks, factory));
}

}  // namespace emptor::retrieval

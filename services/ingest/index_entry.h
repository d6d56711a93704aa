// The bytes that are stored with a product for its search index: the vector of its text.
// docs/formats/index_entry.md draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// Ties a vector to the embedder and to the text that it stands for.
std::string EncodeIndexEntry(std::string_view model_id, std::string_view text,
                             std::span<const float> vector);

/// The vector, when the entry was made by that model from that text with `dimension` floats.
/// Anything else, damaged bytes included, gives nothing: the text is embedded anew.
std::optional<std::vector<float>> DecodeIndexEntry(std::string_view entry,
                                                   std::string_view model_id, std::string_view text,
                                                   int dimension);

}  // namespace emptor::services

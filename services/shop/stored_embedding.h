// The bytes that are stored with a record for its search index: the vectors of its text.
// docs/formats/stored_embedding.md draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// Ties a vector to the embedder and to the text that it stands for.
std::string EncodeStoredEmbedding(std::string_view model_id, std::string_view text,
                                  std::span<const float> vector);

/// The vector, when the entry was made by that model from that text with `dimension` floats.
/// Anything else, damaged bytes included, gives nothing: the text is embedded anew.
std::optional<std::vector<float>> DecodeStoredEmbedding(std::string_view entry,
                                                        std::string_view model_id,
                                                        std::string_view text, int dimension);

/// The entry of a document: one after the other, those of its passages.
std::string EncodeStoredEmbeddings(std::string_view model_id, std::span<const std::string> texts,
                                   std::span<const std::vector<float>> vectors);

/// The vector of each text, wherever in the entry it stands, as DecodeStoredEmbedding; nothing for
/// a text that the entry does not know.
std::vector<std::optional<std::vector<float>>> FindStoredEmbeddings(
    std::string_view entry, std::string_view model_id, std::span<const std::string> texts,
    int dimension);

}  // namespace emptor::services

// The stored form of a record's vectors (docs/formats/stored_embedding.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// A vector with the embedder and the text it was made from.
std::string EncodeStoredEmbedding(std::string_view model_id, std::string_view text,
                                  std::span<const float> vector);

/// The vector, if the entry was made by that model from that text with `dimension` floats. Nothing
/// otherwise, also for damaged bytes: the text has to be embedded again.
std::optional<std::vector<float>> DecodeStoredEmbedding(std::string_view entry,
                                                        std::string_view model_id,
                                                        std::string_view text, int dimension);

/// The entry of a document: the entries of its passages, concatenated.
std::string EncodeStoredEmbeddings(std::string_view model_id, std::span<const std::string> texts,
                                   std::span<const std::vector<float>> vectors);

/// The vector of each text, wherever it is in the entry; nothing for a text that the entry lacks.
std::vector<std::optional<std::vector<float>>> FindStoredEmbeddings(
    std::string_view entry, std::string_view model_id, std::span<const std::string> texts,
    int dimension);

}  // namespace emptor::services

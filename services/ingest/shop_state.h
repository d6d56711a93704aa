// What a shop keeps with its saved index beside the index: sums over all records.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "services/ingest/shop.h"

namespace emptor::services {

struct ShopState {
  ShopProfile profile;  // without its currency, which follows from the counts
  std::unordered_map<std::string, size_t> currency_counts;
  std::optional<retrieval::WordState> words;  // nothing: they were not known whole
};

/// Brands, languages and currencies, each a number of pairs, and the words
/// (retrieval/hybrid/word_state_codec.h); docs/formats/segment_file.md.
std::string EncodeShopState(const ShopProfile& profile,
                            const std::unordered_map<std::string, size_t>& currency_counts,
                            const std::optional<retrieval::WordState>& words);

/// Nothing when the bytes are cut or something is left over.
std::optional<ShopState> DecodeShopState(std::string_view bytes);

}  // namespace emptor::services

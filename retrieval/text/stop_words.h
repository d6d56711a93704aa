// Words that carry no wish: dropped from the index and from queries.
#pragma once

#include <string_view>

namespace emptor::retrieval {

/// Function words of English, and of German and French where they mean nothing else in a shop.
/// `word` is folded. Dropped at indexing and in queries.
bool IsStopWord(std::string_view word);

/// Words with which shoppers frame a request ("show me", "looking for", "under"): dropped from
/// queries only, since they may well stand in a title.
bool IsRequestWord(std::string_view word);

}  // namespace emptor::retrieval

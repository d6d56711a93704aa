// Stop words of the index and of queries.
#pragma once

#include <string_view>

namespace emptor::retrieval {

/// Function words of English, and those of German and French that mean nothing else in a shop.
/// `word` is folded. Dropped at indexing and in queries.
bool IsStopWord(std::string_view word);

/// Words with which shoppers frame a request ("show me", "looking for", "under"): dropped from
/// queries only, since titles may contain them.
bool IsRequestWord(std::string_view word);

}  // namespace emptor::retrieval

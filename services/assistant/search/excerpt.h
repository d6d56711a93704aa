// The part of a passage that answers a question.
#pragma once

#include <cstddef>
#include <string_view>

namespace emptor::services {

/// Bytes [begin, end) of a text.
struct Excerpt {
  size_t begin = 0, end = 0;
};

/// At most `max_bytes` of the text, as whole adjacent sentences: those with most of the question's
/// terms, where rare and long terms count more; then the sentences after them, then those before,
/// as far as there is room. The beginning, if no term occurs. A single sentence that is longer is
/// cut after a word. Pure, thread-safe.
/// REQUIRES: text is well-formed UTF-8.
Excerpt FindExcerpt(std::string_view text, std::string_view question, size_t max_bytes);

}  // namespace emptor::services

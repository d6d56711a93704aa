// The part of a passage that answers a question.
#pragma once

#include <cstddef>
#include <string_view>

namespace emptor::services {

/// Bytes [begin, end) of a text.
struct Excerpt {
  size_t begin = 0, end = 0;
};

/// At most `max_bytes` of the text, whole sentences that stand side by side: those with most of the
/// question's terms, rare and long ones counting more than others; then what follows, then what
/// stands before, as far as there is room. Where no term occurs, the beginning. A sentence that is
/// longer by itself is cut behind a word. Pure, thread-safe.
/// REQUIRES: text is well-formed UTF-8.
Excerpt FindExcerpt(std::string_view text, std::string_view question, size_t max_bytes);

}  // namespace emptor::services

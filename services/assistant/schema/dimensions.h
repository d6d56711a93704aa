// What the words of a question ask for, a number of which dimension, and what an attribute states.
#pragma once

#include <string_view>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A line of data/lexicon/dimensions.txt. Thread-safety: immutable.
struct Dimension;

/// What a question asks for.
struct AskedFor {
  bool is_number = false;                         // "how long", "how many watts"
  bool is_value = false;                          // "which batteries": more than yes or no
  std::vector<const Dimension*> dimensions = {};  // empty: the words name none
};

/// Pure; linear in the question.
AskedFor ReadAskedFor(const FoldedMessage& question);

/// Whether a key fits the dimensions that a question asks for.
enum class DimensionFit {
  kUnknown,  // no dimension is asked for, or the key's is not known
  kSame,
  kOther,
};

/// By the unit of the key's values, else by the words of its name. Pure.
DimensionFit FitOf(const SchemaKey& key, const AskedFor& asked);

/// Words of a key's name that say that it is about the packaging or another state of the product
/// than use, and that the question does not say. Pure.
size_t CountSideWords(const SchemaKey& key, const FoldedMessage& question);

}  // namespace emptor::services

// What the words of a question ask for, a number of which dimension, and what an attribute states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A line of data/lexicon/dimensions.txt. Thread-safety: immutable.
struct Dimension;

/// What a question asks for.
struct AskedFor {
  bool is_number = false;  // "how long", "how many watts"
  bool is_value = false;   // "which batteries": more than yes or no
  bool is_vague = false;   // "how big": a tank's litres, a disk's gigabytes, a table's centimetres
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

/// Base units in which the dimensions that are asked for are measured, of those that have one:
/// "ml". Pure.
std::vector<std::string_view> BasesOf(const AskedFor& asked);

/// The question without the words that name dimensions: "how many litres". Pure.
FoldedMessage WithoutDimensions(const FoldedMessage& question);

/// Words that a number may stand next to where it answers: those of the question that are not
/// ordinary, and those of attributes that state what is asked for ("years", of an age). Pure.
std::vector<std::string> CountedWords(const AskedFor& asked, const FoldedMessage& question);

/// Words of a key's name that say that it is about the packaging or another state of the product
/// than use, and that the question does not say. Pure.
size_t CountSideWords(const SchemaKey& key, const FoldedMessage& question);

}  // namespace emptor::services

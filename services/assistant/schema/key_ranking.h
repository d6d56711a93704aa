// Which attribute a question is about, by what is said of it and by the kind of answer it asks for.
#pragma once

#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A key that a question speaks about.
struct KeyMatch {
  const SchemaKey* key = nullptr;
  double score = 0;
  /// What the key is about is said: "display" does not name "chromed display". Only such a key
  /// answers by yes or no.
  bool is_named = false;
};

/// The keys of a schema that a question speaks about, the likeliest first: by their own name, by a
/// phrase of data/lexicon/attributes.txt ("how loud": noise level), or by a word of their name
/// where they state what is asked for ("how many litres is the freezer": freezer net capacity).
/// What is asked for weighs as well: "how long does the lamp last" asks for a time, not for the
/// lamp's power. A tie goes to the key that most records have. Pure.
std::vector<KeyMatch> RankKeys(const FoldedMessage& question, const TypeSchema& schema);

/// The key that a question about products asks for: of what they state (`shown`), unless the type
/// (`schema`, may be null) has one that is clearly named. Null: none. Pure.
const SchemaKey* KeyOfQuestion(const FoldedMessage& question, const TypeSchema& shown,
                               const TypeSchema* schema, bool asks_yes_no);

/// What sets the products apart: keys that all of them state, and not alike; those that people ask
/// about by many words come first, numbers before text. Pure.
std::vector<const SchemaKey*> KeysThatDiffer(const std::vector<const catalog::Product*>& products,
                                             const TypeSchema& schema);

}  // namespace emptor::services

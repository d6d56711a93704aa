// Which values of a type's attributes the words of a message name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {

/// The key whose records hold the words most often, with the values that do.
struct ValueMatch {
  const SchemaKey* key = nullptr;  // null: none does
  std::vector<std::string> values = {};
  size_t records = 0;
  bool is_named = false;  // the message names the attribute, too
};

/// `named`: attributes that the message speaks about, which come first. Pure.
ValueMatch FindValue(const TypeSchema& schema, const std::vector<const SchemaKey*>& named,
                     const std::string& name);

/// An attribute says yes or no to what is said, folded: "wi fi". Pure.
bool IsAnswered(const TypeSchema& schema, const std::string& said);

/// Phrases of the message that are values: those of the lexicon, and the type's own; the longest
/// first. Pure.
std::vector<NamedValue> FindValuesOf(const FoldedMessage& message, std::string_view language,
                                     const TypeSchema& schema);

/// "Monitor", of monitors, and "smartphone", of phones: what all goods of the type are. "MicroSD"
/// names memory cards and is a value as well. `type` folded. Pure.
bool MeansType(const NamedValue& value, const std::string& type);

/// The folded text has the words in a row. Pure.
bool HasWords(const std::string& text, const std::string& words);

}  // namespace emptor::services

// Which attribute a quantity of a message is about: by its unit, and by what is named next to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// The attributes that a message names, the likeliest first. "High" of "high refresh rate"
/// qualifies, and names no height. Pure.
std::vector<const SchemaKey*> KeysNamed(const FoldedMessage& message, const TypeSchema& schema);

/// The attributes of a type for the quantities of one message. Borrows its arguments.
class QuantityKeys {
 public:
  /// `named`: attributes that the message speaks about, the likeliest first.
  QuantityKeys(const FoldedMessage& message, const TypeSchema& schema,
               const std::vector<const SchemaKey*>& named);

  /// Attributes that may state the quantity (`number`, in base units of the dimension), the
  /// likeliest first: "16 GB RAM and a 512 GB SSD" names one next to each. `asked` is the property
  /// that stands before it, or empty. Those of the packing come only where the message speaks of
  /// it.
  std::vector<const SchemaKey*> KeysFor(const std::string& base, const std::string& asked,
                                        double number) const;

 private:
  /// How well a key suits a quantity of the dimension; 0: not at all.
  size_t Suits(const SchemaKey& key, const std::string& base, const std::string& asked) const;
  /// "Ram" of "16 gb ram, ssd": the attribute that the first word of the text alone names; null:
  /// none.
  const SchemaKey* KeyOfWordAt(std::string_view text) const;
  /// The attributes that are named next to the quantity: behind it up to the next one, else before.
  std::vector<const SchemaKey*> NamedNextTo(const std::string& base, double number) const;

  const FoldedMessage& message_;
  const TypeSchema& schema_;
  const std::vector<const SchemaKey*>& named_;
  const bool asks_packing_;
};

}  // namespace emptor::services

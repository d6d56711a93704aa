// Which type of product a message is about, in its conversation.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "services/assistant/schema/type_schema.h"
#include "services/assistant/types/goods_names.h"
#include "services/assistant/types/product_types.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// What products of a type state, for shoppers of a language; null: not known.
using SchemaLookup =
    std::function<const TypeSchema*(const ProductType&, const std::string& language)>;

/// Whether the shop has products of a type; cheaper than its schema.
using SoldLookup = std::function<bool(const ProductType&, const std::string& language)>;

struct TypeReading {
  const std::string& message;
  const FoldedMessage& folded;
  const std::string& language;
  const ShopProfile* profile = nullptr;  // null: types are not read
  const ProductType* topic = nullptr;    // of the conversation; null: it has none
  const SchemaLookup& schema_of;
  const SoldLookup& is_sold;              // empty: the schema says so
  const GoodsNames* own_names = nullptr;  // of the shop's goods; null: the lexicon's alone
  std::string_view pet = {};              // whom goods are for: "dog"; empty: nobody says so
  std::string_view other_sentences = {};  // of the message, folded: "baby due in march"
  /// How often the shop's records mention a word; null: not known.
  const std::function<size_t(const std::string&)>* mentions = nullptr;
};

/// The type that the message names: the longest name that products of the shop have, else the
/// longest. Not what is part of a value ("cast iron" is no iron), of an attribute of the topic
/// ("how long does the battery last") or of a colour ("anything in cream"). Where it names none,
/// the types that help in the situation it describes (needs.h), as one. A name of the shop's own
/// counts where the lexicon's is only a part of it: "toilet roll" is no toilet. Pure but for
/// `schema_of`.
std::optional<ProductType> ReadNamedType(const TypeReading& reading);

/// No record is of the type: neither by its category nor by its title.
bool IsUnknownType(const ProductType& type, const SchemaLookup& schema_of,
                   const SoldLookup& is_sold, const std::string& language);

}  // namespace emptor::services

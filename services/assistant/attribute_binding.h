// Conditions on attributes, bound to the keys that products of the type have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "retrieval/filter/filter.h"

namespace emptor::services {

/// The attributes of products of one type: values by name, as often as they occur.
using TypeSchema = std::map<std::string, std::vector<std::string>>;

TypeSchema LearnSchema(const std::vector<catalog::Product>& products);

/// Keys of the schema that a message speaks about: by their own name, or by a phrase of
/// data/lexicon/attributes.txt ("how loud": noise level). Best first. Pure.
std::vector<std::string> ResolveAttributes(std::string_view message, const TypeSchema& schema);

/// What a superlative or comparative ranks by.
struct RankedKey {
  std::string key;  // "price", "rating", "reviews", or a key of the schema
  bool is_least = false;
};

/// "The cheapest", "which one is lighter", "longest battery life", in five languages. Nothing where
/// no word ranks. Pure.
std::optional<RankedKey> ResolveRank(std::string_view message, const TypeSchema& schema);

/// Adds what a message demands: "noise cancelling" as {noise cancelling, yes}, "without" as no; a
/// value of an attribute ("wide", "cream") as that; and gives a quantity without a name ("16 GB
/// ram") the attribute that the message names. A condition replaces one of the same name. Pure.
void BindAttributes(std::string_view message, const TypeSchema& schema, retrieval::Filter& filter);

}  // namespace emptor::services

// What a shop's products of one type are, as it was learned from their records.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// The products of one type.
struct TypeTable {
  std::string name;  // of the type
  TypeSchema schema;
  std::string locale;                // of these records; empty: any
  std::vector<std::string> members;  // its products, in the order from which the schema was learned
  std::vector<int64_t> reviews;      // of the members: people who rated it
  /// The members where titles decide which products are of the type, as no category says so or the
  /// category holds their accessories, too; empty: the categories decide.
  std::unordered_set<std::string> ids;
  /// Some members stand outside the categories of the type: in a large shop goods lie in several
  /// departments, and a search of the categories alone would miss them.
  bool is_wider = false;
  /// Those of `ids` that the type's bare name means (types/typicality.h); empty: all of them.
  std::unordered_set<std::string> typical;
  std::unordered_set<std::string> best;  // of `typical`, what is shown first; empty: all are alike
  /// Of types that help with a need: the members of each type that is sold, the best type first.
  std::vector<std::unordered_set<std::string>> advised;
  std::vector<std::string> advised_types;  // their canonical names
  uint64_t content_changes = 0;  // of the shop, before its records were read (ShopChanges)

  /// Equal for tables of equal members, in any order: which products are of the type depends on
  /// their prices, too. Never 0.
  uint64_t fingerprint = 0;

  /// What is searched for the type: by its bare name, "a laptop", no spare keyboards for laptops.
  /// Null: what is of its categories.
  const std::unordered_set<std::string>* Meant(bool by_bare_name) const {
    if (ids.empty()) return nullptr;
    return by_bare_name && !typical.empty() ? &typical : &ids;
  }
};

/// Of the members, `ids`, `typical`, `best` and `advised`. Pure.
uint64_t FingerprintOf(const TypeTable& table);

}  // namespace emptor::services

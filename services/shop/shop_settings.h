// What a merchant writes beside a shop's data: files of its settings directory.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "retrieval/ranking/merchandising_rules.h"
#include "retrieval/words/synonyms.h"

namespace emptor::services {

/// The synonyms that come with Emptor, and before them those of <directory>/synonyms.txt, if it is
/// there. Errors: kInvalidArgument names file and line; kUnavailable (cannot be read).
absl::StatusOr<retrieval::Synonyms> ReadShopSynonyms(const std::string& directory);

/// A merchant's rules, as they were written and read.
struct ShopPins {
  retrieval::MerchandisingRules rules;
  std::string json = R"({"rules":[]})";
};

/// The rules of <directory>/pins.json (docs/formats/pins.md); none where there is no file.
/// Errors: as ReadShopSynonyms.
absl::StatusOr<ShopPins> ReadShopPins(const std::string& directory);

/// Replaces that file, if the rules can be read. Errors: kInvalidArgument, kUnavailable,
/// kResourceExhausted (disk full); then it is what it was.
absl::Status WriteShopPins(const std::string& directory, const std::string& json);

}  // namespace emptor::services

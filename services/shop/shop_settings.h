// Files in a shop's settings directory that a merchant writes.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "retrieval/ranking/merchandising_rules.h"
#include "retrieval/words/synonyms.h"

namespace emptor::services {

/// The synonyms of <directory>/synonyms.txt, if it exists, then those that come with Emptor.
/// Errors: kInvalidArgument names file and line; kUnavailable (cannot be read).
struct ShopSynonyms {
  retrieval::Synonyms synonyms;
  uint64_t fingerprint = 0;  // of the file; 0: there is none
};
absl::StatusOr<ShopSynonyms> ReadShopSynonyms(const std::string& directory);

/// Merchandising rules, as they were written and as they were read.
struct MerchandisingSetting {
  retrieval::MerchandisingRules rules;
  std::string json = R"({"rules":[]})";
};

/// The rules of <directory>/pins.json (docs/formats/pins.md); none where there is no file.
/// Thread-safety: any thread.
class MerchandisingFile {
 public:
  explicit MerchandisingFile(std::string directory);

  /// The rules in use.
  std::shared_ptr<const MerchandisingSetting> Get() const;
  /// Reads the file; true when it says something else than before. After an error the rules in use
  /// stay. Errors: as ReadShopSynonyms.
  absl::StatusOr<bool> Reload();
  /// Checks the rules, replaces the file durably and uses them; true as above. After an error the
  /// rules in use stay. Errors: kInvalidArgument names the place; kUnavailable, kResourceExhausted
  /// (disk full).
  absl::StatusOr<bool> Set(const std::string& json);

 private:
  const std::string path_;
  mutable std::mutex mutex_;
  std::shared_ptr<const MerchandisingSetting> setting_;  // guarded by mutex_
};

}  // namespace emptor::services

// What an operator does with whole shops, through the admin port or from the command line; each
// tells its outcome as one JSON object.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {

/// How a generation is built: the feed, and what must hold of the result.
struct RebuildSpec {
  catalog::FeedOptions feed;
  GenerationGates gates;
};
/// Sets one option from text, as the command line and query strings have it: format, currency,
/// locale, columns (as jobs have it), min_products, min_share (a share or "80%"), canary
/// ("query=>product id", repeatable), canary_depth. Errors: kInvalidArgument, message `min_share:
/// expected ..., found ...`.
absl::Status SetRebuildOption(std::string_view name, std::string_view value, RebuildSpec& spec);

/// {"shops":[{name, open, generation, memory_bytes?, products?, documents?, error?}]}; the counts
/// of shops that are open.
std::string ListShops(ShopDirectory& shops);

/// {"shop","report":{lines, created, errors, ...},"documents_kept","refused"?}: documents of the
/// served generation that the feed does not name stay; `refused` are the results of the first rows
/// that could not be taken. Errors: of Rebuild.
absl::StatusOr<std::string> RebuildShop(ShopDirectory& shops, const std::string& name,
                                        const RebuildSpec& spec, std::istream& feed);

/// {"shop","products","documents"} as they are with the embedder of this process. Errors: of
/// ShopDirectory::Reembed.
absl::StatusOr<std::string> ReembedShop(ShopDirectory& shops, const std::string& name);

struct BackupSpec {
  std::string to;  // a directory, or s3://bucket/prefix
  bool full = false;
  int keep_bases = 0;
};
/// {"shop","to","written":{name, kind, records, bytes, sha256}|null,"removed"}. Waits while this
/// process backs up to the same target. Errors: of OpenBackupTarget and RunBackup.
absl::StatusOr<std::string> BackupShop(ShopDirectory& shops, const std::string& name,
                                       const BackupSpec& spec);

/// Puts a backup into a new generation of a shop that no process holds, and serves that from now
/// on: the generation before stays to go back to. {"shop","generation","batch","time","sealed"}
/// Errors: of Restore; a shop that was not there is not there then.
absl::StatusOr<std::string> RestoreShop(const std::string& data_directory, const std::string& name,
                                        const std::string& from, std::optional<int64_t> until_ms);

/// Where a shop's files lie.
std::string ShopPath(const std::string& data_directory, const std::string& name);

}  // namespace emptor::services

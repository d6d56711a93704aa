// Operations on whole shops, for the admin port and the command line. Each returns one JSON object.
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

/// How a generation is built: the feed, and the gates it must pass.
struct RebuildSpec {
  catalog::FeedOptions feed;
  GenerationGates gates;
};
/// Sets one option from the text of a command line or query string: format, currency, locale,
/// columns (as for jobs), min_products, min_share (a share or "80%"), canary
/// ("query=>product id", repeatable), canary_depth. Errors: kInvalidArgument, message `min_share:
/// expected ..., found ...`.
absl::Status SetRebuildOption(std::string_view name, std::string_view value, RebuildSpec& spec);

/// {"shops":[{name, open, generation, memory_bytes?, products?, documents?, error?}]}; counts
/// only of shops that are open.
std::string ListShops(ShopDirectory& shops);

/// {"shop","from":"records"|"setting","hosts":[{"host","products","allowed"}]}: the hosts of the
/// records' pictures, and those from which pages load them. `setting`: the hosts that the operator
/// allows; nothing: those of the records. Errors: kNotFound (no such shop).
absl::StatusOr<std::string> ListImageHosts(ShopDirectory& shops, const std::string& shop,
                                           const std::optional<std::vector<std::string>>& setting);

/// {"shop","report":{lines, created, errors, ...},"documents_kept","refused"?}: documents of the
/// served generation that the feed does not name stay; `refused` holds the results of the first
/// rows that were refused. Errors: of Rebuild.
absl::StatusOr<std::string> RebuildShop(ShopDirectory& shops, const std::string& name,
                                        const RebuildSpec& spec, std::istream& feed);

/// {"shop","products","documents"}, embedded by the embedder of this process. Errors: of
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

/// Restores a backup into a new generation of a shop that no process holds, and makes it current;
/// the previous generation stays for a rollback. {"shop","generation","batch","time","sealed"}
/// Errors: of Restore; a shop that did not exist then still does not.
absl::StatusOr<std::string> RestoreShop(const std::string& data_directory, const std::string& name,
                                        const std::string& from, std::optional<int64_t> until_ms);

/// The directory of a shop.
std::string ShopPath(const std::string& data_directory, const std::string& name);

}  // namespace emptor::services

// emptor shop, backup, restore, verify: whole shops, through the service that holds the data
// directory or in this process.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "catalog/backup/backup.h"
#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/feed/column_mapping.h"
#include "services/app/service_file.h"
#include "services/app/service_parts.h"
#include "services/backup/s3_target.h"
#include "services/backup/shop_operations.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/cli/shop_command.h"
#include "services/client/http_client.h"
#include "services/ingest/mapping_file.h"
#include "services/ingest/quarantine_operations.h"

namespace emptor::services {
namespace {

using Outcome = absl::StatusOr<std::string>;
using Action = ShopCommand::Action;

int Print(const Outcome& outcome) {
  if (!outcome.ok()) return Fail(outcome.status());
  std::printf("%s\n", outcome->c_str());
  return 0;
}

Outcome BodyOf(const std::string& url, const absl::StatusOr<HttpReply>& reply) {
  if (!reply.ok()) return reply.status();
  if (absl::Status status = CheckReply(url, *reply); !status.ok()) return status;
  return reply->body;
}

/// The last segment of its route; empty: it has none.
std::string_view SegmentOf(Action action) {
  switch (action) {
    case Action::kCreate:
      return "create";
    case Action::kDelete:
      return "delete";
    case Action::kRollBack:
      return "rollback";
    case Action::kRebuild:
      return "rebuild";
    case Action::kReembed:
      return "reembed";
    case Action::kBackup:
      return "backup";
    case Action::kImageHosts:
      return "image-hosts";
    case Action::kQuarantine:
      return "quarantine";
    case Action::kRelease:
      return "release";
    default:
      return "";
  }
}

/// Through the admin port of a service.
Outcome OperateThrough(const ServiceTarget& service, const ShopCommand& command) {
  const std::string& admin = service.url;
  if (command.action == Action::kList) {
    return BodyOf(admin, HttpGet({.url = admin + "/admin/shops", .headers = service.headers}));
  }
  std::string query, body;
  const auto add = [&](const std::string& name, const std::string& value) {
    query += (query.empty() ? "?" : "&") + name + "=" + UrlEncoded(value);
  };
  const std::string_view segment = SegmentOf(command.action);
  if (segment.empty()) return absl::InternalError("no such action");
  for (const auto& [name, value] : command.options) add(name, value);
  if (command.action == Action::kRebuild) {
    auto feed = ReadFile(command.file);
    if (!feed.ok()) return feed.status();
    body = *std::move(feed);
  }
  if (command.action == Action::kBackup) {
    const bool is_url = command.target.find("://") != std::string::npos;
    add("to", is_url ? command.target : std::filesystem::absolute(command.target).string());
    if (command.full) add("full", "1");
    if (command.keep > 0) add("keep", std::to_string(command.keep));
  }
  const std::string url =
      admin + "/admin/shops/" + UrlEncoded(command.name) + "/" + std::string(segment) + query;
  if (command.action == Action::kQuarantine || command.action == Action::kImageHosts) {
    return BodyOf(admin, HttpGet({.url = url, .headers = service.headers}));
  }
  return BodyOf(admin, HttpPost({.url = url,
                                 .headers = service.headers,
                                 .content_type = "application/octet-stream",
                                 .body = body}));
}

Outcome Done(const std::string& shop, const absl::Status& status) {
  if (!status.ok()) return status;
  catalog::JsonWriter writer;
  return writer.BeginObject().Member("shop", shop).EndObject().Take();
}

Outcome OperateHere(const Config& config, ShopDirectory& shops, const ShopCommand& command) {
  switch (command.action) {
    case Action::kList:
      return ListShops(shops);
    case Action::kCreate:
      return Done(command.name, shops.Create(command.name));
    case Action::kDelete:
      return Done(command.name, shops.Delete(command.name));
    case Action::kRollBack:
      return Done(command.name, shops.RollBack(command.name));
    case Action::kReembed:
      return ReembedShop(shops, command.name);
    case Action::kBackup:
      return BackupShop(shops, command.name, {command.target, command.full, command.keep});
    case Action::kImageHosts:
      return ListImageHosts(shops, command.name, ImageHostsOf(config));
    case Action::kQuarantine:
      return ListQuarantine(shops, command.name, command.options);
    case Action::kRelease:
      return ReleaseRecord(shops, command.name, command.options);
    default:
      break;
  }
  RebuildSpec spec;
  for (const auto& [name, value] : command.options) {
    if (absl::Status status = SetRebuildOption(name, value, spec); !status.ok()) return status;
  }
  std::ifstream feed(command.file, std::ios::binary);
  if (!feed) return absl::NotFoundError(command.file + ": cannot be read");
  return RebuildShop(shops, command.name, spec, feed);
}

/// Replaces the name of a mapping file by its content, so that it can be sent to a service.
absl::Status ReadMappingFile(ShopCommand& command) {
  catalog::FeedOptions read;
  bool is_read = false;
  for (auto& [name, value] : command.options) {
    if (name != "columns" || !IsMappingFile(value)) continue;
    if (absl::Status status = LoadMappingFile(value, read); !status.ok()) return status;
    value = catalog::ColumnsText(read);
    is_read = true;
  }
  if (!is_read) return absl::OkStatus();
  // A flag overrides the file: the last value set counts.
  std::vector<std::pair<std::string, std::string>> all;
  if (!read.currency.empty()) all.emplace_back("currency", read.currency);
  if (!read.locale.empty()) all.emplace_back("locale", read.locale);
  for (auto& option : command.options) {
    if (!option.second.empty()) all.push_back(std::move(option));
  }
  command.options = std::move(all);
  return absl::OkStatus();
}

int RestoreHere(const Config& config, const ShopCommand& command) {
  if (const auto service = FindService(config.data_dir)) {
    return Fail(absl::FailedPreconditionError(
        fmt::format("{}: process {} serves it at {}: stop that service, restore, start it again",
                    config.data_dir, service->pid, service->url)));
  }
  std::optional<int64_t> until_ms;
  if (!command.until.empty()) {
    const auto until = catalog::ParseRfc3339(command.until);
    if (!until) {
      return Fail(
          absl::InvalidArgumentError("--until: expected RFC 3339, such as "
                                     "2026-01-31T12:00:00Z, found " +
                                     command.until));
    }
    until_ms = *until * 1000 + 999;
  }
  return Print(RestoreShop(config.data_dir, command.name, command.target, until_ms));
}

/// Opening a store verifies all of it; a backup is verified file by file.
int VerifyHere(const Config& config, const ShopCommand& command) {
  if (!command.target.empty()) {
    const auto target = OpenBackupTarget(command.target);
    if (!target.ok()) return Fail(target.status());
    return Print(
        Done(command.name, catalog::VerifyBackups(**target, config.data_dir + "/staging")));
  }
  const std::string path = ShopPath(config.data_dir, command.name);
  const auto generations = ShopGenerations::Open(path, /*create=*/false);
  if (!generations.ok()) return Fail(generations.status());
  const std::string directory = generations->PathOf(generations->current());
  const auto store = catalog::ProductStore::Open(directory + "/catalog", {});
  if (!store.ok()) return Fail(ExplainLock(config.data_dir, store.status()));
  absl::Status status = (*store)->ScanProducts([](const auto&, std::string_view) { return true; });
  if (status.ok()) status = (*store)->ScanDocuments([](const auto&, auto) { return true; });
  if (!status.ok()) return Fail(status);
  const catalog::StoreInfo info = (*store)->info();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", command.name);
  writer.Member("generation", generations->current()).Member("batch", info.sequence);
  writer.Member("products", info.products).Member("documents", info.documents);
  return Print(writer.EndObject().Take());
}

}  // namespace

int RunShop(const Config& config, const ShopCommand& asked) {
  if (asked.action != Action::kList && !IsValidShopName(asked.name)) {
    return Fail(absl::InvalidArgumentError(fmt::format(
        "shop: expected up to 63 of a-z, 0-9 and '-', found {:?}", asked.name.substr(0, 64))));
  }
  ShopCommand command = asked;
  if (absl::Status status = ReadMappingFile(command); !status.ok()) return Fail(status);
  if (command.action == Action::kRestore) return RestoreHere(config, command);
  if (command.action == Action::kVerify) return VerifyHere(config, command);
  const ServiceTarget service = FindAdminTarget("", config);
  if (!service.url.empty()) return Print(OperateThrough(service, command));
  const auto shops = OpenShopDirectory(config, command.action == Action::kCreate);
  if (!shops.ok()) return Fail(shops.status());
  const Outcome outcome = OperateHere(config, *shops->directory, command);
  if (!outcome.ok()) return Fail(ExplainLock(config.data_dir, outcome.status()));
  return Print(outcome);
}

}  // namespace emptor::services

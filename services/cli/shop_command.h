// What was typed after `emptor shop`, `backup`, `restore` or `verify`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "services/app/config.h"

namespace emptor::services {

struct ShopCommand {
  enum class Action {
    kList,
    kCreate,
    kDelete,
    kRebuild,
    kReembed,
    kRollBack,
    kBackup,
    kRestore,
    kVerify,
    kImageHosts,
    kQuarantine,
    kRelease
  };
  Action action = Action::kList;
  std::string name = "default";
  std::string file;  // kRebuild: the feed
  /// kRebuild: as SetRebuildOption reads them; kQuarantine, kRelease: as quarantine_operations.h.
  std::vector<std::pair<std::string, std::string>> options;
  std::string target;  // of a backup: a directory or s3://bucket/prefix
  std::string until;   // kRestore: RFC 3339; empty: the last state
  bool full = false;
  int keep = 0;  // 0: all
};

/// Operates on whole shops; prints one JSON object.
int RunShop(const Config& config, const ShopCommand& command);

}  // namespace emptor::services

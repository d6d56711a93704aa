// Flags of whole shops.
#include <functional>
#include <memory>
#include <string>

#include "services/cli/commands.h"
#include "services/cli/setting_flags.h"
#include "services/cli/shop_command.h"

namespace emptor::services {
namespace {

using Action = ShopCommand::Action;

using Typed = std::shared_ptr<ShopCommand>;

void RunAs(Action action, Command command, const Typed& typed, SettingFlags& settings) {
  settings.OnRun(command, [typed, action](const Config& config) {
    typed->action = action;
    return RunShop(config, *typed);
  });
}

/// Parses the text of a flag into the options.
std::function<void(const std::string&)> Option(const Typed& typed, const char* name) {
  return [typed, name](const std::string& value) { typed->options.emplace_back(name, value); };
}

void AddRebuild(Command shop, const Typed& typed, SettingFlags& settings) {
  const Command rebuild =
      shop.AddCommand("rebuild", "build the next generation from a feed, then serve it");
  rebuild.Add("NAME", typed->name).Required();
  rebuild.Add("FILE", typed->file, "a feed of any format").Required();
  settings.AddForData(rebuild);
  settings.AddApiKey(rebuild);
  const auto option = [&](const char* flag, const char* name, const char* help) {
    rebuild.AddTexts(flag, Option(typed, name), help);
  };
  option("--format", "format", "format of the feed (recognised by its content)");
  option("--currency", "currency", "currency of amounts that name none");
  option("--locale", "locale", "locale of records that name none");
  option("--columns", "columns",
         "columns of a plain CSV: Column=field,..., or a mapping file (.yaml)");
  option("--min-products", "min_products", "do not serve fewer products (1)");
  option("--min-share", "min_share",
         "do not serve fewer than this share of the served products (80%)");
  option("--canary", "canary", "query=>product id: do not serve unless the query finds it");
  option("--canary-depth", "canary_depth", "results in which a canary must be (10)");
  RunAs(Action::kRebuild, rebuild, typed, settings);
}

void AddQuarantine(Command shop, const Typed& typed, SettingFlags& settings) {
  const Command list = shop.AddCommand("quarantine", "list the records in quarantine, and why");
  const Command release = shop.AddCommand("release", "release a record from quarantine");
  for (const Command& one : {list, release}) {
    one.Add("NAME", typed->name).Required();
    settings.AddForData(one);
    settings.AddApiKey(one);
  }
  list.AddText("--limit", Option(typed, "limit"), "number of records (100)");
  release.AddText("ID", Option(typed, "id")).Required();
  release.AddSwitch(
      "--document", [typed] { typed->options.emplace_back("kind", "document"); },
      "the record is a document");
  RunAs(Action::kQuarantine, list, typed, settings);
  RunAs(Action::kRelease, release, typed, settings);
}

void AddShop(Command root, const Typed& typed, SettingFlags& settings) {
  const Command shop = root.AddCommand("shop", "the shops of a data directory");
  shop.RequireCommand();
  struct Row {
    const char* name;
    const char* help;
    Action action;
  };
  const Row rows[] = {
      {"list", "all shops", Action::kList},
      {"create", "make an empty shop", Action::kCreate},
      {"delete", "remove a shop and all its data", Action::kDelete},
      {"reembed", "embed a shop's records again, with another embedder", Action::kReembed},
      {"image-hosts", "the hosts of products' pictures, and which of them pages may load",
       Action::kImageHosts},
      {"rollback", "serve the previous generation again", Action::kRollBack}};
  for (const Row& row : rows) {
    const Command one = shop.AddCommand(row.name, row.help);
    if (row.action != Action::kList) one.Add("NAME", typed->name).Required();
    settings.AddForData(one);
    settings.AddApiKey(one);
    RunAs(row.action, one, typed, settings);
  }
  AddRebuild(shop, typed, settings);
  AddQuarantine(shop, typed, settings);
}

}  // namespace

void AddShopCommands(Command root, SettingFlags& settings) {
  const auto typed = std::make_shared<ShopCommand>();
  const auto add = [&](const char* name, const char* help) {
    const Command command = root.AddCommand(name, help);
    command.Add("--shop", typed->name, "which shop (default)");
    settings.AddForData(command);
    return command;
  };
  const Command backup = add("backup", "save a shop's records while it serves");
  backup.Add("--to", typed->target, "a directory, or s3://bucket/prefix").Required();
  backup.AddSwitch("--full", typed->full,
                   "take a full backup even if an incremental one is possible");
  backup.Add("--keep", typed->keep, "full backups to keep (all)").Range(1, 100000);
  settings.AddApiKey(backup);
  RunAs(Action::kBackup, backup, typed, settings);

  const Command restore = add("restore", "restore a backup as a new generation");
  restore.Add("--from", typed->target, "a directory, or s3://bucket/prefix").Required();
  restore.Add("--until", typed->until, "the state at that time, RFC 3339 (the last one)");
  RunAs(Action::kRestore, restore, typed, settings);

  const Command verify = add("verify", "read a shop or a backup and check it against its seals");
  verify.Add("--backup", typed->target, "a backup instead of the shop");
  RunAs(Action::kVerify, verify, typed, settings);
  AddShop(root, typed, settings);
}

}  // namespace emptor::services

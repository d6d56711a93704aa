// Flags of whole shops.
#include "services/cli/shop_flags.h"

#include <CLI/CLI.hpp>

namespace emptor::services {
namespace {

using Action = ShopCommand::Action;

void AddShopOption(CLI::App& command, ShopCommand& shop, const AddFlags& add_data_flags) {
  command.add_option("--shop", shop.name, "which shop (default)");
  add_data_flags(command);
}

void AddRebuild(CLI::App& shop, ShopCommand& command, const AddFlags& add_data_flags) {
  CLI::App* rebuild = shop.add_subcommand(
      "rebuild", "build the next generation from a feed beside the served one, then serve it");
  rebuild->add_option("NAME", command.name)->required();
  rebuild->add_option("FILE", command.file, "a feed of any format")->required();
  add_data_flags(*rebuild);
  const auto option = [&](const char* flag, const char* name, const char* help) {
    rebuild->add_option_function<std::vector<std::string>>(
        flag,
        [&command, name](const std::vector<std::string>& values) {
          for (const std::string& value : values) command.options.emplace_back(name, value);
        },
        help);
  };
  option("--format", "format", "of the feed; by its content unless given");
  option("--currency", "currency", "of amounts that name none");
  option("--locale", "locale", "of records that name none");
  option("--columns", "columns", "of a plain CSV: Column=field,..., or a mapping file (.yaml)");
  option("--min-products", "min_products", "fewer are not served (1)");
  option("--min-share", "min_share", "fewer than this share of those served are not (80%)");
  option("--canary", "canary", "query=>product id: must be found, or it is not served");
  option("--canary-depth", "canary_depth", "among how many (10)");
  rebuild->callback([&command] { command.action = Action::kRebuild; });
}

void AddQuarantine(CLI::App& shop, ShopCommand& command, const AddFlags& add_data_flags) {
  CLI::App* list = shop.add_subcommand("quarantine", "records that shoppers may not see, and why");
  CLI::App* release = shop.add_subcommand("release", "let a record out of quarantine");
  for (CLI::App* one : {list, release}) {
    one->add_option("NAME", command.name)->required();
    add_data_flags(*one);
  }
  const auto take = [&command](const char* name) {
    return
        [&command, name](const std::string& value) { command.options.emplace_back(name, value); };
  };
  list->add_option_function<std::string>("--limit", take("limit"), "how many (100)");
  release->add_option_function<std::string>("ID", take("id"))->required();
  release->add_flag_callback(
      "--document", [&command] { command.options.emplace_back("kind", "document"); },
      "the record is a document");
  list->callback([&command] { command.action = Action::kQuarantine; });
  release->callback([&command] { command.action = Action::kRelease; });
}

CLI::App* AddShop(CLI::App& app, ShopCommand& command, const AddFlags& add_data_flags) {
  CLI::App* shop = app.add_subcommand("shop", "the shops of a data directory");
  shop->require_subcommand(1);
  struct Row {
    const char* name;
    const char* help;
    Action action;
  };
  const Row rows[] = {{"list", "all shops", Action::kList},
                      {"create", "make an empty shop", Action::kCreate},
                      {"delete", "remove a shop and all its data", Action::kDelete},
                      {"reembed", "embed a shop's records anew, with another embedder than before",
                       Action::kReembed},
                      {"rollback", "serve the generation before", Action::kRollBack}};
  for (const Row& row : rows) {
    CLI::App* one = shop->add_subcommand(row.name, row.help);
    if (row.action != Action::kList) one->add_option("NAME", command.name)->required();
    add_data_flags(*one);
    one->callback([&command, action = row.action] { command.action = action; });
  }
  AddRebuild(*shop, command, add_data_flags);
  AddQuarantine(*shop, command, add_data_flags);
  return shop;
}

}  // namespace

std::vector<const CLI::App*> AddShopCommands(CLI::App& app, ShopCommand& command,
                                             const AddFlags& add_data_flags) {
  CLI::App* backup = app.add_subcommand("backup", "save a shop's records while it serves");
  AddShopOption(*backup, command, add_data_flags);
  backup->add_option("--to", command.target, "a directory, or s3://bucket/prefix")->required();
  backup->add_flag("--full", command.full, "everything, though the changes would do");
  backup->add_option("--keep", command.keep, "full backups to keep (all)")
      ->check(CLI::Range(1, 100000));
  backup->callback([&command] { command.action = Action::kBackup; });

  CLI::App* restore = app.add_subcommand("restore", "put a backup back, as a new generation");
  AddShopOption(*restore, command, add_data_flags);
  restore->add_option("--from", command.target, "a directory, or s3://bucket/prefix")->required();
  restore->add_option("--until", command.until, "the state at that time, RFC 3339 (the last one)");
  restore->callback([&command] { command.action = Action::kRestore; });

  CLI::App* verify =
      app.add_subcommand("verify", "read a shop, or a backup, and hold it against its seals");
  AddShopOption(*verify, command, add_data_flags);
  verify->add_option("--backup", command.target, "a backup instead of the shop");
  verify->callback([&command] { command.action = Action::kVerify; });
  return {AddShop(app, command, add_data_flags), backup, restore, verify};
}

}  // namespace emptor::services

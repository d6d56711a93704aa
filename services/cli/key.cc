// emptor key: the keys of a data directory, through the service that holds it or in this process.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "services/api/key_routes.h"
#include "services/auth/audit_log.h"
#include "services/auth/key_store.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"

namespace emptor::services {
namespace {

using Outcome = absl::StatusOr<std::string>;  // JSON

struct KeyCommand {
  enum class Action { kIssue, kList, kRotate, kRevoke };
  Action action = Action::kList;
  std::string kind;
  std::string id;
  std::string name;
  std::vector<std::string> origins;
  int days = 0;  // 0: the key does not expire
  int grace_hours = 24;
  std::string admin_url;  // empty: the service that holds the data directory
};

/// The body of the request to the admin port; this process reads it as a service does.
std::string BodyOf(const Config& config, const KeyCommand& command) {
  catalog::JsonWriter body;
  body.BeginObject();
  if (command.action == KeyCommand::Action::kIssue) {
    body.Member("kind", command.kind);
    if (command.kind != ToString(KeyKind::kAdmin)) body.Member("shop", config.shop);
    if (!command.name.empty()) body.Member("name", command.name);
    if (!command.origins.empty()) {
      body.Key("origins").BeginArray();
      for (const std::string& origin : command.origins) body.String(origin);
      body.EndArray();
    }
    if (command.days > 0) body.Member("days", command.days);
  }
  if (command.action == KeyCommand::Action::kRotate) {
    body.Member("grace_hours", command.grace_hours);
  }
  return body.EndObject().Take();
}

/// Of the admin port.
std::string PathOf(const KeyCommand& command) {
  const std::string all = "/admin/keys";
  switch (command.action) {
    case KeyCommand::Action::kRotate:
      return all + "/" + UrlEncoded(command.id) + "/rotate";
    case KeyCommand::Action::kRevoke:
      return all + "/" + UrlEncoded(command.id) + "/revoke";
    default:
      return all;
  }
}

Outcome OperateThrough(const ServiceTarget& service, const Config& config,
                       const KeyCommand& command) {
  const std::string url = service.url + PathOf(command), body = BodyOf(config, command);
  const auto reply = command.action == KeyCommand::Action::kList
                         ? HttpGet({.url = url, .headers = service.headers})
                         : HttpPost({.url = url, .headers = service.headers, .body = body});
  if (!reply.ok()) return reply.status();
  if (absl::Status status = CheckReply(service.url, *reply); !status.ok()) return status;
  return reply->body;
}

Outcome OperateOn(KeyStore& keys, const Config& config, const KeyCommand& command) {
  switch (command.action) {
    case KeyCommand::Action::kIssue:
      return IssueKey(keys, BodyOf(config, command));
    case KeyCommand::Action::kRotate:
      return RotateKey(keys, command.id, BodyOf(config, command));
    case KeyCommand::Action::kRevoke:
      return RevokeKey(keys, command.id);
    default:
      return ListKeys(keys);
  }
}

Outcome OperateHere(const Config& config, const KeyCommand& command) {
  std::error_code error;
  std::filesystem::create_directories(config.data_dir, error);
  auto keys = KeyStore::Open(config.data_dir);
  if (!keys.ok()) return keys.status();
  Outcome outcome = OperateOn(**keys, config, command);
  if (command.action == KeyCommand::Action::kList) return outcome;
  AuditLog audit(AuditLogPath(config.data_dir));
  const std::string action = "POST " + PathOf(command);
  const std::string subject = outcome.ok() ? KeyIdIn(*outcome) : command.id;
  const absl::Status written =
      audit.Append({"command line", action, subject, outcome.ok() ? 200 : 400});
  return outcome.ok() && !written.ok() ? Outcome(written) : outcome;
}

int RunKey(const Config& config, const KeyCommand& command) {
  const ServiceTarget service = FindAdminTarget(command.admin_url, config);
  const Outcome outcome =
      service.url.empty() ? OperateHere(config, command) : OperateThrough(service, config, command);
  if (!outcome.ok()) return Fail(outcome.status());
  std::printf("%s\n", outcome->c_str());
  if (command.action == KeyCommand::Action::kIssue) {
    std::fprintf(
        stderr,
        "emptor: the key is shown this once: only a hash of it is stored. Where open_reading "
        "is until_keys, reading and asking now need a key, too\n");
  }
  return 0;
}

int VerifyAudit(const Config& config) {
  const auto summary = VerifyAuditLog(AuditLogPath(config.data_dir));
  if (!summary.ok()) return Fail(summary.status());
  catalog::JsonWriter writer;
  writer.BeginObject().Member("lines", summary->lines);
  writer.Member("last_hash", summary->last_hash).EndObject();
  std::printf("%s\n", writer.Take().c_str());
  return 0;
}

Command AddAction(Command key, const char* name, const char* help, KeyCommand::Action action,
                  const std::shared_ptr<KeyCommand>& typed, SettingFlags& settings) {
  const Command command = key.AddCommand(name, help);
  if (action == KeyCommand::Action::kRotate || action == KeyCommand::Action::kRevoke) {
    command.Add("ID", typed->id, "as `emptor key list` prints it; own: the service's own key")
        .Required();
  }
  command.Add("--admin-url", typed->admin_url,
              "admin port of the service (the one that holds the data directory)");
  settings.AddConfig(command);
  settings.Add(command, "data_dir");
  settings.AddApiKey(command);
  settings.OnRun(command, [typed, action](const Config& config) {
    typed->action = action;
    return RunKey(config, *typed);
  });
  return command;
}

}  // namespace

void AddKeyCommands(Command root, SettingFlags& settings) {
  using Action = KeyCommand::Action;
  const auto typed = std::make_shared<KeyCommand>();
  const Command key = root.AddCommand("key", "keys to a service");
  key.RequireCommand();
  const Command issue =
      AddAction(key, "issue", "make a key and print it, once", Action::kIssue, typed, settings);
  issue.Add("KIND", typed->kind, "browser (asks, from pages of its origins), server or admin")
      .Required()
      .OneOf({"browser", "server", "admin"});
  settings.Add(issue, "shop", "the one shop that the key is for; not of admin (default)");
  issue.Add("--name", typed->name, "whose key it is, for people");
  issue.Add("--origin", typed->origins, "https://shop.example: pages that may use a browser key");
  issue.Add("--days", typed->days, "days after which the key ends (never)").Range(1, 3650);
  AddAction(key, "list", "print all keys, without their secrets", Action::kList, typed, settings);
  const Command rotate = AddAction(key, "rotate", "make a key that replaces another one",
                                   Action::kRotate, typed, settings);
  rotate
      .Add("--grace-hours", typed->grace_hours, "hours for which the old key stays valid, too (24)")
      .Range(0, 744);
  AddAction(key, "revoke", "end a key", Action::kRevoke, typed, settings);
  const Command audit =
      key.AddCommand("audit", "check the chain of the audit log, and print its last hash");
  settings.AddConfig(audit);
  settings.Add(audit, "data_dir");
  settings.OnRun(audit, VerifyAudit);
}

}  // namespace emptor::services

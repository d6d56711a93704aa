// emptor model list|status|activate|load|unload: the models of a running service.
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "catalog/encoding/json.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"
#include "services/models/model_spec.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
enum class Action { kList, kStatus, kActivate, kLoad, kUnload };

struct ServiceModelCommand {
  Action action = Action::kList;
  std::string name;
  std::string admin_url;  // empty: the service that holds the data directory
  bool wait = false;      // until the model is there
};

std::string TextOf(const JsonValue& model, std::string_view name) {
  const JsonValue* value = model.Find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

void PrintModel(const JsonValue& model) {
  const JsonValue* active = model.Find("active");
  const JsonValue* percent = model.Find("percent");
  const bool is_active = active != nullptr && active->is_bool() && active->as_bool();
  std::string state = TextOf(model, "state");
  if (percent != nullptr && percent->is_int()) {
    state += " " + std::to_string(percent->as_int()) + "%";
  }
  std::printf("%c %-24s %-8s %-14s %s\n", is_active ? '*' : ' ', TextOf(model, "name").c_str(),
              TextOf(model, "kind").c_str(), state.c_str(),
              TextOf(model, model.Find("reason") != nullptr ? "reason" : "path").c_str());
}

/// The body of a good reply; else what the service says.
absl::StatusOr<JsonValue> Read(const absl::StatusOr<HttpReply>& reply) {
  if (!reply.ok()) return reply.status();
  auto json = catalog::ParseJson(reply->body);
  if (!json.ok()) return absl::UnavailableError("the service's reply is not JSON");
  if (reply->status / 100 == 2) return json;
  const JsonValue* error = json->Find("error");
  return absl::UnavailableError(error == nullptr ? "the service refused: " + reply->body
                                                 : TextOf(*error, "message"));
}

bool IsBusy(const JsonValue& model) {
  const std::string state = TextOf(model, "state");
  return state == "loading" || state == "unloading";
}

int PrintAll(const std::string& url, const std::vector<std::string>& headers) {
  const auto reply = Read(HttpGet({.url = url, .headers = headers}));
  if (!reply.ok()) return Fail(reply.status());
  const JsonValue* models = reply->Find("models");
  if (models == nullptr || !models->is_array()) {
    return Fail(absl::UnavailableError(url + ": no list of models"));
  }
  for (const JsonValue& model : models->as_array()) PrintModel(model);
  return 0;
}

std::string PathOf(const ServiceModelCommand& command) {
  switch (command.action) {
    case Action::kActivate:
      return "/activate";
    case Action::kLoad:
      return "/load";
    case Action::kUnload:
      return "/unload";
    default:
      return "/status";
  }
}

int RunServiceModel(const Config& config, const ServiceModelCommand& command) {
  const ServiceTarget service = FindAdminTarget(command.admin_url, config);
  if (service.url.empty()) {
    return Fail(absl::NotFoundError("no service holds " + config.data_dir +
                                    " (name one with --admin-url)"));
  }
  const auto& headers = service.headers;
  const std::string all = service.url + "/admin/models";
  if (command.action == Action::kList) return PrintAll(all, headers);
  if (!IsModelReference(command.name)) {
    return Fail(absl::InvalidArgumentError("\"" + command.name + "\" is not a model's name"));
  }
  const std::string one = all + "/" + command.name;
  const bool is_status = command.action == Action::kStatus;
  auto model = Read(is_status ? HttpGet({.url = one + "/status", .headers = headers})
                              : HttpPost({.url = one + PathOf(command), .headers = headers}));
  while (model.ok() && command.wait && IsBusy(*model)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    model = Read(HttpGet({.url = one + "/status", .headers = headers}));
  }
  if (!model.ok()) return Fail(model.status());
  PrintModel(*model);
  return TextOf(*model, "state") == "failed" ? 1 : 0;
}

}  // namespace

void AddServiceModelCommands(Command model, SettingFlags& settings) {
  struct Row {
    const char* name;
    const char* help;
    Action action;
  };
  const Row rows[] = {
      {"list", "list the models of a service", Action::kList},
      {"status", "print the state of a model of a service", Action::kStatus},
      {"activate", "make a model the active one; loads it if needed", Action::kActivate},
      {"load", "load a model", Action::kLoad},
      {"unload", "free a model's memory once its requests have ended", Action::kUnload}};
  const auto options = std::make_shared<ServiceModelCommand>();
  for (const Row& row : rows) {
    const Command command = model.AddCommand(row.name, row.help);
    if (row.action != Action::kList) command.Add("NAME", options->name).Required();
    command.Add("--admin-url", options->admin_url,
                "admin port of the service (the one that holds the data directory)");
    settings.Add(command, "data_dir", "data directory of the service (./var/emptor)");
    settings.AddApiKey(command);
    if (row.action == Action::kActivate || row.action == Action::kLoad) {
      command.AddSwitch("--wait", options->wait, "wait until the model is available or has failed");
    }
    settings.OnRun(command, [options, action = row.action](const Config& config) {
      options->action = action;
      return RunServiceModel(config, *options);
    });
  }
}

}  // namespace emptor::services

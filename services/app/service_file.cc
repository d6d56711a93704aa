// Reading and writing service.json.
#include "services/app/service_file.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

std::string PathIn(const std::string& data_dir) { return data_dir + "/service.json"; }

bool IsAlive(int64_t pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

std::string TextMember(const catalog::JsonValue& json, std::string_view name) {
  const catalog::JsonValue* value = json.Find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

}  // namespace

absl::Status WriteServiceFile(const std::string& data_dir, const std::string& url,
                              const std::string& admin_url) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("url", url).Member("admin_url", admin_url);
  writer.Member("pid", static_cast<int64_t>(::getpid()));
  writer.EndObject();
  const std::string path = PathIn(data_dir), draft = path + ".new";
  std::ofstream file(draft, std::ios::trunc);
  file << writer.text() << "\n";
  file.close();
  if (!file || std::rename(draft.c_str(), path.c_str()) != 0) {
    return absl::UnavailableError(path + ": cannot be written");
  }
  return absl::OkStatus();
}

void RemoveServiceFile(const std::string& data_dir) { std::remove(PathIn(data_dir).c_str()); }

std::optional<RunningService> FindService(const std::string& data_dir) {
  std::ifstream file(PathIn(data_dir));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto json = catalog::ParseJson(text);
  if (!json.ok()) return std::nullopt;
  const catalog::JsonValue* pid = json->Find("pid");
  RunningService service{TextMember(*json, "url"), TextMember(*json, "admin_url"), 0};
  if (service.url.empty() || pid == nullptr || !pid->is_int()) return std::nullopt;
  service.pid = pid->as_int();
  if (!IsAlive(service.pid)) return std::nullopt;
  return service;
}

absl::Status ExplainLock(const std::string& data_dir, const absl::Status& status) {
  const bool is_lock = status.message().find("cannot lock the store") != absl::string_view::npos;
  if (!is_lock) return status;
  const auto service = FindService(data_dir);
  if (service && service->pid == ::getpid()) return status;
  if (!service) {
    return absl::UnavailableError(
        data_dir + ": another process uses it: wait for it to end, or choose another --data-dir");
  }
  return absl::UnavailableError(
      fmt::format("{}: process {} serves it at {}: stop that service, or choose another --data-dir",
                  data_dir, service->pid, service->url));
}

}  // namespace emptor::services

// service.json.
#include "services/app/service_file.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

std::string PathIn(const std::string& data_dir) { return data_dir + "/service.json"; }

bool IsAlive(int64_t pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

/// A member of the file of a service that runs.
std::optional<std::string> FindMember(const std::string& data_dir, std::string_view name) {
  std::ifstream file(PathIn(data_dir));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto json = catalog::ParseJson(text);
  if (!json.ok()) return std::nullopt;
  const catalog::JsonValue* url = json->Find(name);
  const catalog::JsonValue* pid = json->Find("pid");
  const bool is_whole = url != nullptr && url->is_string() && pid != nullptr && pid->is_int();
  if (!is_whole || !IsAlive(pid->as_int())) return std::nullopt;
  return url->as_string();
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

std::optional<std::string> FindService(const std::string& data_dir) {
  return FindMember(data_dir, "url");
}

std::optional<std::string> FindServiceAdmin(const std::string& data_dir) {
  return FindMember(data_dir, "admin_url");
}

}  // namespace emptor::services

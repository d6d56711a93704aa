// `emptor serve` as a child of a test.
#include "tests/integration/service_process.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;

/// The number behind `prefix` in `text`, e.g. a port; 0 when the prefix is not there.
int NumberAfter(const std::string& text, std::string_view prefix) {
  const size_t at = text.find(prefix);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + prefix.size());
}

}  // namespace

std::string EmptorPath() { return std::string(EMPTOR_BINARY_DIR) + "/emptor"; }

std::string SourcePath(std::string_view relative) {
  return std::string(EMPTOR_SOURCE_DIR).append("/").append(relative);
}

int RunEmptor(const std::vector<std::string>& arguments, std::string* output) {
  std::vector<std::string> command = {EmptorPath()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildProcess process(command);
  const int code = process.Wait(milliseconds(240000));
  if (output != nullptr) *output = process.output();
  return code;
}

void IngestSampleShop(const std::string& data_directory) {
  std::string output;
  const int code = RunEmptor(
      {"ingest", SourcePath("data/sample-shop/products.jsonl"), "--data-dir", data_directory},
      &output);
  if (code != 0) throw std::runtime_error(output);
}

int Answer::CountOf(std::string_view event_name) const {
  int count = 0;
  for (const SseEvent& event : events) count += event.name == event_name;
  return count;
}

ServiceProcess::ServiceProcess(const std::string& data_directory,
                               const std::vector<std::string>& more_arguments,
                               const std::vector<std::string>& launcher) {
  std::vector<std::string> command = launcher;
  command.insert(command.end(), {EmptorPath(), "serve", "--data-dir", data_directory, "--listen",
                                 "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"});
  command.insert(command.end(), more_arguments.begin(), more_arguments.end());
  process_ = std::make_unique<ChildProcess>(command);
  const auto output = process_->ReadUntil("ready\n", milliseconds(60000));
  if (!output) throw std::runtime_error("emptor serve did not start:\n" + process_->output());
  port_ = NumberAfter(*output, "serving on http://127.0.0.1:");
  admin_port_ = NumberAfter(*output, "admin on http://127.0.0.1:");
  if (port_ == 0 || admin_port_ == 0) throw std::runtime_error("no ports in:\n" + *output);
  std::ifstream(data_directory + "/admin.key") >> key_;
}

Answer ServiceProcess::Ask(std::string_view question, std::string_view more_members) const {
  catalog::JsonWriter body;
  body.BeginObject().Member("message", question).EndObject();
  std::string text = body.Take();
  if (!more_members.empty()) text.insert(text.size() - 1, "," + std::string(more_members));
  Answer answer;
  const HttpReply reply = Fetch(port_, "POST", "/v1/assist", text, [&](const SseEvent& event) {
    answer.events.push_back(event);
    const auto data = catalog::ParseJson(event.data);
    if (!data.ok()) return true;
    if (event.name == "delta") answer.text += data->Find("text")->as_string();
    if (event.name == "products") answer.products = data->Find("items")->as_array();
    if (event.name == "done") answer.done = *data;
    return true;
  });
  answer.status = reply.status;
  return answer;
}

HttpReply ServiceProcess::Change(std::string_view method, std::string_view path,
                                 std::string_view body) const {
  return FetchWithKey(port_, key_, method, path, body);
}

catalog::JsonValue ServiceProcess::GetJson(std::string_view path) const {
  const HttpReply reply = Change("GET", path, "");
  auto json = catalog::ParseJson(reply.body);
  return json.ok() ? *std::move(json) : catalog::JsonValue();
}

double ServiceProcess::Metric(std::string_view name) const {
  const std::string text = "\n" + Fetch(admin_port_, "GET", "/metrics").body;
  double sum = -1;
  for (const char* tail : {" ", "{"}) {
    const std::string start = "\n" + std::string(name) + tail;
    for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
      const size_t value = text.find(' ', at);
      sum = std::max(sum, 0.0) + std::atof(text.c_str() + value);
    }
  }
  return sum;
}

}  // namespace emptor::testing

// `emptor serve` as a child of a test, with the sample shop or another catalog in a folder of its
// own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/support/child_process.h"
#include "tests/support/sse_client.h"

namespace emptor::testing {

/// Path of the built executable, and of a file in the source tree.
std::string EmptorPath();
std::string SourcePath(std::string_view relative);

/// Runs `emptor` with the arguments to its end. `output` gets standard output and error.
int RunEmptor(const std::vector<std::string>& arguments, std::string* output = nullptr);

/// Loads the products of the sample shop into the data directory. Throws std::runtime_error with
/// the output of the command.
void IngestSampleShop(const std::string& data_directory);

/// One answer of POST /v1/assist, taken apart.
struct Answer {
  int status = 0;
  std::vector<SseEvent> events;
  std::string text;                          // all deltas joined
  std::vector<catalog::JsonValue> products;  // items of the `products` event
  catalog::JsonValue done;                   // null when the stream ended otherwise
  int CountOf(std::string_view event_name) const;
};

/// A running service. Ends (kill) with its owner.
class ServiceProcess {
 public:
  /// Starts on free ports and waits until it is ready. Throws std::runtime_error with the output.
  /// `launcher`: a command that becomes the service, e.g. fiu-run -x.
  explicit ServiceProcess(const std::string& data_directory,
                          const std::vector<std::string>& more_arguments = {},
                          const std::vector<std::string>& launcher = {});

  int port() const { return port_; }
  int admin_port() const { return admin_port_; }
  ChildProcess& process() { return *process_; }
  /// The service's own key.
  const std::string& key() const { return key_; }

  Answer Ask(std::string_view question, std::string_view more_members = {}) const;
  /// On the public port, with the service's own key.
  HttpReply Change(std::string_view method, std::string_view path, std::string_view body) const;
  /// With that key.
  catalog::JsonValue GetJson(std::string_view path) const;
  /// Value of a metric on the admin port, over all its labels; -1 when it is not there.
  double Metric(std::string_view name) const;

 private:
  std::unique_ptr<ChildProcess> process_;
  int port_ = 0, admin_port_ = 0;
  std::string key_;
};

}  // namespace emptor::testing

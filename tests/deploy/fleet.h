// An assistant, a gateway and two engines as processes, asked for everything of which there are
// metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/deploy/deploy_support.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {

/// A role of `emptor` on free ports.
class RoleProcess {
 public:
  /// Throws std::runtime_error with the output when it does not start.
  explicit RoleProcess(const std::vector<std::string>& arguments);
  int port() const { return port_; }
  int admin_port() const { return admin_port_; }
  ChildProcess& process() { return process_; }

 private:
  ChildProcess process_;
  int port_ = 0, admin_port_ = 0;
};

/// `emptor engine serve` with the shipped model.
std::unique_ptr<RoleProcess> StartEngine(const std::string& data_directory);
/// `emptor gateway serve` over replicas at these ports; probed once.
std::unique_ptr<RoleProcess> StartGateway(const std::string& data_directory,
                                          const std::vector<int>& ports);

/// Metrics of all roles after questions, searches, ratings, imports, and replicas that fail.
MetricLabels MetricsOfAllRoles();

}  // namespace emptor::testing

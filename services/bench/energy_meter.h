// Energy that the processor's packages took, from the kernel's RAPL counters.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

/// The counters of `root` (/sys/class/powercap): intel-rapl:N, one a package; AMD's are named so
/// too. Thread-safety: one thread.
class EnergyMeter {
 public:
  /// Reads the counters. Errors: kUnavailable with the reason (none there, not readable).
  static absl::StatusOr<EnergyMeter> Open(const std::string& root = "/sys/class/powercap");

  /// Joules of all packages since Open; a counter may wrap around once.
  /// Errors: as Open.
  absl::StatusOr<double> Joules() const;

 private:
  struct Counter {
    std::string path;
    double begin = 0, range = 0;  // microjoules
  };
  std::vector<Counter> counters_;
};

}  // namespace emptor::services

// Files of the powercap class. Format: the kernel's Documentation/power/powercap/powercap.rst.
#include "services/bench/energy_meter.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace emptor::services {
namespace {

constexpr std::string_view kPackage = "intel-rapl:";

std::optional<double> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

absl::Status Unreadable(const std::string& path) {
  return absl::UnavailableError(path + ": cannot be read (usually only root may)");
}

}  // namespace

absl::StatusOr<EnergyMeter> EnergyMeter::Open(const std::string& root) {
  EnergyMeter meter;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    const std::string name = entry.path().filename();
    // intel-rapl:0 is a package, intel-rapl:0:0 a part of it.
    if (!name.starts_with(kPackage) || std::count(name.begin(), name.end(), ':') != 1) continue;
    Counter counter;
    counter.path = entry.path().string() + "/energy_uj";
    const auto begin = ReadNumber(counter.path);
    if (!begin) return Unreadable(counter.path);
    counter.begin = *begin;
    counter.range = ReadNumber(entry.path().string() + "/max_energy_range_uj").value_or(0);
    meter.counters_.push_back(std::move(counter));
  }
  if (meter.counters_.empty()) {
    return absl::UnavailableError(root + ": no RAPL counter of this processor");
  }
  return meter;
}

absl::StatusOr<double> EnergyMeter::Joules() const {
  double microjoules = 0;
  for (const Counter& counter : counters_) {
    const auto end = ReadNumber(counter.path);
    if (!end) return Unreadable(counter.path);
    const double taken = *end - counter.begin;
    microjoules += taken < 0 ? taken + counter.range : taken;
  }
  return microjoules * 1e-6;
}

}  // namespace emptor::services

// What tests of deploy/ share: files, commands, and names in PromQL and in metrics.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

/// Text of a file below the source tree. Throws std::runtime_error when it cannot be read.
std::string ReadSource(const std::string& relative);
/// Paths below the source tree of the files of a folder, in order.
std::vector<std::string> FilesIn(const std::string& folder, const std::string& extension);

struct CommandResult {
  int code = 0;
  std::string output;
};
/// Runs a shell command in the source tree, at most 60 s.
CommandResult RunShell(const std::string& command);

/// Writes an executable script of sh.
void WriteScript(const std::string& path, const std::string& text);

/// Metrics by name, with the names of their labels over all series.
using MetricLabels = std::map<std::string, std::set<std::string>>;
/// Adds what a text of Prometheus' exposition format holds.
void AddMetrics(std::string_view text, MetricLabels& metrics);

/// A metric that an expression reads: its name, and the labels that it is selected or grouped by.
struct MetricUse {
  std::string name;
  std::set<std::string> labels;
};
/// The metrics that an expression of PromQL reads.
std::vector<MetricUse> MetricsOf(std::string_view expression);

}  // namespace emptor::testing

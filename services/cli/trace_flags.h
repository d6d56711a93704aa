// The flags that the benchmarks share: a recorded load, and the form of the report.
#pragma once

#include <string>

#include "services/cli/command.h"

namespace emptor::services {

/// A recorded load, in both benchmarks.
struct TraceFlags {
  std::string file;  // empty: none
  std::string format = "azure";
  double length_scale = 1;
  int most_input = 1 << 20, most_output = 1 << 20;
};

void AddTraceFlags(Command command, TraceFlags& trace);
/// --json and --report.
void AddOutputFlags(Command command, bool& json, std::string& report);

}  // namespace emptor::services

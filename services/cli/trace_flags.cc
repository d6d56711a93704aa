// --trace and its companions.
#include "services/cli/trace_flags.h"

namespace emptor::services {

void AddTraceFlags(Command command, TraceFlags& trace) {
  command.Add("--trace", trace.file, "recorded load to replay; .zst is decompressed");
  command.Add("--trace-format", trace.format, "azure or mooncake").OneOf({"azure", "mooncake"});
  command
      .Add("--length-scale", trace.length_scale,
           "factor for the lengths of the trace's prompts and answers")
      .Range(1e-6, 1e6);
  command.Add("--most-input", trace.most_input, "cuts longer prompts").Range(1, 1 << 20);
  command.Add("--most-output", trace.most_output, "cuts longer answers").Range(1, 1 << 20);
}

void AddOutputFlags(Command command, bool& json, std::string& report) {
  command.AddSwitch("--json", json, "print JSON in place of the table");
  command.Add("--report", report, "also write an HTML page with charts to this file");
}

}  // namespace emptor::services

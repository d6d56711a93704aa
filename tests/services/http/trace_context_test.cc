// The header traceparent, by the examples of the specification and its tests.
#include "services/http/trace_context.h"

#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

TEST(TraceContextTest, ReadsTheTraceIdOfAValidHeaderAlone) {
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const std::string rest = "-" + trace + "-00f067aa0ba902b7-01";
  struct Case {
    std::string header;
    bool is_valid;
  };
  const Case cases[] = {{"00" + rest, true},
                        {"00-" + trace + "-00f067aa0ba902b7-00", true},
                        {"cc" + rest, true},  // a later version
                        {"cc" + rest + "-what-the-future-will-be-like", true},
                        {"cc" + rest + ".what-the-future-will-be-like", false},
                        {"00" + rest + "-more", false},
                        {"ff" + rest, false},
                        {"", false},
                        {"00", false},
                        {"0" + rest, false},
                        {"00-" + trace.substr(1) + "-00f067aa0ba902b7-01", false},
                        {"00-" + std::string(32, '0') + "-00f067aa0ba902b7-01", false},
                        {"00-" + trace + "-0000000000000000-01", false},
                        {"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false},
                        {"00-" + trace + "-00f067aa0ba902b7-.1", false},
                        {"00_" + trace + "-00f067aa0ba902b7-01", false},
                        {"zz" + rest, false}};
  for (const Case& each : cases) {
    EXPECT_EQ(TraceIdOf(each.header), each.is_valid ? trace : "") << each.header;
  }
}

}  // namespace
}  // namespace emptor::services

// Reading a stream of server-sent events.
#include "services/http/sse_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace emptor::services {
namespace {

TEST(SseReaderTest, ReadsEventsHoweverTheyAreCut) {
  const std::string stream =
      "id: 1\nevent: start\ndata: {}\n\n: ping\n\nevent: delta\r\ndata: a\r\n\r\n";
  for (size_t cut = 1; cut < stream.size(); ++cut) {
    std::string seen;
    SseReader reader([&](std::string_view name, std::string_view data) {
      seen += std::string(name) + "=" + std::string(data) + ";";
    });
    reader.Push(std::string_view(stream).substr(0, cut));
    reader.Push(std::string_view(stream).substr(cut));
    EXPECT_EQ(seen, "start={};delta=a;") << cut;
  }
}

}  // namespace
}  // namespace emptor::services

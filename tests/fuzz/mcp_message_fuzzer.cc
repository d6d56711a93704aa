// Messages of the MCP endpoint: three lines of header values, then the body; read or refused.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/mcp/mcp_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto line = [&rest] {
    const size_t end = rest.find('\n');
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return taken;
  };
  const std::string_view version = line();
  const std::string_view method = line();
  const std::string_view name = line();
  const McpReading reading = ReadMcpMessage(rest, {version, method, name});
  // What is taken has a method; what is refused says why.
  if (!reading.error && reading.message.method.empty()) std::abort();
  if (reading.error && (reading.error->message.empty() || reading.error->http_status != 400)) {
    std::abort();
  }
  return 0;
}

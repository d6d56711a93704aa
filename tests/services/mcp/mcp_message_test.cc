// Each way in which a message may be wrong, and the revisions.
#include "services/mcp/mcp_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMetaOfRequest =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

std::string RequestText(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params + "}}";
}

TEST(McpMessageTest, ReadsARequestThatCarriesItsVersion) {
  const McpReading reading =
      ReadMcpMessage(RequestText("tools/call", std::string(R"("name":"ask",)") + kMetaOfRequest),
                     {"2026-07-28", "tools/call", "ask"});
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.message.id, "7");
  EXPECT_EQ(reading.message.method, "tools/call");
  EXPECT_FALSE(reading.message.has_handshake);
  EXPECT_EQ(reading.message.params.Find("name")->as_string(), "ask");
}

TEST(McpMessageTest, ReadsAnEncodedName) {
  const std::string body =
      RequestText("tools/call", std::string(R"("name":"ask",)") + kMetaOfRequest);
  EXPECT_FALSE(ReadMcpMessage(body, {"2026-07-28", "tools/call", "=?base64?YXNr?="}).error);
  EXPECT_TRUE(ReadMcpMessage(body, {"2026-07-28", "tools/call", "=?base64?YXN?="}).error);
  EXPECT_TRUE(ReadMcpMessage(body, {"2026-07-28", "tools/call", "=?base64?="}).error);
}

TEST(McpMessageTest, ReadsRevisionsWithAHandshake) {
  for (const char* version : {"", "2025-06-18", "2025-11-25"}) {
    const McpReading reading = ReadMcpMessage(RequestText("tools/list", ""), {version, "", ""});
    ASSERT_FALSE(reading.error) << version << reading.error->message;
    EXPECT_TRUE(reading.message.has_handshake) << version;
  }
  // `initialize` begins a handshake whatever the header says.
  EXPECT_TRUE(ReadMcpMessage(RequestText("initialize", ""), {"2026-07-28", "initialize", ""})
                  .message.has_handshake);
  const McpReading note =
      ReadMcpMessage(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {"", "", ""});
  EXPECT_FALSE(note.error);
  EXPECT_EQ(note.message.id, "");
  EXPECT_EQ(ReadMcpMessage(R"({"jsonrpc":"2.0","id":"a\"b","method":"ping"})", {}).message.id,
            R"("a\"b")");
}

struct Wrong {
  std::string body;
  McpHeaders headers;
  int code;
  const char* message;
};

TEST(McpMessageTest, SaysWhatIsWrong) {
  const std::string meta = kMetaOfRequest;
  const std::string list = RequestText("tools/list", meta);
  const std::string call = RequestText("tools/call", R"("name":"ask",)" + meta);
  const McpHeaders good = {"2026-07-28", "tools/list", ""};
  const std::string other = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01",)"
                            R"("io.modelcontextprotocol/clientCapabilities":{}})";
  const std::string bare = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
  const Wrong cases[] = {
      {"", {}, mcp_code::kParseError, "body: "},
      {"{", {}, mcp_code::kParseError, "body: "},
      {std::string(70000, ' '), {}, mcp_code::kParseError, "body: "},
      {"[" + list + "]", good, mcp_code::kInvalidRequest, "one message in each POST"},
      {"7", {}, mcp_code::kInvalidRequest, "expected a JSON-RPC message"},
      {R"({"id":1,"method":"ping"})", {}, mcp_code::kInvalidRequest, "jsonrpc: "},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", {}, mcp_code::kInvalidRequest, "jsonrpc: "},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", {}, mcp_code::kInvalidRequest, "id: "},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", {}, mcp_code::kInvalidRequest, "id: "},
      {R"({"jsonrpc":"2.0","id":[],"method":"ping"})", {}, mcp_code::kInvalidRequest, "id: "},
      {R"({"jsonrpc":"2.0","id":")" + std::string(300, 'x') + R"(","method":"ping"})",
       {},
       mcp_code::kInvalidRequest,
       "id: "},
      {R"({"jsonrpc":"2.0","id":1})", {}, mcp_code::kInvalidRequest, "method: "},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", {}, mcp_code::kInvalidRequest, "method: "},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", {}, mcp_code::kInvalidRequest, "no responses"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})",
       {},
       mcp_code::kInvalidRequest,
       "params: "},
      {RequestText("ping", ""),
       {"1900-01-01", "", ""},
       mcp_code::kUnsupportedVersion,
       "1900-01-01"},
      {RequestText("ping", ""),
       {"2026-07-28", "", ""},
       mcp_code::kInvalidParams,
       "protocolVersion"},
      {RequestText("tools/list", other),
       {"1900-01-01", "tools/list", ""},
       mcp_code::kUnsupportedVersion,
       "data.supported"},
      {RequestText("tools/list", bare), good, mcp_code::kInvalidParams, "clientCapabilities"},
      {list, {"", "tools/list", ""}, mcp_code::kHeaderMismatch, "MCP-Protocol-Version: the header"},
      {list, {"2025-11-25", "tools/list", ""}, mcp_code::kHeaderMismatch, "the body 2026-07-28"},
      {list,
       {"2026-07-28", "", ""},
       mcp_code::kHeaderMismatch,
       "Mcp-Method: the header is missing"},
      {list, {"2026-07-28", "tools/call", ""}, mcp_code::kHeaderMismatch, "send the same in both"},
      {call,
       {"2026-07-28", "tools/call", ""},
       mcp_code::kHeaderMismatch,
       "Mcp-Name: the header is"},
      {call, {"2026-07-28", "tools/call", "x"}, mcp_code::kHeaderMismatch, "Mcp-Name: the header"}};
  for (const Wrong& each : cases) {
    const McpReading reading = ReadMcpMessage(each.body, each.headers);
    const std::string shown = each.body.substr(0, 120);
    ASSERT_TRUE(reading.error) << shown;
    EXPECT_EQ(reading.error->code, each.code) << shown << reading.error->message;
    EXPECT_THAT(reading.error->message, HasSubstr(each.message)) << shown;
    EXPECT_EQ(reading.error->http_status, 400) << shown;
  }
}

TEST(McpMessageTest, AnErrorHasTheIdWhereItCouldBeRead) {
  EXPECT_EQ(ReadMcpMessage(RequestText("ping", ""), {"1900-01-01", "", ""}).message.id, "7");
  EXPECT_EQ(ReadMcpMessage("{", {}).message.id, "");
  EXPECT_EQ(UnsupportedVersionData("1900-01-01"),
            R"({"supported":["2026-07-28","2025-11-25","2025-06-18"],"requested":"1900-01-01"})");
}

}  // namespace
}  // namespace emptor::services

// The tools of the endpoint at work.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "services/api/api_errors.h"
#include "services/mcp/mcp_message.h"
#include "services/mcp/mcp_progress.h"
#include "services/mcp/mcp_routes.h"

namespace emptor::services {

/// Answers requests of `tools/call`. Lifetime: by shared ownership, until the last is answered.
/// Thread-safety: const methods from any thread.
class McpCalls : public std::enable_shared_from_this<McpCalls> {
 public:
  explicit McpCalls(McpRoutesParts parts) : parts_(std::move(parts)) {}

  /// Answers the exchange, now or later.
  void Call(const std::shared_ptr<Exchange>& exchange, const McpMessage& message) const;

 private:
  struct CallOfTool {
    std::shared_ptr<Exchange> exchange;
    McpMessage message;
    catalog::JsonValue arguments;
    std::string base_url;
    std::string_view tool;                       // of static text
    std::shared_ptr<McpProgress> progress = {};  // null: the answer is in one piece
  };
  struct ToolAnswer {
    std::string text, json;
  };
  using Tool = absl::StatusOr<ToolAnswer> (McpCalls::*)(const CallOfTool&) const;

  absl::StatusOr<ToolAnswer> Search(const CallOfTool& call) const;
  absl::StatusOr<ToolAnswer> Product(const CallOfTool& call) const;
  absl::StatusOr<ToolAnswer> Compare(const CallOfTool& call) const;
  absl::StatusOr<ToolAnswer> Policies(const CallOfTool& call) const;
  void Ask(CallOfTool call) const;

  /// On the workers.
  void Submit(CallOfTool call, Tool tool) const;
  void Answer(const CallOfTool& call, const absl::StatusOr<ToolAnswer>& answer) const;
  static void Send(const CallOfTool& call, Response answer);
  void Fail(const CallOfTool& call, const ApiError& error) const;
  void Refuse(Exchange& exchange, const McpMessage& message, std::string text) const;

  const McpRoutesParts parts_;
};

}  // namespace emptor::services

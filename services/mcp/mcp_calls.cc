// Arguments in, answers of shop_answers.h and of the assistant out.
#include "services/mcp/mcp_calls.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <set>
#include <utility>

#include "services/api/assist_listeners.h"
#include "services/api/faq_codec.h"
#include "services/api/request_codec.h"
#include "services/api/shop_answers.h"
#include "services/api/shop_routes.h"
#include "services/api/shopper.h"
#include "services/mcp/mcp_reply.h"
#include "services/mcp/mcp_text.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using std::chrono::steady_clock;

constexpr size_t kMaxProductIdBytes = 64;
constexpr size_t kMinCompared = 2, kMaxCompared = 10;

constexpr std::string_view kSearch = "search_products", kProduct = "get_product",
                           kCompare = "compare_products", kPolicies = "shop_policies", kAsk = "ask";

double SecondsSince(steady_clock::time_point begun) {
  return std::chrono::duration<double>(steady_clock::now() - begun).count();
}

/// `locale` and `currency` of the arguments.
struct MarketArguments {
  std::string locale;
  catalog::Market market;
};
MarketArguments ReadMarketOf(ObjectReader& reader) {
  MarketArguments read;
  ReadMarket(reader, read.locale, read.market.currency);
  read.market.region = catalog::RegionOfLocale(read.locale);
  return read;
}

}  // namespace

absl::StatusOr<McpCalls::ToolAnswer> McpCalls::Search(const CallOfTool& call) const {
  const auto begun = steady_clock::now();
  auto body = ReadSearchBody(call.arguments);
  if (!body.ok()) return body.status();
  const std::string locale = body->locale;
  auto answer = AnswerSearch(parts_.shop, *std::move(body),
                             {parts_.shop_name, call.base_url, parts_.now_unix()});
  if (!answer.ok()) return answer.status();
  if (parts_.on_search) parts_.on_search(SecondsSince(begun));
  return ToolAnswer{SearchText(*answer, call.base_url, locale), std::move(answer->json)};
}

absl::StatusOr<McpCalls::ToolAnswer> McpCalls::Product(const CallOfTool& call) const {
  ObjectReader reader(call.arguments, "");
  reader.Allow({"id", "locale", "currency"});
  std::string id;
  reader.Text("id", kMaxProductIdBytes, id);
  if (id.empty()) reader.Fail("id", "expected a product's id");
  const MarketArguments market = ReadMarketOf(reader);
  if (!reader.ok()) return reader.status();
  auto answer = AnswerProduct(parts_.shop, id, market.market,
                              {parts_.shop_name, call.base_url, parts_.now_unix()});
  if (!answer.ok()) return answer.status();
  return ToolAnswer{ProductText(answer->shown, call.base_url, market.locale),
                    std::move(answer->json)};
}

absl::StatusOr<McpCalls::ToolAnswer> McpCalls::Compare(const CallOfTool& call) const {
  ObjectReader reader(call.arguments, "");
  reader.Allow({"ids", "locale", "currency"});
  std::vector<std::string> ids;
  reader.Texts("ids", ids);
  if (ids.size() < kMinCompared || ids.size() > kMaxCompared) {
    reader.Fail("ids", fmt::format("expected {} to {} ids", kMinCompared, kMaxCompared));
  }
  if (std::set<std::string>(ids.begin(), ids.end()).size() != ids.size()) {
    reader.Fail("ids", "expected ids that differ");
  }
  const MarketArguments market = ReadMarketOf(reader);
  if (!reader.ok()) return reader.status();
  auto answer = AnswerComparison(parts_.shop, ids, market.market, market.locale,
                                 {parts_.shop_name, call.base_url, parts_.now_unix()});
  if (!answer.ok()) return answer.status();
  std::string text = ComparisonText(*answer);
  return ToolAnswer{std::move(text), std::move(answer->json)};
}

absl::StatusOr<McpCalls::ToolAnswer> McpCalls::Policies(const CallOfTool& call) const {
  const auto begun = steady_clock::now();
  auto question = ReadFaqQuestion(call.arguments);
  if (!question.ok()) return question.status();
  question->now_unix = parts_.now_unix();
  const auto reply = LookUpFaq(parts_.shop, *question);
  if (!reply.ok()) return reply.status();
  if (parts_.on_lookup) parts_.on_lookup(*reply, SecondsSince(begun));
  return ToolAnswer{FaqText(*reply), FaqReplyJson(*reply)};
}

void McpCalls::Ask(CallOfTool call) const {
  AssistRequest request;
  ObjectReader reader(call.arguments, "");
  reader.Allow(kQuestionMembers, {"message"});
  ReadQuestionText(reader, "message", request);
  ReadQuestionMembers(reader, request);
  auto owner = OwnerOf(call.exchange->request(), parts_.shop_name);
  if (owner.ok()) request.owner = *std::move(owner);
  reader.Take(owner.status());
  if (!reader.ok()) return Fail(call, DescribeError(reader.status()));
  if (!call.exchange->ReserveTokens()) return;
  request.request_id = call.exchange->request().id;
  request.link_base = call.base_url;
  const std::stop_source stop;
  call.progress = McpProgress::Of(call.exchange, call.message, stop);
  AnswerCollector::OnEnd on_end;
  on_end.done = [self = shared_from_this(), call](const WholeAnswer& answer) {
    self->Answer(call, ToolAnswer{answer.text, WholeAnswerJson(answer, call.base_url)});
  };
  on_end.failed = [self = shared_from_this(), call](const ApiError& error) {
    self->Fail(call, error);
  };
  if (call.progress != nullptr) {
    on_end.written = [progress = call.progress](const std::string& piece) {
      return progress->Write(piece);
    };
  }
  auto listener = std::make_shared<AnswerCollector>(call.exchange, std::move(on_end), stop);
  request.stop = listener->stop_token();
  parts_.assistant.Ask(std::move(request), std::move(listener));
}

void McpCalls::Answer(const CallOfTool& call, const absl::StatusOr<ToolAnswer>& answer) const {
  if (!answer.ok()) return Fail(call, DescribeError(answer.status()));
  if (parts_.on_call) parts_.on_call(call.tool, /*is_error=*/false);
  Send(call, MakeToolResult(call.message, answer->text, answer->json));
}

void McpCalls::Send(const CallOfTool& call, Response answer) {
  if (call.progress != nullptr) return call.progress->Finish(std::move(answer));
  call.exchange->Respond(std::move(answer));
}

void McpCalls::Fail(const CallOfTool& call, const ApiError& error) const {
  if (parts_.on_call) parts_.on_call(call.tool, /*is_error=*/true);
  call.exchange->CountTokens(0);
  Send(call, MakeToolError(call.message, ToolErrorText(error, call.exchange->request().id)));
}

void McpCalls::Submit(CallOfTool call, Tool tool) const {
  auto shared = std::make_shared<const CallOfTool>(std::move(call));
  const bool taken = parts_.workers.TrySubmit(
      [self = shared_from_this(), shared, tool] { self->Answer(*shared, (*self.*tool)(*shared)); });
  if (!taken) Fail(*shared, DescribeError(absl::ResourceExhaustedError("the queue is full")));
}

void McpCalls::Refuse(Exchange& exchange, const McpMessage& message, std::string text) const {
  if (parts_.on_call) parts_.on_call("other", /*is_error=*/true);
  exchange.Respond(
      MakeMcpError({.code = mcp_code::kInvalidParams, .message = std::move(text)}, message.id));
}

void McpCalls::Call(const std::shared_ptr<Exchange>& exchange, const McpMessage& message) const {
  struct Row {
    std::string_view name;
    Tool tool;  // null: of the assistant
  };
  static constexpr std::array<Row, 5> kTools = {{{kSearch, &McpCalls::Search},
                                                 {kProduct, &McpCalls::Product},
                                                 {kCompare, &McpCalls::Compare},
                                                 {kPolicies, &McpCalls::Policies},
                                                 {kAsk, nullptr}}};
  const JsonValue* name = message.params.Find("name");
  if (name == nullptr || !name->is_string()) {
    return Refuse(*exchange, message, "params.name: expected the name of a tool of tools/list");
  }
  const JsonValue* arguments = message.params.Find("arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    return Refuse(*exchange, message, "params.arguments: expected an object");
  }
  for (const Row& row : kTools) {
    if (row.name != name->as_string()) continue;
    CallOfTool call{exchange, message,
                    arguments == nullptr ? JsonValue(JsonValue::Object()) : *arguments,
                    BaseUrl(parts_.public_url, exchange->request()), row.name};
    if (row.tool == nullptr) return Ask(std::move(call));
    return Submit(std::move(call), row.tool);
  }
  Refuse(
      *exchange, message,
      fmt::format("params.name: no tool {}: tools/list has {}, {}, {}, {} and {}",
                  name->as_string().substr(0, 64), kSearch, kProduct, kCompare, kPolicies, kAsk));
}

}  // namespace emptor::services

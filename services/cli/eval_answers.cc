// emptor eval answers.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/api/reply_codec.h"
#include "services/app/service_file.h"
#include "services/app/service_parts.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"
#include "services/eval/answer_diff.h"
#include "services/eval/answer_page.h"
#include "services/eval/answer_report.h"
#include "services/eval/eval_catalog.h"
#include "services/http/sse_reader.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

struct EvalAnswersCommand {
  std::string cases;     // <shop>.jsonl, with <shop>.types.json next to it
  std::string url;       // of a service; empty: the shop is opened here
  std::string products;  // a feed with the records of the service's shop
  std::string only;      // a conversation's id
  std::string json, report;
  std::vector<std::string> diff;
  double gate = 0;
  bool failures = false;
};

constexpr std::string_view kCasesEnding = ".jsonl";

/// Passes the events of an answer of this process on, as JSON.
class EventListener final : public AssistListener {
 public:
  explicit EventListener(const OnAnswerEvent& on_event) : on_event_(on_event) {}

  void OnRefused(const absl::Status& status) override {
    Pass("error", fmt::format(R"({{"code":"{}"}})", absl::StatusCodeToString(status.code())));
    End();
  }
  bool OnEvent(const AssistEvent& event) override {
    Pass(EventName(event), EventJson(event, "", ""));
    const bool ends =
        std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event);
    if (ends) End();
    return true;
  }
  void WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
  }

 private:
  void Pass(std::string_view name, const std::string& data) {
    const auto json = catalog::ParseJson(data);
    if (json.ok()) on_event_(name, *json);
  }
  void End() {
    std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  const OnAnswerEvent& on_event_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;  // guarded by mutex_
};

AskAssistant AskHere(const ServiceParts& parts) {
  return [&parts](const AskedTurn& turn, const OnAnswerEvent& on_event) {
    AssistRequest request;
    request.message = turn.message;
    request.conversation_id = turn.conversation_id;
    request.locale = turn.locale;
    request.cache_control = CacheControl::kNoStore;  // every answer is measured
    const auto listener = std::make_shared<EventListener>(on_event);
    parts.assistant->Ask(std::move(request), listener);
    listener->WaitForEnd();
    return absl::OkStatus();
  };
}

AskAssistant AskServer(const std::string& url, const Config& config) {
  return [&url, headers = FindTarget(url, config).headers](const AskedTurn& turn,
                                                           const OnAnswerEvent& on_event) {
    catalog::JsonWriter body;
    body.BeginObject().Member("message", turn.message);
    if (!turn.conversation_id.empty()) body.Member("conversation_id", turn.conversation_id);
    if (!turn.locale.empty()) body.Member("locale", turn.locale);
    body.EndObject();
    SseReader reader([&](std::string_view name, std::string_view data) {
      const auto json = catalog::ParseJson(data);
      if (json.ok()) on_event(name, *json);
    });
    const auto reply = HttpPost({.url = url + "/v1/assist",
                                 .headers = headers,
                                 .body = body.text(),
                                 .on_piece = [&](std::string_view piece) {
                                   reader.Push(piece);
                                   return true;
                                 }});
    if (!reply.ok()) return reply.status();
    if (reply->status != 200) {
      const auto refusal =
          catalog::ParseJson(fmt::format(R"({{"code":"http {}"}})", reply->status));
      if (refusal.ok()) on_event("error", *refusal);
    }
    return absl::OkStatus();
  };
}

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), path + ": " + std::string(status.message()));
}

absl::StatusOr<std::vector<CaseConversation>> ReadCases(const EvalAnswersCommand& command) {
  const auto text = ReadFile(command.cases);
  if (!text.ok()) return text.status();
  auto cases = ParseCases(*text);
  if (!cases.ok()) return InFile(command.cases, cases.status());
  if (!command.only.empty()) {
    std::erase_if(*cases, [&](const auto& each) { return each.id != command.only; });
  }
  if (cases->empty()) return absl::NotFoundError(command.cases + ": no such conversation");
  return cases;
}

/// The types of "shop.types.json", and those that "shop-part.jsonl" adds in "shop-part.types.json".
absl::StatusOr<CaseTypes> ReadTypes(const EvalAnswersCommand& command) {
  std::string part = command.cases;
  if (part.ends_with(kCasesEnding)) part.resize(part.size() - kCasesEnding.size());
  const size_t name = part.find_last_of('/') == std::string::npos ? 0 : part.find_last_of('/') + 1;
  const std::string shop = part.substr(0, std::min(part.find('-', name), part.size()));
  CaseTypes all;
  for (const std::string& each : {part, shop}) {
    const std::string path = each + ".types.json";
    const auto text = ReadFile(path);
    const bool is_optional = each != shop;
    if (absl::IsNotFound(text.status()) && is_optional) continue;
    if (!text.ok()) return text.status();
    auto types = ParseCaseTypes(*text);
    if (!types.ok()) return InFile(path, types.status());
    all.merge(*types);  // keeps those of the part
    if (part == shop) break;
  }
  return all;
}

absl::StatusOr<std::vector<catalog::Product>> ReadRecords(const Config& config,
                                                          const EvalAnswersCommand& command) {
  if (command.products.empty()) {
    auto stored = ReadStoredRecords(ShopPath(config));
    if (!stored.ok()) return ExplainLock(config.data_dir, stored.status());
    return stored;
  }
  auto read = ReadFeedProducts(command.products, [](uint64_t, std::string_view) {});
  if (!read.ok()) return read.status();
  std::vector<catalog::Product> products;
  for (auto& each : *read) products.push_back(std::move(each.product));
  return products;
}

absl::StatusOr<std::vector<JudgedTurn>> Hold(const Config& config,
                                             const EvalAnswersCommand& command,
                                             const std::vector<CaseConversation>& cases) {
  const auto types = ReadTypes(command);
  if (!types.ok()) return types.status();
  auto products = ReadRecords(config, command);
  if (!products.ok()) return products.status();
  const GoldRecords records(*std::move(products), *types, std::time(nullptr));
  if (absl::Status status = records.Check(cases); !status.ok()) {
    return InFile(command.cases, status);
  }
  if (!command.url.empty()) {
    return HoldConversations(cases, records, AskServer(command.url, config));
  }
  SetLogLevel("off");
  const auto parts = OpenServiceParts(config, /*create_if_missing=*/false);
  if (!parts.ok()) return parts.status();
  return HoldConversations(cases, records, AskHere(**parts));
}

int RunDiff(const EvalAnswersCommand& command) {
  const auto before = ReadFile(command.diff[0]);
  if (!before.ok()) return Fail(before.status());
  const auto after = ReadFile(command.diff[1]);
  if (!after.ok()) return Fail(after.status());
  const auto diff = CompareAnswerReports(*before, *after);
  if (!diff.ok()) return Fail(diff.status());
  std::fputs(AnswerDiffText(*diff).c_str(), stdout);
  if (command.report.empty()) return 0;
  const absl::Status written = WriteFile(command.report, AnswerDiffPage(*diff));
  return written.ok() ? 0 : Fail(written);
}

int RunEvalAnswers(const Config& config, const EvalAnswersCommand& command) {
  if (!command.diff.empty()) return RunDiff(command);
  const auto cases = ReadCases(command);
  if (!cases.ok()) return Fail(cases.status());
  const auto turns = Hold(config, command, *cases);
  if (!turns.ok()) return FailForShop(config, turns.status());
  std::fputs(AnswerReportText(*turns, command.failures).c_str(), stdout);
  absl::Status written;
  if (!command.json.empty()) written = WriteFile(command.json, AnswerReportJson(*turns));
  if (written.ok() && !command.report.empty()) {
    written = WriteFile(command.report, AnswerPage(*turns));
  }
  if (!written.ok()) return Fail(written);
  const double right = ShareRight(*turns);
  if (right >= command.gate) return 0;
  std::fprintf(stderr, "emptor: %.3f of the answers are right, the gate is %.3f\n", right,
               command.gate);
  return 1;
}

}  // namespace

void AddEvalAnswersCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalAnswersCommand>();
  const Command command =
      eval.AddCommand("answers", "hold the conversations of a case file and judge each answer");
  settings.AddForServe(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add(
      "--cases", options->cases,
      "conversations; the types that SHOP.jsonl or SHOP-PART.jsonl name are in SHOP.types.json");
  command.Add("--url", options->url, "URL of a service to ask (the shop is opened here)");
  command.Add("--products", options->products, "feed with the records of the service's shop");
  command.Add("--only", options->only, "hold the conversation of this id alone");
  command.AddSwitch("--failures", options->failures, "print each failed turn; never a sealed one");
  command.Add("--json", options->json, "write one JSON object a turn to this file");
  command.Add("--report", options->report,
              "write an HTML page with tables and failures to this file; with --diff: of the "
              "changed answers");
  command.Add("--diff", options->diff, "compare two files of --json, hold no conversation")
      .Count(2);
  command.Add("--gate", options->gate, "return 1 unless this share of the answers is right")
      .Range(0.0, 1.0);
  settings.OnRun(
      command, [options](const Config& config) { return RunEvalAnswers(config, *options); },
      [options] { return options->cases.empty() && options->diff.empty() ? "--cases" : ""; });
}

}  // namespace emptor::services

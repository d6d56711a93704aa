// emptor ask.
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/api/reply_codec.h"
#include "services/app/replay.h"
#include "services/app/service_parts.h"
#include "services/cli/answer_printer.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"
#include "services/http/sse_reader.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

struct AskCommand {
  std::string question;
  std::string url;
  std::string locale;
  std::string trace;   // file to write
  std::string replay;  // file or id to run again
};

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void PrintEvent(AnswerPrinter& printer, std::string_view name, std::string_view data) {
  const auto json = catalog::ParseJson(data);
  if (json.ok()) printer.OnEvent(name, *json);
}

/// Listens to an answer made in this process.
class PrintingListener final : public AssistListener {
 public:
  PrintingListener(AnswerPrinter& printer, std::string base_url)
      : printer_(printer), base_url_(std::move(base_url)) {}

  void OnRefused(const absl::Status& status) override {
    std::lock_guard lock(mutex_);
    status_ = status;
    ended_ = true;
    changed_.notify_all();
  }
  bool OnEvent(const AssistEvent& event) override {
    std::lock_guard lock(mutex_);
    PrintEvent(printer_, EventName(event), EventJson(event, base_url_, ""));
    ended_ = std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event);
    if (ended_) changed_.notify_all();
    return true;
  }
  absl::Status WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
    return status_;
  }

 private:
  AnswerPrinter& printer_;
  const std::string base_url_;
  std::mutex mutex_;
  std::condition_variable changed_;
  absl::Status status_;  // guarded by mutex_
  bool ended_ = false;   // guarded by mutex_
};

int AskService(const ServiceTarget& service, const Config& config, const AskCommand& command) {
  const std::string& url = service.url;
  catalog::JsonWriter body;
  body.BeginObject().Member("message", command.question);
  if (!command.locale.empty()) body.Member("locale", command.locale);
  body.EndObject();
  AnswerPrinter printer(url, Print);
  SseReader reader(
      [&](std::string_view name, std::string_view data) { PrintEvent(printer, name, data); });
  const auto reply = HttpPost({.url = url + "/v1/assist",
                               .headers = service.headers,
                               .body = body.text(),
                               .on_piece = [&](std::string_view piece) {
                                 reader.Push(piece);
                                 return true;
                               }});
  if (!reply.ok()) return Fail(reply.status());
  if (absl::Status status = CheckReply(url, *reply); !status.ok()) {
    return FailForShop(config, status);
  }
  return printer.done() ? 0 : 1;
}

int AskHere(const Config& config, const AskCommand& command) {
  SetLogLevel("off");
  auto parts = OpenServiceParts(config, /*create_if_missing=*/false);
  if (!parts.ok()) return FailForShop(config, parts.status());
  std::string trace;
  if (!command.trace.empty()) {
    ServiceParts& here = **parts;
    here.assistant =
        MakeAssistant(here, config.shop, *here.shops.shop, *here.conversations,
                      [&trace](const AnswerTrace& made) { trace = made.ToJson() + "\n"; });
  }
  const std::string base_url = config.public_url;
  AnswerPrinter printer(base_url, Print);
  AssistRequest request;
  request.message = command.question;
  request.locale = command.locale;
  auto listener = std::make_shared<PrintingListener>(printer, base_url);
  (*parts)->assistant->Ask(std::move(request), listener);
  absl::Status status = listener->WaitForEnd();
  parts->reset();  // the trace is made after the end
  if (status.ok() && !command.trace.empty()) status = WriteFile(command.trace, trace);
  if (!status.ok()) return Fail(status);
  return printer.done() ? 0 : 1;
}

/// 0 when the turn gives the recorded text; 1 when it differs.
int Replay(const Config& config, const AskCommand& command) {
  SetLogLevel("off");
  AnswerPrinter printer(config.public_url, Print);
  const auto replayed = ReplayAnswer(
      config, command.replay, std::make_shared<PrintingListener>(printer, config.public_url));
  if (!replayed.ok()) return FailForShop(config, replayed.status());
  Print("\n" + replayed->description);
  return replayed->is_same_text ? 0 : 1;
}

int RunAsk(const Config& config, const AskCommand& command) {
  if (!command.replay.empty()) return Replay(config, command);
  const ServiceTarget service = FindTarget(command.url, config);
  const std::string& url = service.url;
  if (!url.empty() && !command.trace.empty()) {
    return Fail(absl::FailedPreconditionError(
        "--trace: the service at " + url +
        " answers: stop it, or let it keep traces (trace_megabytes) and use --replay ID"));
  }
  return url.empty() ? AskHere(config, command) : AskService(service, config, command);
}

}  // namespace

void AddAskCommand(Command root, SettingFlags& settings) {
  const auto ask = std::make_shared<AskCommand>();
  const Command command = root.AddCommand("ask", "ask the assistant");
  settings.AddForServe(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add("QUESTION", ask->question, "a shopper's message; not with --replay");
  command.Add("--url", ask->url, "URL of the service");
  command.Add("--locale", ask->locale, "such as en-US or zh-CN");
  command.Add("--trace", ask->trace, "file for the trace of the answer, as JSON");
  command.Add("--replay", ask->replay,
              "trace to run again, in place of a question: a file, or the id of an answer");
  settings.OnRun(
      command, [ask](const Config& config) { return RunAsk(config, *ask); },
      [ask] { return ask->question.empty() && ask->replay.empty() ? "QUESTION" : ""; });
}

}  // namespace emptor::services

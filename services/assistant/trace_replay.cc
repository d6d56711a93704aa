// An assistant over a conversation, a clock and a model that are all recorded.
#include "services/assistant/trace_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "catalog/money.h"
#include "catalog/validation.h"
#include "services/assistant/assistant.h"
#include "services/assistant/dialogue/conversation_codec.h"
#include "services/proto/answer_trace.pb.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxQueued = 64;
constexpr size_t kMaxMessageBytes = 4096;  // as assist_events.h says

/// Writes the recorded text.
class RecordedGenerator final : public TextGenerator {
 public:
  explicit RecordedGenerator(const assistant::v1::ModelRun& run) : run_(run) {}
  std::string model_name() const override { return run_.name(); }
  engine::ModelCapabilities capabilities() const override {
    return {run_.references(), {run_.languages().begin(), run_.languages().end()}};
  }
  PromptStyle prompt_style() const override {
    if (run_.references()) return PromptStyle::kReferences;
    return run_.without_examples() ? PromptStyle::kInstructions : PromptStyle::kExamples;
  }
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest,
                                                       GeneratorCallbacks callbacks) override {
    if (!run_.text().empty()) callbacks.on_text(run_.text());
    GeneratorUsage usage;
    usage.prompt_tokens = run_.prompt_tokens();
    usage.completion_tokens = run_.completion_tokens();
    callbacks.on_end(run_.finish_reason(), usage,
                     absl::Status(static_cast<absl::StatusCode>(run_.error_code()), run_.error()));
    return std::make_unique<Ended>();
  }

 private:
  class Ended final : public Generation {
   public:
    void Cancel() override {}
  };
  const assistant::v1::ModelRun run_;
};

/// Hands events on; keeps the refusal.
class Listener final : public AssistListener {
 public:
  explicit Listener(std::shared_ptr<AssistListener> next) : next_(std::move(next)) {}
  void OnRefused(const absl::Status& status) override {
    refusal = status;
    if (next_ != nullptr) next_->OnRefused(status);
  }
  bool OnEvent(const AssistEvent& event) override {
    if (next_ != nullptr) next_->OnEvent(event);
    return true;
  }
  absl::Status refusal;  // read after the end

 private:
  const std::shared_ptr<AssistListener> next_;
};

AssistRequest RequestOf(const assistant::v1::TraceRequest& in) {
  AssistRequest request;
  request.message = in.message();
  request.locale = in.locale();
  request.currency = in.currency();
  request.filter = ReadFilter(in.filter());
  for (int part = 0; part < retrieval::kFilterPartCount; ++part) {
    const auto each = static_cast<retrieval::FilterPart>(part);
    const auto& named = in.named_filters();
    if (std::find(named.begin(), named.end(), retrieval::ToString(each)) != named.end()) {
      request.named_filters.Insert(each);
    }
  }
  request.page_product_id = in.page_product_id();
  request.max_tokens = in.max_tokens();
  request.link_base = in.link_base();
  return request;
}

/// What the API would refuse is no recorded request.
absl::Status CheckRequest(const assistant::v1::AnswerTrace& trace) {
  const assistant::v1::TraceRequest& request = trace.request();
  const auto refuse = [](const std::string& field, const char* expected) {
    return absl::InvalidArgumentError("trace: " + field + ": expected " + expected);
  };
  if (request.message().empty() || request.message().size() > kMaxMessageBytes) {
    return refuse("request.message", "1 to 4096 bytes");
  }
  if (!request.locale().empty() && !catalog::IsValidLocale(request.locale())) {
    return refuse("request.locale", "a BCP 47 tag");
  }
  if (!request.currency().empty() && !catalog::IsCurrencyCode(request.currency())) {
    return refuse("request.currency", "three capital letters");
  }
  if (!request.page_product_id().empty() && !catalog::IsValidId(request.page_product_id())) {
    return refuse("request.page_product_id", "a product id");
  }
  if (!catalog::IsValidLocale(trace.options().default_locale())) {
    return refuse("options.default_locale", "a BCP 47 tag");
  }
  if (trace.before_size() > static_cast<int>(kMaxStoredTurns)) {
    return refuse("before", "at most 64 turns");
  }
  return absl::OkStatus();
}

AssistantOptions OptionsOf(const assistant::v1::TraceOptions& in) {
  constexpr int kMaxSources = 16, kMaxPromptTokens = 1 << 16;
  AssistantOptions options;
  options.prompt_tokens = std::clamp(in.prompt_tokens(), 1, kMaxPromptTokens);
  options.default_locale = in.default_locale();
  options.retriever.max_products = std::clamp(in.max_products(), 1, kMaxSources);
  options.retriever.max_documents = std::clamp(in.max_documents(), 0, kMaxSources);
  return options;
}

std::vector<std::string> HitsOf(const assistant::v1::AnswerTrace& trace) {
  std::vector<std::string> hits;
  for (const assistant::v1::Hit& hit : trace.hits()) hits.push_back(hit.id());
  return hits;
}

std::vector<std::string> VerdictsOf(const assistant::v1::AnswerTrace& trace) {
  std::vector<std::string> verdicts;
  for (const assistant::v1::SentenceVerdict& each : trace.verdicts()) {
    const std::string reason = each.reason().empty() ? "" : " (" + each.reason() + ")";
    verdicts.push_back(each.verdict() + reason + ": " + each.sentence());
  }
  return verdicts;
}

/// Of two lists what follows their common beginning and precedes their common end.
std::string DifferenceOf(std::vector<std::string> then, std::vector<std::string> now) {
  while (!then.empty() && !now.empty() && then.front() == now.front()) {
    then.erase(then.begin());
    now.erase(now.begin());
  }
  while (!then.empty() && !now.empty() && then.back() == now.back()) {
    then.pop_back();
    now.pop_back();
  }
  std::string text;
  for (const std::string& line : then) text += "- " + line + "\n";
  for (const std::string& line : now) text += "+ " + line + "\n";
  return text;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

absl::StatusOr<ReplayReport> ReplayTrace(const AnswerTrace& trace, const ShopReader& shop,
                                         Meanings meanings,
                                         std::shared_ptr<AssistListener> listener) {
  const assistant::v1::AnswerTrace& recorded = trace.message();
  if (absl::Status status = CheckRequest(recorded); !status.ok()) return status;
  RecordedGenerator generator(recorded.model());
  ConversationStore conversations({.turns = kMaxStoredTurns},
                                  [] { return std::chrono::steady_clock::now(); });
  AssistRequest request = RequestOf(recorded.request());
  const ConversationStore::Conversation conversation = conversations.Open("");
  request.conversation_id = conversation.id;
  for (const assistant::v1::Turn& turn : recorded.before()) {
    conversations.Append(conversation, ReadTurn(turn));
  }
  std::optional<AnswerTrace> again;
  std::optional<WorkerPool> workers(std::in_place, 1, kMaxQueued);
  AssistantParts parts{shop,           recorded.has_model() ? &generator : nullptr, conversations,
                       *workers,       [now = recorded.now_unix()] { return now; }, nullptr,
                       recorded.shop()};
  parts.meanings = std::move(meanings);
  parts.on_trace = [&again](const AnswerTrace& made) { again = made; };
  auto ending = std::make_shared<Listener>(std::move(listener));
  Assistant assistant(OptionsOf(recorded.options()), std::move(parts));
  assistant.Ask(std::move(request), ending);
  workers.reset();  // runs the answer to its end
  if (!ending->refusal.ok()) return ending->refusal;
  if (!again) return absl::InternalError("replay: the answer ended without a trace");
  ReplayReport report;
  report.text = again->text();
  report.is_same_text = again->text() == trace.text();
  report.is_same_prompt = again->message().prompt_hash() == recorded.prompt_hash();
  report.verdicts = VerdictsOf(again->message());
  report.verdicts_then = VerdictsOf(recorded);
  report.hits = HitsOf(again->message());
  report.hits_then = HitsOf(recorded);
  return report;
}

std::string DescribeReplay(const AnswerTrace& trace, const ReplayReport& report) {
  std::string text = fmt::format("replay of {}: {} text, {} prompt\n", trace.id(),
                                 report.is_same_text ? "same" : "another",
                                 report.is_same_prompt ? "same" : "another");
  if (report.hits != report.hits_then) {
    text += fmt::format("sources then: {}\nsources now:  {}\n", fmt::join(report.hits_then, " "),
                        fmt::join(report.hits, " "));
  }
  if (!report.is_same_verdicts()) {
    text += "sentences of the model:\n" + DifferenceOf(report.verdicts_then, report.verdicts);
  }
  if (report.is_same_text) return text;
  return text + DifferenceOf(LinesOf(trace.text()), LinesOf(report.text));
}

}  // namespace emptor::services

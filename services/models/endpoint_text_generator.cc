// Attempts and limits of one generation; HTTP and JSON are elsewhere.
#include "services/models/endpoint_text_generator.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <utility>

#include "services/client/api_key.h"
#include "services/client/circuit_breaker.h"
#include "services/client/http_streams.h"
#include "services/client/retry_policy.h"
#include "services/models/call_handle.h"
#include "services/models/chat_codec.h"
#include "services/models/chat_stream.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectTimeout{5000};
constexpr milliseconds kFirstWait{250};  // before the second attempt
constexpr size_t kMaxErrorBody = 4096;
constexpr size_t kBytesOfToken = 32;    // of text; a token has four on average
constexpr size_t kBytesOfEvent = 4096;  // of the event of a token

double SystemRandom() {
  thread_local std::minstd_rand engine{std::random_device()()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

double SecondsBetween(steady_clock::time_point from, steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

absl::StatusCode CodeOf(int http_status) {
  if (IsWorthRetrying(http_status)) return absl::StatusCode::kUnavailable;
  if (http_status == 401 || http_status == 403) return absl::StatusCode::kPermissionDenied;
  if (http_status == 404) return absl::StatusCode::kNotFound;
  return absl::StatusCode::kInvalidArgument;
}

/// To another machine.
bool LeavesUnencrypted(std::string_view url) {
  return url.starts_with("http://") && !url.starts_with("http://127.0.0.1") &&
         !url.starts_with("http://localhost") && !url.starts_with("http://[::1]");
}

/// What is wrong with one request says nothing of the next.
bool IsOfOneRequest(const absl::Status& status) { return absl::IsInvalidArgument(status); }

ChatStreamLimits LimitsOf(const GeneratorRequest& request) {
  const auto tokens = static_cast<size_t>(std::max(1, request.max_tokens));
  ChatStreamLimits limits;
  limits.max_text = tokens * kBytesOfToken;
  limits.max_bytes = (1u << 16) + tokens * kBytesOfEvent;
  return limits;
}

}  // namespace

struct EndpointTextGenerator::Impl {
  class Call;

  EndpointOptions options;
  ChatRoute route;
  std::vector<std::string> headers;
  CircuitBreaker breaker;
  mutable std::mutex mutex;
  Counts counts;         // guarded by mutex
  bool stopped = false;  // guarded by mutex
  HttpStreams streams;   // the last one: its destructor ends the calls

  void Count(uint64_t Counts::*member) {
    const std::lock_guard lock(mutex);
    ++(counts.*member);
  }
  absl::Status At(absl::StatusCode code, std::string_view what) const {
    return absl::Status(
        code, fmt::format("generator: {}: {}", route.url, WithoutKey(what, options.api_key)));
  }
  void Record(const absl::Status& status);
};

/// Logged once where the endpoint begins to fail, and once where it is back.
void EndpointTextGenerator::Impl::Record(const absl::Status& status) {
  if (status.ok()) {
    if (breaker.Succeed()) spdlog::info("generator: {}: answers again", route.url);
  } else if (absl::IsCancelled(status) || IsOfOneRequest(status)) {
    breaker.Abandon(steady_clock::now());
  } else if (breaker.Fail(std::string(status.message()), steady_clock::now(), options.random())) {
    spdlog::warn("{}; answers are written from the records", std::string(status.message()));
  }
}

/// One generation, of one or more attempts. All but Cancel and cancelled runs on the thread of the
/// streams.
class EndpointTextGenerator::Impl::Call final : public HttpStreamHandler,
                                                public std::enable_shared_from_this<Call> {
 public:
  Call(Impl& owner, const GeneratorRequest& request, GeneratorCallbacks callbacks)
      : owner_(owner),
        body_(ChatBody(owner.route.api, owner.options.settings.model, request)),
        limits_(LimitsOf(request)),
        callbacks_(std::move(callbacks)),
        begun_(steady_clock::now()),
        request_deadline_(request.deadline) {
    const GeneratorSettings& settings = owner.options.settings;
    last_ = std::min(request.deadline, begun_ + milliseconds(settings.timeout_ms));
    first_text_ = std::min(last_, begun_ + milliseconds(settings.first_token_ms));
  }

  void Cancel() {
    cancelled_ = true;
    owner_.streams.Wake();
  }

  void Send(steady_clock::time_point start) {
    ++attempts_;
    error_body_.clear();
    stream_.emplace(owner_.route.api, limits_, [this](std::string_view text) { TakeText(text); });
    owner_.Count(&Counts::requests);
    const auto left = std::chrono::ceil<milliseconds>(first_text_ - start);
    HttpStreamCall call{.url = owner_.route.url, .headers = owner_.headers, .body = body_};
    call.ca_file = owner_.options.settings.ca_file;
    call.connect_timeout = std::clamp(left, milliseconds(1), kConnectTimeout);
    call.start = start;
    owner_.streams.Start(std::move(call), shared_from_this());
  }
  /// Ends it unsent.
  void Refuse(const absl::Status& status) { callbacks_.on_end("error", MakeUsage(), status); }

  bool OnPiece(int http_status, std::string_view piece) override {
    if (http_status == 200) {
      stream_->Push(piece);
      return !stream_->done();
    }
    error_body_ += piece.substr(0, kMaxErrorBody - std::min(kMaxErrorBody, error_body_.size()));
    return error_body_.size() < kMaxErrorBody;
  }
  steady_clock::time_point deadline() const override {
    if (!text_at_) return first_text_;
    return std::min(last_, *text_at_ + milliseconds(owner_.options.settings.stall_ms));
  }
  bool cancelled() const override { return cancelled_; }

  void OnEnd(const HttpStreamEnd& end) override {
    const absl::Status status = Judge(end);
    if (!status.ok() && !absl::IsCancelled(status)) owner_.Count(&Counts::failures);
    if (absl::IsUnavailable(status) && !text_at_ && Retry(end)) return;
    owner_.Record(status);
    if (absl::IsCancelled(status)) {
      owner_.Count(&Counts::cancelled);
      return callbacks_.on_end("cancelled", MakeUsage(), status);
    }
    callbacks_.on_end(status.ok() ? stream_->finish_reason() : "error", MakeUsage(), status);
  }

 private:
  void TakeText(std::string_view text) {
    const auto now = steady_clock::now();
    if (!text_at_) ttft_ = SecondsBetween(begun_, now);
    text_at_ = now;
    callbacks_.on_text(text);
  }

  absl::Status Judge(const HttpStreamEnd& end) {
    if (cancelled_ || absl::IsCancelled(end.status)) return absl::CancelledError("cancelled");
    if (end.http_status == 0 || end.http_status == 200) {
      // A connection that is lost behind the last event does no harm.
      if (end.http_status == 200 && (end.status.ok() || !stream_->finish_reason().empty())) {
        stream_->Finish();
        if (stream_->failure().empty()) return absl::OkStatus();
        return owner_.At(absl::StatusCode::kDataLoss, stream_->failure());
      }
      if (absl::IsDeadlineExceeded(end.status)) return Late();
      const std::string why = end.status.ok() ? "no answer" : std::string(end.status.message());
      return owner_.At(end.status.ok() ? absl::StatusCode::kUnavailable : end.status.code(), why);
    }
    const std::string why = ReadChatError(error_body_);
    return owner_.At(CodeOf(end.http_status),
                     fmt::format("HTTP {}{}{}", end.http_status, why.empty() ? "" : ": ", why));
  }

  /// Which limit has passed.
  absl::Status Late() const {
    const GeneratorSettings& settings = owner_.options.settings;
    const auto now = steady_clock::now();
    if (now >= request_deadline_) {
      return owner_.At(absl::StatusCode::kDeadlineExceeded, "the deadline of the answer passed");
    }
    const bool is_whole = now >= last_;
    const int limit = is_whole   ? settings.timeout_ms
                      : text_at_ ? settings.stall_ms
                                 : settings.first_token_ms;
    const char* what = is_whole ? "no end of the text" : text_at_ ? "no more text" : "no text";
    return owner_.At(absl::StatusCode::kUnavailable, fmt::format("{} within {} ms", what, limit));
  }

  /// True: the next attempt is on its way.
  bool Retry(const HttpStreamEnd& end) {
    const auto now = steady_clock::now();
    RetryOptions retries;
    retries.attempts = owner_.options.settings.attempts;
    retries.first = kFirstWait;
    retries.longest = std::chrono::floor<milliseconds>(first_text_ - now);
    const bool is_too_long = end.retry_after > retries.longest;
    const auto wait = is_too_long || retries.longest <= kFirstWait
                          ? std::nullopt
                          : PlanRetry(retries, attempts_, end.retry_after, owner_.options.random());
    if (!wait) return false;
    owner_.Count(&Counts::retries);
    Send(now + *wait);
    return true;
  }

  GeneratorUsage MakeUsage() const {
    GeneratorUsage usage;
    if (stream_) {
      usage.prompt_tokens = stream_->prompt_tokens();
      usage.completion_tokens = stream_->completion_tokens();
      // A server that counts nothing sends about one token a piece.
      if (usage.completion_tokens == 0) usage.completion_tokens = stream_->pieces();
    }
    usage.ttft_seconds = ttft_;
    usage.total_seconds = SecondsBetween(begun_, steady_clock::now());
    return usage;
  }

  Impl& owner_;
  const std::string body_;
  const ChatStreamLimits limits_;
  const GeneratorCallbacks callbacks_;
  const steady_clock::time_point begun_, request_deadline_;
  steady_clock::time_point last_, first_text_;  // limits of the end and of the first text
  std::atomic<bool> cancelled_{false};
  int attempts_ = 0;
  std::optional<ChatStream> stream_;  // of this attempt
  std::string error_body_;
  std::optional<steady_clock::time_point> text_at_;  // the latest text
  double ttft_ = 0;
};

EndpointTextGenerator::EndpointTextGenerator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EndpointTextGenerator::~EndpointTextGenerator() { Stop(); }

void EndpointTextGenerator::Stop() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopped = true;
  }
  impl_->streams.Stop();
}

absl::StatusOr<std::unique_ptr<EndpointTextGenerator>> EndpointTextGenerator::Open(
    EndpointOptions options) {
  auto impl = std::make_unique<Impl>();
  auto route = ParseChatUrl(options.url, options.settings.api);
  if (!route.ok()) return route.status();
  impl->route = *std::move(route);
  if (!options.random) options.random = &SystemRandom;
  const bool is_anthropic = impl->route.api == ChatApi::kAnthropic;
  if (is_anthropic && options.settings.model.empty()) {
    return absl::InvalidArgumentError("generator: model: expected the name that " +
                                      impl->route.url + " knows it by, found nothing");
  }
  impl->headers = {"Accept: text/event-stream"};
  if (is_anthropic) impl->headers.push_back("anthropic-version: 2023-06-01");
  if (!options.api_key.empty()) {
    impl->headers.push_back((is_anthropic ? "x-api-key: " : "Authorization: Bearer ") +
                            options.api_key);
    if (LeavesUnencrypted(impl->route.url)) {
      spdlog::warn("generator: {}: the key is sent without encryption", impl->route.url);
    }
  }
  impl->options = std::move(options);
  return std::unique_ptr<EndpointTextGenerator>(new EndpointTextGenerator(std::move(impl)));
}

std::string EndpointTextGenerator::model_name() const {
  const std::string& model = impl_->options.settings.model;
  return model.empty() ? "endpoint" : model;
}

engine::ModelCapabilities EndpointTextGenerator::capabilities() const {
  return {impl_->options.settings.prompt == "references", impl_->options.settings.languages};
}

PromptStyle EndpointTextGenerator::prompt_style() const {
  const std::string& prompt = impl_->options.settings.prompt;
  if (prompt == "references") return PromptStyle::kReferences;
  return prompt == "instructions" ? PromptStyle::kInstructions : PromptStyle::kExamples;
}

EndpointTextGenerator::State EndpointTextGenerator::state() const {
  State state;
  state.url = impl_->route.url;
  state.api = impl_->route.api == ChatApi::kOpenAi ? "openai" : "anthropic";
  state.model = model_name();
  state.available = impl_->breaker.is_closed();
  state.last_error = impl_->breaker.last_error();
  const std::lock_guard lock(impl_->mutex);
  state.counts = impl_->counts;
  state.counts.refused = impl_->breaker.refused();
  return state;
}

absl::StatusOr<std::unique_ptr<Generation>> EndpointTextGenerator::Generate(
    GeneratorRequest request, GeneratorCallbacks callbacks) {
  if (request.messages.empty()) return absl::InvalidArgumentError("messages: empty");
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopped) return absl::UnavailableError("generator: stopping");
  }
  const auto call = std::make_shared<Impl::Call>(*impl_, request, std::move(callbacks));
  if (impl_->breaker.Allow(steady_clock::now(),
                           milliseconds(impl_->options.settings.first_token_ms))) {
    call->Send(steady_clock::now());
  } else {
    impl_->streams.Run(
        [call, status = impl_->At(absl::StatusCode::kUnavailable,
                                  "not asked again yet, after: " + impl_->breaker.last_error())] {
          call->Refuse(status);
        });
  }
  return std::make_unique<CallHandle<Impl::Call>>(call);
}

}  // namespace emptor::services

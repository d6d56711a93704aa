// libcurl's multi interface, turned by one thread.
#include "services/bench/load_client.h"

#include <curl/curl.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <queue>

#include "catalog/encoding/json.h"
#include "services/bench/answer_stream.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxErrorBytes = 4096;
constexpr double kPauseAfterFailure = 0.5;

/// A request that is due at a time.
struct Due {
  double at;
  size_t request;  // index into the plan
  bool operator>(const Due& other) const {
    return at != other.at ? at > other.at : request > other.request;
  }
};

/// One request under way. Lives at one address, as libcurl holds it.
struct Transfer {
  size_t record = 0;
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  std::string body;
  std::string error_body;
  AnswerStream stream;
  bool is_stream = false;
  std::function<double()> now;
};

size_t TakeBytes(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view bytes(data, size * count);
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  const char* type = nullptr;
  curl_easy_getinfo(transfer.curl, CURLINFO_CONTENT_TYPE, &type);
  transfer.is_stream = type != nullptr && std::string_view(type).starts_with("text/event-stream");
  if (status == 200 && transfer.is_stream) {
    transfer.stream.Push(bytes, transfer.now());
  } else if (transfer.error_body.size() < kMaxErrorBytes) {
    transfer.error_body += bytes.substr(0, kMaxErrorBytes);
  }
  return bytes.size();
}

/// Thousands of concurrent requests need as many sockets.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string KindOfFailure(CURLcode code, const Transfer& transfer, long status) {
  if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
      code == CURLE_COULDNT_RESOLVE_PROXY) {
    return "connect";
  }
  if (code == CURLE_OPERATION_TIMEDOUT) return "timeout";
  if (status != 0 && status != 200) return "http " + std::to_string(status);
  if (!transfer.stream.failure().empty()) return transfer.stream.failure();
  if (code != CURLE_OK && !(transfer.is_stream && transfer.stream.complete())) {
    const bool cut = code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR ||
                     code == CURLE_GOT_NOTHING || code == CURLE_SEND_ERROR ||
                     code == CURLE_HTTP2_STREAM;
    return cut ? "cut stream" : "transport";
  }
  if (!transfer.is_stream) return "not an event stream";
  if (!transfer.stream.complete()) return "cut stream";
  if (transfer.stream.text_times().empty() && transfer.stream.completion_tokens() <= 0) {
    return "empty answer";
  }
  return "";
}

/// The event loop.
class Loader {
 public:
  Loader(const LoadTarget& target, const LoadText& text, const std::vector<PlannedRequest>& plan)
      : target_(target), text_(text), plan_(plan) {}
  ~Loader() {
    for (const auto& transfer : transfers_) Release(*transfer);
    if (multi_ != nullptr) curl_multi_cleanup(multi_);
  }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  void Add(double at, size_t request) { due_.push({at, request}); }
  /// Called with each record that has ended, and the time.
  void set_after(std::function<void(const LoadRecord&, double)> fn) { after_ = std::move(fn); }
  const std::vector<LoadRecord>& records() const { return records_; }

  absl::Status Run() {
    static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    multi_ = initialised ? curl_multi_init() : nullptr;
    if (multi_ == nullptr) return absl::InternalError("libcurl: cannot be initialised");
    RaiseFileLimit();
    begin_ = std::chrono::steady_clock::now();
    while (!due_.empty() || !transfers_.empty()) {
      while (!due_.empty() && due_.top().at <= Now()) {
        const Due due = due_.top();
        due_.pop();
        Start(due);
      }
      int running = 0;
      curl_multi_perform(multi_, &running);
      CollectEnded();
      Wait();
    }
    return absl::OkStatus();
  }

 private:
  double Now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  /// Waits until data can be read or the next request is due: in whole milliseconds, then spins for
  /// the rest of one.
  void Wait() {
    double seconds = 1;
    if (!due_.empty()) seconds = std::min(seconds, due_.top().at - Now());
    if (transfers_.empty() && due_.empty()) return;
    const int milliseconds = static_cast<int>(std::max(0.0, seconds) * 1000);
    curl_multi_poll(multi_, nullptr, 0, milliseconds, nullptr);
  }

  void Start(const Due& due) {
    const PlannedRequest& planned = plan_[due.request];
    auto transfer = std::make_unique<Transfer>();
    transfer->record = records_.size();
    transfer->now = [this] { return Now(); };
    const std::string prompt = MakePrompt({.input_tokens = planned.input_tokens,
                                           .shared_tokens = text_.shared_tokens,
                                           .prefix_blocks = planned.prefix_blocks,
                                           .block_tokens = text_.block_tokens},
                                          text_.scale, text_.seed * 1'000'003 + records_.size());
    transfer->body = LoadBody(target_, prompt, planned.output_tokens);
    transfer->curl = curl_easy_init();
    LoadRecord record;
    record.due = due.at;
    record.sent = Now();
    records_.push_back(std::move(record));
    SetOptions(*transfer);
    curl_multi_add_handle(multi_, transfer->curl);
    transfers_.push_back(std::move(transfer));
  }

  void SetOptions(Transfer& transfer) {
    CURL* curl = transfer.curl;
    transfer.headers = curl_slist_append(nullptr, "Content-Type: application/json");
    transfer.headers = curl_slist_append(transfer.headers, "Accept: text/event-stream");
    transfer.headers = curl_slist_append(transfer.headers, "Expect:");
    if (!target_.api_key.empty()) {
      transfer.headers =
          curl_slist_append(transfer.headers, ("Authorization: Bearer " + target_.api_key).c_str());
    }
    const std::string url =
        target_.url + (target_.chat ? "/v1/chat/completions" : "/v1/completions");
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(target_.timeout_seconds * 1000));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, transfer.headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, transfer.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(transfer.body.size()));
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakeBytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, &transfer);
  }

  void CollectEnded() {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      Transfer* transfer = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      TakeResult(*transfer, code);
      const size_t record = transfer->record;
      Release(*transfer);
      std::erase_if(transfers_, [transfer](const auto& one) { return one.get() == transfer; });
      if (after_) after_(records_[record], Now());
    }
  }

  void TakeResult(const Transfer& transfer, CURLcode code) {
    LoadRecord& record = records_[transfer.record];
    long status = 0;
    curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
    record.ended = Now();
    record.status = static_cast<int>(status);
    record.text_times = transfer.stream.text_times();
    record.prompt_tokens = transfer.stream.prompt_tokens();
    record.completion_tokens = transfer.stream.completion_tokens();
    record.cached_tokens = transfer.stream.cached_tokens();
    record.finish_reason = transfer.stream.finish_reason();
    record.failure = KindOfFailure(code, transfer, status);
    if (record.failure.empty()) return;
    record.detail = code != CURLE_OK ? curl_easy_strerror(code) : transfer.error_body;
  }

  void Release(Transfer& transfer) {
    if (transfer.curl != nullptr) {
      curl_multi_remove_handle(multi_, transfer.curl);
      curl_easy_cleanup(transfer.curl);
    }
    curl_slist_free_all(transfer.headers);
    transfer.curl = nullptr;
    transfer.headers = nullptr;
  }

  const LoadTarget& target_;
  const LoadText& text_;
  const std::vector<PlannedRequest>& plan_;
  CURLM* multi_ = nullptr;
  std::chrono::steady_clock::time_point begin_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<LoadRecord> records_;
  std::function<void(const LoadRecord&, double)> after_;
};

}  // namespace

std::string LoadBody(const LoadTarget& target, const std::string& prompt, int output_tokens) {
  catalog::JsonWriter body;
  body.BeginObject().Member("model", target.model);
  if (target.chat) {
    body.Key("messages").BeginArray().BeginObject();
    body.Member("role", "user").Member("content", prompt).EndObject().EndArray();
  } else {
    body.Member("prompt", prompt);
  }
  body.Member("max_tokens", output_tokens).Member("temperature", 0).Member("stream", true);
  body.Key("stream_options").BeginObject().Member("include_usage", true).EndObject();
  if (target.ignore_end) body.Member("ignore_eos", true);
  body.EndObject();
  return body.Take();
}

absl::StatusOr<std::vector<LoadRecord>> RunOpenLoad(const LoadTarget& target, const LoadText& text,
                                                    const std::vector<PlannedRequest>& plan) {
  Loader loader(target, text, plan);
  for (size_t i = 0; i < plan.size(); ++i) loader.Add(plan[i].at_seconds, i);
  if (absl::Status status = loader.Run(); !status.ok()) return status;
  return loader.records();
}

absl::StatusOr<std::vector<LoadRecord>> RunClosedLoad(const LoadTarget& target,
                                                      const LoadText& text,
                                                      const std::vector<PlannedRequest>& plan,
                                                      const ClosedLoad& load) {
  Loader loader(target, text, plan);
  int sent = 0;
  const auto add = [&](double at) {
    if (load.requests > 0 && sent >= load.requests) return;
    loader.Add(at, static_cast<size_t>(sent++) % plan.size());
  };
  for (int user = 0; user < load.users; ++user) add(0);
  loader.set_after([&](const LoadRecord& record, double now) {
    const double next = now + (record.failure.empty() ? 0 : kPauseAfterFailure);
    if (load.seconds <= 0 || next < load.seconds) add(next);
  });
  if (absl::Status status = loader.Run(); !status.ok()) return status;
  return loader.records();
}

}  // namespace emptor::services

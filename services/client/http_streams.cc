// libcurl's multi interface, driven by one thread.
#include "services/client/http_streams.h"

#include <curl/curl.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <utility>

#include "services/client/retry_policy.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLongestWait{1000};
/// Until a paused stream is asked again whether it goes on.
constexpr milliseconds kPause{3};

/// A call that waits for its start, or runs. Lives at one address, as libcurl holds it.
struct Stream {
  HttpStreamCall call;
  std::shared_ptr<HttpStreamHandler> handler;
  CURL* curl = nullptr;  // null: not sent yet
  curl_slist *headers = nullptr, *connect_to = nullptr;
  bool has_head = false, is_enough = false, is_paused = false;
  std::array<char, CURL_ERROR_SIZE> error{};

  Stream(HttpStreamCall the_call, std::shared_ptr<HttpStreamHandler> the_handler)
      : call(std::move(the_call)), handler(std::move(the_handler)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (curl != nullptr) curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    curl_slist_free_all(connect_to);
  }
};

size_t TakePiece(char* data, size_t size, size_t count, void* user) {
  auto& stream = *static_cast<Stream*>(user);
  long status = 0;
  curl_easy_getinfo(stream.curl, CURLINFO_RESPONSE_CODE, &status);
  const std::string_view piece(data, size * count);
  if (piece.empty()) return 0;
  if (!stream.handler->ready()) {
    stream.is_paused = true;
    return CURL_WRITEFUNC_PAUSE;
  }
  stream.is_enough = !stream.handler->OnPiece(static_cast<int>(status), piece);
  return stream.is_enough ? 0 : piece.size();
}

/// An empty line ends a head; another one follows that of an interim answer.
size_t TakeHeadLine(char* data, size_t size, size_t count, void* user) {
  const std::string_view line(data, size * count);
  static_cast<Stream*>(user)->has_head = line == "\r\n" || line == "\n";
  return line.size();
}

void Prepare(Stream& stream) {
  const HttpStreamCall& call = stream.call;
  CURL* curl = stream.curl;
  stream.headers = curl_slist_append(nullptr, "Expect:");
  stream.headers = curl_slist_append(stream.headers, "Content-Type: application/json");
  for (const std::string& header : call.headers) {
    stream.headers = curl_slist_append(stream.headers, header.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  if (!call.ca_file.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, call.ca_file.c_str());
    curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
  }
  if (!call.connect_to.empty()) {
    stream.connect_to = curl_slist_append(nullptr, ("::" + call.connect_to + ":").c_str());
    curl_easy_setopt(curl, CURLOPT_CONNECT_TO, stream.connect_to);
  }
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   std::max(1L, static_cast<long>(call.connect_timeout.count())));
  curl_easy_setopt(curl, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, stream.error.data());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, stream.headers);
  if (!call.is_get) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
  }
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &TakeHeadLine);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &stream);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakePiece);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &stream);
  curl_easy_setopt(curl, CURLOPT_PRIVATE, &stream);
}

absl::Status StatusOf(CURLcode code, const Stream& stream) {
  if (stream.is_enough) return absl::OkStatus();
  if (code == CURLE_OK) {  // also where the connection ended within the head
    return stream.has_head ? absl::OkStatus()
                           : absl::UnavailableError("the connection ended within the head");
  }
  const std::string why = stream.error[0] != '\0' ? stream.error.data() : curl_easy_strerror(code);
  const bool is_trust = code == CURLE_PEER_FAILED_VERIFICATION ||
                        code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_CERTPROBLEM;
  return absl::Status(
      is_trust ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kUnavailable, why);
}

/// OpenSSL writes to connections that the other side has closed: that is an error of the call, and
/// must not end the process.
void BlockBrokenPipeSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

struct HttpStreams::Impl {
  CURLM* multi = nullptr;
  std::vector<std::unique_ptr<Stream>> streams;  // of the thread alone

  std::mutex mutex;
  std::vector<std::function<void()>> inbox;  // guarded by mutex
  bool stopped = false;                      // guarded by mutex
  std::thread thread;

  void Loop();
  bool TakeInbox();
  void SendDue();
  void ResumeReady();
  void CollectDone();
  void EndLate();
  void EndAll();
  milliseconds NextWait() const;
  void End(Stream* stream, const absl::Status& status);
};

/// Ends the stream and forgets it. The handler may start another one.
void HttpStreams::Impl::End(Stream* stream, const absl::Status& status) {
  const auto found = std::find_if(streams.begin(), streams.end(),
                                  [&](const auto& one) { return one.get() == stream; });
  const std::unique_ptr<Stream> ended = std::move(*found);
  streams.erase(found);
  HttpStreamEnd end{.status = status};
  if (ended->curl != nullptr) {
    long http_status = 0;
    curl_off_t retry_after = 0;
    curl_easy_getinfo(ended->curl, CURLINFO_RESPONSE_CODE, &http_status);
    curl_easy_getinfo(ended->curl, CURLINFO_RETRY_AFTER, &retry_after);
    long sent = 0;
    curl_easy_getinfo(ended->curl, CURLINFO_REQUEST_SIZE, &sent);
    end.was_sent = sent > 0;
    end.http_status = static_cast<int>(http_status);
    end.retry_after = RetryAfterOf(retry_after);
    curl_multi_remove_handle(multi, ended->curl);
  }
  ended->handler->OnEnd(end);
}

/// False once stopped.
bool HttpStreams::Impl::TakeInbox() {
  std::vector<std::function<void()>> tasks;
  bool goes_on = false;
  {
    const std::lock_guard lock(mutex);
    tasks.swap(inbox);
    goes_on = !stopped;
  }
  for (const auto& task : tasks) task();
  return goes_on;
}

void HttpStreams::Impl::SendDue() {
  const auto now = steady_clock::now();
  for (const auto& stream : streams) {
    if (stream->curl != nullptr || stream->call.start > now || stream->handler->cancelled())
      continue;
    stream->curl = curl_easy_init();
    if (stream->curl == nullptr) continue;  // its deadline ends it
    Prepare(*stream);
    curl_multi_add_handle(multi, stream->curl);
  }
}

/// libcurl hands over what it has kept, within the call.
void HttpStreams::Impl::ResumeReady() {
  for (const auto& stream : streams) {
    if (!stream->is_paused || stream->handler->cancelled() || !stream->handler->ready()) continue;
    stream->is_paused = false;
    curl_easy_pause(stream->curl, CURLPAUSE_CONT);
  }
}

void HttpStreams::Impl::CollectDone() {
  std::vector<std::pair<Stream*, CURLcode>> done;
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* stream = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &stream);
    done.emplace_back(reinterpret_cast<Stream*>(stream), message->data.result);
  }
  for (const auto& [stream, code] : done) End(stream, StatusOf(code, *stream));
}

/// Ends what was cancelled or has taken too long.
void HttpStreams::Impl::EndLate() {
  const auto now = steady_clock::now();
  std::vector<std::pair<Stream*, absl::Status>> late;
  for (const auto& stream : streams) {
    if (stream->handler->cancelled()) {
      late.emplace_back(stream.get(), absl::CancelledError("cancelled"));
    } else if (stream->handler->deadline() <= now) {
      late.emplace_back(stream.get(), absl::DeadlineExceededError("took too long"));
    }
  }
  for (const auto& [stream, status] : late) End(stream, status);
}

void HttpStreams::Impl::EndAll() {
  while (!streams.empty()) End(streams.front().get(), absl::CancelledError("stopping"));
}

milliseconds HttpStreams::Impl::NextWait() const {
  auto next = steady_clock::now() + kLongestWait;
  for (const auto& stream : streams) {
    next = std::min(next, stream->handler->deadline());
    if (stream->curl == nullptr) next = std::min(next, stream->call.start);
    if (stream->is_paused) next = std::min(next, steady_clock::now() + kPause);
  }
  const auto wait = std::chrono::ceil<milliseconds>(next - steady_clock::now());
  return std::clamp(wait, milliseconds(0), kLongestWait);
}

void HttpStreams::Impl::Loop() {
  BlockBrokenPipeSignal();
  while (TakeInbox()) {
    SendDue();
    ResumeReady();
    int running = 0;
    curl_multi_perform(multi, &running);
    CollectDone();
    EndLate();
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(NextWait().count()), nullptr);
  }
  EndAll();
}

HttpStreams::HttpStreams() : impl_(std::make_unique<Impl>()) {
  static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  impl_->multi = initialised ? curl_multi_init() : nullptr;
  if (impl_->multi == nullptr) {
    impl_->stopped = true;
    return;
  }
  impl_->thread = std::thread([impl = impl_.get()] { impl->Loop(); });
}

HttpStreams::~HttpStreams() {
  Stop();
  if (impl_->multi != nullptr) curl_multi_cleanup(impl_->multi);
}

void HttpStreams::Start(HttpStreamCall call, std::shared_ptr<HttpStreamHandler> handler) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (!impl_->stopped) {
      impl_->inbox.push_back([impl = impl_.get(), handler, call = std::move(call)]() mutable {
        impl->streams.push_back(std::make_unique<Stream>(std::move(call), std::move(handler)));
      });
      handler = nullptr;
    }
  }
  if (handler != nullptr) return handler->OnEnd({.status = absl::CancelledError("stopping")});
  Wake();
}

void HttpStreams::Run(std::function<void()> task) {
  bool is_stopped = false;
  {
    const std::lock_guard lock(impl_->mutex);
    is_stopped = impl_->stopped;
    if (!is_stopped) impl_->inbox.push_back(std::move(task));
  }
  if (is_stopped) return task();
  Wake();
}

void HttpStreams::Wake() {
  if (impl_->multi != nullptr) curl_multi_wakeup(impl_->multi);
}

void HttpStreams::Stop() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopped = true;
  }
  Wake();
  if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace emptor::services

// An exchange without a socket.
#include "services/http/in_memory_exchange.h"

#include <utility>

#include "services/http/response_head.h"

namespace emptor::services {

/// The sink of a stream to an InMemoryClient.
class InMemorySink final : public StreamSink {
 public:
  explicit InMemorySink(std::shared_ptr<InMemoryClient> client) : client_(std::move(client)) {}
  ~InMemorySink() override { client_->End(StreamEnd::kFinished, client_->last_words()); }
  bool Push(std::string_view bytes) override { return client_->Push(bytes); }
  bool PushWhenRoom(std::string_view bytes, std::chrono::milliseconds patience) override {
    return client_->WaitForRoom(bytes.size(), patience) && client_->Push(bytes);
  }
  void Finish() override { client_->End(StreamEnd::kFinished, {}); }

 private:
  const std::shared_ptr<InMemoryClient> client_;
};

bool InMemoryClient::WaitForAnswer(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return answered_; });
}

bool InMemoryClient::WaitForEnd(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return answered_ && (!stream_ || end_); });
}

Response InMemoryClient::response() const {
  const std::lock_guard lock(mutex_);
  return response_;
}

bool InMemoryClient::is_stream() const {
  const std::lock_guard lock(mutex_);
  return stream_;
}

std::optional<StreamEnd> InMemoryClient::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

std::string InMemoryClient::last_words() const {
  const std::lock_guard lock(mutex_);
  return last_words_;
}

void InMemoryClient::Leave() {
  std::function<void()> on_gone;
  {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    on_gone = std::exchange(on_gone_, nullptr);
  }
  if (on_gone) on_gone();
  End(StreamEnd::kPeerGone, {});
}

void InMemoryClient::Answer(Response response) {
  std::function<void()> not_needed;
  const std::lock_guard lock(mutex_);
  not_needed = std::exchange(on_gone_, nullptr);
  answered_ = true;
  response_ = std::move(response);
  changed_.notify_all();
}

void InMemoryClient::OnGone(std::function<void()> gone) {
  {
    const std::lock_guard lock(mutex_);
    if (answered_) return;
    if (!gone_) {
      on_gone_ = std::move(gone);
      return;
    }
  }
  gone();
}

bool InMemoryClient::Open(StreamOptions options) {
  const std::lock_guard lock(mutex_);
  answered_ = true;
  on_gone_ = nullptr;
  changed_.notify_all();
  if (gone_) return false;
  stream_ = true;
  response_ = {.status = 200,
               .content_type = std::move(options.content_type),
               .body = {},
               .headers = std::move(options.headers)};
  last_words_ = std::move(options.last_words);
  on_end_ = std::move(options.on_end);
  return true;
}

bool InMemoryClient::Fits(size_t bytes) const {
  return options_.reads || response_.body.size() + bytes <= options_.max_stream_queue_bytes;
}

bool InMemoryClient::WaitForRoom(size_t bytes, std::chrono::milliseconds patience) {
  {
    std::unique_lock lock(mutex_);
    const bool ready = changed_.wait_for(lock, patience, [&] { return end_ || Fits(bytes); });
    if (ready) return !end_;
  }
  End(StreamEnd::kStalled, {});
  return false;
}

std::string InMemoryClient::Read() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  return std::exchange(response_.body, {});
}

bool InMemoryClient::Push(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (!stream_ || end_) return false;
    if (Fits(bytes.size())) {
      response_.body += bytes;
      changed_.notify_all();
      return true;
    }
  }
  End(StreamEnd::kOverflow, {});
  return false;
}

void InMemoryClient::End(StreamEnd end, std::string_view words) {
  std::function<void(StreamEnd)> on_end;
  {
    const std::lock_guard lock(mutex_);
    if (!stream_ || end_) return;
    end_ = end;
    response_.body += words;
    on_end = std::exchange(on_end_, nullptr);
    changed_.notify_all();
  }
  if (on_end) on_end(end);
}

InMemoryExchange::InMemoryExchange(Request request, std::shared_ptr<InMemoryClient> client)
    : request_(std::move(request)), client_(std::move(client)) {}

InMemoryExchange::~InMemoryExchange() {
  Respond(MakeErrorResponse(500, "internal", "the request was not answered", request_.id));
}

bool InMemoryExchange::TakeTurn() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(answered_, true);
}

void InMemoryExchange::Respond(Response response) {
  if (!TakeTurn()) return;
  if (request_.method == "HEAD") response.body.clear();
  client_->Answer(std::move(response));
}

void InMemoryExchange::OnPeerGone(std::function<void()> gone) { client_->OnGone(std::move(gone)); }

std::shared_ptr<StreamSink> InMemoryExchange::StartSse(StreamOptions options) {
  if (!TakeTurn()) return nullptr;
  if (client_->options_.streams_refused) {
    Response busy = MakeErrorResponse(503, "busy", "no more streams are taken now", request_.id);
    busy.headers.emplace_back("Retry-After", "1");
    client_->Answer(std::move(busy));
    return nullptr;
  }
  if (request_.method == "HEAD") {
    client_->Answer(
        {.content_type = std::move(options.content_type), .headers = std::move(options.headers)});
    return nullptr;
  }
  if (!client_->Open(std::move(options))) return nullptr;
  return std::make_shared<InMemorySink>(client_);
}

}  // namespace emptor::services

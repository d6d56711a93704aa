// One answer that the hub is writing: its bounded queue and its state.
#include "services/http/stream_channel.h"

#include <utility>

#include "services/http/response_head.h"

namespace emptor::services {

StreamChannel::StreamChannel(Setup setup)
    : last_write(Clock::now()),
      setup_(std::move(setup)),
      takes_pings_(setup_.is_stream && setup_.options.content_type == "text/event-stream"),
      unsent_bytes_(setup_.head.size()),
      queued_(std::move(setup_.head)) {}

void StreamChannel::Append(std::string_view bytes) {
  const size_t before = queued_.size();
  if (setup_.chunked) {
    AppendChunk(queued_, bytes);
  } else {
    queued_ += bytes;
  }
  unsent_bytes_.fetch_add(queued_.size() - before);
}

void StreamChannel::Sent(size_t n) {
  unsent_bytes_.fetch_sub(n);
  if (waiting_.load() == 0) return;
  const std::lock_guard lock(mutex_);
  room_.notify_all();
}

bool StreamChannel::HasRoom(size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return state_ != State::kOpen || unsent_bytes() + bytes <= setup_.max_queue_bytes;
}

bool StreamChannel::WaitForRoom(size_t bytes, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  waiting_.fetch_add(1);
  const bool ready = room_.wait_for(lock, patience, [&] {
    return state_ != State::kOpen || unsent_bytes() + bytes <= setup_.max_queue_bytes;
  });
  waiting_.fetch_sub(1);
  if (ready || state_ != State::kOpen) return state_ == State::kOpen;
  state_ = State::kDead;
  end_ = StreamEnd::kStalled;
  return false;
}

bool StreamChannel::Push(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kOpen) return false;
  if (bytes.empty()) return true;
  if (unsent_bytes() + bytes.size() > setup_.max_queue_bytes) {
    state_ = State::kDead;
    end_ = StreamEnd::kOverflow;
    return false;
  }
  Append(bytes);
  ++queued_events_;
  return true;
}

void StreamChannel::Finish(std::string_view words, StreamEnd end) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kOpen) return;
  Append(words);
  if (setup_.chunked) {
    queued_ += kLastChunk;
    unsent_bytes_.fetch_add(kLastChunk.size());
  }
  state_ = State::kFinishing;
  end_ = end;
  room_.notify_all();
}

void StreamChannel::Ping() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kOpen && queued_.empty()) Append(": ping\n\n");
}

void StreamChannel::Kill(StreamEnd end) {
  const std::lock_guard lock(mutex_);
  state_ = State::kDead;
  end_ = end;
  std::string().swap(queued_);  // gives its memory back
  room_.notify_all();
}

StreamChannel::Batch StreamChannel::Take() {
  const std::lock_guard lock(mutex_);
  return {.state = state_,
          .end = end_,
          .bytes = std::exchange(queued_, {}),
          .events = std::exchange(queued_events_, 0)};
}

StreamChannel::State StreamChannel::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void StreamChannel::ReportEnd(StreamEnd end) {
  const auto on_end = std::exchange(setup_.options.on_end, nullptr);
  if (on_end) on_end(end);
}

void StreamChannel::Release(bool complete, StreamEnd end) {
  setup_.socket = nullptr;
  const auto on_release = std::exchange(setup_.on_release, nullptr);
  if (on_release) on_release({.complete = complete, .end = end, .sent_bytes = sent_bytes});
}

}  // namespace emptor::services

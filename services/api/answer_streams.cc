// Buffers of events, and which of them are kept.
#include "services/api/answer_streams.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace emptor::services {

bool AnswerStream::Push(int64_t id, const std::string& event) {
  const std::lock_guard lock(mutex_);
  bytes_ += event.size();
  if (bytes_ > kMaxBytes) {
    is_lost_ = true;
    std::vector<std::pair<int64_t, std::string>>().swap(events_);
  }
  if (!is_lost_) events_.emplace_back(id, event);
  const bool is_read = sink_ != nullptr && sink_->Push(event);
  if (!is_read) sink_.reset();
  return is_read || !is_lost_;
}

void AnswerStream::Finish() {
  const std::lock_guard lock(mutex_);
  is_finished_ = true;
  if (sink_ != nullptr) sink_->Finish();
  sink_.reset();
}

bool AnswerStream::Attach(std::shared_ptr<StreamSink> sink, int64_t after) {
  const std::lock_guard lock(mutex_);
  if (is_lost_ && has_begun_) return false;
  has_begun_ = true;
  for (const auto& [id, event] : events_) {
    if (id > after && !sink->Push(event)) return true;  // this reader is gone, too
  }
  if (is_finished_) {
    sink->Finish();
    return true;
  }
  const auto before = std::exchange(sink_, std::move(sink));
  if (before != nullptr) before->Finish();
  return true;
}

bool AnswerStream::CanResume() const {
  const std::lock_guard lock(mutex_);
  return !is_lost_;
}

size_t AnswerStream::bytes() const {
  const std::lock_guard lock(mutex_);
  return is_lost_ ? 0 : bytes_;
}

bool AnswerStream::is_finished() const {
  const std::lock_guard lock(mutex_);
  return is_finished_;
}

void AnswerStreams::ForgetOld() {
  const auto now = clock_();
  size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.stream->bytes();
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool is_too_many = entries_.size() > kMaxAnswers || bytes > kMaxBytes;
    const bool is_old = now - entry->added > kKept && entry->stream->is_finished();
    if (!is_too_many && !is_old) {
      ++entry;
      continue;
    }
    bytes -= std::min(bytes, entry->stream->bytes());
    by_id_.erase(entry->id);
    entry = entries_.erase(entry);
  }
}

void AnswerStreams::Add(const std::string& answer_id, std::shared_ptr<AnswerStream> stream) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({answer_id, std::move(stream), clock_()});
  by_id_[answer_id] = std::prev(entries_.end());
  ForgetOld();
}

std::shared_ptr<AnswerStream> AnswerStreams::Find(const std::string& answer_id,
                                                  const std::string& owner) {
  const std::lock_guard lock(mutex_);
  ForgetOld();
  const auto found = by_id_.find(answer_id);
  if (found == by_id_.end() || found->second->stream->owner() != owner) return nullptr;
  return found->second->stream;
}

}  // namespace emptor::services

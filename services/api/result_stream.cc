// Sends the results of an import to the client.
#include "services/api/result_stream.h"

#include <chrono>
#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

constexpr size_t kPieceBytes = 16u << 10;
constexpr std::chrono::seconds kPatience{10};
constexpr const char* kType = "application/x-ndjson";

}  // namespace

ResultStream::ResultStream(Exchange& exchange, std::string job_id)
    : exchange_(exchange), job_id_(std::move(job_id)) {}

void ResultStream::Take(std::string_view lines) {
  if (has_started_ && sink_ == nullptr) return;
  pending_ += lines;
  if (!has_started_ && pending_.size() > kHeldBack) Start();
  if (has_started_ && pending_.size() >= kPieceBytes) Flush();
}

void ResultStream::Start() {
  has_started_ = true;
  Response head;  // for the headers that every reply carries
  AddSecurityHeaders(head);
  StreamOptions options;
  options.content_type = kType;
  options.headers = std::move(head.headers);
  if (!job_id_.empty()) options.headers.emplace_back("X-Job-Id", job_id_);
  const std::string who = job_id_.empty() ? "import" : job_id_;
  options.last_words =
      MakeErrorResponse(503, "stopping", who + ": the service stops", "", exchange_.request().id)
          .body +
      "\n";
  sink_ = exchange_.StartSse(std::move(options));
}

void ResultStream::Flush() {
  for (std::string_view rest = pending_; !rest.empty() && sink_ != nullptr;) {
    const std::string_view piece = rest.substr(0, kPieceBytes);
    if (!sink_->PushWhenRoom(piece, kPatience)) sink_ = nullptr;
    rest.remove_prefix(piece.size());
  }
  pending_.clear();
}

void ResultStream::Finish() {
  if (has_started_) {
    Flush();
    if (sink_ != nullptr) sink_->Finish();
    return;
  }
  Response response;
  response.content_type = kType;
  response.body = std::move(pending_);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (!job_id_.empty()) response.headers.emplace_back("X-Job-Id", job_id_);
  AddSecurityHeaders(response);
  exchange_.Respond(std::move(response));
}

void ResultStream::Fail(Response error) {
  if (!has_started_) return exchange_.Respond(std::move(error));
  pending_ += error.body + "\n";
  Finish();
}

}  // namespace emptor::services

// Submitting and giving up.
#include "services/llm_api/llm_job.h"

#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

/// The callbacks of the engine own it, so it does not own the model.
class Job {
 public:
  Job(std::weak_ptr<LanguageModel> model, std::shared_ptr<GenerationReply> reply)
      : model_(std::move(model)), reply_(std::move(reply)) {}

  GenerationReply& reply() { return *reply_; }
  /// After this call the reply gets no more calls.
  void Silence() { silent_ = true; }
  bool silent() const { return silent_; }

  void Add(uint64_t handle) {
    bool late = false;
    {
      const std::lock_guard lock(mutex_);
      handles_.push_back(handle);
      late = cancelled_;
    }
    if (late) Cancel();
  }
  void Cancel() {
    std::vector<uint64_t> handles;
    {
      const std::lock_guard lock(mutex_);
      cancelled_ = true;
      handles.swap(handles_);
    }
    const auto model = model_.lock();
    if (model == nullptr) return;
    for (const uint64_t handle : handles) model->Cancel(handle);
  }

 private:
  const std::weak_ptr<LanguageModel> model_;
  const std::shared_ptr<GenerationReply> reply_;
  std::atomic<bool> silent_{false};
  std::mutex mutex_;
  std::vector<uint64_t> handles_;  // guarded by mutex_
  bool cancelled_ = false;         // guarded by mutex_
};

}  // namespace

void ScopeToShop(std::string_view shop, engine::GenerationRequest& request) {
  if (shop.empty()) return;
  for (std::string* name : {&request.tenant, &request.cache_salt}) {
    *name = name->empty() ? std::string(shop) : std::string(shop) + '/' + *name;
  }
}

void StartGenerations(const std::shared_ptr<LanguageModel>& model,
                      std::vector<engine::GenerationRequest> requests,
                      std::shared_ptr<GenerationReply> reply) {
  const auto job = std::make_shared<Job>(model, std::move(reply));
  int first_choice = 0;
  for (engine::GenerationRequest& request : requests) {
    engine::GenerationCallbacks calls;
    calls.on_text = [job, first_choice](const engine::TextPiece& piece) {
      if (!job->silent()) job->reply().OnText(first_choice + piece.choice, piece);
    };
    calls.on_end = [job, first_choice](const engine::GenerationEnd& end) {
      if (!job->silent()) job->reply().OnEnd(first_choice + end.choice, end);
    };
    first_choice += request.n;
    const auto handle = model->Submit(std::move(request), std::move(calls));
    if (!handle.ok()) {
      job->Silence();
      job->Cancel();
      return job->reply().OnRefused(handle.status());
    }
    job->Add(*handle);
  }
  job->reply().OnStarted([weak = std::weak_ptr<Job>(job)] {
    if (const auto alive = weak.lock()) alive->Cancel();
  });
}

bool StreamPipe::Open(Exchange& exchange, StreamOptions options, std::string_view first) {
  auto sink = exchange.StartSse(std::move(options));
  const std::lock_guard lock(mutex_);
  if (sink == nullptr) {
    finished_ = true;
    early_.clear();
    return false;
  }
  sink_ = std::move(sink);
  sink_->Push(std::string(first) + early_);
  early_.clear();
  if (finished_) sink_->Finish();
  return true;
}

bool StreamPipe::Push(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (sink_ != nullptr) return sink_->Push(bytes);
  if (!finished_) early_ += bytes;
  return !finished_;
}

void StreamPipe::Finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  if (sink_ != nullptr) sink_->Finish();
}

StreamOptions LlmStreamOptions(std::function<void()> cancel, std::string last_words) {
  StreamOptions options;
  options.headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}};
  options.on_end = [cancel = std::move(cancel)](StreamEnd end) {
    if (end != StreamEnd::kFinished) cancel();
  };
  options.last_words = std::move(last_words);
  return options;
}

Response LlmResponse(std::string body) {
  Response response;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  return response;
}

}  // namespace emptor::services

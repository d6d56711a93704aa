// Submits requests and times their tokens.
#include "services/models/language_model.h"

#include <utility>

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

/// Times the tokens of each answer to one request. Engine thread only.
class TokenWatch {
 public:
  TokenWatch(std::string model, int choices, GenerationObserver observer)
      : model_(std::move(model)),
        observer_(std::move(observer)),
        answers_(static_cast<size_t>(choices)) {}

  void OnText(const engine::TextPiece& piece) {
    if (piece.tokens.empty()) return;
    Answer& answer = answers_.at(static_cast<size_t>(piece.choice));
    const auto now = steady_clock::now();
    size_t tokens = piece.tokens.size();
    if (!answer.begun) {
      answer.begun = true;
      --tokens;
    }
    const float gap = std::chrono::duration<float>(now - answer.last).count();
    answer.gaps.insert(answer.gaps.end(), tokens, gap / static_cast<float>(piece.tokens.size()));
    answer.last = now;
  }
  void OnEnd(const engine::GenerationEnd& end) {
    Answer& answer = answers_.at(static_cast<size_t>(end.choice));
    observer_({model_, end.reason, end.usage, std::move(answer.gaps)});
  }

 private:
  struct Answer {
    steady_clock::time_point last = steady_clock::now();
    std::vector<float> gaps;
    bool begun = false;
  };
  const std::string model_;
  const GenerationObserver observer_;
  std::vector<Answer> answers_;
};

/// Lays what an entry of the settings states over `capabilities`.
template <typename Spec>
void Override(const Spec& spec, engine::ModelCapabilities& capabilities) {
  if (spec.references) capabilities.references = *spec.references;
  if (spec.languages) capabilities.languages = *spec.languages;
}

engine::ModelInfo InfoOf(const engine::Engine& engine, const ModelSpec& spec,
                         const AdapterSpec* adapter) {
  engine::ModelInfo info = engine.model();
  Override(spec, info.capabilities);
  if (adapter != nullptr) {
    info.name += ':' + adapter->name;
    Override(*adapter, info.capabilities);
  }
  return info;
}

}  // namespace

LanguageModel::LanguageModel(const ModelSpec& spec, std::shared_ptr<engine::Engine> engine,
                             GenerationObserver observer, const AdapterSpec* adapter)
    : name_(adapter == nullptr ? spec.name : spec.name + ':' + adapter->name),
      adapter_(adapter == nullptr ? "" : adapter->name),
      observer_(std::move(observer)),
      engine_(std::move(engine)),
      info_(InfoOf(*engine_, spec, adapter)) {}

absl::StatusOr<uint64_t> LanguageModel::Submit(engine::GenerationRequest request,
                                               engine::GenerationCallbacks callbacks) {
  request.adapter = adapter_;
  if (!observer_ || request.n < 1) return engine_->Submit(std::move(request), std::move(callbacks));
  const auto watch = std::make_shared<TokenWatch>(name_, request.n, observer_);
  engine::GenerationCallbacks watched;
  watched.on_text = [watch,
                     on_text = std::move(callbacks.on_text)](const engine::TextPiece& piece) {
    watch->OnText(piece);
    if (on_text) on_text(piece);
  };
  watched.on_end = [watch, on_end = std::move(callbacks.on_end)](const engine::GenerationEnd& end) {
    watch->OnEnd(end);
    if (on_end) on_end(end);
  };
  return engine_->Submit(std::move(request), std::move(watched));
}

}  // namespace emptor::services

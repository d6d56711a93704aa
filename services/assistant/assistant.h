// The assistant: a shopper's message in, a stream of events out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/answer_trace.h"
#include "services/assistant/cache/answer_cache.h"
#include "services/assistant/dialogue/conversation_store.h"
#include "services/assistant/events/assist_events.h"
#include "services/assistant/plan/claim_gate.h"
#include "services/assistant/plan/prompt.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/search/retriever.h"
#include "services/assistant/types/meanings.h"
#include "services/assistant/types/type_catalog.h"
#include "services/assistant/types/type_warmer.h"
#include "services/models/text_generator.h"
#include "services/shop/shop_reader.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// How a model kept to the form that it was asked to write in.
struct ModelForm {
  bool wrote = false;        // any text
  bool had_sources = false;  // that it could refer to
  int references = 0;        // to its sources
  int wrong_references = 0;  // to nothing, or brackets that are none
};

/// Reported at the end of each answer, for metrics and the log.
struct AnswerRecord {
  std::string request_id, id, model, prompt_hash, answer_step, finish_reason;
  absl::Status status;  // OK: done was sent
  DoneEvent done;
  HydratorStats hydrator;
  ClaimStats claims;
  ModelForm form;
  int prompt_tokens = 0;
  size_t products = 0;
  size_t acts = 1;           // of the message: "the octavane. also a keyboard" has two
  bool abandoned = false;    // the client left
  bool is_faq_hit = false;   // an entry of the FAQ was the answer
  bool is_recalled = false;  // its choice or its text was that of an earlier answer
};

struct AssistantOptions {
  RetrieverOptions retriever;
  int prompt_tokens = 640;
  std::chrono::milliseconds deadline{60000};
  std::string default_locale = "en-US";
  /// Reads lexicons and learns what the shop's types of products state before the first question
  /// (type_warmer.h).
  bool warms_types = false;
  std::string build = {};  // version of the program, for traces
  /// For making the state of a history again; after it, only the latest turn of it is made.
  std::chrono::milliseconds replay_budget{1000};
};

/// What the assistant uses. All are borrowed and outlive it.
struct AssistantParts {
  const ShopReader& shop;
  /// Null: answers are written from the records by code, and marked so.
  TextGenerator* generator = nullptr;
  ConversationStore& conversations;
  WorkerPool& workers;
  std::function<int64_t()> now_unix;
  std::function<void(const AnswerRecord&)> on_answer;  // any thread; may be empty
  /// Shops share the generator evenly, and share no cached prompts.
  std::string shop_name = {};
  /// What the shop's types of products state; shared by its answers.
  std::shared_ptr<TypeCatalog> types = std::make_shared<TypeCatalog>();
  /// Of needs that name no goods, and of questions that name no attribute.
  Meanings meanings = {};
  /// Answers that may be given again, of this shop alone; null: each is made.
  std::shared_ptr<AnswerCache> answers = nullptr;
  /// Of conversations that clients keep.
  std::shared_ptr<HistoryStates> histories = std::make_shared<HistoryStates>();
  /// Called after each answer that was shown to its end; any thread. Empty: none is traced.
  std::function<void(const AnswerTrace&)> on_trace = {};
  bool has_reader = true;  // false: answers count nowhere
};

/// What a message means after the turns before it.
struct ReadMessage {
  Understanding understanding;
  ConversationTurn turn;  // the state after it
};

/// Thread-safety: any thread. Threads: understanding, retrieval and hydration run on the workers;
/// the generator's callbacks only hand text over.
class Assistant {
 public:
  Assistant(AssistantOptions options, AssistantParts parts);
  ~Assistant();
  Assistant(const Assistant&) = delete;
  Assistant& operator=(const Assistant&) = delete;

  /// Returns at once; the listener, which lives until the end of the answer, gets the events.
  /// Refusals: kResourceExhausted (workers or engine have no room), kInvalidArgument, kUnavailable,
  /// and errors of the store.
  void Ask(AssistRequest request, std::shared_ptr<AssistListener> listener);

  /// For measurements: answers from the records, for nobody, and stores nothing. Errors: those of
  /// Ask.
  absl::StatusOr<ReadMessage> Read(const std::string& message,
                                   const std::vector<ConversationTurn>& before) const;

  std::string model_name() const;

 private:
  const AssistantOptions options_;
  const AssistantParts parts_;
  std::unique_ptr<TypeWarmer> warmer_;  // null: options_.warms_types is false
};

}  // namespace emptor::services

// The events of an answer: the stream of POST /v1/assist.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "catalog/product.h"
#include "retrieval/filter/filter.h"
#include "retrieval/query/relaxation.h"
#include "services/assistant/dialogue/history.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/grounding/hydrator.h"

namespace emptor::services {

/// What the client asks of the answer cache, as HTTP's Cache-Control names it.
enum class CacheControl {
  kUse,
  kNoCache,  // the answer is made; it may be kept for others
  kNoStore,  // nor is it kept
};

struct AssistRequest {
  std::string message;          // 1 byte to 4 KiB of UTF-8
  std::string conversation_id;  // empty: a new conversation
  /// The hash of the shopper's token, whose the conversation is; empty: nobody's.
  std::string owner = {};
  /// False: the client keeps the conversation and sends it as `history`; `conversation_id` does not
  /// count, and nothing is stored.
  bool is_stored = true;
  /// The turns before this one, oldest first. For a conversation that the service knows they do not
  /// count; for any other, they make its state.
  std::vector<HistoryTurn> history = {};
  std::string locale;    // BCP 47, its region that of the prices; empty: of the message
  std::string currency;  // of prices and of amounts that name none; empty: the shop's
  /// Conditions of the request, in addition to those in the message. A part that the request names
  /// replaces the message's, and is never relaxed.
  retrieval::Filter filter;
  retrieval::FilterParts named_filters;
  std::string page_product_id;
  int max_tokens = 256;
  CacheControl cache_control = CacheControl::kUse;
  std::string request_id;
  /// Before the paths of links in the text: "https://shop.example"; empty: links are relative.
  std::string link_base;
  /// A stop request cancels generation; no more events follow.
  std::stop_token stop;
};

/// A product as it is shown: the live record and the price payable now.
struct ProductCard {
  int n = 0;
  catalog::Product product;
  catalog::PayablePrice shown;
  float score = 0;
  std::string why;
};

/// Whether an answer that was written before is used.
enum class CacheUse { kBypass, kMiss, kHit };
/// Who wrote it.
enum class CacheSource {
  kFaq,      // the shop's staff: an entry of the FAQ that asks the same
  kAnswers,  // the assistant, for an equal question (services/assistant/cache)
};

struct StartEvent {
  std::string id, conversation_id, model;  // no conversation_id: it is not stored
  std::vector<Intent> intents;
  retrieval::Filter filter;  // what the products meet
  retrieval::Filter asked;   // by the words and the request; `filter` is this after `relaxed`
  std::vector<retrieval::RelaxationStep> relaxed;  // given up because nothing met them
  std::string explanation;                         // of `relaxed`, in the shopper's language
  /// kMiss: neither the FAQ nor the answer cache had one; kBypass: neither was asked.
  CacheUse cache = CacheUse::kBypass;
  CacheSource cache_source = CacheSource::kFaq;  // of a hit
  std::optional<int64_t> age_seconds;            // of an answer of the cache
};
struct ProductsEvent {
  std::vector<ProductCard> items;
};
/// A person is to take over; comes before the text.
struct HandoffEvent {
  std::string kind;                          // "order", "complaint", "human", "crisis", "medical"
  std::optional<catalog::Document> contact;  // the shop's entry on how to reach customer service
};
struct DeltaEvent {
  std::string text;
};
struct ErrorEvent {
  std::string code, message;
  bool retryable = false;
};
/// Milliseconds.
struct AssistTimings {
  double understand = 0, retrieve = 0, queue = 0, ttft = 0, generate = 0, total = 0;
};
struct DoneEvent {
  std::string finish_reason;  // "stop", "length", "repetition"
  int prompt_tokens = 0, completion_tokens = 0;
  AssistTimings timings;
  /// "model"; "code": written from the records; "mixed": sentences of both.
  std::string answer_step;
  int references = 0;
  int kept = 0, replaced = 0, dropped = 0;  // sentences of the model
};
using AssistEvent = std::variant<StartEvent, ProductsEvent, HandoffEvent, DeltaEvent, Citation,
                                 ErrorEvent, DoneEvent>;

/// Receives the events of one answer. Calls come one at a time, from any thread; they must not
/// block. Order: OnRefused alone; or StartEvent, ProductsEvent, then deltas and citations, and
/// exactly one of DoneEvent and ErrorEvent.
class AssistListener {
 public:
  virtual ~AssistListener() = default;
  /// The answer was not started; kResourceExhausted and kUnavailable are worth a retry.
  virtual void OnRefused(const absl::Status& status) = 0;
  /// False when the client is gone: the answer is abandoned.
  virtual bool OnEvent(const AssistEvent& event) = 0;
};

}  // namespace emptor::services

// One answer, from the admitted request to `done`.
#pragma once

#include <chrono>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "services/assistant/assistant.h"
#include "services/assistant/events/answered_part.h"
#include "services/assistant/plan/claim_gate.h"
#include "services/assistant/plan/plan.h"
#include "services/assistant/plan/repetition.h"
#include "services/assistant/plan/shortcomings.h"
#include "services/assistant/reading/message_parts.h"
#include "services/grounding/hydrator.h"

namespace emptor::services {

/// What an answer that nobody reads uses of the parts.
AssistantParts ForNobody(AssistantParts parts);

/// Threads: Run on one worker; then the generator's text, in order, on any free worker.
/// Thread-safety: Run once; OnText and OnEnd from the generator's thread; Cancel from any.
class Answer : public std::enable_shared_from_this<Answer> {
 public:
  Answer(const AssistantOptions& options, const AssistantParts& parts, AssistRequest request,
         std::shared_ptr<AssistListener> listener);

  /// Understands, retrieves, asks the generator, and emits `start` and `products`.
  void Run();

  /// The state after this turn, which follows `before`, as an answer from the records leaves it.
  /// Asks no generator, stores and reports nothing. REQUIRES: `parts` has no generator; not Run.
  absl::StatusOr<ConversationTurn> Replay(std::vector<ConversationTurn> before);
  /// After it: that of the last part of the message, and the states after the parts before it.
  const Understanding& understanding() const { return understanding_; }
  std::vector<ConversationTurn> TurnsOfParts() const;

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  struct End {
    std::string finish_reason;
    GeneratorUsage usage;
    absl::Status status;
  };

  // answer_parts.cc:
  void AnswerParts(const ShopProfile& profile);
  bool AnswerPart(const MessagePart& part);
  absl::StatusOr<ConversationTurn> RunAsPart(std::vector<ConversationTurn> before, int sources);
  std::string FindSettled() const;
  void ConfirmChoice();
  void TakeFocus();
  // answer_topics.cc:
  absl::StatusOr<std::shared_ptr<Answer>> ReadAlone() const;
  void LeaveTopic();
  // answer_choices.cc:
  bool ChangeChoices();
  bool DropChoices(std::vector<ChosenProduct>& chosen);
  bool FindGoing(const std::vector<ChosenProduct>& chosen, CountedGoods& goods) const;
  bool SwapChoice(std::vector<ChosenProduct>& chosen);
  bool TakeChoices(std::vector<ChosenProduct>& chosen);
  bool IsLikeShown(const std::string& id) const;
  std::string TopicOfProduct(const std::string& id) const;
  void AddNote(const std::string& sentence);
  void SayChange(std::string_view phrase, const std::string& id, int count);
  bool SayChoices();
  void ListChoices(std::vector<ChosenProduct> chosen);
  ConversationTurn WithChange(ConversationTurn turn) const;
  void SayParts();
  void ListParts(ConversationTurn& turn) const;

  std::vector<ConversationTurn> TurnsBefore();
  std::vector<ConversationTurn> MakeHistoryAgain();
  absl::Status Prepare();
  absl::Status Read();
  void OpenPage(const ShopProfile& profile);
  void Understand();
  RecordLookup Records() const;
  void ChooseLocale();
  UnderstandingInput MakeUnderstandingInput(const std::string& message, const ShopProfile& profile,
                                            const GoodsNames* own_names);
  // answer_names.cc:
  absl::Status ResolveNames();
  absl::Status ResolvePriced();
  void InheritQuestion();
  absl::Status ResolvePairOfShop(size_t max_unmatched = std::numeric_limits<size_t>::max());
  absl::Status ResolveShopName();
  absl::Status ResolveShown(const std::vector<std::string>& ids);
  absl::Status TurnTo(const std::string& id);
  void CompletePair();
  // answer_sums.cc:
  absl::Status ResolveAdded();
  absl::Status SumPieces();
  /// Empty where nothing is known.
  struct FoundPiece {
    std::string id, topic;
  };
  FoundPiece FindPiece(const std::string& piece, const std::vector<ConversationTurn>& before) const;
  absl::StatusOr<std::string> FindFirstOf(const std::string& goods);
  absl::Status ResolveSubject(const ProductType& type, bool names_other_type);
  std::shared_ptr<const TypeTable> TableOf(const ProductType& type);
  void JudgePair();
  absl::Status FindSources();
  absl::Status FindContact();
  absl::Status FindPriceMatch();
  const TypeSchema* SchemaOf(const ProductType& type, const std::string& language);
  std::string FilterLocale(const std::string& language) const;
  std::vector<MeantKind> MeantKinds(const std::string& message) const;
  bool HasPricesIn(const std::string& currency) const;
  void LimitByComparison();
  void DemandMakerOf(const std::string& title);
  HydratorOptions MakeHydratorOptions() const;
  void PlanFromRecords();
  const std::vector<Statement>& Plan();
  void MakePrompt();
  void MakeHydrator();
  void MakeGate();
  absl::Status Generate();
  bool UsesModel() const;
  absl::Status FindShopBest();
  std::vector<catalog::Product> FindReferenced() const;
  bool IsWithoutBeyond() const;
  void KeepBeyond();
  bool LimitByValues(const std::vector<catalog::Product>& products);
  void LiftCompared(const std::vector<catalog::Product>& products);
  void ShowBestReferenced();
  void DropWhatFitsLess();
  PlanInput MakePlanInput() const;
  void EmitStart();
  void EmitShortcomings();
  void OnText(std::string_view text);
  void OnEnd(std::string_view reason, const GeneratorUsage& usage, const absl::Status& status);
  void Schedule();
  void Drain();
  void Hydrate(std::string_view text);
  void StopTheModel();
  void Show(HydratedText piece);
  void Finish(const End& end);
  void ShowModelText(HydratedText piece);
  void ShowStatements(const std::vector<Statement>& statements);
  void FinishModelText();
  void FinishWithRecords();
  void ShowUnlessSaid(const std::string& text);
  void FinishAtDesk();
  /// What code computed goes past the hydrator, in its place among the facts.
  void ShowComputed(const std::vector<Statement>& plan, const PlanInput& input);
  void EmitDone(const End& end);
  void EmitError(const absl::Status& status);
  void Emit(const AssistEvent& event);
  ModelForm FormOfModel() const;
  void Report(const absl::Status& status, const End& end);
  void Cancel();
  bool IsNameOfProduct(bool asks) const;
  std::optional<ProductType> ShownType() const;
  ConversationTurn MakeTurn() const;
  ConversationAnswer MakeShownAnswer() const;
  void Remember();
  // answer_unanswered.cc:
  std::optional<UnansweredQuestion> FindUnanswered();
  void NoteUnanswered();
  // answer_caching.cc:
  bool Recall();
  bool Restore(const CachedAnswer& cached);
  bool RestoreSources();
  void ForgetChoice();
  void NoteChoice();
  bool IsChoiceShared() const;
  std::optional<ChoiceBasis> MakeBasis();
  void RepeatText(const CachedAnswer& cached);
  void HydrateAgain(std::string_view text);
  std::string ModelName() const;
  uint64_t CountFailedEmbeddings() const;
  void NoteCacheUse(StartEvent& start) const;
  void Keep(const End& end);
  // answer_tracing.cc:
  struct TraceNotes;
  std::shared_ptr<TraceNotes> MakeTraceNotes() const;
  void NoteModelText(std::string_view text);
  void NoteShown(const AssistEvent& event);
  void NoteTurn(const ConversationTurn& turn);
  void ReportTrace(const AnswerRecord& record, const End& end) const;
  double Milliseconds(TimePoint from, TimePoint to) const;

  // Copies: an answer may end after the assistant is destroyed.
  const AssistantOptions options_;
  const AssistantParts parts_;
  const AssistRequest request_;
  const std::shared_ptr<AssistListener> listener_;
  const std::string id_;
  const TimePoint begun_;
  const int64_t asked_unix_;                 // when it was asked
  const catalog::Market market_;             // which of a record's prices the shopper sees
  const std::shared_ptr<TraceNotes> notes_;  // null: it is not traced

  // Written by Run before the first text is handed on, then by one worker at a time (Drain).
  std::vector<ConversationTurn> turns_;  // before this one
  std::string message_;  // what this answers: the last part of the request's message
  std::vector<AnsweredPart> parts_before_;  // of the message
  bool is_part_ = false;                    // of a message, and not its last one
  bool settles_ = false;                    // the message chooses a product, and asks nothing
  std::string focus_;                       // which one, where it names none
  std::string chosen_text_;                 // what names it in the message; empty: all of it
  std::optional<ChoiceChange> change_;      // of what was chosen before, that the message makes
  std::optional<std::vector<ChosenProduct>> chosen_;  // after it
  std::string choice_notes_;                          // what it changed, in words
  bool lists_choices_ = true;                         // the answer lists what is chosen after it
  int sources_before_ = 0;                            // the last number that the parts before gave
  Understanding understanding_;
  /// Of the types that understanding looked at, by TypeCatalog::KeyOf: they stay while it reads
  /// them.
  std::map<std::string, std::shared_ptr<const TypeTable>> tables_;
  std::shared_ptr<const TypeTable> table_;  // of the understanding's type; null: it has none
  Retrieved retrieved_;
  Shortcomings shortcomings_;                   // what the products do not meet
  std::optional<std::vector<Statement>> plan_;  // see Plan
  int64_t plan_unix_ = 0;                       // when it was made
  std::string asked_key_;                       // the attribute of the plan's only statement
  bool none_beyond_ = false;                    // see PlanInput
  /// Values of the attribute that is compared which lie beyond what was shown.
  std::optional<std::vector<std::string>> beyond_;
  std::shared_ptr<const ShopUnits> units_;  // of the shop's attributes; null: not known
  std::map<int, std::string> quotes_;       // sentences that the plan quotes, by source
  std::map<int, int> pieces_;               // how many are bought of a source
  std::string winner_;                      // the product that the plan ranks first
  bool is_computed_ = false;                // the plan states a winner or a sum: code answers
  engine::ModelCapabilities capabilities_;  // of the generator, when the answer began
  Prompt prompt_;
  ConversationStore::Conversation conversation_;  // its turns are in turns_
  std::string locale_;
  std::string history_hash_;  // of the turns before, where the client keeps them
  std::string shown_text_;    // all deltas
  std::optional<Hydrator> hydrator_;
  std::optional<ClaimGate> gate_;  // of a model's text
  int code_references_ = 0;        // in statements next to a model's text
  int replaced_ = 0;               // dropped sentences for which code wrote statements
  RepetitionDetector repetition_;
  bool model_stopped_ = false;  // it repeats itself: the rest of its text is ignored
  AssistTimings timings_;
  std::vector<std::string> cited_;
  std::vector<Citation> citations_;       // all that were shown
  std::vector<ProductCard> shown_cards_;  // also of the parts before
  std::string answer_step_ = "model";
  std::string unsupported_;    // text without a source so far
  HydratorStats model_stats_;  // of text that an answer from the records replaced
  bool has_model_text_ = false;
  bool is_from_records_ = false;  // model_stats_ is set
  DoneEvent done_;
  bool ended_ = false;

  // Of the answer cache:
  std::optional<AnswerKey> key_;  // nothing: it is not looked up and not kept
  std::string key_model_;         // of the key
  ShopChanges changes_;           // before anything was read
  int64_t faq_settled_until_ = 0;
  uint64_t failed_embeddings_ = 0;                // of the shop, before
  std::shared_ptr<const CachedAnswer> stale_;     // its text is of use if the prompt is the same
  std::shared_ptr<const CachedAnswer> recalled_;  // its text is given again; null: it is made
  bool is_shared_ = false;                        // see IsChoiceShared
  std::shared_ptr<CachedAnswer> kept_;            // of this answer, without a text; null: none is
  std::string model_text_;                        // where kept_ is not null

  std::mutex mutex_;
  std::string pending_;                     // text not yet hydrated; guarded by mutex_
  std::optional<End> end_;                  // guarded by mutex_
  bool started_ = false;                    // guarded by mutex_
  bool draining_ = false;                   // a worker runs Drain; guarded by mutex_
  std::unique_ptr<Generation> generation_;  // guarded by mutex_
  bool abandoned_ = false;                  // guarded by mutex_

  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
};

}  // namespace emptor::services

// The steps of one answer.
#include "services/assistant/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "services/assistant/plan/phrasing.h"
#include "services/grounding/phrases.h"
#include "services/grounding/relaxation_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

/// Error codes of the API, without internal details.
ErrorEvent MakeError(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return {"overloaded", "the assistant is busy, please try again", true};
    case absl::StatusCode::kDeadlineExceeded:
      return {"deadline_exceeded", "the answer took too long", true};
    case absl::StatusCode::kUnavailable:
      return {"unavailable", "the assistant is not available now", true};
    default:
      return {"internal", "the answer could not be completed", true};
  }
}

}  // namespace

Answer::Answer(const AssistantOptions& options, const AssistantParts& parts, AssistRequest request,
               std::shared_ptr<AssistListener> listener)
    : options_(options),
      parts_(parts),
      request_(std::move(request)),
      listener_(std::move(listener)),
      id_("a_" + RandomId(12)),
      begun_(steady_clock::now()),
      asked_unix_(parts_.now_unix()),
      market_{catalog::RegionOfLocale(request_.locale), request_.currency},
      notes_(MakeTraceNotes()),
      message_(request_.message) {}

double Answer::Milliseconds(TimePoint from, TimePoint to) const {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

void Answer::Run() {
  if (request_.stop.stop_requested()) return;
  on_stop_.emplace(request_.stop, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Cancel();
  });
  turns_ = TurnsBefore();
  absl::Status status;
  if (!Recall()) {
    status = Prepare();
    if (status.ok()) NoteChoice();
    if (status.ok() && recalled_ == nullptr) status = Generate();
  }
  if (status.ok() && recalled_ != nullptr) RepeatText(*recalled_);
  if (!status.ok()) {
    listener_->OnRefused(status);
    Report(status, {});
    return;
  }
  EmitStart();
  {
    std::lock_guard lock(mutex_);
    started_ = true;
  }
  Schedule();
}

absl::Status Answer::Read() {
  Understand();
  return ResolveNames();
}

absl::Status Answer::Prepare() {
  AnswerParts(*parts_.shop.profile());
  if (ChangeChoices()) {
    // It is understood.
  } else if (focus_.empty()) {
    if (absl::Status status = Read(); !status.ok()) return status;
  } else {
    TakeFocus();
  }
  const TimePoint understood = steady_clock::now();
  timings_.understand = Milliseconds(begun_, understood);
  if (absl::Status status = FindSources(); !status.ok()) return status;
  LeaveTopic();
  timings_.retrieve = Milliseconds(understood, steady_clock::now());
  PlanFromRecords();
  MakePrompt();
  MakeHydrator();
  if (UsesModel()) MakeGate();
  return absl::OkStatus();
}

/// What code states of the sources.
void Answer::PlanFromRecords() {
  shortcomings_ = ComputeShortcomings(retrieved_.needs, retrieved_.sources, retrieved_.why.size(),
                                      understanding_.language);
  const std::vector<Statement>& plan = Plan();
  asked_key_ = KeyOfAll(plan);
  for (const Statement& each : plan) {
    if (each.kind == Statement::Kind::kState && each.number > 1) {
      pieces_[each.source] = static_cast<int>(each.number);
    }
    if (each.key == "description") quotes_[each.source] = each.words.front();
  }
  if (!understanding_.follows_up && !retrieved_.is_about_shown) {
    is_computed_ = !plan.empty() && (plan[0].kind == Statement::Kind::kBest || IsComputed(plan[0]));
    if (!plan.empty() && plan[0].kind == Statement::Kind::kBest) {
      winner_ = retrieved_.sources[static_cast<size_t>(plan[0].source) - 1].id();
    }
  }
  if (parts_.generator != nullptr) capabilities_ = parts_.generator->capabilities();
}

/// The plan as of this second: a sale may end while a model writes.
const std::vector<Statement>& Answer::Plan() {
  const PlanInput input = MakePlanInput();
  if (!plan_ || plan_unix_ != input.now_unix) plan_ = PlanAnswer(input);
  plan_unix_ = input.now_unix;
  return *plan_;
}

void Answer::MakePrompt() {
  PromptInput input;
  input.sources = retrieved_.sources;
  input.question = understanding_.follows_up ? understanding_.search_text : message_;
  input.budget = understanding_.budget;
  input.now_unix = parts_.now_unix();
  input.market = market_;
  if (parts_.generator != nullptr) input.style = parts_.generator->prompt_style();
  input.max_tokens = options_.prompt_tokens;
  prompt_ = BuildPrompt(input);
}

void Answer::MakeHydrator() { hydrator_.emplace(MakeHydratorOptions()); }

HydratorOptions Answer::MakeHydratorOptions() const {
  HydratorOptions options;
  options.question = message_;
  options.render.sources = retrieved_.sources;
  options.render.locale = locale_;
  options.render.market = market_;
  options.render.remarks = shortcomings_.remarks;
  options.render.link_base = request_.link_base;
  options.render.numbers_before = sources_before_;
  options.render.budget = understanding_.budget;
  options.render.quotes = quotes_;
  options.render.pieces = pieces_;
  // A model writes units of its own behind the values that it was given.
  if (answer_step_ != "model") {
    options.render.unit_behind = [this](const catalog::Attribute& attribute) {
      return UnitBehind(attribute, units_.get(), FoldedMessage(message_), understanding_.language);
    };
  }
  options.render.now_unix = parts_.now_unix;
  options.render.lookup = Records();
  return options;
}

/// Passes the prompt to the generator. Text that arrives before `start` is buffered.
absl::Status Answer::Generate() {
  if (!UsesModel()) {
    OnEnd("stop", {}, absl::OkStatus());
    return absl::OkStatus();
  }
  GeneratorRequest request;
  request.id = request_.request_id;
  request.messages = prompt_.messages;
  request.references = prompt_.references;
  request.max_tokens = request_.max_tokens;
  request.deadline = begun_ + options_.deadline;
  request.tenant = parts_.shop_name;
  request.cache_salt = parts_.shop_name;
  GeneratorCallbacks callbacks;
  callbacks.on_text = [self = shared_from_this()](std::string_view text) { self->OnText(text); };
  callbacks.on_end = [self = shared_from_this()](
                         std::string_view reason, const GeneratorUsage& usage,
                         const absl::Status& status) { self->OnEnd(reason, usage, status); };
  auto generation = parts_.generator->Generate(std::move(request), std::move(callbacks));
  if (!generation.ok()) return generation.status();
  bool give_up = false;
  {
    std::lock_guard lock(mutex_);
    generation_ = *std::move(generation);
    give_up = abandoned_;
  }
  if (give_up) Cancel();
  return absl::OkStatus();
}

/// A model that does not write the shopper's language is skipped: code answers from the records.
/// Nor one where code has computed the winner or the sum.
bool Answer::UsesModel() const {
  if (parts_.generator == nullptr || understanding_.desk != DeskAct::kNone) return false;
  if (retrieved_.cache == CacheUse::kHit) return false;  // the staff has written the answer
  if (sources_before_ > 0) return false;                 // code has answered the parts before
  if (change_) return false;
  if (is_computed_ || understanding_.contradicts || understanding_.lacks_subject) return false;
  const bool is_absent = !understanding_.not_sold.empty() || understanding_.asks_policy;
  if (is_absent && retrieved_.sources.empty()) return false;
  if (!understanding_.unsold_trade.empty() || !understanding_.unsold_side.empty()) return false;
  const std::vector<std::string>& languages = capabilities_.languages;
  return languages.empty() ||
         std::find(languages.begin(), languages.end(), understanding_.language) != languages.end();
}

void Answer::EmitStart() {
  StartEvent start;
  start.id = id_;
  start.conversation_id = conversation_.id;
  start.model = UsesModel() ? parts_.generator->model_name() : "none";
  start.intents = understanding_.intents;
  start.filter = retrieved_.filter;
  start.asked = retrieved_.asked;
  start.relaxed = retrieved_.relaxed;
  // Of several conditions on attributes, only those that were given up.
  retrieval::Filter given_up = start.asked;
  std::erase_if(given_up.attributes, [&](const auto& each) {
    const auto& kept = retrieved_.filter.attributes;
    return std::find(kept.begin(), kept.end(), each) != kept.end();
  });
  NoteCacheUse(start);
  start.explanation = ExplainRelaxation(
      given_up, start.relaxed, request_.locale.empty() ? understanding_.language : request_.locale);
  for (const AnsweredPart& part : parts_before_) {
    for (const Intent intent : part.intents) {
      const auto& said = start.intents;
      if (std::find(said.begin(), said.end(), intent) == said.end())
        start.intents.push_back(intent);
    }
  }
  Emit(start);
  ProductsEvent products;
  for (const AnsweredPart& part : parts_before_) {
    products.items.insert(products.items.end(), part.cards.begin(), part.cards.end());
  }
  for (size_t i = 0; i < retrieved_.why.size(); ++i) {
    const Source& source = retrieved_.sources[i];
    ProductCard card;
    card.n = sources_before_ + static_cast<int>(i) + 1;
    card.product = *source.product();
    card.shown = catalog::ComputePayablePrice(card.product, parts_.now_unix(), market_);
    card.score = source.score;
    card.why = retrieved_.why[i];
    products.items.push_back(std::move(card));
  }
  Emit(products);
  SayParts();
  if (understanding_.is_repeated && understanding_.desk == DeskAct::kNone) {
    Emit(DeltaEvent{Phrase(understanding_.language, "looked_again") + "\n\n"});
  }
  EmitShortcomings();
}

void Answer::OnText(std::string_view text) {
  {
    std::lock_guard lock(mutex_);
    if (pending_.empty() && timings_.ttft == 0) {
      timings_.ttft = Milliseconds(begun_, steady_clock::now());
    }
    pending_ += text;
  }
  Schedule();
}

void Answer::OnEnd(std::string_view reason, const GeneratorUsage& usage,
                   const absl::Status& status) {
  {
    std::lock_guard lock(mutex_);
    end_ = End{std::string(reason), usage, status};
  }
  Schedule();
}

/// Runs Drain on a worker, unless one runs it or `start` has not been emitted.
void Answer::Schedule() {
  {
    std::lock_guard lock(mutex_);
    if (!started_ || draining_ || (pending_.empty() && !end_)) return;
    draining_ = true;
  }
  parts_.workers.Submit([self = shared_from_this()] { self->Drain(); });
}

void Answer::Drain() {
  while (true) {
    std::string text;
    std::optional<End> end;
    {
      std::lock_guard lock(mutex_);
      text = std::exchange(pending_, {});
      if (text.empty()) end = std::exchange(end_, std::nullopt);
      if (text.empty() && !end) {
        draining_ = false;
        return;
      }
    }
    if (end) {
      if (model_stopped_) end = End{"repetition", end->usage, absl::OkStatus()};
      Finish(*end);
    } else if (!ended_ && !model_stopped_) {
      recalled_ == nullptr ? Hydrate(text) : HydrateAgain(text);
    }
  }
}

void Answer::Hydrate(std::string_view text) {
  NoteModelText(text);
  has_model_text_ = true;
  if (kept_ != nullptr) model_text_ += text;
  ShowModelText(hydrator_->Push(text));
  if (recalled_ != nullptr || !repetition_.Push(text)) return;
  model_stopped_ = true;
  StopTheModel();
}

/// Stops the generator. The answer continues with the text so far.
void Answer::StopTheModel() {
  Generation* generation = nullptr;
  {
    std::lock_guard lock(mutex_);
    generation = generation_.get();  // lives as long as the answer; null before it begins
  }
  if (generation != nullptr) generation->Cancel();
}

/// Passes text on. An answer that must use a source waits for the first reference: if a model
/// overlooks the product it was asked about, the records answer instead (see Finish).
void Answer::Show(HydratedText piece) {
  if (retrieved_.must_be_used && hydrator_->stats().references == 0) {
    unsupported_ += piece.text;
    return;
  }
  std::string text = std::exchange(unsupported_, {}) + piece.text;
  if (!text.empty()) Emit(DeltaEvent{std::move(text)});
  for (Citation& citation : piece.citations) {
    if (!citation.product_id.empty()) cited_.push_back(citation.product_id);
    Emit(citation);
  }
}

void Answer::Finish(const End& end) {
  if (ended_) return;
  bool abandoned = false;
  {
    std::lock_guard lock(mutex_);
    abandoned = abandoned_;
  }
  if (!abandoned) {
    FinishModelText();
    const bool misses_source =
        retrieved_.must_be_used && hydrator_->stats().references == 0 && end.status.ok();
    const bool is_late = absl::IsDeadlineExceeded(end.status);
    // Without a plan a page or a phrase answers: a part of it does not.
    const bool has_gap = gate_ && !is_late && (gate_->stats().dropped > 0 || !end.status.ok());
    const bool is_partial = gate_ && (gate_->stats().kept == 0 || (has_gap && Plan().empty()));
    if (!hydrator_->has_content() || misses_source || is_partial) FinishWithRecords();
    if (is_late && answer_step_ != "code") {
      EmitError(end.status);
    } else {
      Remember();  // before `done`: the next question may arrive at once
      Keep(end);
      EmitDone(end);
    }
  }
  ended_ = true;
  Report(end.status, end);
}

/// Replaces model text that cannot be shown by an answer from the records.
void Answer::FinishWithRecords() {
  const bool follows_model = gate_ && gate_->stats().kept > 0 && unsupported_.empty();
  answer_step_ = follows_model ? "mixed" : "code";
  replaced_ = gate_ ? gate_->stats().dropped : 0;
  unsupported_.clear();
  retrieved_.must_be_used = false;
  model_stats_ = hydrator_->stats();
  is_from_records_ = true;
  MakeHydrator();
  if (understanding_.desk != DeskAct::kNone) return FinishAtDesk();
  if (chosen_ && !SayChoices()) return;
  const PlanInput input = MakePlanInput();
  // What code computed is no fact of a record: it goes past the hydrator.
  const std::vector<Statement>& plan = Plan();
  if (follows_model && plan.empty()) return ShowUnlessSaid(WriteAnswer(input, plan, locale_));
  if (follows_model) Emit(DeltaEvent{"\n\n"});
  if (std::string unsold = WriteUnsoldSide(understanding_); !unsold.empty()) {
    Emit(DeltaEvent{std::move(unsold)});
  }
  if (std::any_of(plan.begin(), plan.end(), IsComputed)) {
    ShowComputed(plan, input);
    Show(hydrator_->Push(WritePolicyPart(input)));
  } else if (plan.empty() && retrieved_.sources.empty()) {
    Emit(DeltaEvent{WriteAnswer(input, plan, locale_)});  // it states nothing of a record
  } else {
    Show(hydrator_->Push(WriteAnswer(input, plan, locale_)));
  }
  Show(hydrator_->Finish());
}

void Answer::EmitDone(const End& end) {
  DoneEvent done;
  // Where the model broke off, code has written the rest.
  const bool is_of_model = answer_step_ != "code" && end.status.ok();
  done.finish_reason = is_of_model ? end.finish_reason : "stop";
  done.prompt_tokens = end.usage.prompt_tokens;
  done.completion_tokens = end.usage.completion_tokens;
  timings_.queue = end.usage.queue_seconds * 1000;
  timings_.generate = end.usage.total_seconds * 1000;
  timings_.total = Milliseconds(begun_, steady_clock::now());
  done.timings = timings_;
  done.answer_step = answer_step_;
  done.references = hydrator_->stats().references + code_references_;
  done.replaced = replaced_ + hydrator_->stats().replaced + model_stats_.replaced;
  done.dropped = hydrator_->stats().dropped + model_stats_.dropped - hydrator_->stats().replaced -
                 model_stats_.replaced;
  if (gate_) {
    done.kept = gate_->stats().kept;
    done.dropped += gate_->stats().dropped - replaced_;
  }
  done_ = done;
  Emit(done);
}

void Answer::EmitError(const absl::Status& status) { Emit(MakeError(status)); }

void Answer::Emit(const AssistEvent& event) {
  {
    std::lock_guard lock(mutex_);
    if (abandoned_) return;
  }
  NoteShown(event);
  if (!listener_->OnEvent(event)) Cancel();
}

void Answer::Cancel() {
  {
    std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  StopTheModel();
}

void Answer::Report(const absl::Status& status, const End& end) {
  AnswerRecord record;
  record.request_id = request_.request_id;
  record.id = id_;
  record.model = UsesModel() ? parts_.generator->model_name() : "none";
  record.prompt_hash = prompt_.hash;
  record.answer_step = answer_step_;
  record.finish_reason = end.finish_reason;
  record.status = status;
  record.done = done_;
  if (hydrator_) record.hydrator = hydrator_->stats();
  for (size_t i = 0; i < record.hydrator.by_rule.size(); ++i) {
    record.hydrator.by_rule[i] += model_stats_.by_rule[i];
  }
  if (gate_) record.claims = gate_->stats();
  record.is_recalled = recalled_ != nullptr;
  if (has_model_text_ && !record.is_recalled) record.form = FormOfModel();
  record.prompt_tokens = end.usage.prompt_tokens;
  record.products = retrieved_.why.size();
  record.acts = parts_before_.size() + 1;
  record.is_faq_hit = retrieved_.cache == CacheUse::kHit;
  {
    std::lock_guard lock(mutex_);
    record.abandoned = abandoned_;
  }
  if (parts_.on_answer) parts_.on_answer(record);
  ReportTrace(record, end);
}

}  // namespace emptor::services

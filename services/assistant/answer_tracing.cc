// What an answer puts into its trace.
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/answer_trace.h"
#include "services/assistant/dialogue/conversation_codec.h"
#include "services/proto/answer_trace.pb.h"

namespace emptor::services {
namespace {

using Strings = google::protobuf::RepeatedPtrField<std::string>;

void Write(const std::vector<std::string>& texts, Strings* out) {
  out->Assign(texts.begin(), texts.end());
}

std::string NameOf(Statement::Kind kind) {
  switch (kind) {
    case Statement::Kind::kRecommend:
      return "recommend";
    case Statement::Kind::kState:
      return "state";
    case Statement::Kind::kAffirm:
      return "affirm";
    case Statement::Kind::kDeny:
      return "deny";
    case Statement::Kind::kNotStated:
      return "not_stated";
    case Statement::Kind::kBest:
      return "best";
    case Statement::Kind::kTotal:
      return "total";
    case Statement::Kind::kCompare:
      return "compare";
    default:
      return "other";
  }
}

void WriteRequest(const AssistRequest& request, assistant::v1::TraceRequest& out) {
  out.set_message(request.message);
  out.set_locale(request.locale);
  out.set_currency(request.currency);
  WriteFilter(request.filter, *out.mutable_filter());
  for (int part = 0; part < retrieval::kFilterPartCount; ++part) {
    const auto each = static_cast<retrieval::FilterPart>(part);
    if (request.named_filters.contains(each)) {
      out.add_named_filters(std::string(retrieval::ToString(each)));
    }
  }
  out.set_page_product_id(request.page_product_id);
  out.set_max_tokens(request.max_tokens);
  out.set_link_base(request.link_base);
}

void WriteReading(const Understanding& reading, assistant::v1::Reading& out) {
  for (const Intent intent : reading.intents) out.add_intents(std::string(ToString(intent)));
  out.set_language(reading.language);
  out.set_desk(std::string(PhraseKey(reading.desk)));
  out.set_asks_policy(reading.asks_policy);
  out.set_policy_question(reading.policy_question);
  out.set_search_text(reading.search_text);
  WriteFilter(reading.filter, *out.mutable_filter());
  if (reading.budget) {
    out.set_budget_amount(reading.budget->amount);
    out.set_budget_currency(reading.budget->currency);
  }
  Write(reading.referenced_products, out.mutable_referenced_products());
  out.set_compares(reading.comparison.has_value());
  out.set_follows_up(reading.follows_up);
  if (reading.type) {
    out.mutable_type()->set_name(reading.type->name);
    Write(reading.type->categories, out.mutable_type()->mutable_categories());
    Write(reading.type->words, out.mutable_type()->mutable_words());
  }
  if (reading.rank) {
    out.set_rank_key(reading.rank->key);
    out.set_rank_is_least(reading.rank->is_least);
  }
  out.set_ranks_all(reading.ranks_all);
  out.set_not_sold(reading.not_sold);
  out.set_contradicts(reading.contradicts);
  for (const auto& wish : reading.wishes) {
    out.add_wishes()->set_name(wish.name);
    Write(wish.values, out.mutable_wishes()->rbegin()->mutable_values());
  }
  Write(reading.keys_asked, out.mutable_keys_asked());
}

void WriteRetrieved(const Retrieved& retrieved, const std::string& text,
                    assistant::v1::AnswerTrace& out) {
  assistant::v1::Query& query = *out.add_queries();
  query.set_text(text);
  WriteFilter(retrieved.asked, *query.mutable_asked());
  WriteFilter(retrieved.filter, *query.mutable_applied());
  for (const auto& step : retrieved.relaxed) {
    query.add_relaxed(std::string(retrieval::ToString(step.part)));
  }
  for (size_t i = 0; i < retrieved.sources.size(); ++i) {
    const Source& source = retrieved.sources[i];
    assistant::v1::Hit& hit = *out.add_hits();
    hit.set_n(static_cast<int>(i) + 1);
    hit.set_kind(source.product() != nullptr ? "product" : "document");
    hit.set_id(source.id());
    hit.set_passage_id(source.passage_id);
    hit.set_score(source.score);
    if (i < retrieved.why.size()) hit.set_why(retrieved.why[i]);
  }
}

void WritePlan(const std::vector<Statement>& plan, assistant::v1::AnswerTrace& out) {
  for (const Statement& statement : plan) {
    assistant::v1::PlanStatement& written = *out.add_plan();
    written.set_kind(NameOf(statement.kind));
    written.set_source(statement.source);
    written.set_key(statement.key);
    written.set_is_least(statement.is_least);
    written.mutable_sources()->Assign(statement.sources.begin(), statement.sources.end());
    Write(statement.keys, written.mutable_keys());
  }
}

void WriteDone(const AssistTimings& timings, const HydratorStats& stats,
               assistant::v1::AnswerTrace& out) {
  assistant::v1::TraceTimings& written = *out.mutable_timings();
  written.set_understand(timings.understand);
  written.set_retrieve(timings.retrieve);
  written.set_queue(timings.queue);
  written.set_ttft(timings.ttft);
  written.set_generate(timings.generate);
  written.set_total(timings.total);
  for (size_t rule = 0; rule < stats.by_rule.size(); ++rule) {
    if (stats.by_rule[rule] == 0) continue;
    assistant::v1::Drops& drops = *out.add_drops();
    drops.set_rule(std::string(ToString(static_cast<DropRule>(rule))));
    drops.set_count(stats.by_rule[rule]);
  }
}

/// As many of the sentences that did not leave as the records answered for are "replaced".
void WriteVerdicts(const ClaimGate& gate, int replaced, const std::vector<Source>& sources,
                   assistant::v1::AnswerTrace& out) {
  for (const JudgedSentence& each : gate.judged()) {
    assistant::v1::SentenceVerdict& written = *out.add_verdicts();
    written.set_sentence(each.text);
    if (!each.verdict.is_entailed) {
      written.set_verdict(replaced-- > 0 ? "replaced" : "dropped");
      written.set_reason(std::string(ToString(each.verdict.rule)));
      written.set_claim(each.verdict.claim);
      continue;
    }
    written.set_verdict("kept");
    for (const StatedClaim& stated : each.verdict.stated) {
      assistant::v1::VerdictClaim& claim = *written.add_claims();
      const auto at = static_cast<size_t>(stated.source) - 1;
      if (at < sources.size()) claim.set_source(sources[at].id());
      claim.set_key(stated.key);
      claim.set_is_best(stated.is_best);
    }
  }
}

}  // namespace

/// What becomes known while the answer is shown.
struct Answer::TraceNotes {
  std::string model_text;
  std::optional<ConversationTurn> after;
};

std::shared_ptr<Answer::TraceNotes> Answer::MakeTraceNotes() const {
  return parts_.on_trace ? std::make_shared<TraceNotes>() : nullptr;
}

void Answer::NoteModelText(std::string_view text) {
  if (notes_ != nullptr) notes_->model_text += text;
}

void Answer::NoteShown(const AssistEvent& event) {
  if (const auto* products = std::get_if<ProductsEvent>(&event)) shown_cards_ = products->items;
  if (const auto* delta = std::get_if<DeltaEvent>(&event)) shown_text_ += delta->text;
  if (const auto* citation = std::get_if<Citation>(&event)) citations_.push_back(*citation);
}

void Answer::NoteTurn(const ConversationTurn& turn) {
  if (notes_ != nullptr) notes_->after = turn;
}

void Answer::ReportTrace(const AnswerRecord& record, const End& end) const {
  // A client that leaves after `done` has had the whole answer.
  const bool left_early = record.abandoned && record.done.answer_step.empty();
  if (notes_ == nullptr || left_early) return;
  assistant::v1::AnswerTrace trace;
  trace.set_version(kTraceVersion);
  trace.set_build(options_.build);
  trace.set_id(id_);
  trace.set_conversation_id(conversation_.id);
  trace.set_request_id(request_.request_id);
  trace.set_shop(parts_.shop_name);
  trace.set_now_unix(asked_unix_);
  WriteRequest(request_, *trace.mutable_request());
  trace.mutable_options()->set_prompt_tokens(options_.prompt_tokens);
  trace.mutable_options()->set_default_locale(options_.default_locale);
  trace.mutable_options()->set_max_products(options_.retriever.max_products);
  trace.mutable_options()->set_max_documents(options_.retriever.max_documents);
  for (size_t i = 0; i + parts_before_.size() < turns_.size(); ++i) {
    WriteTurn(turns_[i], *trace.add_before());
  }
  if (notes_->after) WriteTurn(*notes_->after, *trace.mutable_after());
  WriteReading(understanding_, *trace.mutable_reading());
  WriteRetrieved(retrieved_, understanding_.search_text, trace);
  if (understanding_.desk == DeskAct::kNone) WritePlan(PlanAnswer(MakePlanInput()), trace);
  trace.set_prompt_hash(prompt_.hash);
  if (parts_.generator != nullptr) {
    assistant::v1::ModelRun& model = *trace.mutable_model();
    model.set_name(parts_.generator->model_name());
    model.set_references(capabilities_.references);
    model.set_without_examples(parts_.generator->prompt_style() == PromptStyle::kInstructions);
    Write(capabilities_.languages, model.mutable_languages());
    model.set_was_asked(UsesModel());
    model.set_text(notes_->model_text);
    model.set_finish_reason(end.finish_reason);
    model.set_prompt_tokens(end.usage.prompt_tokens);
    model.set_completion_tokens(end.usage.completion_tokens);
    model.set_error_code(static_cast<int>(end.status.code()));
    model.set_error(std::string(end.status.message()));
  }
  trace.set_answer_step(answer_step_);
  trace.set_text(shown_text_);
  for (const Citation& citation : citations_) {
    assistant::v1::TraceCitation& written = *trace.add_citations();
    written.set_n(citation.n);
    written.set_product_id(citation.product_id);
    written.set_passage_id(citation.passage_id);
    written.set_quote(citation.quote);
  }
  if (gate_) WriteVerdicts(*gate_, replaced_, retrieved_.sources, trace);
  WriteDone(timings_, record.hydrator, trace);
  if (!record.status.ok()) trace.set_error(record.status.ToString());
  parts_.on_trace(AnswerTrace(std::move(trace)));
}

}  // namespace emptor::services

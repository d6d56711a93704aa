// A model's text through the claim gate, and the statements of the plan next to it.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/plan/phrasing.h"
#include "services/grounding/phrases.h"

namespace emptor::services {

PlanInput Answer::MakePlanInput() const {
  const bool about_shown =
      retrieved_.is_about_shown ||
      (!understanding_.referenced_products.empty() && !understanding_.follows_up);
  return {
      understanding_,
      retrieved_.sources,
      understanding_.fact_question.empty() ? understanding_.message : understanding_.fact_question,
      about_shown,
      parts_.now_unix(),
      market_,
      table_ == nullptr ? nullptr : &table_->schema,
      retrieved_.counted,
      retrieved_.ranked,
      retrieved_.stating,
      none_beyond_,
      retrieved_.shop_best,
      shortcomings_.remarks,
      units_.get(),
      nullptr,
      parts_.meanings.keys.get()};
}

/// Says which demands the products do not meet. The prompt states a price that nothing met: a
/// model says so itself.
void Answer::EmitShortcomings() {
  if (retrieved_.why.empty()) return;
  if (!retrieved_.is_about_shown && !retrieved_.leaves_type) {
    if (const std::string help = WriteHelp(understanding_); !help.empty()) {
      Emit(DeltaEvent{help + "\n\n"});
    }
  }
  if (understanding_.assumes_currency && understanding_.filter.has_price()) {
    Emit(DeltaEvent{Phrase(understanding_.language, "assumed_currency", 0,
                           {{"currency", understanding_.filter.currency}}) +
                    "\n\n"});
  }
  const bool only_price =
      retrieved_.relaxed.size() == 1 && retrieved_.relaxed[0].part == retrieval::FilterPart::kPrice;
  const bool is_left = only_price && UsesModel();
  std::string text = is_left ? "" : TextOf(shortcomings_, understanding_.language);
  if (text.empty() && retrieved_.needs.needs.empty() && !retrieved_.relaxed.empty() && !is_left) {
    text = Phrase(understanding_.language, "closest");
  }
  if (!text.empty()) Emit(DeltaEvent{text + "\n\n"});
  const std::string coverage = WriteCoverage(MakePlanInput());
  if (!coverage.empty()) Emit(DeltaEvent{coverage + "\n\n"});
}

/// The claim checker reads the records as they are now.
void Answer::MakeGate() {
  ClaimSources sources;
  sources.sources = retrieved_.sources;
  for (Source& source : sources.sources) {
    if (source.product() == nullptr) continue;
    auto live = parts_.shop.FindProduct(source.id());
    if (live.ok() && *live) source.record = **std::move(live);
  }
  sources.language = understanding_.language;
  sources.question = message_;
  sources.now_unix = parts_.now_unix();
  sources.market = market_;
  gate_.emplace(std::move(sources), Plan());
}

/// Passes on what the claim checker keeps. An answer or a winner of the plan comes first.
void Answer::ShowModelText(HydratedText piece) {
  if (!gate_) return Show(std::move(piece));
  const int kept = gate_->stats().kept;
  HydratedText shown = gate_->Push(std::move(piece));
  if (gate_->stats().kept > kept) ShowStatements(gate_->TakeLead());
  Show(std::move(shown));
}

/// Statements of the plan, phrased by code, next to a model's sentences.
void Answer::ShowStatements(const std::vector<Statement>& statements) {
  if (statements.empty()) return;
  answer_step_ = "mixed";
  Hydrator hydrator(MakeHydratorOptions());
  const PlanInput input = MakePlanInput();
  retrieved_.must_be_used = false;
  if (statements[0].kind == Statement::Kind::kTotal) {
    Emit(DeltaEvent{WriteStatements(statements, input, locale_) + "\n"});
    return;
  }
  Show(hydrator.Push(WriteStatements(statements, input, locale_)));
  HydratedText rest = hydrator.Finish();
  rest.text += "\n";
  Show(std::move(rest));
  code_references_ += hydrator.stats().references;
}

/// Adds what the records say to a model's sentences, unless these have said it in the same words: a
/// model that quoted the page, and went on with what was refused.
void Answer::ShowUnlessSaid(const std::string& text) {
  HydratedText added{text, {}};
  if (!retrieved_.sources.empty()) {  // else it states nothing of a record
    added = hydrator_->Push(text);
    HydratedText rest = hydrator_->Finish();
    added.text += rest.text;
    added.citations.insert(added.citations.end(), rest.citations.begin(), rest.citations.end());
  }
  const std::string words = added.text.substr(0, added.text.rfind(" ["));  // without its citation
  if (!words.empty() && shown_text_.find(words) != std::string::npos) {
    answer_step_ = "model";
    replaced_ = 0;
    return;
  }
  Emit(DeltaEvent{"\n\n"});
  Show(std::move(added));
}

ModelForm Answer::FormOfModel() const {
  const HydratorStats& stats = is_from_records_ ? model_stats_ : hydrator_->stats();
  return {.wrote = has_model_text_,
          .had_sources = prompt_.sources > 0,
          .references = stats.references - stats.replaced,  // facts for claims are not its own
          .wrong_references = stats.by_rule[static_cast<size_t>(DropRule::kReference)]};
}

/// The rest of the model's text, then what the plan states and no sentence covers.
void Answer::FinishModelText() {
  ShowModelText(hydrator_->Finish());
  if (!gate_) return;
  HydratedText rest = gate_->Finish();
  if (gate_->stats().kept > 0) ShowStatements(gate_->TakeLead());
  Show(std::move(rest));
  if (gate_->stats().kept == 0) return;
  const std::vector<Statement> missing = gate_->Missing();
  replaced_ = std::min(gate_->stats().dropped, static_cast<int>(missing.size()));
  if (missing.empty()) return;
  Emit(DeltaEvent{"\n\n"});
  ShowStatements(missing);
}

void Answer::ShowComputed(const std::vector<Statement>& plan, const PlanInput& input) {
  for (auto begin = plan.begin(); begin != plan.end();) {
    const bool is_computed = IsComputed(*begin);
    const auto end = is_computed ? begin + 1 : std::find_if(begin, plan.end(), IsComputed);
    std::string text = WriteStatements({begin, end}, input, locale_);
    if (!is_computed) {
      Show(hydrator_->Push(end == plan.end() ? text : text + "\n"));
    } else if (begin == plan.begin()) {
      Emit(DeltaEvent{std::move(text) + "\n"});
    } else {
      // The hydrator writes its line break before what follows.
      Emit(DeltaEvent{(understanding_.language == "zh" ? "" : " ") + std::move(text)});
    }
    begin = end;
  }
}

}  // namespace emptor::services

// Counting forms.
#include "services/observability/model_form.h"

#include <string_view>

namespace emptor::services {

void ModelFormCounter::Count(const AnswerRecord& answer) {
  const ModelForm& form = answer.form;
  if (!form.wrote) return;
  const std::lock_guard lock(mutex_);
  FormCounts& counts = counts_[answer.model];
  ++counts.answers;
  counts.no_reference += form.had_sources && form.references == 0;
  counts.wrong_reference += form.wrong_references > 0;
  counts.refused_sentence += answer.claims.dropped > 0;
  counts.sentences_kept += static_cast<uint64_t>(answer.claims.kept);
  counts.sentences_refused += static_cast<uint64_t>(answer.claims.dropped);
}

std::map<std::string, FormCounts> ModelFormCounter::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<Sample> FormSamples(const std::map<std::string, FormCounts>& counts) {
  std::vector<Sample> samples;
  for (const auto& [model, form] : counts) {
    const auto add = [&, &name = model](const char* metric, const char* help, uint64_t value,
                                        const char* label = "", std::string_view text = "") {
      Sample sample{metric, help, true, static_cast<double>(value), {{"model_name", name}}};
      if (*label != '\0') sample.labels.emplace_back(label, std::string(text));
      samples.push_back(std::move(sample));
    };
    add("emptor_model_answers_total", "Answers for which a model wrote text", form.answers);
    const char* breaks = "emptor_model_form_breaks_total";
    const char* help = "Answers whose text broke the form, by how";
    add(breaks, help, form.no_reference, "kind", "no_reference");
    add(breaks, help, form.wrong_reference, "kind", "wrong_reference");
    add(breaks, help, form.refused_sentence, "kind", "refused_sentence");
    const char* sentences = "emptor_model_sentences_total";
    add(sentences, "Sentences of models", form.sentences_kept, "verdict", "kept");
    add(sentences, "Sentences of models", form.sentences_refused, "verdict", "refused");
  }
  return samples;
}

}  // namespace emptor::services

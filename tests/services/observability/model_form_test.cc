// How often models break the form.
#include "services/observability/model_form.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

AnswerRecord Record(const std::string& model, const ModelForm& form, int kept, int dropped) {
  AnswerRecord record;
  record.model = model;
  record.form = form;
  record.claims.kept = kept;
  record.claims.dropped = dropped;
  return record;
}

TEST(ModelFormTest, CountsAnswersByHowTheyBreakTheForm) {
  ModelFormCounter counter;
  counter.Count(Record("a", {true, true, 2, 0}, 2, 0));
  counter.Count(Record("a", {true, true, 0, 0}, 0, 3));
  counter.Count(Record("a", {true, true, 1, 2}, 1, 1));
  counter.Count(Record("a", {true, false, 0, 0}, 1, 0));  // it had nothing to refer to
  counter.Count(Record("a", {}, 0, 0));                   // it wrote nothing
  counter.Count(Record("b", {true, true, 1, 0}, 1, 0));
  const auto counts = counter.counts();
  ASSERT_EQ(counts.size(), 2u);
  const FormCounts& a = counts.at("a");
  EXPECT_EQ(a.answers, 4u);
  EXPECT_EQ(a.no_reference, 1u);
  EXPECT_EQ(a.wrong_reference, 1u);
  EXPECT_EQ(a.refused_sentence, 2u);
  EXPECT_EQ(a.sentences_kept, 4u);
  EXPECT_EQ(a.sentences_refused, 4u);
  EXPECT_EQ(counts.at("b").answers, 1u);
  EXPECT_TRUE(ModelFormCounter().counts().empty());
}

TEST(ModelFormTest, BecomesMetricsByModelAndKind) {
  ModelFormCounter counter;
  counter.Count(Record("a", {true, true, 0, 1}, 2, 1));
  double breaks = 0;
  bool has_answers = false, has_kept = false;
  for (const Sample& sample : FormSamples(counter.counts())) {
    EXPECT_TRUE(sample.is_counter);
    ASSERT_FALSE(sample.labels.empty());
    EXPECT_EQ(sample.labels[0], (std::pair<std::string, std::string>("model_name", "a")));
    if (sample.name == "emptor_model_form_breaks_total") breaks += sample.value;
    has_answers = has_answers || (sample.name == "emptor_model_answers_total" && sample.value == 1);
    has_kept = has_kept || (sample.name == "emptor_model_sentences_total" && sample.value == 2 &&
                            sample.labels[1].second == "kept");
  }
  EXPECT_EQ(breaks, 3);
  EXPECT_TRUE(has_answers);
  EXPECT_TRUE(has_kept);
}

}  // namespace
}  // namespace emptor::services

// Leader clustering: each question joins the nearest group whose first question is near enough and
// states no other fact, else it begins a group.
#include "services/faq/faq_suggestions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "retrieval/cache/question_form.h"
#include "retrieval/cache/question_text.h"
#include "retrieval/cache/verifier.h"
#include "services/faq/private_text.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxDistinct = 3000;
constexpr size_t kBatch = 256;
/// Of cosine, on a scale where 0 is the mean of all and 1 equality. On BANKING77 and CLINC150 four
/// of five questions that it groups are of the same label.
constexpr float kJoin = 0.5f;

/// Equal questions.
struct Distinct {
  std::string text;
  std::string locale;
  size_t count = 0;
  int64_t last_unix = 0;
  std::vector<float> vector;  // empty: the embedder did not answer
  retrieval::QuestionForm form;
};

std::vector<Distinct> CountDistinct(std::span<const AskedQuestion> asked) {
  std::map<std::string, Distinct> by_key;
  for (const AskedQuestion& question : asked) {
    std::string text = MaskPrivate(question.text);
    std::string key = retrieval::ExactKey(text);
    if (key.empty() || text.size() > retrieval::kMaxQuestionBytes) continue;
    Distinct& distinct = by_key[std::move(key)];
    if (distinct.count++ == 0) {
      distinct.text = std::move(text);
      distinct.locale = question.locale;
    }
    distinct.last_unix = std::max(distinct.last_unix, question.at_unix);
  }
  std::vector<Distinct> all;
  for (auto& [key, distinct] : by_key) all.push_back(std::move(distinct));
  std::stable_sort(all.begin(), all.end(),
                   [](const Distinct& a, const Distinct& b) { return a.count > b.count; });
  if (all.size() > kMaxDistinct) all.resize(kMaxDistinct);
  return all;
}

float Dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

/// Embeds while the embedder answers.
void AddVectors(const ShopReader& shop, std::vector<Distinct>& questions) {
  for (size_t begin = 0; begin < questions.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, questions.size() - begin);
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) texts.push_back(questions[begin + i].text);
    auto vectors = shop.EmbedTexts(texts);
    if (!vectors.ok() || vectors->size() != count) return;
    for (size_t i = 0; i < count; ++i) questions[begin + i].vector = std::move((*vectors)[i]);
  }
}

/// Mean cosine of neighbours in the list, whose order has nothing to do with meaning.
float Background(const std::vector<Distinct>& questions) {
  float sum = 0;
  for (size_t i = 0; i + 1 < questions.size(); ++i) {
    sum += Dot(questions[i].vector, questions[i + 1].vector);
  }
  const float pairs = static_cast<float>(std::max<size_t>(questions.size(), 2) - 1);
  return std::clamp(sum / pairs, 0.0f, 0.9f);
}

bool IsSameQuestion(const Distinct& a, const Distinct& b) {
  return retrieval::CompareForms(a.form, b.form).Contradiction().empty() &&
         retrieval::CompareForms(b.form, a.form).Contradiction().empty();
}

/// Indexes of `questions`, which are the most frequent first; a group's first one leads it.
std::vector<std::vector<size_t>> GroupQuestions(const std::vector<Distinct>& questions) {
  const float background = Background(questions);
  const float threshold = background + kJoin * (1 - background);
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < questions.size(); ++i) {
    std::vector<size_t>* nearest = nullptr;
    float best = threshold;
    for (std::vector<size_t>& group : groups) {
      const Distinct& leader = questions[group.front()];
      const float cosine = Dot(leader.vector, questions[i].vector);
      if (cosine < best || !IsSameQuestion(leader, questions[i])) continue;
      best = cosine;
      nearest = &group;
    }
    if (nearest == nullptr) nearest = &groups.emplace_back();
    nearest->push_back(i);
  }
  return groups;
}

}  // namespace

absl::StatusOr<FaqSuggestions> SuggestFaq(const ShopReader& shop,
                                          std::span<const AskedQuestion> asked,
                                          const FaqSuggestOptions& options) {
  FaqSuggestions result;
  result.questions = asked.size();
  std::vector<Distinct> unanswered;
  std::vector<std::optional<FaqAlternative>> nearest;
  shop.faq().WaitUntilBuilt();
  for (Distinct& question : CountDistinct(asked)) {
    const auto found = shop.faq().Lookup(question.text, question.locale, options.now_unix);
    if (found.decision == retrieval::FaqDecision::kHit) {
      result.answered += question.count;
      continue;
    }
    question.form = retrieval::ReadQuestionForm(question.text, question.locale);
    unanswered.push_back(std::move(question));
    nearest.emplace_back();
    if (found.candidates.empty()) continue;
    const retrieval::FaqCandidate& best = found.candidates.front();
    nearest.back() = FaqAlternative{best.id, best.phrasing, best.confidence};
  }
  AddVectors(shop, unanswered);
  for (const std::vector<size_t>& members : GroupQuestions(unanswered)) {
    FaqSuggestion group;
    group.locale = unanswered[members.front()].locale;
    group.nearest = nearest[members.front()];
    for (const size_t i : members) {
      group.count += unanswered[i].count;
      group.last_unix = std::max(group.last_unix, unanswered[i].last_unix);
      if (group.examples.size() < options.examples) group.examples.push_back(unanswered[i].text);
    }
    result.groups.push_back(std::move(group));
  }
  std::stable_sort(result.groups.begin(), result.groups.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  if (result.groups.size() > options.limit) result.groups.resize(options.limit);
  return result;
}

std::string FaqSuggestionsJson(const FaqSuggestions& suggestions) {
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("questions", suggestions.questions)
      .Member("answered", suggestions.answered)
      .Key("suggestions")
      .BeginArray();
  for (const FaqSuggestion& group : suggestions.groups) {
    writer.BeginObject().Member("count", group.count).Key("examples").BeginArray();
    for (const std::string& example : group.examples) writer.String(example);
    writer.EndArray();
    if (!group.locale.empty()) writer.Member("locale", group.locale);
    writer.Member("last_asked", catalog::FormatRfc3339(group.last_unix));
    if (group.nearest) {
      writer.Key("nearest")
          .BeginObject()
          .Member("id", group.nearest->id)
          .Member("question", group.nearest->question)
          .Member("confidence", group.nearest->confidence)
          .EndObject();
    }
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

}  // namespace emptor::services

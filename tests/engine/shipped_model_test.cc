// The language model that the project ships, in our own engine: 100 questions about one product
// each.
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "gtest/gtest.h"
#include "rapidjson/document.h"
#include "tests/support/noise_model.h"

namespace emptor::engine {
namespace {

const std::string kModelPath = EMPTOR_SOURCE_DIR "/engine/models/emptor-lm.gguf";
const std::string kQuestionsPath =
    EMPTOR_SOURCE_DIR "/tests/golden/lm_eval/one_product_questions.jsonl";

/// One question with what a right answer holds (see tests/golden/lm_eval).
struct Question {
  std::string id, kind, lines, text;
  std::vector<std::vector<std::string>> references;  // one of each group must be written
  int citation = 0;                                  // 0: none expected
  std::string polarity;                              // how it begins; "" when that is free
  std::vector<std::string> must_contain, must_not_contain;
};

std::vector<std::string> Strings(const rapidjson::Value& array) {
  std::vector<std::string> strings;
  for (const auto& item : array.GetArray()) strings.emplace_back(item.GetString());
  return strings;
}

std::vector<Question> ReadQuestions() {
  std::vector<Question> questions;
  std::ifstream file(kQuestionsPath);
  for (std::string line; std::getline(file, line);) {
    rapidjson::Document json;
    json.Parse(line.c_str());
    EXPECT_FALSE(json.HasParseError()) << line;
    const auto& expect = json["expect"];
    Question question;
    question.id = json["id"].GetString();
    question.kind = json["kind"].GetString();
    for (const std::string& text : Strings(json["prompt_lines"])) question.lines += text + "\n";
    question.text = json["question"].GetString();
    for (const auto& group : expect["references"].GetArray()) {
      question.references.push_back(Strings(group));
    }
    if (expect["citation"].IsInt()) question.citation = expect["citation"].GetInt();
    if (expect["polarity"].IsString()) question.polarity = expect["polarity"].GetString();
    question.must_contain = Strings(expect["must_contain"]);
    question.must_not_contain = Strings(expect["must_not_contain"]);
    questions.push_back(std::move(question));
  }
  return questions;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool CitesOnly(const std::string& answer, const std::set<int>& allowed) {
  for (int n = 1; n <= 6; ++n) {
    const std::string head = "[" + std::to_string(n);
    const bool named = Contains(answer, head + "]") || Contains(answer, head + ":");
    if (named && !allowed.contains(n)) return false;
  }
  return true;
}

/// Money or stock written out instead of referred to.
bool StatesAFact(const std::string& answer) {
  return Contains(answer, "$") || Contains(answer, "in stock") || Contains(answer, "sold out");
}

bool IsRight(const Question& question, const std::string& answer) {
  std::set<int> allowed;
  if (question.citation > 0) allowed.insert(question.citation);
  for (const auto& group : question.references) {
    bool any = false;
    for (const std::string& reference : group) {
      any |= Contains(answer, reference);
      if (std::isdigit(static_cast<unsigned char>(reference[1])) != 0) {
        allowed.insert(reference[1] - '0');
      }
    }
    if (!any) return false;
  }
  if (question.citation > 0 && !Contains(answer, "[" + std::to_string(question.citation) + "]")) {
    return false;
  }
  std::string lower = answer;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!lower.starts_with(question.polarity)) return false;
  for (const std::string& part : question.must_contain) {
    if (!Contains(answer, part)) return false;
  }
  for (const std::string& part : question.must_not_contain) {
    if (Contains(answer, part)) return false;
  }
  return CitesOnly(answer, allowed) && !StatesAFact(answer);
}

std::future<std::string> Ask(Engine& engine, const Question& question, int max_tokens) {
  GenerationRequest request;
  request.id = question.id;
  request.messages = {{"system", question.lines}, {"user", question.text}};
  request.max_tokens = max_tokens;
  auto text = std::make_shared<std::string>();
  auto done = std::make_shared<std::promise<std::string>>();
  std::future<std::string> answer = done->get_future();
  const auto submitted =
      engine.Submit(std::move(request),
                    {.on_text = [text](const TextPiece& piece) { *text += piece.text; },
                     .on_end = [text, done](const GenerationEnd&) { done->set_value(*text); }});
  EXPECT_TRUE(submitted.ok()) << submitted.status();
  if (!submitted.ok()) done->set_value("");
  return answer;
}

int CountRight(Engine& engine, const std::vector<Question>& questions, int max_tokens, bool print) {
  std::vector<std::future<std::string>> answers;
  for (const Question& question : questions) answers.push_back(Ask(engine, question, max_tokens));
  int right = 0;
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string answer = answers[i].get();
    if (IsRight(questions[i], answer)) {
      ++right;
    } else if (print) {
      std::printf("%s %s: %s -> %s\n", questions[i].id.c_str(), questions[i].kind.c_str(),
                  questions[i].text.c_str(), answer.c_str());
    }
  }
  std::printf("right: %d of %zu\n", right, questions.size());
  return right;
}

class ShippedModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kModelPath)) GTEST_SKIP() << "no " << kModelPath;
    questions_ = ReadQuestions();
    ASSERT_EQ(questions_.size(), 100u);
  }
  std::vector<Question> questions_;
};

/// The shipped model answers 82 rightly (engine/models/README.md). Instruction sets differ in the
/// rounding of sums, which may decide two near ties.
constexpr int kFloor = 80;

TEST_F(ShippedModelTest, AnswersQuestionsFromTheRightSource) {
  const auto engine = Engine::Load(kModelPath, {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_GE(CountRight(**engine, questions_, 120, true), kFloor);
  EXPECT_TRUE((*engine)->Drain(std::chrono::minutes(1)));
  EXPECT_EQ((*engine)->stats().kv_blocks_free, (*engine)->stats().kv_blocks_total);
}

TEST_F(ShippedModelTest, RandomWeightsOfTheSameShapeAnswerFewerThan20) {
  const std::string path =
      ::testing::TempDir() + "random_shipped_shape_" + std::to_string(getpid()) + ".gguf";
  const absl::Status written = testing::WriteNoiseCopy(kModelPath, path);
  ASSERT_TRUE(written.ok()) << written;
  const auto engine = Engine::Load(path, {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_LT(CountRight(**engine, questions_, 30, false), 20);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace emptor::engine

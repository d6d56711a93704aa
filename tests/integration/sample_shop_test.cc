// The main job on the sample shop: the real executable, real models, real sockets.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using catalog::JsonValue;

/// One data folder and one service for all tests of the suite: they only read.
class SampleShopTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = std::make_unique<TemporaryDirectory>();
    std::string output;
    const int code = RunEmptor(
        {"ingest", SourcePath("data/sample-shop/products.jsonl"),
         SourcePath("data/sample-shop/products.zh-CN.jsonl"),
         SourcePath("data/sample-shop/faq.jsonl"), "--data-dir", directory_->path() + "/shop"},
        &output);
    ASSERT_EQ(code, 0) << output;
    service_ = std::make_unique<ServiceProcess>(directory_->path() + "/shop");
  }
  static void TearDownTestSuite() {
    service_.reset();
    directory_.reset();
  }

  static std::unique_ptr<TemporaryDirectory> directory_;
  static std::unique_ptr<ServiceProcess> service_;
};

std::unique_ptr<TemporaryDirectory> SampleShopTest::directory_;
std::unique_ptr<ServiceProcess> SampleShopTest::service_;

std::string StringMember(const JsonValue& object, std::string_view name) {
  const JsonValue* member = object.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

/// All matches of `pattern` in `text`.
std::vector<std::string> AllMatches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  return {std::sregex_token_iterator(text.begin(), text.end(), regex),
          std::sregex_token_iterator()};
}

/// What the record allows an answer to state, as the service formats it for English.
struct AllowedFacts {
  std::set<std::string> money, ratings, links, images;

  void AddMoney(const JsonValue* money_value) {
    if (money_value == nullptr || !money_value->is_object()) return;
    const int64_t amount = money_value->Find("amount")->as_int();
    std::string digits = std::to_string(amount / 100);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
      digits.insert(static_cast<size_t>(at), ",");
    }
    char cents[8];
    std::snprintf(cents, sizeof cents, ".%02d", static_cast<int>(amount % 100));
    money.insert("$" + digits + cents);
  }

  void AddRecord(const JsonValue& record) {
    AddMoney(record.Find("price"));
    AddMoney(record.Find("was_price"));
    if (const JsonValue* rating = record.Find("rating"); rating != nullptr && rating->is_object()) {
      char text[16];
      std::snprintf(text, sizeof text, "%.1f", rating->Find("value")->as_double());
      ratings.insert(text);
    }
    links.insert("/p/" + StringMember(record, "id"));
    images.insert(StringMember(record, "image_url"));
  }
};

std::vector<JsonValue> ReadQuestions() {
  std::vector<JsonValue> questions;
  std::ifstream file(SourcePath("data/sample-shop/questions.jsonl"));
  for (std::string line; std::getline(file, line);) {
    auto json = catalog::ParseJson(line);
    if (json.ok()) questions.push_back(*std::move(json));
  }
  return questions;
}

TEST_F(SampleShopTest, ShowsProductsBeforeTheFirstWordAndEndsOnce) {
  const Answer answer = service_->Ask("Which kettle under $60 do you recommend?");
  ASSERT_EQ(answer.status, 200);
  ASSERT_GE(answer.events.size(), 4u);
  EXPECT_EQ(answer.events[0].name, "start");
  EXPECT_EQ(answer.events[1].name, "products");
  EXPECT_EQ(answer.events.back().name, "done");
  EXPECT_EQ(answer.CountOf("done") + answer.CountOf("error"), 1);
  int64_t last_id = -1;
  for (const SseEvent& event : answer.events) {
    ASSERT_FALSE(event.id.empty()) << event.name;
    EXPECT_GT(std::stoll(event.id), last_id);
    last_id = std::stoll(event.id);
  }
  EXPECT_FALSE(answer.text.empty());
  ASSERT_FALSE(answer.products.empty());
  for (const JsonValue& item : answer.products) {
    EXPECT_LE(item.Find("price")->Find("amount")->as_int(), 6000) << StringMember(item, "id");
    EXPECT_EQ(StringMember(item, "url").rfind("http", 0), 0u);
    EXPECT_EQ(StringMember(item, "image_url").rfind("http", 0), 0u);
  }
}

TEST_F(SampleShopTest, ServesTheImageAndThePageOfEveryCard) {
  const Answer answer = service_->Ask("Show me running shoes");
  ASSERT_FALSE(answer.products.empty());
  for (const JsonValue& item : answer.products) {
    const std::string image = StringMember(item, "image_url");
    const HttpReply picture =
        Fetch(service_->port(), "GET", image.substr(image.find('/', image.find("//") + 2)));
    EXPECT_EQ(picture.status, 200) << image;
    EXPECT_NE(picture.head.find("image/svg+xml"), std::string::npos);
    const std::string id = StringMember(item, "id");
    EXPECT_EQ(StringMember(service_->GetJson("/v1/products/" + id), "title"),
              StringMember(item, "title"));
    EXPECT_EQ(Fetch(service_->port(), "GET", "/p/" + id).status, 200);
  }
}

TEST_F(SampleShopTest, AnswersTheFaqFromItsEntry) {
  const Answer answer = service_->Ask("How long does shipping take?");
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.text.find("business days"), std::string::npos) << answer.text;
}

/// Every price, link, image and rating that leaves equals the record. Grounding counters are
/// printed, so that what the model wrote and the hydrator took away is seen and not hidden.
TEST_F(SampleShopTest, HundredQuestionsStateOnlyTheRecord) {
  const std::vector<JsonValue> questions = ReadQuestions();
  ASSERT_EQ(questions.size(), 100u);
  int64_t references = 0, dropped = 0, fallbacks = 0, facts = 0;
  for (const JsonValue& question : questions) {
    const std::string text = StringMember(question, "question");
    const Answer answer = service_->Ask(text);
    ASSERT_EQ(answer.status, 200) << text;
    ASSERT_FALSE(answer.done.is_null()) << text;
    EXPECT_FALSE(answer.text.empty()) << text;
    AllowedFacts allowed;
    for (const JsonValue& item : answer.products) {
      const JsonValue record = service_->GetJson("/v1/products/" + StringMember(item, "id"));
      for (const char* field : {"title", "image_link", "availability", "link"}) {
        EXPECT_EQ(StringMember(item, field), StringMember(record, field)) << text;
      }
      allowed.AddRecord(record);
    }
    // An amount that the shopper named may be repeated, and a FAQ answer states its own.
    std::string own_words = text;
    for (const SseEvent& event : answer.events) {
      if (event.name == "citation") own_words += event.data;
    }
    for (const std::string& money :
         AllMatches(answer.text, R"(\$[0-9]+(,[0-9]{3})*(\.[0-9]{2})?)")) {
      const bool said = own_words.find(money) != std::string::npos ||
                        own_words.find(money.substr(1)) != std::string::npos ||
                        (money.ends_with(".00") &&
                         own_words.find(money.substr(1, money.size() - 4)) != std::string::npos);
      EXPECT_TRUE(allowed.money.contains(money) || said) << money << " in: " << answer.text;
      ++facts;
    }
    for (const std::string& link : AllMatches(answer.text, R"(/p/[A-Za-z0-9._-]+)")) {
      EXPECT_TRUE(allowed.links.contains(link)) << link << " in: " << answer.text;
    }
    for (const std::string& rating :
         AllMatches(answer.text, R"([0-5]\.[0-9](?= (out of 5|stars)))")) {
      EXPECT_TRUE(allowed.ratings.contains(rating)) << rating << " in: " << answer.text;
      ++facts;
    }
    EXPECT_EQ(answer.text.find("!["), std::string::npos) << answer.text;
    const JsonValue* grounded = answer.done.Find("grounded");
    ASSERT_NE(grounded, nullptr);
    references += grounded->Find("references")->as_int();
    dropped += grounded->Find("dropped")->as_int();
    fallbacks += StringMember(answer.done, "answer_step") == "fallback";
  }
  std::printf(
      "100 questions: %ld facts checked, %ld references written by the model, %ld spans "
      "dropped, %ld answered by the fallback\n",
      facts, references, dropped, fallbacks);
  RecordProperty("references", static_cast<int>(references));
  RecordProperty("dropped", static_cast<int>(dropped));
}

TEST_F(SampleShopTest, RefusesWhatItShouldWithACode) {
  const struct {
    const char* method;
    const char* path;
    const char* body;
    int status;
  } cases[] = {
      {"POST", "/v1/assist", "{", 400},
      {"POST", "/v1/assist", "{\"message\":\"\"}", 400},
      {"POST", "/v1/assist", "{\"message\":7}", 400},
      {"POST", "/v1/search", "{\"query\":\"kettle\",\"limit\":0}", 400},
      {"GET", "/v1/products/no-such-product", "", 404},
      {"GET", "/nowhere", "", 404},
      {"GET", "/metrics", "", 404},
      {"DELETE", "/v1/assist", "", 405},
  };
  for (const auto& test : cases) {
    const HttpReply reply = Fetch(service_->port(), test.method, test.path, test.body);
    EXPECT_EQ(reply.status, test.status) << test.method << " " << test.path << " " << test.body;
    const auto json = catalog::ParseJson(reply.body);
    ASSERT_TRUE(json.ok()) << reply.body;
    const JsonValue* error = json->Find("error");
    ASSERT_NE(error, nullptr) << reply.body;
    EXPECT_FALSE(StringMember(*error, "code").empty());
    EXPECT_FALSE(StringMember(*error, "request_id").empty());
  }
}

TEST_F(SampleShopTest, AdminPortTellsHealthAndMetrics) {
  EXPECT_EQ(Fetch(service_->admin_port(), "GET", "/healthz").status, 200);
  EXPECT_EQ(Fetch(service_->admin_port(), "GET", "/readyz").status, 200);
  const HttpReply metrics = Fetch(service_->admin_port(), "GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_NE(metrics.body.find("emptor_"), std::string::npos);
}

}  // namespace
}  // namespace emptor::testing

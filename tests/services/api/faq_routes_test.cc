// Look-ups and entries over HTTP, without sockets.
#include "services/api/faq_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "services/http/in_memory_exchange.h"
#include "tests/services/assistant/test_shop.h"
#include "tests/services/support/test_gate.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using ::testing::HasSubstr;
using ::testing::Not;
using Pairs = std::vector<std::pair<std::string, std::string>>;

class FaqRoutesTest : public ::testing::Test {
 protected:
  FaqRoutesTest() {
    FaqRoutesParts parts{shop_.shop().reader(),
                         shop_.shop().writer(),
                         workers_,
                         changes_,
                         imports_,
                         [this] { return now_.load(); },
                         [this] { return asked_; },
                         [this](const FaqReply& reply, double) {
                           ++lookups_;
                           broken_ += static_cast<int>(reply.broken);
                         }};
    router_ = std::make_unique<Router>(MakeFaqRoutes(parts), gate_.gate(), nullptr);
  }

  Response Send(std::string method, std::string path, std::string body = "", Pairs headers = {},
                Pairs query = {}, bool has_key = true) {
    Request request;
    request.method = std::move(method);
    request.path = std::move(path);
    request.query = std::move(query);
    request.headers = std::move(headers);
    request.headers.emplace_back("host", "shop.test:8080");
    request.body = std::move(body);
    request.id = "req-1";
    if (has_key) gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }
  JsonValue LookUp(const std::string& question, const std::string& more = "") {
    const Response reply = Send("POST", "/v1/faq/lookup",
                                R"({"question":")" + question + '"' + more + "}", {}, {}, false);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return *catalog::ParseJson(reply.body);
  }
  static std::string TextOf(const JsonValue& value, std::string_view name) {
    const JsonValue* member = value.Find(name);
    return member != nullptr && member->is_string() ? member->as_string() : "";
  }
  static std::string TagOf(const Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "ETag") return value;
    }
    return "";
  }
  Response Put(const std::string& id, const std::string& question, const std::string& answer,
               Pairs headers = {}) {
    return Send("PUT", "/v1/faq/entries/" + id,
                R"({"question":")" + question + R"(","answer":")" + answer + "\"}",
                std::move(headers));
  }

  testing::TestGate gate_;
  testing::TestShop shop_;
  std::atomic<int64_t> now_{1700000000};
  absl::StatusOr<std::vector<AskedQuestion>> asked_ = std::vector<AskedQuestion>();
  std::atomic<int> lookups_{0}, broken_{0};
  WorkerPool workers_{2, 64}, changes_{1, 64}, imports_{1, 4};
  std::unique_ptr<Router> router_;
};

TEST_F(FaqRoutesTest, AnEntryAnswersWithItsQuestion) {
  EXPECT_EQ(Put("returns", "Can I return a kettle?", "Within 30 days.").status, 201);
  const JsonValue hit = LookUp("can I return a kettle");
  EXPECT_EQ(TextOf(hit, "decision"), "hit");
  EXPECT_EQ(TextOf(hit, "answer"), "Within 30 days.");
  EXPECT_EQ(TextOf(hit, "question"), "Can I return a kettle?");
  EXPECT_EQ(TextOf(hit, "id"), "returns");
  EXPECT_EQ(TextOf(hit, "source"), "entry");
  EXPECT_GT(hit.Find("confidence")->as_double(), 0.5);
  const JsonValue document = LookUp("How long does shipping take?");
  EXPECT_EQ(TextOf(document, "source"), "document");
  EXPECT_EQ(TextOf(document, "answer"), "Standard shipping takes 3 to 5 business days.");
  const JsonValue none = LookUp("zzz qqq www");
  EXPECT_NE(TextOf(none, "decision"), "hit");
  EXPECT_EQ(none.Find("answer"), nullptr);
  EXPECT_EQ(none.Find("alternatives")->as_array().empty(), TextOf(none, "decision") == "none");
  EXPECT_EQ(lookups_, 3);
}

TEST_F(FaqRoutesTest, AReferenceIsFilledWithTheRecordOfTheMoment) {
  EXPECT_EQ(Put("k", "What is the K20?",
                "{product k20}: {product k20 price}, {product k20 noise "
                "level}. See {policy ship}. {{x}}")
                .status,
            201);
  EXPECT_EQ(TextOf(LookUp("What is the K20?"), "answer"),
            "Torvane Glide Kettle K20: $49.99, 65 dB. See How long does shipping take?. {x}");
  shop_.SetPriceOfK20(3900);
  EXPECT_THAT(TextOf(LookUp("What is the K20?"), "answer"), HasSubstr("$39.00"));
  EXPECT_THAT(TextOf(LookUp("What is the K20?", R"(,"locale":"en-CA")"), "answer"),
              HasSubstr("39.00"));
}

TEST_F(FaqRoutesTest, AnEntryWhoseReferenceIsGoneIsNotServedAndNamed) {
  EXPECT_EQ(Put("k", "What does the K80 cost?", "{product k80 price}.").status, 201);
  EXPECT_EQ(TextOf(LookUp("What does the K80 cost?"), "decision"), "hit");
  shop_.Import(R"({"id":"k80","deleted":true})");
  const JsonValue gone = LookUp("What does the K80 cost?");
  EXPECT_NE(TextOf(gone, "decision"), "hit");
  EXPECT_EQ(gone.Find("answer"), nullptr);
  EXPECT_EQ(broken_, 1);
  const Response list = Send("GET", "/v1/faq/entries");
  EXPECT_THAT(list.body, HasSubstr(R"("status":"broken")"));
  EXPECT_THAT(list.body, HasSubstr("{product k80 price}: no such product"));
  // What does not exist is not taken either.
  const Response refused = Put("l", "What else?", "{product none price}");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("answer: {product none price}: no such product"));
  EXPECT_THAT(Put("l", "What else?", "{product k20 warp}").body, HasSubstr("states no warp"));
}

TEST_F(FaqRoutesTest, AnEntryIsChangedOnlyAsItWasRead) {
  const Response made = Put("a", "Who are you?", "We.", {{"if-none-match", "*"}});
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(Put("a", "Who are you?", "They.", {{"if-none-match", "*"}}).status, 412);
  const std::string tag = TagOf(made);
  EXPECT_EQ(TagOf(Send("GET", "/v1/faq/entries/a")), tag);
  const Response changed = Put("a", "Who are you?", "They.", {{"if-match", tag}});
  EXPECT_EQ(changed.status, 200);
  EXPECT_NE(TagOf(changed), tag);
  const Response late = Put("a", "Who are you?", "You.", {{"if-match", tag}});
  EXPECT_EQ(late.status, 412);
  EXPECT_THAT(late.body, HasSubstr("precondition_failed"));
  EXPECT_EQ(Put("b", "Where are you?", "Here.", {{"if-match", "*"}}).status, 412);
  EXPECT_EQ(Put("a", "Who are you?", "You.", {{"if-match", "3"}}).status, 400);
  EXPECT_EQ(Send("DELETE", "/v1/faq/entries/a", "", {{"if-match", tag}}).status, 412);
  EXPECT_EQ(Send("DELETE", "/v1/faq/entries/a", "", {{"if-match", TagOf(changed)}}).status, 200);
  EXPECT_EQ(Send("DELETE", "/v1/faq/entries/a").status, 404);
  EXPECT_EQ(Send("GET", "/v1/faq/entries/a").status, 404);
  EXPECT_NE(TextOf(LookUp("Who are you?"), "decision"), "hit");
  const Response log = Send("GET", "/v1/faq/changes");
  EXPECT_THAT(log.body, HasSubstr(R"("action":"deleted")"));
  EXPECT_THAT(Send("GET", "/v1/faq/changes", "", {}, {{"limit", "1"}}).body,
              HasSubstr(R"("next_cursor":"1")"));
  EXPECT_THAT(Send("GET", "/v1/faq/changes", "", {}, {{"cursor", "2"}}).body,
              Not(HasSubstr(R"("action":"created")")));
}

TEST_F(FaqRoutesTest, AQuestionWithTwoAnswersIsAConflict) {
  Put("a", "Is it free?", "Yes.");
  const Response other = Put("b", "is it free", "No.");
  EXPECT_EQ(other.status, 409);
  EXPECT_THAT(other.body, HasSubstr("entry a answers"));
  EXPECT_EQ(Send("PUT", "/v1/faq/entries/a", R"({"id":"b","question":"x","answer":"y"})").status,
            400);
}

TEST_F(FaqRoutesTest, ValidityBeginsAndEnds) {
  const std::string body =
      R"({"question":"Any gifts?","answer":"Yes.","valid_from":"2023-11-15","valid_until":"2023-11-15"})";
  EXPECT_EQ(Send("PUT", "/v1/faq/entries/gifts", body).status, 201);
  EXPECT_THAT(Send("GET", "/v1/faq/entries/gifts").body, HasSubstr(R"("status":"pending")"));
  EXPECT_NE(TextOf(LookUp("Any gifts?"), "decision"), "hit");
  now_ = 1700006400;  // 2023-11-15T00:00:00Z
  EXPECT_NE(TextOf(LookUp("Any gifts at midnight of the day?"), "decision"), "");
  now_ = 1700092800;
  EXPECT_NE(TextOf(LookUp("Any gifts?"), "decision"), "hit");
  EXPECT_THAT(Send("GET", "/v1/faq/entries/gifts").body, HasSubstr(R"("status":"expired")"));
}

TEST_F(FaqRoutesTest, FilesAreImportedLineByLine) {
  const Pairs csv = {{"content-type", "text/csv; charset=utf-8"}};
  const Response table =
      Send("POST", "/v1/faq/entries", "question,answer,id\nOne?,1,a\nTwo?,{product x},b\n", csv);
  EXPECT_EQ(table.status, 200);
  EXPECT_EQ(table.content_type, "application/x-ndjson");
  EXPECT_THAT(table.body, HasSubstr(R"({"line":2,"status":"created","id":"a"})"));
  EXPECT_THAT(table.body,
              HasSubstr(R"({"line":3,"status":"refused","id":"b","message":"answer: )"));
  const Pairs lines = {{"content-type", "application/x-ndjson"}};
  const std::string line = R"({"id":"c","question":"Three?","answer":"3"})";
  EXPECT_THAT(Send("POST", "/v1/faq/entries", line, lines, {{"dry_run", "true"}}).body,
              HasSubstr("created"));
  EXPECT_EQ(Send("GET", "/v1/faq/entries/c").status, 404);
  EXPECT_THAT(Send("POST", "/v1/faq/entries", line, lines, {{"locale", "de"}}).body,
              HasSubstr("created"));
  EXPECT_THAT(Send("GET", "/v1/faq/entries/c").body, HasSubstr(R"("locale":"de")"));
  EXPECT_EQ(Send("POST", "/v1/faq/entries", "x", {{"content-type", "image/png"}}).status, 415);
  const Response unreadable = Send("POST", "/v1/faq/entries", "frage,antwort\n", csv);
  EXPECT_EQ(unreadable.status, 400);
  EXPECT_THAT(unreadable.body, HasSubstr("no column is named"));
  const Response page = Send("GET", "/v1/faq/entries", "", {}, {{"limit", "1"}});
  EXPECT_THAT(page.body, HasSubstr(R"("total":2)"));
  EXPECT_THAT(page.body, HasSubstr(R"("next_cursor":"a")"));
  EXPECT_THAT(Send("GET", "/v1/faq/entries", "", {}, {{"cursor", "a"}}).body, HasSubstr("Three?"));
  EXPECT_EQ(Send("GET", "/v1/faq/entries", "", {}, {{"limit", "0"}}).status, 400);
}

TEST_F(FaqRoutesTest, QuestionsWithoutAnAnswerAreGroupedMostFrequentFirst) {
  EXPECT_EQ(Put("returns", "Can I return a kettle?", "Within 30 days.").status, 201);
  asked_ = std::vector<AskedQuestion>{
      {"can I return a kettle", "en", 1600000000},
      {"do you engrave names on kettles", "en", 1600000100},
      {"where is order AB-123456, mail ann@example.com", "en", 1600000200},
      {"Do you engrave names on kettles?", "en", 1600000300},
      {"do you engrave names on a kettle", "en", 1600000400},
  };
  const Response reply = Send("GET", "/v1/faq/suggestions");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const JsonValue json = *catalog::ParseJson(reply.body);
  EXPECT_EQ(json.Find("questions")->as_int(), 5);
  EXPECT_EQ(json.Find("answered")->as_int(), 1);
  const auto& groups = json.Find("suggestions")->as_array();
  ASSERT_EQ(groups.size(), 2u) << reply.body;
  EXPECT_EQ(groups[0].Find("count")->as_int(), 3);
  EXPECT_EQ(groups[0].Find("examples")->as_array().size(), 2u) << "equal questions once";
  EXPECT_EQ(groups[0].Find("examples")->as_array()[0].as_string(),
            "do you engrave names on kettles");
  EXPECT_EQ(TextOf(groups[0], "last_asked"), "2020-09-13T12:33:20Z");
  EXPECT_EQ(groups[1].Find("examples")->as_array()[0].as_string(),
            "where is order <number>, mail <email>");
  EXPECT_THAT(reply.body, Not(HasSubstr("ann@example.com")));
  const JsonValue first =
      *catalog::ParseJson(Send("GET", "/v1/faq/suggestions", "", {}, {{"limit", "1"}}).body);
  EXPECT_EQ(first.Find("suggestions")->as_array().size(), 1u);
  asked_ = absl::NotFoundError("faq: no traces are kept");
  const Response none = Send("GET", "/v1/faq/suggestions");
  EXPECT_NE(none.status, 200);
  EXPECT_THAT(none.body, HasSubstr("no traces are kept"));
}

TEST_F(FaqRoutesTest, OnlyLookUpsNeedNoKey) {
  const Pairs json = {{"content-type", "application/json"}};
  const std::pair<const char*, const char*> routes[] = {
      {"GET", "/v1/faq/entries"},   {"POST", "/v1/faq/entries"},     {"GET", "/v1/faq/entries/a"},
      {"PUT", "/v1/faq/entries/a"}, {"DELETE", "/v1/faq/entries/a"}, {"GET", "/v1/faq/changes"}};
  for (const auto& [method, path] : routes) {
    EXPECT_EQ(Send(method, path, "{}", json, {}, false).status, 401) << method << " " << path;
  }
  EXPECT_EQ(Send("POST", "/v1/faq/lookup", R"({"question":"x"})", json, {}, false).status, 200);
}

TEST_F(FaqRoutesTest, BadLookUpsSayWhatIsWrong) {
  const std::pair<const char*, const char*> rows[] = {
      {"{}", "question: expected a text"},
      {R"({"question":" "})", "question: expected a text"},
      {R"({"question":1})", "question: expected a string"},
      {R"({"question":"a","locale":"english!"})", "locale: expected a BCP 47 tag"},
      {R"({"question":"a","currency":"usd"})", "currency: expected three capital"},
      {R"({"question":"a","limit":3})", "limit: unknown field"}};
  for (const auto& [body, message] : rows) {
    const Response reply = Send("POST", "/v1/faq/lookup", body);
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_THAT(reply.body, HasSubstr(message));
  }
}

}  // namespace
}  // namespace emptor::services

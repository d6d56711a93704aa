// A shopper's conversations over the API: listed by token, restored with live cards, renamed,
// exported, erased; and not reached by anybody else.
#include "services/api/conversation_routes.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "services/api/activity_routes.h"
#include "services/api/shopper.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAnn = "0123456789abcdef0123456789abcdef";
constexpr const char* kBob = "fedcba9876543210fedcba9876543210";
constexpr int64_t kNow = 1700000000;

std::string MemberOf(const std::string& json, const std::string& name) {
  const std::string head = "\"" + name + "\":\"";
  const size_t begin = json.find(head);
  if (begin == std::string::npos) return "";
  const size_t from = begin + head.size();
  return json.substr(from, json.find('"', from) - from);
}

class ConversationRoutesTest : public ::testing::Test {
 protected:
  ConversationRoutesTest() { Open(); }
  ~ConversationRoutesTest() override { Close(); }

  void Close() {
    router_.reset();
    assistant_.reset();
    workers_.reset();
    conversations_.reset();
  }
  /// As a service opens a shop; again: a restart.
  void Open(bool with_archive = true) {
    Close();
    std::unique_ptr<ConversationArchive> archive;
    if (with_archive) {
      ArchiveOptions options;
      options.directory = data_.path() + "/conversations";
      options.shop = "default";
      options.max_trace_bytes = 1 << 20;
      options.now_unix = [this] { return now_; };
      archive = *ConversationArchive::Open(options);
    }
    conversations_ = std::make_shared<ConversationStore>(
        ConversationLimits{}, [] { return std::chrono::steady_clock::now(); }, std::move(archive));
    workers_ = std::make_unique<WorkerPool>(2, 64);
    AssistantParts parts{shop_.shop().reader(),   &generator_, *conversations_, *workers_,
                         [this] { return now_; }, {}};
    parts.shop_name = "default";
    if (const auto& kept = conversations_->archive()) {
      parts.on_trace = [kept](const AnswerTrace& trace) {
        kept->SaveTrace(trace.conversation_id(), trace.id(), trace.ToBytes());
      };
    }
    assistant_ = std::make_unique<Assistant>(AssistantOptions{}, std::move(parts));
    const auto now = [this] { return now_; };
    std::vector<Route> routes = MakeShopRoutes(
        {}, {shop_.shop().reader(), *assistant_, *workers_, pages_, images_, now, nullptr});
    ConversationRoutesParts own{shop_.shop().reader(), *conversations_, *workers_, now, "", ""};
    for (Route& route : MakeConversationRoutes(own)) routes.push_back(std::move(route));
    for (Route& route : MakeActivityRoutes({*conversations_, *workers_, now, "", {}, {}})) {
      routes.push_back(std::move(route));
    }
    const ConversationsOf of = [this](const std::string& shop) {
      if (shop == "default")
        return absl::StatusOr<std::shared_ptr<ConversationStore>>(conversations_);
      return absl::StatusOr<std::shared_ptr<ConversationStore>>(absl::NotFoundError("shop: none"));
    };
    for (Route& route : MakeActivityAdminRoutes(of, *workers_, now)) {
      routes.push_back(std::move(route));
    }
    router_ = std::make_unique<Router>(std::move(routes), gate_.gate(), nullptr);
  }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  Response Fetch(const std::string& method, const std::string& path, const std::string& body = "",
                 const std::string& shopper = "", const Headers& more = {}) {
    Request request;
    request.method = method;
    const size_t question = std::min(path.find('?'), path.size());
    request.path = path.substr(0, question);
    for (size_t at = question; at < path.size();) {
      const size_t end = std::min(path.find('&', at + 1), path.size());
      const size_t equals = path.find('=', at);
      request.query.emplace_back(path.substr(at + 1, equals - at - 1),
                                 path.substr(equals + 1, end - equals - 1));
      at = end;
    }
    request.body = body;
    request.id = "req-" + std::to_string(++requests_);
    request.headers = {{"host", "shop.test"}};
    if (!shopper.empty()) request.headers.emplace_back("x-emptor-shopper", shopper);
    for (const auto& header : more) request.headers.push_back(header);
    gate_.Sign(request);
    auto client = std::make_shared<InMemoryClient>(InMemoryClient::Options{});
    (*router_)(std::make_shared<InMemoryExchange>(std::move(request), client));
    EXPECT_TRUE(client->WaitForEnd(std::chrono::seconds(20)));
    return client->response();
  }
  /// Asks and returns the reply that is not streamed.
  std::string Ask(const std::string& message, const std::string& conversation = "",
                  const std::string& shopper = kAnn) {
    std::string body = R"({"stream":false,"message":")" + message + "\"";
    if (!conversation.empty()) body += R"(,"conversation_id":")" + conversation + "\"";
    return Fetch("POST", "/v1/assist", body + "}", shopper).body;
  }
  bool FilesHold(const std::string& text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data_.path())) {
      if (!entry.is_regular_file()) continue;
      std::ostringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      if (bytes.str().find(text) != std::string::npos) return true;
    }
    return false;
  }

  const emptor::testing::TemporaryDirectory data_;
  testing::TestGate gate_;
  testing::TestShop shop_;
  testing::ScriptedGenerator generator_{{"The [1:title] costs ", "[1:price] [1]."}};
  StaticFiles pages_ = StaticFiles::Embedded();
  StaticFiles images_;
  int64_t now_ = kNow;
  int requests_ = 0;
  std::shared_ptr<ConversationStore> conversations_;
  std::unique_ptr<WorkerPool> workers_;
  std::unique_ptr<Assistant> assistant_;
  std::unique_ptr<Router> router_;
};

TEST_F(ConversationRoutesTest, RestoresMessagesWithLiveCardsAlsoAfterARestart) {
  const std::string reply = Ask("Which kettle do you have?");
  const std::string id = MemberOf(reply, "conversation_id");
  ASSERT_EQ(id.size(), 34u) << reply;
  shop_.SetPriceOfK20(1111);
  for (const bool restarts : {false, true}) {
    if (restarts) Open();
    const Response response = Fetch("GET", "/v1/conversations/" + id, "", kAnn);
    ASSERT_EQ(response.status, 200);
    EXPECT_THAT(response.body, HasSubstr(R"("title":"Which kettle do you have?")"));
    EXPECT_THAT(response.body, HasSubstr(R"({"role":"user","text":"Which kettle do you have?")"));
    EXPECT_THAT(response.body, HasSubstr("\"id\":\"" + MemberOf(reply, "id") + "\""));
    EXPECT_EQ(MemberOf(reply, "text"),
              MemberOf(response.body.substr(response.body.find("\"role\":\"assistant\"")), "text"));
    EXPECT_THAT(response.body, HasSubstr(R"("id":"k20","title":"Torvane Glide Kettle K20")"));
    EXPECT_THAT(response.body, HasSubstr(R"("amount":1111)")) << "the price of now";
    EXPECT_THAT(response.body, HasSubstr(R"("created_at":"2023-11-14T22:13:20Z")"));
    EXPECT_THAT(response.body, HasSubstr(R"("citations":[{"n":1)"));
  }
}

TEST_F(ConversationRoutesTest, ListsThoseOfTheTokenAlone) {
  std::vector<std::string> ids;
  for (const char* question : {"a kettle", "a monitor", "a black kettle"}) {
    ++now_;
    ids.push_back(MemberOf(Ask(question), "conversation_id"));
  }
  Ask("a kettle", "", kBob);
  Ask("a kettle", "", "");
  const std::string first = Fetch("GET", "/v1/conversations?limit=2", "", kAnn).body;
  EXPECT_THAT(first, HasSubstr(ids[2]));
  EXPECT_THAT(first, HasSubstr(ids[1]));
  EXPECT_LT(first.find(ids[2]), first.find(ids[1])) << "the latest first";
  const std::string cursor = MemberOf(first, "next_cursor");
  const std::string second = Fetch("GET", "/v1/conversations?cursor=" + cursor, "", kAnn).body;
  EXPECT_THAT(second, HasSubstr(ids[0]));
  EXPECT_THAT(second, Not(HasSubstr(ids[1])));
  EXPECT_THAT(second, Not(HasSubstr("next_cursor")));
  EXPECT_EQ(Fetch("GET", "/v1/conversations").status, 400) << "without a token";
  EXPECT_EQ(Fetch("GET", "/v1/conversations", "", "short").status, 400);
  EXPECT_EQ(Fetch("GET", "/v1/conversations", "", std::string(65, 'a')).status, 400);
  EXPECT_EQ(Fetch("GET", "/v1/conversations", "", kAnn, {{"x-emptor-shopper", kBob}}).status, 400)
      << "two tokens";
  EXPECT_FALSE(FilesHold(kAnn)) << "the token is stored nowhere";
}

TEST_F(ConversationRoutesTest, AnotherShopperReachesNothing) {
  const std::string id = MemberOf(Ask("Which kettle is qzjx quiet?"), "conversation_id");
  for (const char* shopper : {kBob, ""}) {
    const std::string path = "/v1/conversations/" + id;
    EXPECT_EQ(Fetch("GET", path, "", shopper).status, 404);
    EXPECT_EQ(Fetch("GET", path + "/export", "", shopper).status, 404);
    EXPECT_EQ(Fetch("PATCH", path, R"({"title":"mine"})", shopper).status, 404);
    EXPECT_EQ(Fetch("DELETE", path, "", shopper).status, 404);
    const std::string answer = MemberOf(Fetch("GET", path, "", kAnn).body, "id");
    // Asking on begins another conversation.
    EXPECT_NE(MemberOf(Ask("and the second one?", id, shopper), "conversation_id"), id);
  }
  EXPECT_EQ(MemberOf(Ask("and in black?", id), "conversation_id"), id);
  EXPECT_EQ(Fetch("GET", "/v1/conversations/" + id, "", kAnn).status, 200);
  EXPECT_THAT(Fetch("GET", "/v1/conversations/" + id, "", kAnn).body, HasSubstr(R"("answers":2)"));
}

TEST_F(ConversationRoutesTest, OneWithoutATokenIsReadByItsId) {
  const std::string id = MemberOf(Ask("a kettle", "", ""), "conversation_id");
  EXPECT_EQ(Fetch("GET", "/v1/conversations/" + id).status, 200);
  EXPECT_EQ(Fetch("GET", "/v1/conversations/c_" + std::string(32, '0')).status, 404);
}

TEST_F(ConversationRoutesTest, OneOfAnEarlierBuildHasNothingToShowAndIsErased) {
  ConversationTurn turn;
  turn.question = "a kettle";
  conversations_->archive()->Save("c_earlier", {turn});
  for (const char* method : {"GET", "PATCH"}) {
    EXPECT_EQ(Fetch(method, "/v1/conversations/c_earlier", R"({"title":"x"})").status, 404);
  }
  EXPECT_EQ(Fetch("DELETE", "/v1/conversations/c_earlier").status, 204);
  EXPECT_FALSE(conversations_->archive()->Contains("c_earlier"));
}

TEST_F(ConversationRoutesTest, IsRenamedExportedAndRevalidated) {
  const std::string id = MemberOf(Ask("a kettle"), "conversation_id");
  const std::string path = "/v1/conversations/" + id;
  const std::string etag = HeaderOf(Fetch("GET", path, "", kAnn), "ETag");
  EXPECT_EQ(Fetch("GET", path, "", kAnn, {{"if-none-match", etag}}).status, 304);
  EXPECT_EQ(Fetch("PATCH", path, R"({"title":"x"})", kAnn, {{"if-match", "\"0\""}}).status, 412);
  const Response renamed =
      Fetch("PATCH", path, R"({"title":"Kettles for 茶"})", kAnn, {{"if-match", etag}});
  EXPECT_EQ(renamed.status, 200);
  EXPECT_EQ(MemberOf(renamed.body, "title"), "Kettles for 茶");
  EXPECT_EQ(MemberOf(renamed.body, "updated_at"), "2023-11-14T22:13:20Z");
  EXPECT_EQ(Fetch("GET", path, "", kAnn, {{"if-none-match", etag}}).status, 200);
  for (const char* bad : {R"({})", R"({"title":""})", R"({"title":"  "})", R"({"title":"a\nb"})",
                          R"({"title":7})", R"({"titel":"a"})", "{"}) {
    EXPECT_EQ(Fetch("PATCH", path, bad, kAnn).status, 400) << bad;
  }
  EXPECT_EQ(Fetch("PATCH", path, R"({"title":")" + std::string(121, 'a') + "\"}", kAnn).status,
            400);
  Open();
  const Response exported = Fetch("GET", path + "/export", "", kAnn);
  EXPECT_EQ(exported.status, 200);
  EXPECT_EQ(MemberOf(exported.body, "title"), "Kettles for 茶") << "also after a restart";
  EXPECT_EQ(HeaderOf(exported, "Content-Disposition"),
            "attachment; filename=\"conversation-" + id + ".json\"");
}

TEST_F(ConversationRoutesTest, IsErasedWithAnswersTracesAndFeedback) {
  const std::string reply = Ask("Which kettle is qzjxkwvb quiet?");
  const std::string id = MemberOf(reply, "conversation_id"), answer = MemberOf(reply, "id");
  const std::string other = MemberOf(Ask("a monitor with qzother"), "conversation_id");
  EXPECT_EQ(
      Fetch("POST", "/v1/feedback",
            R"({"rating":"down","comment":"qzjxkwvb comment","answer_id":")" + answer + "\"}", kAnn)
          .status,
      204);
  ASSERT_TRUE(conversations_->archive()->Flush().ok());
  ASSERT_TRUE(FilesHold("qzjxkwvb"));
  EXPECT_EQ(Fetch("DELETE", "/v1/conversations/" + id, "", kAnn).status, 204);
  EXPECT_EQ(Fetch("GET", "/v1/conversations/" + id, "", kAnn).status, 404);
  EXPECT_THAT(Fetch("GET", "/v1/conversations", "", kAnn).body, Not(HasSubstr(id)));
  EXPECT_EQ(Fetch("DELETE", "/v1/conversations/" + id, "", kAnn).status, 404) << "once more";
  EXPECT_EQ(conversations_->archive()->FindTrace(answer), std::nullopt);
  EXPECT_EQ(Fetch("POST", "/v1/feedback", R"({"rating":"up","answer_id":")" + answer + "\"}", kAnn)
                .status,
            404)
      << "nothing is stored of it again";
  ASSERT_TRUE(conversations_->archive()->Flush().ok());
  EXPECT_FALSE(FilesHold("qzjxkwvb"));
  EXPECT_TRUE(FilesHold("qzother"));
  EXPECT_EQ(Fetch("GET", "/v1/conversations/" + other, "", kAnn).status, 200);
}

TEST_F(ConversationRoutesTest, WithoutADiskTheLastAnswersAreInMemory) {
  Open(/*with_archive=*/false);
  const std::string id = MemberOf(Ask("a kettle"), "conversation_id");
  for (int i = 0; i < 9; ++i) Ask("and another one?", id);
  const std::string body = Fetch("GET", "/v1/conversations/" + id, "", kAnn).body;
  EXPECT_THAT(body, HasSubstr(R"("title":"a kettle")"));
  EXPECT_THAT(body, HasSubstr(R"("answers":10)"));
  EXPECT_THAT(Fetch("GET", "/v1/conversations", "", kAnn).body, HasSubstr(id));
  EXPECT_EQ(Fetch("DELETE", "/v1/conversations/" + id, "", kAnn).status, 204);
  EXPECT_EQ(Fetch("GET", "/v1/conversations/" + id, "", kAnn).status, 404);
}

TEST_F(ConversationRoutesTest, FeedbackIsJoinedToItsAnswer) {
  const std::string reply = Ask("Which kettle do you have?");
  const std::string id = MemberOf(reply, "conversation_id"), answer = MemberOf(reply, "id");
  const std::string up = R"({"rating":"up","answer_id":")" + answer + "\"}";
  EXPECT_EQ(Fetch("POST", "/v1/feedback", up, kBob).status, 404) << "another shopper's answer";
  EXPECT_EQ(Fetch("POST", "/v1/feedback", up, kAnn).status, 204);
  EXPECT_EQ(
      Fetch("POST", "/v1/feedback",
            R"({"rating":"down","reason":"wrong","comment":"it is 2 l","request_id":"req-1"})",
            kAnn)
          .status,
      204)
      << "by the request, and again: it replaces the first";
  // The trace is written after the answer was sent.
  while (!conversations_->archive()->HasTrace(id, answer)) std::this_thread::yield();
  const std::string listed = Fetch("GET", "/admin/shops/default/feedback").body;
  EXPECT_THAT(listed, HasSubstr(R"("rating":"down","reason":"wrong","comment":"it is 2 l")"));
  EXPECT_THAT(listed, HasSubstr(R"("question":"Which kettle do you have?")"));
  EXPECT_THAT(listed, HasSubstr(R"("has_trace":true)"));
  EXPECT_THAT(listed, Not(HasSubstr(R"("rating":"up")")));
  EXPECT_THAT(Fetch("GET", "/admin/shops/default/trace?answer_id=" + answer).body,
              HasSubstr("Which kettle do you have?"));
  EXPECT_EQ(Fetch("GET", "/admin/shops/default/trace?answer_id=a_0").status, 404);
  EXPECT_EQ(Fetch("GET", "/admin/shops/other/feedback").status, 404);
  EXPECT_THAT(Fetch("GET", "/v1/conversations/" + id, "", kAnn).body,
              HasSubstr(R"("feedback":{"rating":"down","reason":"wrong","comment":"it is 2 l"})"));
  // After a restart the conversation knows its answers.
  Open();
  EXPECT_EQ(Fetch("POST", "/v1/feedback", up, kAnn).status, 404);
  EXPECT_EQ(
      Fetch("POST", "/v1/feedback",
            R"({"rating":"up","conversation_id":")" + id + R"(","answer_id":")" + answer + "\"}",
            kAnn)
          .status,
      204);
  EXPECT_THAT(Fetch("GET", "/admin/shops/default/feedback").body, HasSubstr(R"("rating":"up")"));
}

TEST_F(ConversationRoutesTest, QuestionsThatWereRatedAreMasked) {
  const std::string first = Ask("Which kettle do you have? I am ann@example.com");
  const std::string id = MemberOf(first, "conversation_id");
  const std::string second = Ask("Which one is quiet? Call +44 20 7946 0958", id);
  for (const std::string& reply : {first, second}) {
    const std::string up = R"({"rating":"up","answer_id":")" + MemberOf(reply, "id") + "\"}";
    EXPECT_EQ(Fetch("POST", "/v1/feedback", up, kAnn).status, 204);
  }
  const std::string listed = Fetch("GET", "/admin/shops/default/feedback").body;
  EXPECT_THAT(listed,
              HasSubstr(R"("question":"Which kettle do you have? I am \u003cemail\u003e")"));
  EXPECT_THAT(listed, HasSubstr(R"("question":"Which one is quiet? Call \u003cnumber\u003e")"));
}

TEST_F(ConversationRoutesTest, OperatorsSeeWhatHadNoAnswerAndTheLatestAnswers) {
  const auto unanswered = [&] { return Fetch("GET", "/admin/shops/default/unanswered").body; };
  Ask("Which kettle do you have?");
  EXPECT_THAT(unanswered(), HasSubstr(R"("questions":[])")) << "it was answered";
  const std::string page = Ask("Do you offer gift wrapping for mail to ann@example.com?");
  const std::string goods = Ask("Do you sell submarines?");
  const std::string fact = Ask("Does the Torvane Glide Kettle K20 have a whistle?");
  const std::string listed = unanswered();
  EXPECT_THAT(listed,
              HasSubstr(R"("kind":"not_stated","question":"Does the Torvane Glide Kettle)"));
  EXPECT_THAT(listed, HasSubstr(R"("product_id":"k20")"));
  EXPECT_THAT(listed, HasSubstr("Do you sell submarines?"));
  EXPECT_THAT(
      listed,
      HasSubstr(
          R"("kind":"no_page","question":"Do you offer gift wrapping for mail to \u003cemail\u003e?")"));
  EXPECT_THAT(listed, HasSubstr("\"answer_id\":\"" + MemberOf(fact, "id") + "\""));
  EXPECT_EQ(Fetch("GET", "/admin/shops/default/unanswered?limit=0").status, 400);
  EXPECT_EQ(Fetch("GET", "/admin/shops/other/unanswered").status, 404);

  const std::string answers = Fetch("GET", "/admin/shops/default/answers?limit=3").body;
  EXPECT_LT(answers.find("have a whistle?"), answers.find("submarines?")) << "the latest first";
  EXPECT_THAT(answers, Not(HasSubstr("Which kettle do you have?"))) << "three of four";
  EXPECT_THAT(answers, HasSubstr(R"("keeps_traces":true)"));
  EXPECT_THAT(answers, HasSubstr("gift wrapping"));
  EXPECT_THAT(answers, Not(HasSubstr("ann@example.com")));

  // What a shopper erases is gone here, too.
  const std::string conversation = MemberOf(fact, "conversation_id");
  EXPECT_EQ(Fetch("DELETE", "/v1/conversations/" + conversation, "", kAnn).status, 204);
  EXPECT_THAT(unanswered(), Not(HasSubstr("whistle")));
  EXPECT_THAT(Fetch("GET", "/admin/shops/default/answers").body, Not(HasSubstr("whistle")));
  // And ends with its conversation.
  now_ += 25 * 3600;
  EXPECT_THAT(unanswered(), HasSubstr(R"("questions":[])"));
}

TEST_F(ConversationRoutesTest, EventsAreAttributedToTheAnswerThatShowedTheProduct) {
  const std::string answer = MemberOf(Ask("Which kettle do you have?"), "id");
  const auto event = [](const std::string& type, const std::string& product,
                        const std::string& of) {
    return R"({"events":[{"type":")" + type + R"(","product_id":")" + product +
           R"(","answer_id":")" + of + "\"}]}";
  };
  const auto send = [&](const std::string& body) {
    const Response response = Fetch("POST", "/v1/events", body);
    EXPECT_EQ(response.status, 202) << response.body;
    return response.body;
  };
  EXPECT_THAT(send(event("click", "k20", answer)), HasSubstr(R"("attributed":1)"));
  EXPECT_THAT(send(event("click", "k20", answer)), HasSubstr(R"("attributed":0)")) << "once";
  EXPECT_THAT(send(event("add_to_cart", "k20", answer)), HasSubstr(R"("attributed":1)"));
  EXPECT_THAT(send(event("view", "m27", answer)), HasSubstr(R"("attributed":0)"))
      << "it did not show that";
  EXPECT_THAT(send(event("view", "k20", "a_unknown")), HasSubstr(R"("attributed":0)"));
  const std::string counts = Fetch("GET", "/admin/shops/default/activity").body;
  EXPECT_THAT(counts, HasSubstr(R"("add_to_cart":{"none":0,)"));
  EXPECT_THAT(counts, HasSubstr(R"("answers":1)"));
}

TEST_F(ConversationRoutesTest, RefusesWhatIsNoFeedbackAndNoEvent) {
  const std::string long_comment(1001, 'x');
  for (const std::string& bad :
       {std::string("{"), std::string("[]"), std::string("{}"),
        std::string(R"({"answer_id":"a","rating":"good"})"), std::string(R"({"rating":"up"})"),
        std::string(R"({"answer_id":"a","request_id":"b","rating":"up"})"),
        std::string(R"({"answer_id":"a/b","rating":"up"})"),
        std::string(R"({"answer_id":"a","rating":"up","reason":"because"})"),
        std::string(R"({"answer_id":"a","rating":"up","more":1})"),
        R"({"answer_id":"a","rating":"up","comment":")" + long_comment + "\"}"}) {
    EXPECT_EQ(Fetch("POST", "/v1/feedback", bad).status, 400) << bad;
  }
  std::string many = R"({"events":[)";
  for (int i = 0; i < 51; ++i) {
    many += std::string(i == 0 ? "" : ",") + R"({"type":"view","product_id":"k20"})";
  }
  for (const std::string& bad :
       {std::string("{"), std::string("{}"), std::string(R"({"events":[]})"),
        std::string(R"({"events":{}})"), std::string(R"({"events":[7]})"),
        std::string(R"({"events":[{"type":"buy","product_id":"k20"}]})"),
        std::string(R"({"events":[{"type":"view"}]})"),
        std::string(R"({"events":[{"type":"view","product_id":"../x"}]})"), many + "]}"}) {
    EXPECT_EQ(Fetch("POST", "/v1/events", bad).status, 400) << bad;
  }
}

TEST(ShopperTest, TheSameTokenIsAnotherShopperInAnotherShop) {
  Request request;
  EXPECT_EQ(OwnerOf(request, "a").value(), "");
  request.headers = {{"x-emptor-shopper", kAnn}};
  const std::string owner = OwnerOf(request, "a").value();
  EXPECT_EQ(owner.size(), 32u);
  EXPECT_NE(owner, OwnerOf(request, "b").value());
  EXPECT_THAT(owner, Not(HasSubstr("0123456789abcdef")));
}

}  // namespace
}  // namespace emptor::services

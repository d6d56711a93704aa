// The pipeline over a real store and search: events, their order, live facts, faults.
#include "services/assistant/assistant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>

#include "tests/services/assistant/test_shop.h"
#include "tests/services/models/scripted_generator.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ScriptedGenerator;
using ::testing::SizeIs;
using testing::TestShop;

/// Keeps what was told.
class Recorder final : public AssistListener {
 public:
  void OnRefused(const absl::Status& status) override {
    std::lock_guard lock(mutex_);
    refusal = status;
    End();
  }
  bool OnEvent(const AssistEvent& event) override {
    std::lock_guard lock(mutex_);
    if (leaves_after >= 0 && static_cast<int>(events.size()) >= leaves_after) {
      End();
      return false;
    }
    events.push_back(event);
    if (const auto* delta = std::get_if<DeltaEvent>(&event)) text += delta->text;
    const bool is_last =
        std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event);
    if (is_last) End();
    return true;
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    ended_changed_.wait(lock, [this] { return ended_; });
  }
  template <typename Event>
  std::vector<Event> All() const {
    std::vector<Event> found;
    for (const AssistEvent& event : events) {
      if (const auto* match = std::get_if<Event>(&event)) found.push_back(*match);
    }
    return found;
  }

  std::vector<AssistEvent> events;
  std::string text;
  absl::Status refusal;
  int leaves_after = -1;

 private:
  void End() {
    ended_ = true;
    ended_changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
};

/// Everything an answer needs; asks and waits.
class AssistantTest : public ::testing::Test {
 protected:
  // The generator's last callbacks hand their ends to the workers: as in the product, it ends
  // first.
  void TearDown() override {
    if (generator_) generator_->Join();
  }
  void Use(std::vector<std::string> pieces) {
    generator_ = std::make_unique<ScriptedGenerator>(std::move(pieces));
    Build(generator_.get());
  }
  void Build(TextGenerator* generator) {
    AssistantParts parts{shop_.shop().reader(),
                         generator,
                         conversations_,
                         workers_,
                         [] { return int64_t{1700000000}; },
                         [this](const AnswerRecord& record) {
                           std::lock_guard lock(mutex_);
                           records_.push_back(record);
                         },
                         "shop-a"};
    assistant_ = std::make_unique<Assistant>(AssistantOptions{}, std::move(parts));
  }
  std::shared_ptr<Recorder> Ask(const std::string& message, std::string conversation = "") {
    auto recorder = std::make_shared<Recorder>();
    AssistRequest request;
    request.message = message;
    request.conversation_id = std::move(conversation);
    assistant_->Ask(std::move(request), recorder);
    recorder->Wait();
    return recorder;
  }

  /// How the model kept the form in an answer to this. It is reported behind the last event.
  ModelForm FormOf(std::vector<std::string> pieces, const std::string& message) {
    Use(std::move(pieces));
    records_.clear();
    Ask(message);
    while (true) {
      const std::lock_guard lock(mutex_);
      if (!records_.empty()) return records_[0].form;
    }
  }

  TestShop shop_;
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  std::mutex mutex_;
  std::vector<AnswerRecord> records_;  // guarded by mutex_
  std::unique_ptr<ScriptedGenerator> generator_;
  std::unique_ptr<Assistant> assistant_;
  WorkerPool workers_{2, 64};  // ends first: runs what is queued
};

TEST_F(AssistantTest, TheShopIsTenantAndCacheSaltOfItsRequests) {
  Use({"The [1:title]."});
  Ask("Torvane Glide Kettle K20");
  ASSERT_THAT(generator_->requests(), SizeIs(1));
  EXPECT_EQ(generator_->requests()[0].tenant, "shop-a");
  EXPECT_EQ(generator_->requests()[0].cache_salt, "shop-a");
  EXPECT_EQ(generator_->requests()[0].priority, GeneratorPriority::kInteractive);
}

TEST_F(AssistantTest, AsksNoModelThatDoesNotWriteTheLanguageOfTheQuestion) {
  Use({"The [1:title]."});
  generator_->languages = {"en", "fr"};
  EXPECT_EQ(Ask("Torvane Glide Kettle K20")->All<StartEvent>()[0].model, "scripted");
  EXPECT_THAT(generator_->requests(), SizeIs(1));
  const auto told = Ask("电热水壶 K20");
  EXPECT_EQ(told->All<StartEvent>()[0].model, "none");
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "code");
  EXPECT_THAT(generator_->requests(), SizeIs(1));
  generator_->languages = {};
  Ask("电热水壶 K20");
  EXPECT_THAT(generator_->requests(), SizeIs(2)) << "a model without a list is asked everything";
}

TEST_F(AssistantTest, ReportsHowTheModelKeptTheForm) {
  const std::string question = "Torvane Glide Kettle K20";
  const ModelForm good = FormOf({"The [1:title] costs [1:price] [1]."}, question);
  EXPECT_TRUE(good.wrote && good.had_sources);
  EXPECT_EQ(good.references, 3);
  EXPECT_EQ(good.wrong_references, 0);
  const ModelForm bare = FormOf({"It is a marvel, and costs ten dollars."}, question);
  EXPECT_TRUE(bare.wrote && bare.had_sources);
  EXPECT_EQ(bare.references, 0);  // those of the code that answered are not the model's
  const ModelForm wrong =
      FormOf({"The [1:title] costs [7:price]. ", "See [1:nonsense]."}, question);
  EXPECT_GE(wrong.wrong_references, 1);
  EXPECT_FALSE(FormOf({}, question).wrote);
}

TEST_F(AssistantTest, SendsStartProductsTextCitationDoneInThisOrder) {
  Use({"The [1:title] costs ", "[1:price] [1]."});
  const auto told = Ask("Torvane Glide Kettle K20");
  ASSERT_GE(told->events.size(), 5u);
  EXPECT_TRUE(std::holds_alternative<StartEvent>(told->events[0]));
  EXPECT_TRUE(std::holds_alternative<ProductsEvent>(told->events[1]));
  EXPECT_TRUE(std::holds_alternative<DeltaEvent>(told->events[2]));
  EXPECT_TRUE(std::holds_alternative<DoneEvent>(told->events.back()));
  EXPECT_EQ(told->text, "The [Torvane Glide Kettle K20](/p/k20) costs $49.99 [1].");
  ASSERT_THAT(told->All<Citation>(), SizeIs(1));
  EXPECT_EQ(told->All<Citation>()[0].product_id, "k20");
  const DoneEvent done = told->All<DoneEvent>().front();
  EXPECT_EQ(done.answer_step, "model");
  EXPECT_EQ(done.references, 3);
  EXPECT_EQ(done.dropped, 0);
  EXPECT_EQ(done.completion_tokens, 2);
}

TEST_F(AssistantTest, ShowsThePriceOfTheMomentWhenItChangesAfterRetrieval) {
  Use({"It costs ", "[1:price]."});
  generator_->before_piece = [this](size_t piece) {
    if (piece == 1) shop_.SetPriceOfK20(4599);
  };
  const auto told = Ask("Torvane Glide Kettle K20");
  EXPECT_EQ(told->All<ProductsEvent>()[0].items[0].shown.price->amount, 4999);
  EXPECT_THAT(told->text, HasSubstr("$45.99"));
  EXPECT_THAT(told->text, Not(HasSubstr("$49.99")));
}

TEST_F(AssistantTest, AppliesTheFilterInsideTheSearch) {
  Use({"Here [1]."});
  const auto told = Ask("kettle under $45");
  const auto items = told->All<ProductsEvent>()[0].items;
  ASSERT_THAT(items, SizeIs(1));
  EXPECT_EQ(items[0].product.id, "k80");
  EXPECT_EQ(told->All<StartEvent>()[0].filter.max_price, 4500);
}

TEST_F(AssistantTest, ReportsWhichConditionNoProductMet) {
  Use({"I found nothing within [q:budget]."});
  const auto told = Ask("kettle under $5");
  const auto relaxed = told->All<StartEvent>()[0].relaxed;
  ASSERT_THAT(relaxed, SizeIs(1));
  EXPECT_EQ(relaxed[0].part, retrieval::FilterPart::kPrice);
  EXPECT_FALSE(relaxed[0].widened);
  EXPECT_THAT(told->All<ProductsEvent>()[0].items, Not(IsEmpty()));
  EXPECT_THAT(told->text, HasSubstr("I found nothing within $5."));
}

TEST_F(AssistantTest, AnswersSupportQuestionsFromDocuments) {
  Use({"[1:answer] [1]."});
  const auto told = Ask("How long does shipping take?");
  EXPECT_THAT(told->All<ProductsEvent>()[0].items, IsEmpty());
  EXPECT_EQ(told->text, "Standard shipping takes 3 to 5 business days. [1]");
  EXPECT_EQ(told->All<Citation>()[0].product_id, "");
}

TEST_F(AssistantTest, SaysThatAnEntryIsInAnotherLanguage) {
  Build(nullptr);
  const auto told = Ask("Wie lange dauert die Lieferung?");
  EXPECT_THAT(told->text, HasSubstr("auf Englisch"));
  EXPECT_THAT(told->text, HasSubstr("Standard shipping takes 3 to 5 business days."));
}

TEST_F(AssistantTest, ListsWhatTheShopSells) {
  Build(nullptr);
  const auto told = Ask("what do you sell?");
  EXPECT_THAT(told->text, HasSubstr("Kitchen (2), Computing (1)"));
  EXPECT_THAT(told->All<ProductsEvent>()[0].items, IsEmpty());
}

TEST_F(AssistantTest, AnswersAboutGoodsAndAPolicyInOneMessage) {
  Build(nullptr);
  const auto told = Ask("show me a kettle under $45, and how long does shipping take?");
  EXPECT_THAT(told->text, HasSubstr("$39.99"));
  EXPECT_THAT(told->text, HasSubstr("Standard shipping takes 3 to 5 business days."));
  EXPECT_THAT(told->All<ProductsEvent>()[0].items, SizeIs(1));
}

TEST_F(AssistantTest, AnswersFromThePassageOfALongDocument) {
  std::string text;
  for (const std::string topic : {"Shipping", "Returns", "Warranty"}) {
    text += "## " + topic + "\\n\\nOf " + topic + " we tell this first.";
    for (int i = 0; i < 20; ++i) text += " It is all told in this section.";
    text += "\\n\\n";
  }
  shop_.Import(R"({"id":"terms","kind":"policy","title":"Terms","text":")" + text + "\"}\n");
  Use({"[1:answer] [1]."});
  const auto told = Ask("How do I send returns back to you?");
  EXPECT_THAT(told->text, HasSubstr("Of Returns we tell this first."));
  EXPECT_THAT(told->text, Not(HasSubstr("Of Shipping")));
  const Citation citation = told->All<Citation>()[0];
  EXPECT_EQ(citation.n, 1);
  EXPECT_EQ(citation.passage_id, "terms.p2");
  EXPECT_THAT(citation.quote, ::testing::StartsWith("Of Returns we tell this first."));
}

TEST_F(AssistantTest, AnswersFromTheRecordsWhenNoTextOfTheModelIsUsable) {
  Use({"Now only $9! ", "Buy at https://evil.example"});
  const auto told = Ask("Torvane Glide Kettle K20");
  EXPECT_THAT(told->text, Not(HasSubstr("$9!")));
  EXPECT_THAT(told->text, Not(HasSubstr("evil")));
  EXPECT_THAT(told->text, HasSubstr("$49.99"));
  const DoneEvent done = told->All<DoneEvent>().front();
  EXPECT_GE(done.dropped + done.replaced, 2);
}

TEST_F(AssistantTest, MarksAnAnswerWithoutAModel) {
  Build(nullptr);
  const auto told = Ask("Torvane Glide Kettle K20");
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "code");
  EXPECT_THAT(told->text, HasSubstr("$49.99"));
}

TEST_F(AssistantTest, FallsBackWhenTheModelSaysNothing) {
  Use({});
  const auto told = Ask("Torvane Glide Kettle K20");
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "code");
  EXPECT_THAT(told->text, HasSubstr("Torvane Glide Kettle K20"));
}

TEST_F(AssistantTest, StopsAModelThatRepeatsItself) {
  std::vector<std::string> pieces{"The [1:title] costs [1:price] [1]. ", "Its \"n"};
  for (int i = 0; i < 10000; ++i) pieces.emplace_back("ing");
  Use(pieces);
  generator_->before_piece = [](size_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  const auto told = Ask("Torvane Glide Kettle K20");
  EXPECT_EQ(told->text, "The [Torvane Glide Kettle K20](/p/k20) costs $49.99 [1].");
  const DoneEvent done = told->All<DoneEvent>().front();
  EXPECT_EQ(done.finish_reason, "repetition");
  EXPECT_EQ(done.answer_step, "model");
  EXPECT_LT(done.completion_tokens, 5000);
}

TEST_F(AssistantTest, AnswersFromTheRecordWhenTheModelOverlooksTheNamedProduct) {
  Use({"I could not find ", "anything about that in this shop."});
  const auto told = Ask("How much is the Torvane Glide Kettle K20?");
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "code");
  EXPECT_THAT(told->text, Not(HasSubstr("could not find")));
  EXPECT_THAT(told->text, HasSubstr("$49.99"));
}

TEST_F(AssistantTest, ShowsTheModelOnlyTheProductThatTheQuestionNames) {
  Use({"The [1:title] [1]."});
  const auto told = Ask("What is the capacity of the Torvane Ember Kettle K80?");
  const auto items = told->All<ProductsEvent>()[0].items;
  ASSERT_THAT(items, SizeIs(1));
  EXPECT_EQ(items[0].product.id, "k80");
}

TEST_F(AssistantTest, ShowsTheTwoThatAComparisonNames) {
  Use({"The [1:title] [1]. The [2:title] [2]."});
  const auto told = Ask("compare the Torvane Ember Kettle K80 and the Velsar View Monitor V27");
  EXPECT_THAT(told->All<ProductsEvent>()[0].items, SizeIs(2));
}

TEST_F(AssistantTest, KeepsOnlySentencesThatTheRecordsEntail) {
  Use({"The [1:title] costs [1:price] [1]. It ", "is made of solid gold. "});
  const auto told = Ask("kettle");
  EXPECT_THAT(told->text, Not(HasSubstr("gold")));
  const DoneEvent done = told->All<DoneEvent>()[0];
  EXPECT_EQ(done.kept, 1);
  EXPECT_EQ(done.replaced + done.dropped, 1);
  EXPECT_NE(done.answer_step, "code");
}

TEST_F(AssistantTest, AYesOfTheModelIsAboutTheAttributeThatIsAsked) {
  shop_.Import(
      R"({"id":"k30","title":"Velsar Reed Kettle K30","brand":"Velsar","categories":)"
      R"(["Kitchen > Kettles"],"attributes":{"keep warm":"yes","power":"1500 W"},"locale":"en-US"})"
      "\n");
  Use({"Yes, the [1:title] lists \"power\" as [1:attr.power] [1]."});
  const auto told = Ask("Does the Velsar Reed Kettle K30 have a keep warm function?");
  EXPECT_THAT(told->text, HasSubstr("Yes. "));
  EXPECT_THAT(told->text, HasSubstr("keep warm yes"));
  EXPECT_THAT(told->text, Not(HasSubstr("1500 W")));
}

TEST_F(AssistantTest, RefusesWhenTheEngineIsFull) {
  Use({"x"});
  generator_->refusal = absl::ResourceExhaustedError("queue full");
  const auto told = Ask("kettle");
  EXPECT_EQ(told->refusal.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(told->events, IsEmpty());
}

TEST_F(AssistantTest, APageThatTheModelQuotedIsNotQuotedAgain) {
  Use({"[1:answer] [1]\n\nYou can also collect it in our shop."});
  const auto told = Ask("What do I have to know about shipping times?");  // no entry asks it
  EXPECT_EQ(told->text, "Standard shipping takes 3 to 5 business days. [1]");
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "model");
}

TEST_F(AssistantTest, FinishesFromTheRecordsWhenTheModelBreaksOff) {
  Use({"The [1:title] costs [1:price]. ", "It boils water well "});
  generator_->end_status = absl::UnavailableError("inside: secret");
  const auto told = Ask("kettle");
  EXPECT_THAT(told->All<ErrorEvent>(), IsEmpty());
  ASSERT_THAT(told->All<DoneEvent>(), SizeIs(1));
  EXPECT_EQ(told->All<DoneEvent>()[0].answer_step, "mixed");
  EXPECT_EQ(told->All<DoneEvent>()[0].finish_reason, "stop");
  EXPECT_THAT(told->text, HasSubstr("$49.99"));
}

TEST_F(AssistantTest, EndsWithAnErrorWhenTheDeadlinePassesWithinTheText) {
  Use({"The [1:title] costs [1:price]. ", "It boils water well "});
  generator_->end_status = absl::DeadlineExceededError("inside: secret");
  const auto told = Ask("kettle");
  ASSERT_THAT(told->All<ErrorEvent>(), SizeIs(1));
  EXPECT_THAT(told->All<DoneEvent>(), IsEmpty());
  EXPECT_THAT(told->All<ErrorEvent>()[0].message, Not(HasSubstr("secret")));
}

TEST_F(AssistantTest, CancelsTheGenerationWhenTheClientLeaves) {
  std::promise<void> left;
  auto recorder = std::make_shared<Recorder>();
  recorder->leaves_after = 2;  // after start and products
  Use({"The [1:title] costs [1:price]. ", "It is [1:availability]. ", "More. ", "More. "});
  generator_->before_piece = [&](size_t piece) {
    if (piece == 2) recorder->Wait();
  };
  AssistRequest request;
  request.message = "kettle";
  assistant_->Ask(std::move(request), recorder);
  recorder->Wait();
  EXPECT_THAT(recorder->events, SizeIs(2));
}

TEST_F(AssistantTest, StopTokenEndsTheGeneration) {
  std::stop_source stop;
  auto recorder = std::make_shared<Recorder>();
  Use({"The kettle boils. ", "It is quiet. ", "Never said. "});
  std::promise<void> stopped;
  generator_->before_piece = [&](size_t piece) {
    if (piece == 1) {
      stop.request_stop();
      stopped.set_value();
    }
  };
  AssistRequest request;
  request.message = "kettle";
  request.stop = stop.get_token();
  assistant_->Ask(std::move(request), recorder);
  stopped.get_future().wait();
  while (generator_->ended == 0) std::this_thread::yield();
  EXPECT_THAT(recorder->text, Not(HasSubstr("Never said")));
  EXPECT_THAT(recorder->All<DoneEvent>(), IsEmpty());
}

TEST_F(AssistantTest, KnowsWhatTheSecondOneMeans) {
  Use({"The [1:title] [1]. The [2:title] [2]."});
  const auto first = Ask("Torvane kettle");
  const std::string conversation = first->All<StartEvent>()[0].conversation_id;
  const auto shown = first->All<ProductsEvent>()[0].items;
  ASSERT_GE(shown.size(), 2u);
  const auto second = Ask("what is the capacity of the second one?", conversation);
  EXPECT_EQ(second->All<StartEvent>()[0].conversation_id, conversation);
  const auto items = second->All<ProductsEvent>()[0].items;
  ASSERT_THAT(items, SizeIs(1));
  EXPECT_EQ(items[0].product.id, shown[1].product.id);
}

TEST_F(AssistantTest, AnUnknownIdOfOursBeginsAnotherConversationAndOneOfTheClientsItsOwn) {
  Use({"Hello there."});
  const std::string expired = "c_00112233445566778899aabbccddeeff";
  EXPECT_NE(Ask("hello", expired)->All<StartEvent>()[0].conversation_id, expired);
  const auto own = Ask("hello", "chosen-by-the-client");
  EXPECT_EQ(own->All<StartEvent>()[0].conversation_id, "chosen-by-the-client");
}

TEST_F(AssistantTest, QuestionsOnAProductPageAreAboutThatProduct) {
  Build(nullptr);
  const auto on_page = [&](const std::string& message, const std::string& page,
                           const std::string& conversation) {
    auto recorder = std::make_shared<Recorder>();
    AssistRequest request;
    request.message = message;
    request.page_product_id = page;
    request.conversation_id = conversation;
    assistant_->Ask(std::move(request), recorder);
    recorder->Wait();
    return recorder;
  };
  const auto shown = [](const Recorder& answer) {
    std::vector<std::string> ids;
    const auto events = answer.All<ProductsEvent>();
    for (const auto& card : events.front().items) ids.push_back(card.product.id);
    return ids;
  };
  EXPECT_THAT(shown(*on_page("how loud?", "k80", "visitor-1")), ElementsAre("k80"));
  EXPECT_THAT(shown(*on_page("what does it cost", "k80", "visitor-1")), ElementsAre("k80"));
  // Another page was opened.
  EXPECT_THAT(shown(*on_page("how loud?", "k20", "visitor-1")), ElementsAre("k20"));
  EXPECT_THAT(shown(*on_page("how loud?", "no-such-product", "visitor-2")),
              Not(ElementsAre("no-such-product")));
}

TEST_F(AssistantTest, SomethingCheaperIsBelowWhatWasCited) {
  Use({"The [1:title] [1]."});
  const auto first = Ask("Glide Kettle K20");
  ASSERT_EQ(first->All<Citation>()[0].product_id, "k20");
  const auto second = Ask("something cheaper", first->All<StartEvent>()[0].conversation_id);
  const auto items = second->All<ProductsEvent>()[0].items;
  ASSERT_FALSE(items.empty());
  for (const ProductCard& card : items) EXPECT_LT(card.shown.price->amount, 4999);
}

TEST_F(AssistantTest, SomethingSmallerHoldsLessThanWhatWasCited) {
  Use({"The [1:title] [1]."});
  const auto first = Ask("Glide Kettle K20");
  ASSERT_EQ(first->All<Citation>()[0].product_id, "k20");
  const auto second =
      Ask("a kettle smaller than this one", first->All<StartEvent>()[0].conversation_id);
  const auto items = second->All<ProductsEvent>()[0].items;
  ASSERT_THAT(items, SizeIs(1));
  EXPECT_EQ(items[0].product.id, "k80");
}

TEST_F(AssistantTest, ReportsEachAnswerOnce) {
  Use({"Only $5! The [1:title] [1]."});
  Ask("Torvane Glide Kettle K20");
  while (true) {
    std::lock_guard lock(mutex_);
    if (!records_.empty()) break;
  }
  std::lock_guard lock(mutex_);
  ASSERT_THAT(records_, SizeIs(1));
  EXPECT_EQ(records_[0].hydrator.by_rule[static_cast<size_t>(DropRule::kMoney)], 1);
  EXPECT_THAT(records_[0].prompt_hash, SizeIs(16));
}

}  // namespace
}  // namespace emptor::services

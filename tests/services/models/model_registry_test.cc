// Models that come, go and take over from each other under load.
#include "services/models/model_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "services/models/active_text_generator.h"
#include "tests/services/support/test_models.h"

namespace emptor::services {
namespace {

using engine::FinishReason;
using testing::GenerationWatch;
using ::testing::HasSubstr;
using testing::LongRequest;
using testing::ModelFolder;

ModelRegistryOptions SmallOptions() {
  ModelRegistryOptions options;
  options.engine.threads = 1;
  options.engine.kv_blocks = 64;
  options.drain = std::chrono::seconds(60);
  return options;
}

class ModelRegistryTest : public ::testing::Test {
 protected:
  void AddModel(const std::string& name, uint64_t seed = 1) {
    const std::string path = folder_.Write(name + ".gguf", seed);
    ASSERT_TRUE(registry_.Add({name, path, ModelKind::kLanguageModel, true}).ok());
  }
  ModelState StateOf(const std::string& name) { return registry_.Status(name)->state; }
  std::string ActiveName() {
    const auto model = registry_.FindLanguageModel("");
    return model.ok() ? (*model)->name() : std::string(model.status().message());
  }

  ModelFolder folder_;
  std::atomic<int> observed_{0};
  ModelRegistry registry_{[this] {
    ModelRegistryOptions options = SmallOptions();
    options.on_generation = [this](const GenerationRecord& record) {
      // The token that ends an answer is counted and has no text.
      const size_t tokens = static_cast<size_t>(record.usage.completion_tokens);
      const size_t gaps = record.token_gaps.size();
      observed_ += gaps + 1 == tokens || gaps + 2 == tokens;
    };
    return options;
  }()};
};

TEST_F(ModelRegistryTest, AdaptersComeAndGoWithTheirModelAndAreActivatedLikeOne) {
  ModelSpec spec{"small", folder_.Write("small.gguf"), ModelKind::kLanguageModel, true};
  spec.references = true;
  spec.adapters = {{"a", folder_.WriteAdapter("a.gguf", 1), false, {}},
                   {"b", folder_.WriteAdapter("b.gguf", 2), {}, {}}};
  ASSERT_TRUE(registry_.Add(spec).ok());
  ASSERT_TRUE(registry_.Load("small:a").ok());
  ASSERT_TRUE(registry_.WaitFor("small").ok()) << registry_.Status("small")->reason;
  EXPECT_EQ(ActiveName(), "small");
  std::set<std::string> texts;
  for (const char* name : {"small", "small:a", "small:b"}) {
    GenerationWatch watch;
    const auto model = registry_.FindLanguageModel(name);
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ((*model)->name(), name);
    EXPECT_EQ((*model)->info().capabilities.references, std::string(name) != "small:a");
    ASSERT_TRUE((*model)->Submit(LongRequest(20), watch.Callbacks()).ok());
    EXPECT_EQ(watch.WaitForEnd().reason, FinishReason::kLength);
    texts.insert(watch.text());
  }
  EXPECT_EQ(texts.size(), 3u);
  EXPECT_EQ(registry_.LanguageModels().size(), 1u);
  ASSERT_EQ(registry_.List().size(), 3u);
  EXPECT_EQ(registry_.List()[2].spec.name, "small:b");
  EXPECT_EQ(registry_.List()[2].parent, "small");
  ASSERT_TRUE(registry_.Activate("small:b").ok());
  EXPECT_EQ(ActiveName(), "small:b");
  EXPECT_FALSE(registry_.Status("small")->active);
  EXPECT_TRUE(registry_.Status("small:b")->active);
  EXPECT_THAT(std::string(registry_.FindLanguageModel("small:c").status().message()),
              HasSubstr("\"small\" has no adapter \"c\""));
  EXPECT_EQ(registry_.FindLanguageModel("small:").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(registry_.Unload("small:a").code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(registry_.Unload("small").ok());
  EXPECT_FALSE(registry_.WaitFor("small").ok());
  EXPECT_EQ(registry_.FindLanguageModel("small:a").status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ModelRegistryTest, UnloadingWaitsForAnAnswerOfAnAdapter) {
  ModelSpec spec{"small", folder_.Write("small.gguf"), ModelKind::kLanguageModel, true};
  spec.adapters = {{"a", folder_.WriteAdapter("a.gguf", 1), {}, {}}};
  ASSERT_TRUE(registry_.Add(spec).ok());
  ASSERT_TRUE(registry_.Load("small").ok() && registry_.WaitFor("small").ok());
  GenerationWatch watch;
  ASSERT_TRUE(
      (*registry_.FindLanguageModel("small:a"))->Submit(LongRequest(200), watch.Callbacks()).ok());
  watch.WaitForText();
  ASSERT_TRUE(registry_.Unload("small").ok());
  EXPECT_EQ(watch.WaitForEnd().reason, FinishReason::kLength);
}

TEST_F(ModelRegistryTest, AnAdapterOfAnotherModelFailsTheLoadAndSaysWhy) {
  ModelSpec spec{"small", folder_.Write("small.gguf"), ModelKind::kLanguageModel, true};
  spec.adapters = {{"a", ModelFolder::LanguageModel(), {}, {}}};
  ASSERT_TRUE(registry_.Add(spec).ok());
  ASSERT_TRUE(registry_.Load("small").ok());
  EXPECT_THAT(std::string(registry_.WaitFor("small").message()),
              HasSubstr("is the file a LoRA adapter?"));
  spec.name = "other";
  spec.adapters.push_back(spec.adapters.front());
  EXPECT_EQ(registry_.Add(spec).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ModelRegistryTest, GoesFromUnloadedToAvailableAndBack) {
  AddModel("small");
  EXPECT_EQ(StateOf("small"), ModelState::kUnloaded);
  EXPECT_EQ(registry_.FindLanguageModel("small").status().code(), absl::StatusCode::kUnavailable);
  ASSERT_TRUE(registry_.Load("small").ok());
  ASSERT_TRUE(registry_.Load("small").ok());  // twice is once
  ASSERT_TRUE(registry_.WaitFor("small").ok());
  const ModelStatus status = *registry_.Status("small");
  EXPECT_EQ(status.state, ModelState::kAvailable);
  EXPECT_EQ(status.percent, 100);
  EXPECT_TRUE(status.active);
  EXPECT_EQ(status.info.context_length, 256);
  ASSERT_TRUE(registry_.Unload("small").ok());
  EXPECT_FALSE(registry_.WaitFor("small").ok());
  EXPECT_EQ(StateOf("small"), ModelState::kUnloaded);
  ASSERT_TRUE(registry_.Load("small").ok());
  EXPECT_TRUE(registry_.WaitFor("small").ok());
}

TEST_F(ModelRegistryTest, ReportsWhyAModelFailedAndRetries) {
  const std::string path = folder_.WriteBytes("bad.gguf", "GGUF but not really");
  ASSERT_TRUE(registry_.Add({"bad", path, ModelKind::kLanguageModel, true}).ok());
  ASSERT_TRUE(registry_.Load("bad").ok());
  EXPECT_FALSE(registry_.WaitFor("bad").ok());
  EXPECT_EQ(StateOf("bad"), ModelState::kFailed);
  EXPECT_THAT(registry_.Status("bad")->reason, HasSubstr("bad.gguf"));
  folder_.Write("bad.gguf");
  ASSERT_TRUE(registry_.Load("bad").ok());
  EXPECT_TRUE(registry_.WaitFor("bad").ok());
}

TEST_F(ModelRegistryTest, RefusesNamesThatAreTakenUnknownOrImpossible) {
  AddModel("one");
  EXPECT_EQ(registry_.Add({"one", "x", ModelKind::kEncoder, true}).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(registry_.Add({"../one", "x", ModelKind::kEncoder, true}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(registry_.Load("two").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(registry_.Activate("two").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(registry_.Unload("two").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(registry_.FindLanguageModel("two").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ModelRegistryTest, KeepsKindsApart) {
  ASSERT_TRUE(registry_.Add({"encoder", ModelFolder::Encoder(), ModelKind::kEncoder, true}).ok());
  ASSERT_TRUE(registry_.Load("encoder").ok());
  ASSERT_TRUE(registry_.WaitFor("encoder").ok());
  EXPECT_TRUE(registry_.FindEncoder("").ok());
  EXPECT_EQ(registry_.FindLanguageModel("encoder").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(registry_.FindLanguageModel("").status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ModelRegistryTest, ActivatesAModelOnceItIsLoaded) {
  AddModel("one");
  AddModel("two", 2);
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  EXPECT_EQ(ActiveName(), "one");
  ASSERT_TRUE(registry_.Activate("two").ok());
  EXPECT_TRUE(registry_.FindLanguageModel("").ok());  // the old one answers meanwhile
  ASSERT_TRUE(registry_.WaitFor("two").ok());
  EXPECT_EQ(ActiveName(), "two");
  ASSERT_TRUE(registry_.Activate("one").ok());
  EXPECT_EQ(ActiveName(), "one");
}

TEST_F(ModelRegistryTest, AModelThatFailsToLoadDoesNotBecomeActive) {
  AddModel("one");
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  ASSERT_TRUE(registry_.Add({"gone", "/nowhere", ModelKind::kLanguageModel, false}).ok());
  ASSERT_TRUE(registry_.Activate("gone").ok());
  EXPECT_FALSE(registry_.WaitFor("gone").ok());
  EXPECT_EQ(ActiveName(), "one");
}

TEST_F(ModelRegistryTest, UnloadingLetsRunningRequestsEnd) {
  AddModel("one");
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  GenerationWatch watch;
  ASSERT_TRUE(
      (*registry_.FindLanguageModel("one"))->Submit(LongRequest(100), watch.Callbacks()).ok());
  watch.WaitForText();
  ASSERT_TRUE(registry_.Unload("one").ok());
  EXPECT_FALSE(registry_.FindLanguageModel("one").ok());
  const auto end = watch.WaitForEnd();
  EXPECT_TRUE(end.reason == FinishReason::kLength || end.reason == FinishReason::kStop);
}

TEST_F(ModelRegistryTest, SwitchingUnderLoadDropsNoRequest) {
  AddModel("one");
  AddModel("two", 2);
  for (const char* name : {"one", "two"}) ASSERT_TRUE(registry_.Load(name).ok());
  for (const char* name : {"one", "two"}) ASSERT_TRUE(registry_.WaitFor(name).ok());
  constexpr int kThreads = 3, kRequests = 20;
  std::atomic<int> good{0}, working{kThreads};
  std::vector<std::thread> clients;
  for (int t = 0; t < kThreads; ++t) {
    clients.emplace_back([&] {
      for (int i = 0; i < kRequests; ++i) {
        GenerationWatch watch;
        const auto model = registry_.FindLanguageModel("");
        if (!model.ok() || !(*model)->Submit(LongRequest(5), watch.Callbacks()).ok()) continue;
        const FinishReason reason = watch.WaitForEnd().reason;
        good += reason == FinishReason::kLength || reason == FinishReason::kStop;
      }
      --working;
    });
  }
  for (int i = 0; working > 0; ++i) ASSERT_TRUE(registry_.Activate(i % 2 ? "one" : "two").ok());
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, kThreads * kRequests);
  EXPECT_EQ(observed_, good);  // each was reported, with a gap for every token after the first
}

TEST_F(ModelRegistryTest, DrainRefusesTheNewAndWaitsForTheRunning) {
  AddModel("one");
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  GenerationWatch watch;
  ASSERT_TRUE(
      (*registry_.FindLanguageModel("one"))->Submit(LongRequest(50), watch.Callbacks()).ok());
  EXPECT_TRUE(registry_.Drain(std::chrono::seconds(60)));
  EXPECT_NE(watch.WaitForEnd().reason, FinishReason::kCancelled);
  EXPECT_EQ(registry_.FindLanguageModel("one").status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ModelRegistryTest, StoppingCancelsWhatRunsAndLeavesNothingToBeFound) {
  AddModel("one");
  AddModel("two", 2);
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  GenerationWatch watch;
  ASSERT_TRUE(
      (*registry_.FindLanguageModel("one"))->Submit(LongRequest(200), watch.Callbacks()).ok());
  ASSERT_TRUE(registry_.Load("two").ok());
  registry_.Stop();  // while one generates and the other loads
  EXPECT_NE(watch.WaitForEnd().reason, FinishReason::kError);
  EXPECT_TRUE(registry_.LanguageModels().empty());
  EXPECT_EQ(registry_.FindLanguageModel("one").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(registry_.Load("two").code(), absl::StatusCode::kUnavailable);
  registry_.Stop();
}

TEST_F(ModelRegistryTest, RefusesToUnloadWhileLoadingAndToActivateWhileUnloading) {
  const auto is_refused_or_late = [](const absl::Status& status) {
    return status.ok() || absl::IsFailedPrecondition(status);
  };
  AddModel("one");
  ASSERT_TRUE(registry_.Load("one").ok());
  EXPECT_TRUE(is_refused_or_late(registry_.Unload("one")));
  (void)registry_.WaitFor("one");
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  GenerationWatch watch;
  ASSERT_TRUE(
      (*registry_.FindLanguageModel("one"))->Submit(LongRequest(200), watch.Callbacks()).ok());
  ASSERT_TRUE(registry_.Unload("one").ok());
  EXPECT_TRUE(is_refused_or_late(registry_.Activate("one")));
  EXPECT_NE(watch.WaitForEnd().reason, FinishReason::kCancelled);
}

TEST_F(ModelRegistryTest, TheTextGeneratorFollowsTheActiveModel) {
  ActiveTextGenerator generator(registry_);
  EXPECT_EQ(generator.model_name(), "none");
  EXPECT_EQ(generator.Generate({}, {}).status().code(), absl::StatusCode::kUnavailable);
  AddModel("one");
  const std::string path = ModelFolder::LanguageModel();
  ASSERT_TRUE(registry_.Add({"shipped", path, ModelKind::kLanguageModel, true}).ok());
  ASSERT_TRUE(registry_.Load("one").ok());
  ASSERT_TRUE(registry_.WaitFor("one").ok());
  EXPECT_FALSE(generator.capabilities().references);
  ASSERT_TRUE(registry_.Activate("shipped").ok());
  ASSERT_TRUE(registry_.WaitFor("shipped").ok());
  EXPECT_TRUE(generator.capabilities().references);
}

TEST_F(ModelRegistryTest, ASettingOverridesWhatTheFileDeclares) {
  ModelSpec as_declared{"declared", ModelFolder::LanguageModel(), ModelKind::kLanguageModel, true};
  ModelSpec overridden = as_declared;
  overridden.name = "overridden";
  overridden.references = false;
  overridden.languages = {"en", "fr"};
  for (const ModelSpec& spec : {as_declared, overridden}) {
    ASSERT_TRUE(registry_.Add(spec).ok());
    ASSERT_TRUE(registry_.Load(spec.name).ok());
    ASSERT_TRUE(registry_.WaitFor(spec.name).ok());
  }
  const auto of = [this](const char* name) { return registry_.Status(name)->info.capabilities; };
  EXPECT_TRUE(of("declared").references);
  EXPECT_EQ(of("declared").languages, std::vector<std::string>{"en"});
  EXPECT_FALSE(of("overridden").references);
  EXPECT_EQ(of("overridden").languages, (std::vector<std::string>{"en", "fr"}));
}

}  // namespace
}  // namespace emptor::services

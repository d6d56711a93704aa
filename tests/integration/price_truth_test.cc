// The price changes between retrieval and answer: what leaves is the record as it is when it
// leaves. Real catalog, search, engine and model in one process; only the moment of the change is
// arranged.
#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "catalog/product_json.h"
#include "engine/engine.h"
#include "services/app/config.h"
#include "services/assistant/assistant.h"
#include "services/embedding/engine_embedder.h"
#include "services/models/engine_text_generator.h"
#include "services/shop/shop.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

using namespace services;  // NOLINT: the test speaks the language of services

/// Holds each generation back until `before` has run on a thread of its own, as a slow model would.
class HeldGenerator final : public TextGenerator {
 public:
  HeldGenerator(TextGenerator& inner, std::function<void()> before)
      : inner_(inner), before_(std::move(before)) {}
  ~HeldGenerator() override {
    if (thread_.joinable()) thread_.join();
  }
  std::string model_name() const override { return inner_.model_name(); }
  engine::ModelCapabilities capabilities() const override { return inner_.capabilities(); }
  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override {
    thread_ = std::thread([this, request = std::move(request), callbacks] {
      before_();
      const auto running = inner_.Generate(request, callbacks);
      if (!running.ok()) callbacks.on_end("error", {}, running.status());
    });
    return std::make_unique<Held>();
  }

 private:
  struct Held final : Generation {
    void Cancel() override {}
  };
  TextGenerator& inner_;
  const std::function<void()> before_;
  std::thread thread_;
};

/// Collects one answer.
class Collector final : public AssistListener {
 public:
  void OnRefused(const absl::Status& status) override {
    std::lock_guard lock(mutex_);
    refused_ = status;
    ended_ = true;
    wake_.notify_all();
  }
  bool OnEvent(const AssistEvent& event) override {
    std::lock_guard lock(mutex_);
    if (const auto* products = std::get_if<ProductsEvent>(&event)) {
      cards_ = products->items;
      shown_ = true;
    }
    if (const auto* delta = std::get_if<DeltaEvent>(&event)) text_ += delta->text;
    ended_ = ended_ || std::holds_alternative<DoneEvent>(event) ||
             std::holds_alternative<ErrorEvent>(event);
    wake_.notify_all();
    return true;
  }
  /// The cards that the shopper saw, once they are there.
  std::vector<ProductCard> WaitForCards() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(wake_.wait_for(lock, std::chrono::seconds(60), [this] { return shown_; }));
    return cards_;
  }
  std::string WaitForText() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(wake_.wait_for(lock, std::chrono::seconds(60), [this] { return ended_; }));
    EXPECT_TRUE(refused_.ok()) << refused_.ToString();
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<ProductCard> cards_;  // guarded by mutex_, as are the rest
  std::string text_;
  absl::Status refused_;
  bool shown_ = false, ended_ = false;
};

/// Gives each product a new list price, through the import that a catalog team would use.
void ChangePrices(Shop& shop, const std::vector<ProductCard>& cards, std::mt19937& random) {
  std::stringstream lines;
  for (const ProductCard& card : cards) {
    catalog::Product product = card.product;
    product.sale_price.reset();
    product.sale_price_effective.reset();
    product.price =
        catalog::Money{.amount = 1000 + static_cast<int64_t>(random() % 900000), .currency = "USD"};
    lines << catalog::ToJson(product) << '\n';
  }
  const auto report = shop.writer().Import(lines, {}, {}, [](const catalog::LineResult&) {});
  ASSERT_TRUE(report.ok()) << report.status().ToString();
}

std::string Dollars(int64_t amount) {
  std::string digits = std::to_string(amount / 100);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), ",");
  }
  char cents[8];
  std::snprintf(cents, sizeof cents, ".%02d", static_cast<int>(amount % 100));
  return "$" + digits + cents;
}

std::vector<std::string> PriceQuestions() {
  std::vector<std::string> questions;
  std::ifstream file(SourcePath("data/sample-shop/questions.jsonl"));
  for (std::string line; std::getline(file, line);) {
    const auto json = catalog::ParseJson(line);
    if (json.ok() && json->Find("kind")->as_string() != "faq" &&
        json->Find("locale")->as_string() == "en-US") {
      questions.push_back(json->Find("question")->as_string());
    }
  }
  return questions;
}

constexpr int64_t kNow = 1795000000;

TEST(PriceTruthTest, AnswerStatesThePriceAsItIsWhenItLeaves) {
  TemporaryDirectory directory;
  const Config config = DefaultConfig();
  auto embedder = EngineEmbedder::Load(config.embedder);
  ASSERT_TRUE(embedder.ok()) << embedder.status().ToString();
  ShopOptions options;
  options.directory = directory.path() + "/shop";
  options.create_if_missing = true;
  auto shop = Shop::Open(options, **embedder);
  ASSERT_TRUE(shop.ok()) << shop.status().ToString();
  std::ifstream feed(SourcePath("data/sample-shop/products.jsonl"));
  ASSERT_TRUE((*shop)->writer().Import(feed, {}, {}, [](const catalog::LineResult&) {}).ok());
  auto loaded = engine::Engine::Load(config.model, {});
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  const std::shared_ptr<engine::Engine> engine = *std::move(loaded);
  EngineTextGenerator real(engine);

  std::mt19937 random(20261120);
  int prices = 0;
  for (const std::string& question : PriceQuestions()) {
    auto listener = std::make_shared<Collector>();
    HeldGenerator generator(real, [&] { ChangePrices(**shop, listener->WaitForCards(), random); });
    ConversationStore conversations({}, [] { return std::chrono::steady_clock::now(); });
    WorkerPool workers(1, 8);
    Assistant assistant({}, {.shop = (*shop)->reader(),
                             .generator = &generator,
                             .conversations = conversations,
                             .workers = workers,
                             .now_unix = [] { return kNow; },
                             .on_answer = {}});
    AssistRequest request;
    request.message = question;
    assistant.Ask(std::move(request), listener);
    const std::string text = listener->WaitForText();
    std::set<std::string> live;
    for (const ProductCard& card : listener->WaitForCards()) {
      const auto now = (*shop)->reader().FindProduct(card.product.id);
      ASSERT_TRUE(now.ok() && now->has_value());
      // An answer that code computes asks no generator, so that nothing was changed: a sale may
      // hold.
      live.insert(Dollars(catalog::ComputePayablePrice(**now, kNow, {}).price->amount));
    }
    const std::regex money(R"(\$[0-9][0-9,]*\.[0-9]{2})");
    for (std::sregex_iterator it(text.begin(), text.end(), money), end; it != end; ++it) {
      EXPECT_TRUE(live.contains(it->str())) << it->str() << " in: " << text << "\n" << question;
      ++prices;
    }
  }
  std::printf("%d prices left, each checked against the record as it was then\n", prices);
  EXPECT_GT(prices, 10);
}

}  // namespace
}  // namespace emptor::testing

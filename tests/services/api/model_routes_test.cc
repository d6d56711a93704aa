// The admin routes of models.
#include "services/api/model_routes.h"

#include <gmock/gmock.h>

#include "tests/services/llm_api/llm_world.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using testing::LlmWorld;

class ModelRoutesTest : public ::testing::Test {
 protected:
  ModelRoutesTest() { world_.Serve(MakeModelRoutes(world_.models_)); }
  LlmWorld world_;
};

TEST_F(ModelRoutesTest, ListsAndShows) {
  const Response all = world_.Fetch("GET", "/admin/models");
  EXPECT_EQ(all.status, 200);
  EXPECT_THAT(all.body, HasSubstr(R"("name":"embed","kind":"encoder")"));
  EXPECT_THAT(all.body, HasSubstr(R"("state":"unloaded","active":false)"));
  const Response one = world_.Fetch("GET", "/admin/models/tiny/status");
  EXPECT_THAT(one.body, HasSubstr(R"("state":"available","active":true)"));
  EXPECT_THAT(one.body, HasSubstr(R"("context_length":256)"));
  EXPECT_EQ(world_.Fetch("GET", "/admin/models/nope/status").status, 404);
}

TEST_F(ModelRoutesTest, ActivatesLoadsAndUnloads) {
  const Response begun = world_.Fetch("POST", "/admin/models/idle/activate");
  EXPECT_TRUE(begun.status == 202 || begun.status == 200) << begun.body;
  ASSERT_TRUE(world_.models_.WaitFor("idle").ok());
  EXPECT_EQ((*world_.models_.FindLanguageModel(""))->name(), "idle");
  EXPECT_EQ(world_.Fetch("POST", "/admin/models/tiny/activate").status, 200);
  EXPECT_EQ((*world_.models_.FindLanguageModel(""))->name(), "tiny");
  const Response freed = world_.Fetch("POST", "/admin/models/idle/unload");
  EXPECT_TRUE(freed.status == 202 || freed.status == 200);
  EXPECT_FALSE(world_.models_.WaitFor("idle").ok());
  EXPECT_EQ(world_.Fetch("POST", "/admin/models/nope/load").status, 404);
  EXPECT_EQ(world_.Fetch("GET", "/admin/models/idle/load").status, 405);
}

TEST_F(ModelRoutesTest, AnEncoderInUseStays) {
  auto encoder = EngineEmbedder::Load(testing::ModelFolder::Encoder());
  ASSERT_TRUE(encoder.ok());
  ASSERT_TRUE(world_.models_
                  .AddPinned({"shop", "p", ModelKind::kEncoder, true},
                             std::shared_ptr<const EngineEmbedder>(*std::move(encoder)))
                  .ok());
  const Response refused = world_.Fetch("POST", "/admin/models/shop/unload");
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("in use by the shop"));
}

}  // namespace
}  // namespace emptor::services

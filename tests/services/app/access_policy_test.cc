// What the settings demand of who calls.
#include "services/app/access_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class AccessPolicyTest : public ::testing::Test {
 protected:
  AccessPolicyTest() { config_.data_dir = data_.path() + "/shop"; }
  std::string Problem() const { return std::string(OpenAccess(config_).status().message()); }
  void Issue(KeyKind kind) {
    const auto access = OpenAccess(OnThisMachine(config_));
    ASSERT_TRUE(access.ok()) << access.status();
    KeyRecord wanted;
    wanted.principal.kind = kind;
    if (kind != KeyKind::kAdmin) wanted.principal.shop = "default";
    ASSERT_TRUE(access->keys->Issue(std::move(wanted)).ok());
  }
  static Config OnThisMachine(Config config) {
    config.listen = config.admin_listen = "127.0.0.1:0";
    return config;
  }

  const emptor::testing::TemporaryDirectory data_;
  Config config_;
};

TEST_F(AccessPolicyTest, AnAddressThatOthersReachNeedsAKey) {
  EXPECT_EQ(Problem(), "");
  for (const char* listen : {"0.0.0.0:0", "[::]:0", "192.168.1.5:0", "myhost:0"}) {
    config_.listen = listen;
    EXPECT_THAT(Problem(), HasSubstr("emptor key issue server --data-dir")) << listen;
    EXPECT_THAT(Problem(), HasSubstr("--insecure starts all the same")) << listen;
  }
  config_.insecure = true;
  EXPECT_EQ(Problem(), "");
  config_.insecure = false;
  Issue(KeyKind::kServer);
  EXPECT_EQ(Problem(), "");
  config_.admin_listen = "0.0.0.0:0";
  EXPECT_THAT(Problem(), HasSubstr("admin_listen: "));
  EXPECT_THAT(Problem(), HasSubstr("emptor key issue admin"));
  Issue(KeyKind::kAdmin);
  EXPECT_EQ(Problem(), "");
  for (const char* listen : {"127.0.0.1:0", "localhost:0", "[::1]:0", "127.0.0.9:0"}) {
    config_.listen = listen;
    EXPECT_FALSE(IsReachedFromOutside(*ParseListenAddress(listen))) << listen;
  }
}

TEST_F(AccessPolicyTest, ReadingIsOpenOnThisMachineAlone) {
  EXPECT_EQ(AccessPolicyOf(config_).reading, OpenReading::kUntilKeys);
  config_.listen = "0.0.0.0:8080";
  EXPECT_EQ(AccessPolicyOf(config_).reading, OpenReading::kNever);
  config_.open_reading = "always";
  EXPECT_EQ(AccessPolicyOf(config_).reading, OpenReading::kAlways);
  config_.open_reading = "never";
  config_.listen = "127.0.0.1:8080";
  EXPECT_EQ(AccessPolicyOf(config_).reading, OpenReading::kNever);
  config_.insecure = true;
  EXPECT_EQ(AccessPolicyOf(config_).reading, OpenReading::kAlways);
}

TEST_F(AccessPolicyTest, NamesOfTheServiceAreThoseOfTheSettings) {
  config_.allowed_hosts = {"Emptor", "emptor.internal"};
  config_.listen = "myhost:8080";
  config_.public_url = "https://Shop.Example/assistant";
  const AccessPolicy policy = AccessPolicyOf(config_);
  for (const char* name : {"emptor", "emptor.internal", "myhost", "shop.example"}) {
    EXPECT_THAT(policy.hosts, Contains(name));
  }
  EXPECT_EQ(policy.own_origin, "https://shop.example");
  EXPECT_EQ(AccessPolicyOf(Config()).own_origin, "");
}

}  // namespace
}  // namespace emptor::services

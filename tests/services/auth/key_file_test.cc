// The stored form of keys.
#include "services/auth/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

KeyRecord Browser() {
  KeyRecord record;
  record.principal = {"0a1b2c3d", KeyKind::kBrowser, "tools", {"https://shop.example"}};
  record.name = "the shop's \"page\"";
  for (size_t i = 0; i < record.mac.size(); ++i) record.mac[i] = static_cast<uint8_t>(i * 7);
  record.created_unix = 1700000000;
  record.expires_unix = 1800000000;
  return record;
}

TEST(KeyFileTest, ReadsWhatItWrote) {
  KeyRecord admin;
  admin.principal = {"ffffffff", KeyKind::kAdmin, "", {}};
  admin.revoked_unix = 5;
  const std::string text = KeyFileText({Browser(), admin});
  const auto read = ParseKeyFile(text);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].principal.origins, Browser().principal.origins);
  EXPECT_EQ((*read)[0].mac, Browser().mac);
  EXPECT_EQ((*read)[0].name, Browser().name);
  EXPECT_EQ((*read)[1].revoked_unix, 5);
  EXPECT_EQ(KeyFileText(*read), text);
}

TEST(KeyFileTest, ADamagedFileNamesTheMember) {
  const std::string good = KeyFileText({Browser()});
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } rows[] = {{"\"format\":1", "\"format\":2", "format: expected 1"},
              {"\"kind\":\"browser\"", "\"kind\":\"root\"", "keys[0].kind"},
              {"\"kind\":\"browser\"", "\"kind\":\"admin\"", "keys[0]"},
              {"\"mac\":\"00", "\"mac\":\"0g", "keys[0].mac"},
              {"\"mac\":\"00", "\"mac\":\"", "keys[0].mac"},
              {"\"revoked\":0", "\"revoked\":-1", "keys[0].revoked"},
              {"\"revoked\":0", "\"revoked\":null", "keys[0].revoked"},
              {"https://shop.example", "*", "origins"},
              {"\"shop\":\"tools\"", "\"shop\":\"../x\"", "shop"}};
  for (const auto& row : rows) {
    std::string text = good;
    const size_t at = text.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.from;
    text.replace(at, std::string(row.from).size(), row.to);
    const auto read = ParseKeyFile(text);
    EXPECT_TRUE(absl::IsDataLoss(read.status())) << row.to;
    EXPECT_THAT(std::string(read.status().message()), HasSubstr(row.message)) << row.to;
  }
  EXPECT_TRUE(absl::IsDataLoss(ParseKeyFile("").status()));
  EXPECT_TRUE(absl::IsDataLoss(ParseKeyFile(good.substr(0, good.size() / 2)).status()));
  KeyRecord twin = Browser();
  EXPECT_TRUE(absl::IsDataLoss(ParseKeyFile(KeyFileText({Browser(), twin})).status()));
}

TEST(KeyFileTest, AKeyEndsWhenItExpiresOrIsRevoked) {
  KeyRecord record = Browser();
  EXPECT_TRUE(IsAlive(record, 1799999999));
  EXPECT_FALSE(IsAlive(record, 1800000000));
  record.expires_unix = 0;
  EXPECT_TRUE(IsAlive(record, 1900000000));
  record.revoked_unix = 1;
  EXPECT_FALSE(IsAlive(record, 1));
}

}  // namespace
}  // namespace emptor::services

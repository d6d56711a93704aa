// Keys on the disk: issued, rotated, revoked, recognised; by one process and by two.
#include "services/auth/key_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "services/auth/key_text.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class KeyStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<KeyStore> Open() {
    auto opened =
        KeyStore::Open(directory_.path(), {[this] { return now_; }, [this] { return clock_; }});
    EXPECT_TRUE(opened.ok()) << opened.status();
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  static KeyRecord Wanted(KeyKind kind, const std::string& shop) {
    KeyRecord record;
    record.principal.kind = kind;
    record.principal.shop = shop;
    if (kind == KeyKind::kBrowser) record.principal.origins = {"https://Shop.example:443"};
    return record;
  }
  IssuedKey Issue(KeyStore& store, KeyKind kind, const std::string& shop = "tools") {
    auto issued = store.Issue(Wanted(kind, kind == KeyKind::kAdmin ? "" : shop));
    EXPECT_TRUE(issued.ok()) << issued.status();
    return issued.ok() ? *std::move(issued) : IssuedKey();
  }

  const emptor::testing::TemporaryDirectory directory_;
  int64_t now_ = 1700000000;
  std::chrono::steady_clock::time_point clock_{};
};

TEST_F(KeyStoreTest, TheFirstStartWritesAKeyThatOnlyItsOwnerReads) {
  const auto store = Open();
  const std::string path = OwnKeyPath(directory_.path());
  EXPECT_EQ(ModeOf(path), 0600u);
  EXPECT_EQ(ModeOf(directory_.path() + "/keys"), 0700u);
  EXPECT_EQ(ModeOf(directory_.path() + "/keys/secret"), 0600u);
  const std::string key = ReadOwnKey(directory_.path());
  EXPECT_THAT(key, HasSubstr("emptor_admin_"));
  const auto principal = store->Authenticate(key);
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->kind, KeyKind::kAdmin);
  EXPECT_EQ(principal->key_id, kOwnKeyId);
  EXPECT_FALSE(store->HasIssuedKeys());
  // The next start keeps it.
  const auto again = Open();
  EXPECT_EQ(ReadOwnKey(directory_.path()), key);
  EXPECT_TRUE(again->Authenticate(key));
}

TEST_F(KeyStoreTest, AFileThatOthersReadIsRefused) {
  Open();
  for (const char* name : {"/admin.key", "/keys/secret"}) {
    const std::string path = directory_.path() + name;
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    const auto opened = KeyStore::Open(directory_.path());
    EXPECT_TRUE(absl::IsPermissionDenied(opened.status())) << opened.status();
    EXPECT_THAT(std::string(opened.status().message()), HasSubstr("chmod 600 " + path));
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  }
  EXPECT_TRUE(KeyStore::Open(directory_.path()).ok());
}

TEST_F(KeyStoreTest, AnIssuedKeyIsRecognisedAndNotStored) {
  const auto store = Open();
  const IssuedKey key = Issue(*store, KeyKind::kBrowser);
  const auto principal = store->Authenticate(key.text);
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->shop, "tools");
  EXPECT_EQ(principal->origins, std::vector<std::string>{"https://shop.example"});
  EXPECT_TRUE(store->HasIssuedKeys());
  EXPECT_TRUE(store->HasIssuedKeys(KeyKind::kBrowser));
  EXPECT_FALSE(store->HasIssuedKeys(KeyKind::kAdmin));
  EXPECT_TRUE(store->HasOrigin("https://shop.example"));
  EXPECT_FALSE(store->HasOrigin("https://evil.example"));
  const std::string secret_part = key.text.substr(key.text.rfind('_') + 1);
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory_.path())) {
    if (!file.is_regular_file()) continue;
    EXPECT_EQ(ContentOf(file.path()).find(secret_part), std::string::npos) << file.path();
    EXPECT_EQ(ModeOf(file.path()), 0600u) << file.path();
  }
}

TEST_F(KeyStoreTest, NoKeyThatIsNearlyRightPasses) {
  const auto store = Open();
  const IssuedKey key = Issue(*store, KeyKind::kServer);
  for (size_t i = 0; i < key.text.size(); ++i) {
    std::string near = key.text;
    near[i] = near[i] == '0' ? '1' : '0';
    EXPECT_FALSE(store->Authenticate(near)) << i;
    EXPECT_FALSE(store->Authenticate(key.text.substr(0, i))) << i;
  }
  EXPECT_FALSE(store->Authenticate(key.text + "0"));
  EXPECT_FALSE(store->Authenticate(" " + key.text));
  EXPECT_FALSE(store->Authenticate(std::string(1 << 20, 'x')));
  // Another kind with the same id and digits.
  std::string raised = key.text;
  raised.replace(raised.find("server"), 6, "admin");
  EXPECT_FALSE(store->Authenticate(raised));
}

TEST_F(KeyStoreTest, RevokingEndsAKeyAtOnceHereAndSoonInAnotherProcess) {
  const auto store = Open();
  const auto other = Open();  // as another process has it
  const IssuedKey key = Issue(*store, KeyKind::kServer);
  clock_ += KeyStore::kKeyRefresh;
  EXPECT_TRUE(other->Authenticate(key.text));
  ASSERT_TRUE(store->Revoke(key.record.principal.key_id).ok());
  EXPECT_FALSE(store->Authenticate(key.text));
  EXPECT_FALSE(store->HasIssuedKeys());
  EXPECT_TRUE(store->HasEverIssued());
  clock_ += KeyStore::kKeyRefresh;
  EXPECT_FALSE(other->Authenticate(key.text));
  EXPECT_LE(KeyStore::kKeyRefresh, std::chrono::seconds(5));
  ASSERT_EQ(store->List().size(), 1u);
  EXPECT_NE(store->List()[0].revoked_unix, 0);
  EXPECT_TRUE(absl::IsNotFound(store->Revoke("nope").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(store->Revoke("own").status()));
}

TEST_F(KeyStoreTest, RotationLeavesTheOldKeyItsGrace) {
  const auto store = Open();
  const IssuedKey old = Issue(*store, KeyKind::kBrowser);
  const auto made = store->Rotate(old.record.principal.key_id, hours(2));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_NE(made->text, old.text);
  EXPECT_EQ(made->record.principal.origins, old.record.principal.origins);
  EXPECT_TRUE(store->Authenticate(old.text) && store->Authenticate(made->text));
  now_ += 2 * 3600;
  EXPECT_FALSE(store->Authenticate(old.text));
  EXPECT_TRUE(store->Authenticate(made->text));
  EXPECT_TRUE(
      absl::IsFailedPrecondition(store->Rotate(old.record.principal.key_id, hours(1)).status()));
}

TEST_F(KeyStoreTest, TheServicesOwnKeyIsReplacedAtOnce) {
  const auto store = Open();
  const std::string before = ReadOwnKey(directory_.path());
  const auto made = store->Rotate(std::string(kOwnKeyId), hours(24));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(ReadOwnKey(directory_.path()), made->text);
  EXPECT_FALSE(store->Authenticate(before));
  EXPECT_TRUE(store->Authenticate(made->text));
  EXPECT_EQ(ModeOf(OwnKeyPath(directory_.path())), 0600u);
}

TEST_F(KeyStoreTest, AKeyExpires) {
  const auto store = Open();
  KeyRecord wanted = Wanted(KeyKind::kServer, "tools");
  wanted.expires_unix = now_ + 60;
  const auto issued = store->Issue(std::move(wanted));
  ASSERT_TRUE(issued.ok());
  EXPECT_TRUE(store->Authenticate(issued->text));
  now_ += 60;
  EXPECT_FALSE(store->Authenticate(issued->text));
}

TEST_F(KeyStoreTest, ADamagedFileLetsNobodyIn) {
  const auto store = Open();
  const IssuedKey key = Issue(*store, KeyKind::kServer);
  const std::string path = directory_.path() + "/keys/keys.json";
  std::ofstream(path, std::ios::app) << "x";
  clock_ += KeyStore::kKeyRefresh;
  EXPECT_FALSE(store->Authenticate(key.text));
  EXPECT_TRUE(store->HasEverIssued()) << "reading does not become open";
  EXPECT_TRUE(absl::IsDataLoss(KeyStore::Open(directory_.path()).status()));
  EXPECT_TRUE(absl::IsDataLoss(store->Revoke(key.record.principal.key_id).status()));
}

TEST_F(KeyStoreTest, RefusesAKeyWithoutItsBounds) {
  const auto store = Open();
  const auto message = [&](KeyRecord wanted) {
    return std::string(store->Issue(std::move(wanted)).status().message());
  };
  KeyRecord browser = Wanted(KeyKind::kBrowser, "tools");
  browser.principal.origins.clear();
  EXPECT_THAT(message(browser), HasSubstr("origins: expected 1 to 32"));
  browser.principal.origins = {"https://shop.example/path"};
  EXPECT_THAT(message(browser), HasSubstr("origins: expected one such as"));
  EXPECT_THAT(message(Wanted(KeyKind::kServer, "")), HasSubstr("shop: expected"));
  EXPECT_THAT(message(Wanted(KeyKind::kServer, "../x")), HasSubstr("shop: expected"));
  EXPECT_THAT(message(Wanted(KeyKind::kAdmin, "tools")), HasSubstr("all shops"));
  KeyRecord named = Wanted(KeyKind::kServer, "tools");
  named.name = "a\nb";
  EXPECT_THAT(message(named), HasSubstr("name: "));
  EXPECT_TRUE(store->List().empty());
}

TEST(KeyTextTest, OnlyAWholeKeyHasAnId) {
  const auto key = MakeKey(KeyKind::kServer);
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(IdOfKey(key->text), key->id);
  EXPECT_NE(MakeKey(KeyKind::kServer)->text, key->text);
  for (const std::string text : {"", "emptor_", "emptor_server_", "emptor_root_0a1b2c3d_00",
                                 "sk-1234", "emptor_server_0a1b2c3d_xyz"}) {
    EXPECT_EQ(IdOfKey(text), "") << text;
  }
}

// RFC 4231, test case 2.
TEST(KeyTextTest, TheMacIsHmacSha256) {
  const KeyMac mac = ComputeKeyMac("Jefe", "what do ya want for nothing?");
  EXPECT_EQ(ToHex(mac.data(), mac.size()),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace
}  // namespace emptor::services

// Backups in a bucket, against a server that checks each signature.
#include "services/backup/s3_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catalog/backup/backup.h"
#include "tests/services/backup/s3_server.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using emptor::testing::S3Server;
using ::testing::HasSubstr;
using Code = absl::StatusCode;

class S3TargetTest : public ::testing::Test {
 protected:
  S3Options Options() const {
    S3Options options;
    options.endpoint = "http://127.0.0.1:" + std::to_string(server_.port());
    options.bucket = "backups";
    options.prefix = "shop/one/";
    options.region = S3Server::kRegion;
    options.access_key = S3Server::kAccessKey;
    options.secret_key = S3Server::kSecretKey;
    return options;
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }
  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  const emptor::testing::TemporaryDirectory folder_;
  S3Server server_;
};

TEST_F(S3TargetTest, PutsGetsAndRemoves) {
  S3Target target(Options());
  const std::string bytes = std::string(3'000'000, 'x') + '\0' + "end";
  ASSERT_TRUE(target.Put("a-1.ebk", Write("in", bytes)).ok());
  EXPECT_EQ(server_.objects().at("/backups/shop/one/a-1.ebk"), bytes);
  const absl::Status got = target.Get("a-1.ebk", Path("out"));
  ASSERT_TRUE(got.ok()) << got;
  EXPECT_EQ(Read(Path("out")), bytes);
  EXPECT_EQ(target.Get("nothing", Path("none")).code(), Code::kNotFound);
  ASSERT_TRUE(target.Remove("a-1.ebk").ok());
  ASSERT_TRUE(target.Remove("a-1.ebk").ok());
  EXPECT_TRUE(server_.objects().empty());
  EXPECT_EQ(server_.refused(), 0);
}

TEST_F(S3TargetTest, ReportsWrongCredentials) {
  S3Options options = Options();
  options.secret_key = "wrong";
  const absl::Status status = S3Target(options).Put("a", Write("in", "x"));
  EXPECT_EQ(status.code(), Code::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()), HasSubstr("SignatureDoesNotMatch"));
  EXPECT_EQ(std::string(status.message()).find("wrong"), std::string::npos);
}

TEST_F(S3TargetTest, TriesAgainWhatMayPass) {
  S3Target target(Options());
  server_.FailNext(2);
  EXPECT_TRUE(target.Put("a", Write("in", "x")).ok());
  server_.FailNext(3);
  EXPECT_EQ(target.Get("a", Path("out")).code(), Code::kUnavailable);
  EXPECT_TRUE(target.Get("a", Path("out")).ok());
}

TEST_F(S3TargetTest, HoldsBackupsOfAStore) {
  catalog::RecordStoreOptions store_options;
  store_options.identity = {.application = "test", .content_version = 1};
  store_options.create_if_missing = true;
  const auto store = catalog::RecordStore::Open(Path("store"), store_options);
  ASSERT_TRUE(store.ok());
  S3Target target(Options());
  catalog::BackupOptions options;
  options.identity = store_options.identity;
  options.staging_directory = Path("staging");
  for (int i = 0; i < 3; ++i) {
    catalog::RecordBatch batch;
    batch.Put("k" + std::to_string(i), std::string(1000, 'v'));
    ASSERT_TRUE((*store)->Write(batch).ok());
    const auto report = catalog::RunBackup(**store, target, options);
    ASSERT_TRUE(report.ok()) << report.status();
  }
  EXPECT_EQ(server_.objects().size(), 4u);
  EXPECT_TRUE(catalog::VerifyBackups(target, Path("staging")).ok());
  const auto restored =
      catalog::Restore(target, {Path("restored"), Path("staging"), store_options, {}});
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->seal.digest, (*store)->seal().digest);
}

TEST(S3OptionsTest, ReadsUrlAndEnvironment) {
  ::setenv("AWS_ACCESS_KEY_ID", "k", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "s", 1);
  ::setenv("AWS_REGION", "eu-central-1", 1);
  ::unsetenv("AWS_ENDPOINT_URL");
  const auto options = S3OptionsOf("s3://my-bucket/some/prefix");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->bucket, "my-bucket");
  EXPECT_EQ(options->prefix, "some/prefix/");
  EXPECT_EQ(options->endpoint, "https://s3.eu-central-1.amazonaws.com");
  for (const char* url : {"s3://", "s3://B", "s3://bucket/a b", "http://x/y", "s3://bucket/?q"}) {
    EXPECT_EQ(S3OptionsOf(url).status().code(), Code::kInvalidArgument) << url;
  }
  ::setenv("AWS_ENDPOINT_URL", "file:///etc", 1);
  EXPECT_EQ(S3OptionsOf("s3://my-bucket").status().code(), Code::kInvalidArgument);
  ::unsetenv("AWS_ENDPOINT_URL");
  ::unsetenv("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(S3OptionsOf("s3://my-bucket").status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(OpenBackupTarget("/some/directory").value()->Describe(), "/some/directory");
}

}  // namespace
}  // namespace emptor::services

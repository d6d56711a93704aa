// Places of backups, confined to roots and buckets.
#include "services/backup/backup_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

TEST(BackupPlacesTest, ADirectoryLiesInOneOfTheRoots) {
  namespace fs = std::filesystem;
  const emptor::testing::TemporaryDirectory folder;
  const std::string root = fs::canonical(folder.path()).string() + "/backups";
  const std::string outside = fs::canonical(folder.path()).string() + "/outside";
  fs::create_directories(root + "/daily");
  fs::create_directories(outside);
  fs::create_directory_symlink(outside, root + "/link");
  fs::create_directory_symlink(root, outside + "/back");
  const BackupPlaces places{{"/no/such/root", root}, {}};
  for (const std::string& good :
       std::vector<std::string>{root, root + "/", root + "/daily", root + "/new/one",
                                root + "/daily/../daily", outside + "/back/daily", root + "/./x"}) {
    const auto place = ConfineBackup(places, good);
    ASSERT_TRUE(place.ok()) << good << " " << place.status();
    EXPECT_TRUE(place->starts_with(root)) << *place;
  }
  for (const std::string& bad : std::vector<std::string>{
           "/etc", "/", outside, root + "2", root + "/..", root + "/../outside", root + "/link",
           root + "/link/x", root + "/new/../../outside", std::string("relative"),
           std::string("../.."), std::string("file:///etc"), std::string()}) {
    const auto place = ConfineBackup(places, bad);
    EXPECT_TRUE(absl::IsInvalidArgument(place.status())) << bad;
    EXPECT_THAT(std::string(place.status().message()), HasSubstr("to: ")) << bad;
  }
  EXPECT_THAT(std::string(ConfineBackup(places, "/etc").status().message()),
              HasSubstr("backup_roots"));
  EXPECT_FALSE(ConfineBackup({}, root).ok());
}

TEST(BackupPlacesTest, ABucketIsOneOfTheSettings) {
  const BackupPlaces places{{"/"}, {"mine", "ours"}};
  EXPECT_EQ(*ConfineBackup(places, "s3://mine/a/b"), "s3://mine/a/b");
  EXPECT_EQ(*ConfineBackup(places, "s3://ours"), "s3://ours");
  for (const char* bad : {"s3://theirs/a", "s3://mine2/a", "s3://", "s3:///mine", "s3://Mine/a",
                          "https://mine/a", "S3://mine/a"}) {
    EXPECT_FALSE(ConfineBackup(places, bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace emptor::services

// Deletes that wait while a database is opened and verified.
#include <gtest/gtest.h>

#include <memory>

#include "catalog/storage/leveldb_support.h"
#include "leveldb/helpers/memenv.h"

namespace emptor::catalog {
namespace {

class GuardedEnvTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"/a.ldb", "/b.ldb", "/c.ldb"}) {
      ASSERT_TRUE(leveldb::WriteStringToFile(&env_, "old", name).ok());
      ASSERT_TRUE(env_.RemoveFile(name).ok());
    }
  }
  std::string Read(const std::string& name) {
    std::string content;
    return leveldb::ReadFileToString(&env_, name, &content).ok() ? content : "absent";
  }

  std::unique_ptr<leveldb::Env> memory_{leveldb::NewMemEnv(leveldb::Env::Default())};
  GuardedEnv env_{memory_.get()};
};

TEST_F(GuardedEnvTest, DeletesWaitUntilTheyAreReleased) {
  EXPECT_EQ(Read("/a.ldb"), "old");
  env_.ReleaseDeletes();
  EXPECT_EQ(Read("/a.ldb"), "absent");
  ASSERT_TRUE(leveldb::WriteStringToFile(&env_, "new", "/a.ldb").ok());
  EXPECT_TRUE(env_.RemoveFile("/a.ldb").ok());
  EXPECT_EQ(Read("/a.ldb"), "absent");
}

// LevelDB deletes the tables that a killed compaction left and gives their numbers to the next one,
// which may run while the content is still being verified.
TEST_F(GuardedEnvTest, AFileThatIsWrittenAgainIsNotDeleted) {
  ASSERT_TRUE(leveldb::WriteStringToFile(&env_, "new", "/a.ldb").ok());
  ASSERT_TRUE(leveldb::WriteStringToFile(&env_, "moved", "/d.tmp").ok());
  ASSERT_TRUE(env_.RenameFile("/d.tmp", "/b.ldb").ok());
  env_.ReleaseDeletes();
  EXPECT_EQ(Read("/a.ldb"), "new");
  EXPECT_EQ(Read("/b.ldb"), "moved");
  EXPECT_EQ(Read("/c.ldb"), "absent");
}

}  // namespace
}  // namespace emptor::catalog

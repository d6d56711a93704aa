#include "engine/tensor/file_image.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

class FileImageTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

 private:
  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) /
      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(FileImageTest, ReadsTheWholeFile) {
  std::string text(3 << 20, 'x');
  text += "end";
  std::ofstream(Path("f"), std::ios::binary) << text;
  const auto image = ReadFileImage(Path("f"));
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(image->data()), image->size()), text);
}

TEST_F(FileImageTest, EmptyFileIsAnEmptyImage) {
  std::ofstream(Path("f"), std::ios::binary);
  const auto image = ReadFileImage(Path("f"));
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->size(), 0u);
}

TEST_F(FileImageTest, MissingFileIsNotFound) {
  EXPECT_EQ(ReadFileImage(Path("none")).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FileImageTest, DirectoryAndFifoInItsPlaceAreRefusedWithoutWaiting) {
  EXPECT_EQ(ReadFileImage(Path("")).status().code(), absl::StatusCode::kInvalidArgument);
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(ReadFileImage(Path("fifo")).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace emptor::engine

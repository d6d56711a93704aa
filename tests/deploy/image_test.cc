// The image: packages, files, entry point, health check. No image is built here; the steps are run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/deploy/fleet.h"
#include "tests/deploy/rendered_chart.h"

namespace emptor::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Words between `begin` and the quote that ends them.
std::set<std::string> WordsBehind(const std::string& text, const std::string& begin) {
  const size_t at = text.find(begin) + begin.size();
  std::istringstream words(text.substr(at, text.find('"', at) - at));
  return {std::istream_iterator<std::string>(words), {}};
}

TEST(ImageTest, RuntimePackagesHoldEveryLibraryOfTheExecutable) {
  const std::set<std::string> packages =
      WordsBehind(ReadSource("deploy/install-packages.sh"), "\nruntime=\"");
  ASSERT_GT(packages.size(), 20u);
  EXPECT_THAT(packages, Contains("hunspell-en-us"));
  // Those that it names itself; what they need, their packages depend on.
  const CommandResult needed = RunShell("tests/deploy/library_packages.sh '" + EmptorPath() + "'");
  ASSERT_EQ(needed.code, 0) << needed.output;
  std::istringstream lines(needed.output);
  int libraries = 0;
  for (std::string library, package; lines >> library >> package; ++libraries) {
    const bool is_base = package == "libc6" || package == "libgcc-s1";
    EXPECT_TRUE(is_base || packages.contains(package)) << library << " is in " << package;
  }
  EXPECT_GT(libraries, 35);
}

TEST(ImageTest, AnInstalledProgramFindsItsModelsAndSampleShop) {
  const TemporaryDirectory root;
  const CommandResult installed = RunShell("deploy/install.sh --destdir '" + root.path() +
                                           "' --executable '" + EmptorPath() + "'");
  ASSERT_EQ(installed.code, 0) << installed.output;
  const std::string bin = root.path() + "/usr/local/bin";
  const CommandResult run = RunShell(
      "export PATH='" + bin + "':/usr/bin:/bin EMPTOR_DATA='" + root.path() +
      "/data' EMPTOR_SAMPLE_SHOP=1 EMPTOR_SHARE_DIR='" + root.path() +
      "/usr/local/share/emptor'; emptor-entrypoint search kettle --data-dir \"$EMPTOR_DATA\"");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("641 lines: 641 created"));
  EXPECT_THAT(run.output, HasSubstr("Kettle"));
}

TEST(ImageTest, TheEntryPointTakesTheKeysOfTheDeployment) {
  const TemporaryDirectory folder;
  const std::string at = folder.path();
  const std::string prepare = "mkdir -p '" + at + "/bin'; ln -sf '" + EmptorPath() + "' '" + at +
                              "/bin/emptor'; export PATH='" + at + "/bin':/usr/bin:/bin; ";
  ASSERT_EQ(RunShell(prepare + "deploy/make-keys.sh '" + at + "/keys'").code, 0);
  const std::string start = "EMPTOR_DATA='" + at + "/data' EMPTOR_KEYS='" + at + "/keys' ";
  const std::string list = "deploy/entrypoint.sh key list --data-dir '" + at + "/data'";
  const CommandResult listed = RunShell(prepare + start + list);
  EXPECT_EQ(listed.code, 0) << listed.output;
  EXPECT_THAT(listed.output, HasSubstr("\"name\":\"operator\""));
  EXPECT_THAT(listed.output, HasSubstr("\"name\":\"deployment\""));
  struct stat info {};
  for (const char* file : {"/data/admin.key", "/data/keys/secret", "/data/keys/keys.json",
                           "/keys/server.key", "/keys/admin.key"}) {
    ASSERT_EQ(stat((at + file).c_str(), &info), 0) << file;
    EXPECT_EQ(info.st_mode & 0777, 0600u) << file;
  }
  // A data directory that outlives the container keeps the keys that were issued since.
  const CommandResult kept = RunShell(
      prepare + "emptor key issue browser --name page --origin https://shop.example --data-dir '" +
      at + "/data' >/dev/null; EMPTOR_KEEP_KEYS=1 " + start + list);
  EXPECT_THAT(kept.output, HasSubstr("\"name\":\"page\""));
  EXPECT_THAT(RunShell(prepare + start + list).output, Not(HasSubstr("\"name\":\"page\"")));
}

TEST(ImageTest, KeysOfADeploymentOpenWhatTheyAreFor) {
  const TemporaryDirectory folder;
  const std::string keys = folder.path() + "/keys", data = folder.path() + "/data";
  ASSERT_EQ(RunShell("EMPTOR='" + EmptorPath() + "' deploy/make-keys.sh '" + keys +
                     "' && mkdir -p '" + data + "/keys' && cp '" + keys + "/admin.key' '" + data +
                     "' && cp '" + keys + "/secret' '" + keys + "/keys.json' '" + data + "/keys'")
                .code,
            0);
  std::string admin, server;
  std::getline(std::ifstream(keys + "/admin.key"), admin);
  std::getline(std::ifstream(keys + "/server.key"), server);
  const ServiceProcess service(data, {"--log-level", "off"});
  const std::string row =
      R"({"id":"x1","title":"Kettle","price":{"amount":1999,"currency":"USD"}})";
  EXPECT_EQ(FetchWithKey(service.port(), server, "POST", "/v1/catalog/import", row).status, 200);
  EXPECT_EQ(FetchWithKey(service.admin_port(), admin, "GET", "/admin/shops").status, 200);
  EXPECT_EQ(FetchWithKey(service.admin_port(), server, "GET", "/admin/shops").status, 403);
}

TEST(ImageTest, TheHealthCheckSaysWhetherTheProcessAnswers) {
  const TemporaryDirectory data;
  auto service =
      std::make_unique<ServiceProcess>(data.path(), std::vector<std::string>{"--log-level", "off"});
  const std::string port = std::to_string(service->admin_port());
  EXPECT_EQ(RunShell("deploy/healthcheck.sh " + port).code, 0);
  EXPECT_EQ(RunShell("EMPTOR_ADMIN_PORT=" + port + " deploy/healthcheck.sh").code, 0);
  EXPECT_NE(RunShell("deploy/healthcheck.sh " + port + " /nowhere").code, 0);
  service.reset();
  EXPECT_NE(RunShell("deploy/healthcheck.sh " + port).code, 0);
}

TEST(ImageTest, TheDockerfileUsesFilesAndStepsThatThereAre) {
  std::istringstream lines(ReadSource("deploy/Dockerfile"));
  int stages = 0;
  for (std::string line; std::getline(lines, line);) {
    stages += line.starts_with("FROM debian:12");
    if (!line.starts_with("COPY ") || line.find("--from") != std::string::npos) continue;
    const std::string source = line.substr(5, line.find(' ', 5) - 5);
    EXPECT_TRUE(std::filesystem::exists(SourcePath(source))) << line;
  }
  EXPECT_EQ(stages, 2);
  const std::string text = ReadSource("deploy/Dockerfile");
  for (const char* line : {"USER 10001:10001", "HEALTHCHECK", "install-packages.sh --build",
                           "install-packages.sh --runtime", "ENTRYPOINT [\"emptor-entrypoint\"]"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ImageTest, TheImageHasTheFoldersWhoseOwnerVolumesTakeOver) {
  const std::string text = ReadSource("deploy/Dockerfile");
  const std::string begin = "RUN install -d -o 10001 -g 10001 -m 700 ";
  const size_t at = text.find(begin);
  ASSERT_NE(at, std::string::npos);
  std::istringstream line(text.substr(at + begin.size(), text.find('\n', at) - at - begin.size()));
  const std::set<std::string> folders = {std::istream_iterator<std::string>(line), {}};
  const YAML::Node services = YAML::Load(ReadSource("deploy/compose.yaml"))["services"];
  int volumes = 0;
  for (const char* service : {"keys", "assistant"}) {
    for (const std::string& volume : Texts(services[service]["volumes"])) {
      if (volume.ends_with(":ro")) continue;
      EXPECT_THAT(folders, Contains(volume.substr(volume.find(':') + 1))) << volume;
      ++volumes;
    }
  }
  EXPECT_EQ(volumes, 3);
  // Prometheus runs as the same user, in an image whose folder has another owner.
  const YAML::Node metrics = services["prometheus"]["volumes"][3];
  EXPECT_EQ(Text(services["prometheus"]["user"]), "10001:10001");
  EXPECT_EQ(Text(metrics["source"]) + Text(metrics["target"]), "prometheus/prometheus");
  EXPECT_EQ(Text(metrics["volume"]["nocopy"]), "true");
}

TEST(ImageTest, TheCommandOfTheDockerfileAnswersOnThePublishedPort) {
  const std::string text = ReadSource("deploy/Dockerfile");
  const size_t at = text.find("serve --data-dir");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(text.substr(0, at), HasSubstr(" -p 127.0.0.1:8080:8080 "));
  std::istringstream words(text.substr(at, text.find('\n', at) - at));
  std::vector<std::string> command = {std::istream_iterator<std::string>(words), {}};
  EXPECT_THAT(command, Contains("0.0.0.0:8080"));
  const TemporaryDirectory data;
  for (std::string& word : command) {
    if (word == "0.0.0.0:8080") word = "0.0.0.0:0";
    if (word == "/var/lib/emptor") word = data.path();
  }
  command.insert(command.begin(), EmptorPath());
  command.insert(command.end(), {"--admin-listen", "127.0.0.1:0"});
  const RoleProcess service(command);
  EXPECT_EQ(Fetch(service.port(), "GET", "/v1/models").status, 200);
}

TEST(ImageTest, AnImportBeforeTheStartEndsWithTheContainer) {
  const TemporaryDirectory folder;
  const std::string at = folder.path();
  std::filesystem::create_directory(at + "/feeds");
  std::ofstream(at + "/feeds/feed.jsonl") << "{}\n";
  WriteScript(at + "/emptor", "trap 'echo ended >>\"" + at +
                                  "/log\"; kill $!; exit 1' TERM\necho $1 >>\"" + at +
                                  "/log\"\nsleep 50 &\nwait\n");
  const CommandResult stopped = RunShell(
      "export PATH='" + at + "':/usr/bin:/bin EMPTOR_FEEDS='" + at +
      "/feeds'; deploy/entrypoint.sh serve & "
      "until [ -s '" +
      at + "/log' ]; do sleep 0.05; done; kill $!; wait $!; echo code $?; cat '" + at + "/log'");
  EXPECT_THAT(stopped.output, HasSubstr("code 143\ningest\nended\n"));
  EXPECT_THAT(stopped.output, Not(HasSubstr("serve")));
}

TEST(ImageTest, TheImageIsBuiltAndPushedByItsParameters) {
  const CommandResult plain = RunShell("deploy/build-image.sh --dry-run --tag 1.2");
  EXPECT_THAT(plain.output, HasSubstr("docker build -f deploy/Dockerfile"));
  EXPECT_THAT(plain.output, HasSubstr("-t emptor:1.2 .\nemptor:1.2\n"));
  EXPECT_THAT(plain.output, Not(HasSubstr("push")));
  const CommandResult pushed = RunShell(
      "deploy/build-image.sh --dry-run --tag 1.2 --program podman --registry reg.example/shop/ "
      "--push");
  EXPECT_THAT(pushed.output, HasSubstr("podman push reg.example/shop/emptor:1.2\n"));
  EXPECT_EQ(RunShell("deploy/build-image.sh --dry-run --push").code, 2);
  EXPECT_EQ(RunShell("deploy/build-image.sh --dry-run --tag").code, 2);
}

TEST(ImageTest, ScriptsAreReadByTheShell) {
  for (const std::string& file : FilesIn("deploy", ".sh")) {
    const std::string shell = ReadSource(file).starts_with("#!/bin/bash") ? "bash -n " : "sh -n ";
    const CommandResult read = RunShell(shell + file);
    EXPECT_EQ(read.code, 0) << read.output;
  }
}

}  // namespace
}  // namespace emptor::testing

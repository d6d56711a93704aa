// Compose file, systemd units, fronts, Prometheus on one host: against the program and against each
// other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/deploy/fleet.h"
#include "tests/deploy/rendered_chart.h"

namespace emptor::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const std::vector<std::string> kRoles = {"assistant", "gateway", "engine-a", "engine-b"};

YAML::Node Compose() { return YAML::Load(ReadSource("deploy/compose.yaml"))["services"]; }

/// A member of a service of the compose file, its own or that which it takes over by `<<`.
YAML::Node Member(const YAML::Node& service, const std::string& name) {
  if (service[name]) return service[name];
  return service["<<"] ? Member(service["<<"], name) : YAML::Node(YAML::NodeType::Undefined);
}

void ExpectChecked(const std::string& file, const std::string& text, bool is_gateway) {
  const TemporaryDirectory folder;
  const std::string path = folder.path() + "/settings.yaml";
  const std::string key = folder.path() + "/server.key";
  std::ofstream(key) << "emptor_server_00000000_0";
  const std::string model = SourcePath("engine/models/emptor-lm.gguf");
  std::ofstream(path) << std::regex_replace(
      std::regex_replace(text, std::regex("/run/emptor/keys/server.key"), key),
      std::regex("model: /.*"), "model: " + model);
  std::string output;
  const int code = is_gateway
                       ? RunEmptor({"gateway", "serve", "--check", "--config", path}, &output)
                       : RunEmptor({"config", "check", path}, &output);
  EXPECT_EQ(code, 0) << file << ": " << output;
}

TEST(HostFilesTest, SettingsAreOnesThatTheProgramTakes) {
  for (const char* folder : {"deploy/compose", "deploy/systemd"}) {
    const auto files = FilesIn(folder, ".yaml");
    ASSERT_EQ(files.size(), 3u);
    for (const std::string& file : files) {
      const std::string text = ReadSource(file);
      const bool is_gateway = file.find("gateway.yaml") != std::string::npos;
      ExpectChecked(file, text, is_gateway);
      // The examples in comments, too.
      ExpectChecked(file, std::regex_replace(text, std::regex("(^|\n)#([a-z_]+: )"), "$1$2"),
                    is_gateway);
    }
  }
}

TEST(HostFilesTest, ComposeRunsThePartsWithoutPrivileges) {
  const YAML::Node services = Compose();
  for (const std::string& role : kRoles) {
    SCOPED_TRACE(role);
    const YAML::Node service = services[role];
    ASSERT_TRUE(service);
    EXPECT_EQ(Text(Member(service, "read_only")), "true");
    EXPECT_EQ(Text(Member(service, "cap_drop")[0]), "ALL");
    EXPECT_EQ(Text(Member(service, "stop_grace_period")), "30s");
    EXPECT_NE(Text(Member(service, "mem_limit")), "");
    const std::string settings = Texts(Member(service, "command")).at(role[0] == 'a' ? 2 : 3);
    bool is_mounted = false;
    for (const std::string& volume : Texts(Member(service, "volumes"))) {
      if (volume.find(":" + settings + ":ro") == std::string::npos) continue;
      is_mounted = true;
      EXPECT_TRUE(
          std::filesystem::exists(SourcePath("deploy/" + volume.substr(0, volume.find(':')))));
    }
    EXPECT_TRUE(is_mounted) << settings;
  }
}

TEST(HostFilesTest, PartsOfComposeKnowTheNamesByWhichTheyAreCalled) {
  const auto hosts = [](const std::string& file) {
    return Texts(YAML::Load(ReadSource("deploy/compose/" + file))["allowed_hosts"]);
  };
  const YAML::Node gateway = YAML::Load(ReadSource("deploy/compose/gateway.yaml"));
  for (const YAML::Node& replica : gateway["replicas"]) {
    const std::string url = Text(replica["url"]);
    const std::string host = url.substr(7, url.rfind(':') - 7);
    EXPECT_THAT(hosts("engine.yaml"), Contains(host));
    EXPECT_TRUE(Compose()[host]) << host;
  }
  EXPECT_THAT(ReadSource("deploy/compose/assistant.yaml"), HasSubstr("url: http://gateway:8070"));
  EXPECT_THAT(hosts("gateway.yaml"), Contains("gateway"));
  const YAML::Node prometheus = YAML::Load(ReadSource("deploy/prometheus/prometheus.yaml"));
  int targets = 0;
  for (const YAML::Node& job : prometheus["scrape_configs"]) {
    EXPECT_THAT(Text(job["job_name"]), HasSubstr("emptor-"));
    EXPECT_EQ(Text(job["authorization"]["credentials_file"]), "/run/emptor/keys/admin.key");
    for (const std::string& target : Texts(job["static_configs"][0]["targets"])) {
      const std::string host = target.substr(0, target.find(':'));
      EXPECT_THAT(kRoles, Contains(host));
      EXPECT_EQ(target.substr(host.size()), host == "gateway" ? ":8071" : ":8081");
      const std::string file = host.substr(0, host.find('-')) + ".yaml";
      EXPECT_THAT(hosts(file), Contains(host)) << "the name would be refused";
      ++targets;
    }
  }
  EXPECT_EQ(targets, 4);
}

TEST(HostFilesTest, PrometheusTakesItsSettings) {
  // Paths as in the container, the rules where they lie in the source tree.
  const TemporaryDirectory folder;
  std::string text = ReadSource("deploy/prometheus/prometheus.yaml");
  text = std::regex_replace(text, std::regex("/etc/prometheus/rules"),
                            SourcePath("deploy/helm/emptor/files/rules"));
  text = std::regex_replace(text, std::regex("/run/emptor/keys/admin.key"), folder.path() + "/key");
  std::ofstream(folder.path() + "/key") << "key";
  std::ofstream(folder.path() + "/prometheus.yaml") << text;
  const CommandResult checked =
      RunShell("promtool check config '" + folder.path() + "/prometheus.yaml'");
  EXPECT_EQ(checked.code, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("2 rule files found"));
}

/// Value of `name=` in a unit.
std::string UnitValue(const std::string& unit, const std::string& name) {
  const size_t at = unit.find("\n" + name + "=");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 2;
  return unit.substr(begin, unit.find('\n', begin) - begin);
}

TEST(HostFilesTest, UnitsStopAfterAnswersHaveEnded) {
  const std::pair<const char*, const char*> units[] = {{"emptor.service", "emptor.yaml"},
                                                       {"emptor-engine@.service", "engine.yaml"},
                                                       {"emptor-gateway.service", "gateway.yaml"}};
  for (const auto& [unit, settings] : units) {
    SCOPED_TRACE(unit);
    const std::string text = ReadSource(std::string("deploy/systemd/") + unit);
    const YAML::Node values = YAML::Load(ReadSource(std::string("deploy/systemd/") + settings));
    EXPECT_GT(std::stoi(UnitValue(text, "TimeoutStopSec")), values["drain_ms"].as<int>() / 1000);
    EXPECT_THAT(UnitValue(text, "ExecStart"), HasSubstr(std::string("/etc/emptor/") + settings));
    EXPECT_EQ(UnitValue(text, "User"), "emptor");
    EXPECT_EQ(UnitValue(text, "ProtectSystem"), "strict");
    // Imports and index builds lower the priority of their threads: that is of @resources.
    EXPECT_THAT(text, ::testing::Not(HasSubstr("~@privileged @resources")));
    // The reader of PDFs filters its own calls.
    if (values["open_reading"]) {
      EXPECT_THAT(text, HasSubstr("=@system-service seccomp\n"));
    }
    if (values["data_dir"]) {
      EXPECT_EQ(Text(values["data_dir"]), "/var/lib/" + UnitValue(text, "StateDirectory"));
    }
  }
}

TEST(HostFilesTest, TheEngineOfAUnitStartsWithItsFlags) {
  const TemporaryDirectory data;
  std::istringstream words(
      UnitValue(ReadSource("deploy/systemd/emptor-engine@.service"), "ExecStart"));
  std::vector<std::string> command = {std::istream_iterator<std::string>(words), {}};
  command[0] = EmptorPath();
  for (std::string& word : command) {
    if (word == "/etc/emptor/engine.yaml") word = SourcePath("deploy/systemd/engine.yaml");
    if (word.starts_with("127.0.0.1:")) word = "127.0.0.1:0";
    if (word.starts_with("/var/lib/")) word = data.path();
  }
  const RoleProcess engine(command);
  EXPECT_EQ(Fetch(engine.port(), "GET", "/health").status, 200);
}

TEST(HostFilesTest, FrontsPassStreamsAtOnceAndAskForHealthWhereItIs) {
  const std::string haproxy = ReadSource("deploy/haproxy/haproxy.cfg");
  for (const char* line : {"option http-no-delay", "balance leastconn", "uri /readyz",
                           "check port 8081", "uri /health ", "\n    user haproxy\n",
                           "\n    group haproxy\n", "\n    chroot /var/lib/haproxy\n",
                           "del-header X-Forwarded-Proto\n    http-request set-header"}) {
    EXPECT_THAT(haproxy, HasSubstr(line));
  }
  EXPECT_THAT(haproxy, ::testing::Not(HasSubstr("shutdown-sessions")))
      << "a server that drains would lose its streams";
  const std::string nginx = ReadSource("deploy/nginx/emptor.conf");
  for (const char* line : {"proxy_buffering off;", "least_conn;", "proxy_http_version 1.1;",
                           "X-Forwarded-For $proxy_add_x_forwarded_for"}) {
    EXPECT_THAT(nginx, HasSubstr(line));
  }
  const TemporaryDirectory shop, engine_data, gateway_data;
  const ServiceProcess assistant(shop.path(), {"--log-level", "off"});
  EXPECT_EQ(Fetch(assistant.admin_port(), "GET", "/readyz").status, 200);
  const auto engine = StartEngine(engine_data.path());
  const auto gateway = StartGateway(gateway_data.path(), {engine->port()});
  EXPECT_EQ(Fetch(gateway->port(), "GET", "/health").status, 200);
}

TEST(HostFilesTest, AnUpdateOfTheStackKeepsTheHost) {
  const std::string stack = ReadSource("deploy/cloud/host.yaml");
  EXPECT_THAT(stack, HasSubstr("AvailabilityZone: !Ref Zone\n"));
  EXPECT_THAT(stack, HasSubstr("Ami: {Type: \"AWS::EC2::Image::Id\""));
  // The script by which the first start and an operator start an image.
  const std::string begin = "<<'START'\n";
  const size_t at = stack.find(begin) + begin.size();
  const TemporaryDirectory folder;
  std::ofstream(folder.path() + "/start") << stack.substr(at, stack.find(" START\n", at) - at);
  const CommandResult read = RunShell("bash -n '" + folder.path() + "/start'");
  EXPECT_EQ(read.code, 0) << read.output;
}

TEST(HostFilesTest, AnInstallationRestartsWhatRuns) {
  const std::string script = ReadSource("deploy/install.sh");
  EXPECT_THAT(script, HasSubstr("\nsystemctl restart emptor.service emptor-backup.timer\n"));
  EXPECT_THAT(script, HasSubstr("\nsystemctl try-restart emptor-gateway.service"));
}

TEST(HostFilesTest, LogsAreReadByTheNamesThatLinesHave) {
  EXPECT_EQ(ReadSource("deploy/loki/promtail.yaml").find('\\'), std::string::npos)
      << "-config.expand-env=true takes a backslash away";
  const YAML::Node promtail = YAML::Load(ReadSource("deploy/loki/promtail.yaml"));
  const TemporaryDirectory shop;
  const ServiceProcess service(shop.path());
  Fetch(service.port(), "GET", "/v1/models");
  ChildProcess& process = const_cast<ServiceProcess&>(service).process();
  const auto output =
      process.ReadUntil("\"path\":\"/v1/models\"", std::chrono::milliseconds(10000));
  ASSERT_TRUE(output) << process.output();
  for (const YAML::Node& job : promtail["scrape_configs"]) {
    const YAML::Node stages = job["pipeline_stages"];
    const YAML::Node match = stages[stages.size() - 1]["match"];
    EXPECT_THAT(Text(match["selector"]), HasSubstr("|~ \"^{\""));
    for (const auto& field : match["stages"][0]["json"]["expressions"]) {
      EXPECT_THAT(*output, HasSubstr("\"" + Text(field.second) + "\":\""));
    }
  }
}

}  // namespace
}  // namespace emptor::testing

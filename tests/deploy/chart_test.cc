// What the chart renders, against the program: settings, keys, health, names by which the parts
// call each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/deploy/fleet.h"
#include "tests/deploy/rendered_chart.h"

namespace emptor::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr const char* kAllValues[] = {"default", "small", "eks", "eks-istio"};

/// Containers of ours: those that are not of another project's image.
std::vector<YAML::Node> OwnContainers(const YAML::Node& spec) {
  std::vector<YAML::Node> own;
  for (const YAML::Node& container : spec["containers"]) {
    if (Text(container["image"]).find("emptor:") != std::string::npos) own.push_back(container);
  }
  return own;
}

YAML::Node Settings(const std::string& values, const std::string& file) {
  return YAML::Load(Text(ObjectNamed(values, "ConfigMap", "shop-emptor-settings")["data"][file]));
}

/// Pods of a CronJob.
YAML::Node JobPod(const std::string& values, const std::string& name) {
  return ObjectNamed(values, "CronJob", name)["spec"]["jobTemplate"]["spec"]["template"]["spec"];
}

std::string JobScript(const std::string& values, const std::string& name) {
  return Text(JobPod(values, name)["containers"][0]["args"][0]);
}

TEST(ChartTest, RenderingsAreOfTheChartAsItIs) {
  const CommandResult checked = RunShell("tests/deploy/render.sh --check");
  EXPECT_EQ(checked.code, 0) << checked.output;
}

TEST(ChartTest, EveryPodIsRestricted) {
  for (const std::string values : kAllValues) {
    for (const PodTemplate& pod : PodTemplates(values)) {
      SCOPED_TRACE(values + " " + pod.name);
      EXPECT_EQ(Text(pod.spec["securityContext"]["runAsNonRoot"]), "true");
      EXPECT_EQ(Text(pod.spec["securityContext"]["runAsUser"]), "10001");
      EXPECT_EQ(Text(pod.spec["securityContext"]["seccompProfile"]["type"]), "RuntimeDefault");
      std::vector<YAML::Node> containers;
      for (const char* list : {"containers", "initContainers"}) {
        for (const YAML::Node& each : pod.spec[list]) containers.push_back(each);
      }
      ASSERT_FALSE(containers.empty());
      for (const YAML::Node& container : containers) {
        const YAML::Node security = container["securityContext"];
        EXPECT_EQ(Text(security["allowPrivilegeEscalation"]), "false");
        EXPECT_EQ(Text(security["readOnlyRootFilesystem"]), "true");
        EXPECT_THAT(Texts(security["capabilities"]["drop"]), ElementsAre("ALL"));
        EXPECT_NE(Text(container["resources"]["limits"]["memory"]), "");
        EXPECT_NE(Text(container["resources"]["requests"]["cpu"]), "");
      }
    }
  }
}

TEST(ChartTest, ProbesAskRoutesThatTheProgramHas) {
  const TemporaryDirectory shop, engine_data, gateway_data;
  const auto engine = StartEngine(engine_data.path());
  const auto gateway = StartGateway(gateway_data.path(), {engine->port()});
  const ServiceProcess assistant(shop.path(), {"--log-level", "off"});
  const std::map<std::string, int> ports = {{"assistant", assistant.admin_port()},
                                            {"gateway", gateway->admin_port()},
                                            {"engine", engine->admin_port()}};
  int asked = 0;
  for (const std::string values : kAllValues) {
    for (const PodTemplate& pod : PodTemplates(values)) {
      for (const YAML::Node& container : OwnContainers(pod.spec)) {
        const auto port = ports.find(Text(container["name"]));
        if (port == ports.end()) continue;  // a job
        for (const char* probe : {"startupProbe", "livenessProbe", "readinessProbe"}) {
          const YAML::Node get = container[probe]["httpGet"];
          EXPECT_EQ(Text(get["port"]), "admin");
          EXPECT_EQ(Fetch(port->second, "GET", Text(get["path"])).status, 200) << pod.name << probe;
          ++asked;
        }
        EXPECT_EQ(Text(container["readinessProbe"]["httpGet"]["path"]), "/readyz");
        EXPECT_EQ(Text(container["livenessProbe"]["httpGet"]["path"]), "/healthz");
      }
    }
  }
  EXPECT_EQ(asked, 3 * 13);
}

TEST(ChartTest, AnswersHaveTimeToEndWithinTheGrace) {
  for (const std::string values : kAllValues) {
    for (const PodTemplate& pod : PodTemplates(values)) {
      for (const YAML::Node& container : OwnContainers(pod.spec)) {
        if (!container["lifecycle"]) continue;
        const std::vector<std::string> before =
            Texts(container["lifecycle"]["preStop"]["exec"]["command"]);
        ASSERT_EQ(before.size(), 2u);
        const std::string name = Text(container["name"]);
        const int drain = Settings(values, name + ".yaml")["drain_ms"].as<int>() / 1000;
        EXPECT_LT(std::stoi(before[1]) + drain,
                  pod.spec["terminationGracePeriodSeconds"].as<int>());
        EXPECT_EQ(Text(pod.spec["terminationGracePeriodSeconds"]), "30");
      }
    }
  }
}

TEST(ChartTest, SettingsAreOnesThatTheProgramTakes) {
  const TemporaryDirectory folder;
  const std::string keys = folder.path() + "/keys";
  const CommandResult made =
      RunShell("EMPTOR='" + EmptorPath() + "' deploy/make-keys.sh '" + keys + "'");
  ASSERT_EQ(made.code, 0) << made.output;
  for (const std::string values : kAllValues) {
    const YAML::Node data = ObjectNamed(values, "ConfigMap", "shop-emptor-settings")["data"];
    for (const auto& file : data) {
      // Keys and a model that there are.
      std::string text = std::regex_replace(Text(file.second), std::regex("model: /.*"),
                                            "model: " + SourcePath("engine/models/emptor-lm.gguf"));
      const std::string from = "/run/emptor/keys";
      for (size_t at; (at = text.find(from)) != std::string::npos;) {
        text.replace(at, from.size(), keys);
      }
      const std::string path = folder.path() + "/" + values + "-" + Text(file.first);
      std::ofstream(path) << text;
      const bool is_gateway = Text(file.first) == "gateway.yaml";
      std::string output;
      const int code = is_gateway
                           ? RunEmptor({"gateway", "serve", "--check", "--config", path}, &output)
                           : RunEmptor({"config", "check", path}, &output);
      EXPECT_EQ(code, 0) << path << ": " << output;
    }
  }
}

TEST(ChartTest, ThePartsKnowTheNamesByWhichTheyAreCalled) {
  for (const std::string values : {"default", "eks", "eks-istio"}) {
    const YAML::Node assistant = Settings(values, "assistant.yaml");
    const std::string url = Text(assistant["generator"]["url"]);
    const std::string host = url.substr(7, url.rfind(':') - 7);
    EXPECT_EQ(url.substr(url.rfind(':')), ":8070");
    const YAML::Node gateway = Settings(values, "gateway.yaml");
    EXPECT_THAT(Texts(gateway["allowed_hosts"]), Contains(host));
    for (const YAML::Node& replica : gateway["replicas"]) {
      EXPECT_THAT(Texts(Settings(values, "engine.yaml")["allowed_hosts"]),
                  Contains(Text(replica["dns"])));
      const std::string service = Text(replica["dns"]).substr(0, Text(replica["dns"]).find('.'));
      EXPECT_EQ(Text(ObjectNamed(values, "Service", service)["spec"]["clusterIP"]), "None");
    }
  }
  const std::string script = JobScript("eks-istio", "shop-emptor-ingest");
  const std::vector<std::string> hosts =
      Texts(Settings("eks-istio", "assistant.yaml")["allowed_hosts"]);
  for (const char* pod : {"assistant-0", "assistant-3", "assistant-canary-0"}) {
    const std::string host = std::string("shop-emptor-") + pod + ".shop-emptor-assistant-pods";
    EXPECT_THAT(script, HasSubstr(host));
    EXPECT_THAT(hosts, Contains(host));
  }
  EXPECT_THAT(hosts, IsSupersetOf({"shop.example", "shop-emptor-assistant",
                                   "shop-emptor-assistant.shop.svc.cluster.local"}));
}

TEST(ChartTest, JobsFailWhereNoAssistantIsReachedAndNotWhereOneIsAway) {
  const TemporaryDirectory bin;
  // Hosts that are there are listed in $THERE; curl says 6 of a name that there is not, 22 of a
  // refusal.
  WriteScript(bin.path() + "/curl",
              "for word; do case $word in http://*) host=${word#http://}; esac; done\n"
              "case $THERE in *${host%%:*}*) exit ${REPLY:-0} ;; esac\nexit 6\n");
  WriteScript(bin.path() + "/getent", "case $THERE in *$2*) exit 0 ;; esac\nexit 2\n");
  WriteScript(bin.path() + "/emptor", "exit ${REPLY:-0}\n");
  std::ofstream(bin.path() + "/feed.jsonl") << "{}\n";
  const std::string second = "shop-emptor-assistant-1.shop-emptor-assistant-pods";
  for (const char* job : {"shop-emptor-backup", "shop-emptor-ingest"}) {
    SCOPED_TRACE(job);
    std::string script = JobScript("eks", job);
    if (const size_t at = script.find("/feeds/*"); at != std::string::npos) {
      script.replace(at, 8, bin.path() + "/*.jsonl");
    }
    std::ofstream(bin.path() + "/script") << script;
    const std::string run = "export ADMIN_KEY=k PATH='" + bin.path() + "':/usr/bin:/bin; sh -eu '" +
                            bin.path() + "/script'";
    EXPECT_EQ(RunShell("export THERE=" + second + "; " + run).code, 0);
    EXPECT_EQ(RunShell("export REPLY=22 THERE=" + second + "; " + run).code, 1);
    const CommandResult nobody = RunShell("export THERE=; " + run);
    EXPECT_EQ(nobody.code, 1);
    EXPECT_THAT(nobody.output, HasSubstr("no assistant was reached"));
  }
}

TEST(ChartTest, AnAssistantStartsWithoutAFeedThatCannotBeFetchedAndAJobDoesNot) {
  const TemporaryDirectory folder;
  const std::string feed = folder.path() + "/products.jsonl.gz";
  WriteScript(folder.path() + "/curl", "echo half >'" + feed + "'\nexit 22\n");
  const auto fetch = [&](const YAML::Node& spec) {
    std::ofstream(folder.path() + "/script") << Text(spec["initContainers"][0]["args"][0]);
    EXPECT_EQ(Text(spec["initContainers"][0]["args"][2]), "/feeds/products.jsonl.gz");
    return RunShell("export PATH='" + folder.path() + "':/usr/bin:/bin; sh -eu '" + folder.path() +
                    "/script' '" + feed + "' https://feeds.shop.example/products.jsonl.gz");
  };
  const CommandResult assistant =
      fetch(ObjectNamed("eks", "StatefulSet", "shop-emptor-assistant")["spec"]["template"]["spec"]);
  EXPECT_EQ(assistant.code, 0);
  EXPECT_THAT(assistant.output, HasSubstr("could not be fetched"));
  EXPECT_FALSE(std::filesystem::exists(feed)) << "a part of a feed would be imported";
  EXPECT_NE(fetch(JobPod("eks", "shop-emptor-ingest")).code, 0);
}

TEST(ChartTest, ServicesSelectPodsThatHaveThePort) {
  for (const std::string values : kAllValues) {
    for (const YAML::Node& service : ObjectsOf(values, "Service")) {
      int pods = 0;
      for (const PodTemplate& pod : PodTemplates(values)) {
        bool selects = true;
        for (const auto& label : service["spec"]["selector"]) {
          selects = selects && Text(pod.labels[Text(label.first)]) == Text(label.second);
        }
        if (!selects) continue;
        ++pods;
        std::vector<std::string> names;
        for (const YAML::Node& port : pod.spec["containers"][0]["ports"]) {
          names.push_back(Text(port["name"]));
        }
        EXPECT_THAT(names, ElementsAre("http", "admin"));
      }
      EXPECT_GT(pods, 0) << values << " " << Text(service["metadata"]["name"]);
    }
  }
}

TEST(ChartTest, EnginesAreScaledAsTheLoadNeeds) {
  const YAML::Node spec =
      ObjectNamed("default", "HorizontalPodAutoscaler", "shop-emptor-engine")["spec"];
  EXPECT_EQ(Text(spec["minReplicas"]) + " to " + Text(spec["maxReplicas"]), "1 to 3");
  const YAML::Node metric = spec["metrics"][0]["pods"];
  EXPECT_EQ(Text(metric["target"]["averageValue"]), "500m");
  const YAML::Node adapter = YAML::Load(ReadSource("deploy/prometheus/adapter-values.yaml"));
  EXPECT_EQ(Text(adapter["rules"]["custom"][0]["name"]["as"]), Text(metric["metric"]["name"]));
  const YAML::Node up = spec["behavior"]["scaleUp"], down = spec["behavior"]["scaleDown"];
  EXPECT_EQ(Text(up["stabilizationWindowSeconds"]) + Text(up["selectPolicy"]), "0Max");
  EXPECT_EQ(Text(up["policies"][0]["value"]) + " " + Text(up["policies"][0]["periodSeconds"]),
            "100 15");
  EXPECT_EQ(Text(up["policies"][1]["type"]) + Text(up["policies"][1]["value"]), "Pods4");
  EXPECT_EQ(Text(down["stabilizationWindowSeconds"]), "300");
  ASSERT_EQ(down["policies"].size(), 1u);
  EXPECT_EQ(Text(down["policies"][0]["type"]) + " " + Text(down["policies"][0]["value"]) + " " +
                Text(down["policies"][0]["periodSeconds"]),
            "Percent 100 15");
  EXPECT_FALSE(ObjectNamed("default", "Deployment", "shop-emptor-engine")["spec"]["replicas"])
      << "an upgrade would undo what the autoscaler did";
}

TEST(ChartTest, OnlyThePartsThatCallAPortMayReachIt) {
  const YAML::Node engine = ObjectNamed("default", "NetworkPolicy", "shop-emptor-engine")["spec"];
  EXPECT_EQ(engine["egress"].size(), 0u);
  EXPECT_EQ(Text(engine["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
                       ["app.kubernetes.io/component"]),
            "gateway");
  EXPECT_EQ(Text(engine["ingress"][0]["ports"][0]["port"]), "8080");
  const YAML::Node gateway = ObjectNamed("default", "NetworkPolicy", "shop-emptor-gateway")["spec"];
  EXPECT_EQ(Text(gateway["ingress"][0]["ports"][0]["port"]), "8070");
  EXPECT_EQ(Text(gateway["ingress"][1]["ports"][0]["port"]), "8071");
  for (const YAML::Node& monitor : ObjectsOf("eks", "PodMonitor")) {
    const YAML::Node endpoint = monitor["spec"]["podMetricsEndpoints"][0];
    EXPECT_EQ(Text(endpoint["port"]) + Text(endpoint["path"]), "admin/metrics");
    EXPECT_EQ(Text(endpoint["authorization"]["credentials"]["key"]), "admin.key");
    EXPECT_THAT(Text(endpoint["relabelings"][0]["replacement"]), HasSubstr("emptor-"));
  }
  EXPECT_EQ(ObjectsOf("eks", "PodMonitor").size(), 3u);
}

TEST(ChartTest, SidecarsReachTheMeshAndJobsHaveNone) {
  for (const std::string part : {"assistant", "gateway", "engine"}) {
    const YAML::Node egress =
        ObjectNamed("eks-istio", "NetworkPolicy", "shop-emptor-" + part)["spec"]["egress"];
    std::vector<std::string> ports;
    for (const YAML::Node& rule : egress) {
      if (Text(rule["ports"][0]["port"]) == "15012") {
        EXPECT_EQ(
            Text(rule["to"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]),
            "istio-system");
      }
      ports.push_back(Text(rule["ports"][0]["port"]));
    }
    EXPECT_THAT(ports, IsSupersetOf({"53", "15012"})) << part;
  }
  int jobs = 0;
  for (const YAML::Node& job : ObjectsOf("eks-istio", "CronJob")) {
    const YAML::Node labels = job["spec"]["jobTemplate"]["spec"]["template"]["metadata"]["labels"];
    EXPECT_EQ(Text(labels["sidecar.istio.io/inject"]), "false");
    ++jobs;
  }
  EXPECT_EQ(jobs, 4);
}

TEST(ChartTest, OneEntryServesTheHost) {
  EXPECT_EQ(ObjectsOf("eks", "Ingress").size(), 1u);
  EXPECT_EQ(ObjectsOf("eks", "VirtualService").size(), 0u);
  EXPECT_EQ(ObjectsOf("eks-istio", "Ingress").size(), 0u);
  EXPECT_EQ(ObjectsOf("eks-istio", "VirtualService").size(), 1u);
}

TEST(ChartTest, TheClusterHasWhatTheValuesName) {
  const YAML::Node values = YAML::Load(ReadSource("deploy/helm/values/eks.yaml"));
  const YAML::Node storage = YAML::Load(ReadSource("deploy/cloud/storage-class.yaml"));
  EXPECT_EQ(Text(storage["metadata"]["name"]), Text(values["assistant"]["storage"]["className"]));
  const YAML::Node nodes = YAML::Load(ReadSource("deploy/cloud/node-class.yaml"));
  EXPECT_EQ(
      Text(nodes["metadata"]["name"]),
      Text(ObjectNamed("eks", "NodePool",
                       "shop-emptor-engine")["spec"]["template"]["spec"]["nodeClassRef"]["name"]));
  const std::string cluster = ReadSource("deploy/cloud/eksctl.yaml");
  for (const std::string& name :
       {Text(values["models"]["existingClaim"]), Text(values["ingress"]["tlsSecret"]),
        Text(values["assistant"]["env"][1]["valueFrom"]["secretKeyRef"]["name"])}) {
    EXPECT_THAT(cluster, HasSubstr(name));
  }
}

TEST(ChartTest, TheSmallOneIsAnAssistantAlone) {
  EXPECT_EQ(PodTemplates("small").size(), 1u);
  const YAML::Node settings = Settings("small", "assistant.yaml");
  EXPECT_FALSE(settings["generator"]);
  EXPECT_FALSE(settings["model"]) << "the model in the image";
  EXPECT_EQ(Text(settings["address_requests_per_minute"]), "0")
      << "the ingress is one address for all shoppers";
}

TEST(ChartTest, CanariesGetTheirShare) {
  const YAML::Node gateway = Settings("eks", "gateway.yaml");
  EXPECT_EQ(Text(gateway["groups"]["default"]) + Text(gateway["groups"]["canary"]), "955");
  const YAML::Node http =
      ObjectNamed("eks-istio", "VirtualService", "shop-emptor-assistant")["spec"]["http"];
  ASSERT_EQ(http.size(), 3u);
  EXPECT_EQ(Text(http[2]["route"][0]["weight"]) + Text(http[2]["route"][1]["weight"]), "9010");
  EXPECT_EQ(Text(Settings("eks", "engine-canary.yaml")["model"]), "/models/qwen2.5-3b-instruct");
}

}  // namespace
}  // namespace emptor::testing

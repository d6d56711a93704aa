// Rules, dashboards and the autoscaler read metrics that the program exports, by labels that they
// have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "catalog/encoding/json.h"
#include "tests/deploy/fleet.h"

namespace emptor::testing {
namespace {

using ::testing::Contains;
using ::testing::Key;

constexpr const char* kRules = "deploy/helm/emptor/files/rules";
constexpr const char* kDashboards = "deploy/helm/emptor/files/dashboards";

struct Expression {
  std::string where, text;
};

std::vector<Expression> RulesOf(const std::string& file, std::set<std::string>* recorded) {
  std::vector<Expression> expressions;
  for (const YAML::Node& group : YAML::Load(ReadSource(file))["groups"]) {
    for (const YAML::Node& rule : group["rules"]) {
      const YAML::Node name = rule["record"] ? rule["record"] : rule["alert"];
      if (rule["record"]) recorded->insert(name.as<std::string>());
      expressions.push_back({file + ": " + name.as<std::string>(), rule["expr"].as<std::string>()});
    }
  }
  return expressions;
}

void AddPanels(const std::string& file, const catalog::JsonValue& panels,
               std::vector<Expression>& expressions) {
  for (const catalog::JsonValue& panel : panels.as_array()) {
    const catalog::JsonValue* targets = panel.Find("targets");
    if (targets == nullptr) continue;
    for (const catalog::JsonValue& target : targets->as_array()) {
      std::string text = target.Find("expr")->as_string();
      for (size_t at; (at = text.find("$__rate_interval")) != std::string::npos;) {
        text.replace(at, 16, "5m");
      }
      expressions.push_back({file + ": " + panel.Find("title")->as_string(), std::move(text)});
    }
  }
}

std::vector<Expression> AllExpressions(std::set<std::string>* recorded) {
  std::vector<Expression> all;
  for (const std::string& file : FilesIn(kRules, ".yaml")) {
    for (Expression& each : RulesOf(file, recorded)) all.push_back(std::move(each));
  }
  for (const std::string& file : FilesIn(kDashboards, ".json")) {
    const auto json = catalog::ParseJson(ReadSource(file));
    EXPECT_TRUE(json.ok()) << file << ": " << json.status();
    if (json.ok()) AddPanels(file, *json->Find("panels"), all);
  }
  const std::string adapter = "deploy/prometheus/adapter-values.yaml";
  for (const YAML::Node& rule : YAML::Load(ReadSource(adapter))["rules"]["custom"]) {
    const auto series = rule["seriesQuery"].as<std::string>();
    all.push_back({adapter, series});
    std::string query = rule["metricsQuery"].as<std::string>();
    for (const auto& [from, to] : {std::pair<std::string, std::string>("<<.GroupBy>>", "pod"),
                                   {"<<.Series>>", series.substr(0, series.find('{'))},
                                   {"<<.LabelMatchers>>", "pod=\"p\""}}) {
      const size_t at = query.find(from);
      if (at != std::string::npos) query.replace(at, from.size(), to);
    }
    all.push_back({adapter, query});
  }
  return all;
}

/// Labels that Prometheus adds to every series.
const std::set<std::string> kAdded = {"job", "instance", "namespace", "pod"};

TEST(MetricNamesTest, EveryExpressionReadsWhatTheProgramExports) {
  std::set<std::string> recorded;
  const std::vector<Expression> expressions = AllExpressions(&recorded);
  ASSERT_GT(expressions.size(), 100u);
  const MetricLabels metrics = MetricsOfAllRoles();
  ASSERT_THAT(metrics, Contains(Key("emptor_http_requests_total")));
  for (const Expression& expression : expressions) {
    const std::vector<MetricUse> uses = MetricsOf(expression.text);
    EXPECT_TRUE(!uses.empty() || expression.text.starts_with("vector(")) << expression.where;
    for (const MetricUse& use : uses) {
      if (use.name == "up" || recorded.contains(use.name)) continue;
      const auto found = metrics.find(use.name);
      if (found == metrics.end()) {
        ADD_FAILURE() << expression.where << ": no role exports " << use.name;
        continue;
      }
      for (const std::string& label : use.labels) {
        EXPECT_TRUE(kAdded.contains(label) || found->second.contains(label))
            << expression.where << ": " << use.name << " has no label " << label;
      }
    }
  }
}

TEST(MetricNamesTest, ExpressionsAreRead) {
  const auto uses = MetricsOf(
      R"(sum by (job, le) (rate(a_total{code=~"5.. or b{c",route="/v1/x"}[5m])) / on (slo) 14.4 * d:e or vector(0))");
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].name, "a_total");
  EXPECT_EQ(uses[0].labels, (std::set<std::string>{"code", "job", "le", "route"}));
  EXPECT_EQ(uses[1].name, "d:e");
}

TEST(MetricNamesTest, EveryGroupIsEvaluatedWithinTheLookBack) {
  for (const std::string& file : FilesIn(kRules, ".yaml")) {
    for (const YAML::Node& group : YAML::Load(ReadSource(file))["groups"]) {
      // At 5 minutes a value may be away when an alert asks for it.
      if (!group["interval"]) continue;
      EXPECT_EQ(group["interval"].as<std::string>(), "2m");
    }
  }
}

TEST(MetricNamesTest, RulesAreValid) {
  const CommandResult checked = RunShell(std::string("promtool check rules ") + kRules + "/*.yaml");
  EXPECT_EQ(checked.code, 0) << checked.output;
}

TEST(MetricNamesTest, ACleanDayFiresNothingAndFaultsFireInTime) {
  const CommandResult tested = RunShell("promtool test rules tests/deploy/rules_test.yaml");
  EXPECT_EQ(tested.code, 0) << tested.output;
}

TEST(MetricNamesTest, EveryAlertSaysWhatToDoOnAPageThatNamesIt) {
  const std::string page = ReadSource("docs/deployment.md");
  for (const YAML::Node& group :
       YAML::Load(ReadSource(std::string(kRules) + "/alerts.yaml"))["groups"]) {
    for (const YAML::Node& rule : group["rules"]) {
      const auto name = rule["alert"].as<std::string>();
      EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
      EXPECT_EQ(rule["annotations"]["runbook"].as<std::string>(), "docs/deployment.md#alerts");
      EXPECT_TRUE(rule["annotations"]["summary"]) << name;
    }
  }
}

}  // namespace
}  // namespace emptor::testing

// Hostile templates: refused with a line, in bounded time and memory, whatever they try.
#include "engine/jinja/template.h"
#include "gtest/gtest.h"

namespace emptor::engine::jinja {
namespace {

/// Small, so that each test takes milliseconds; the kinds of limits are those of the default.
constexpr Limits kLimits = {.max_template_bytes = 1 << 20,
                            .max_output_bytes = 1 << 16,
                            .max_made_bytes = 1 << 22,
                            .max_steps = 100'000};

absl::StatusOr<Text> Render(const std::string& source, const std::string& content = "hello",
                            const Limits& limits = kLimits) {
  const auto parsed = Template::Parse(source, limits);
  if (!parsed.ok()) return parsed.status();
  return parsed->Render({{"c", Value::String(content, Origin::kContent)}}, 0);
}

std::string Repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

void ExpectRefused(const std::string& source, const std::string& reason) {
  const auto text = Render(source);
  EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument) << source.substr(0, 200);
  EXPECT_NE(text.status().ToString().find(reason), std::string::npos)
      << text.status() << "\nexpected: " << reason;
}

TEST(JinjaLimitsTest, LoopsEndWithTheBudget) {
  const std::string body = Repeat("{% if 1 %}{% endif %}", 20);
  ExpectRefused("{% for a in range(9999) %}\n" + body + "{% endfor %}", "line 2: takes more than");
  ExpectRefused("{% for a in range(100001) %}{% endfor %}", "range: more than 100000");
  ExpectRefused("{{ range(0, 9223372036854775807, 1) }}", "range: more than");
}

TEST(JinjaLimitsTest, DoubledTextsAndListsEndWithTheBudget) {
  const std::string double_text = "{% set ns.x = ns.x ~ ns.x %}";
  const std::string double_list = "{% set ns.x = [ns.x, ns.x] %}";
  const std::string joined_list = "{% set ns.x = ns.x + ns.x %}";
  ExpectRefused("{% set ns = namespace(x='aa') %}" + Repeat(double_text, 60), "bytes of values");
  ExpectRefused("{% set ns = namespace(x=[1]) %}" + Repeat(joined_list, 60), "bytes of values");
  ExpectRefused("{% set ns = namespace(x=1) %}" + Repeat(double_list, 60) + "{{ ns.x }}", "line 1");
  ExpectRefused("{% set ns = namespace(x=1) %}" + Repeat(double_list, 60) + "{{ ns.x | tojson }}",
                "line 1");
  ExpectRefused("{% set ns = namespace(x=1, y=1) %}" + Repeat(double_list, 60) +
                    "{% set a = ns.x %}{% set ns.x = 1 %}" + Repeat(double_list, 60) +
                    "{{ a == ns.x }}",
                "steps");
  ExpectRefused("{{ 'abcdefgh' * 99999999999 }}", "bytes of values");
  ExpectRefused("{{ ('a' * 60000).replace('a', 'b' * 60000) }}", "bytes of values");
  ExpectRefused("{{ ('a' * 60000).replace('', 'b' * 60000) }}", "bytes of values");
  ExpectRefused("{{ ('x' * 1000) | join('y' * 60000) }}", "bytes of values");
  ExpectRefused("{{ ('\n' * 60000) | indent(1000, true, true) }}", "bytes of values");
}

TEST(JinjaLimitsTest, OutputIsBounded) {
  ExpectRefused("{% for a in range(2000) %}{{ 'a' * 100 }}{% endfor %}", "writes more than");
}

TEST(JinjaLimitsTest, DeepNestingIsRefusedByTheParser) {
  const int n = 20'000;
  for (const std::string& source :
       {"{{ " + Repeat("(", n) + "1" + Repeat(")", n) + " }}",
        "{{ " + Repeat("[", n) + Repeat("]", n) + " }}", "{{ " + Repeat("-", n) + "1 }}",
        "{{ x" + Repeat(".a", n) + " }}", "{{ x" + Repeat("[0]", n) + " }}",
        "{{ x" + Repeat("()", n) + " }}", "{{ x" + Repeat("|trim", n) + " }}",
        "{{ 1" + Repeat("+1", n) + " }}", "{{ 1" + Repeat("*1", n) + " }}",
        "{{ 1" + Repeat(" is defined", n) + " }}", "{{ 1" + Repeat(" if 1 else 1", n) + " }}",
        "{{ 1" + Repeat(" if 1", n) + " }}", "{{ x" + Repeat("(x", n) + Repeat(")", n) + " }}",
        Repeat("{% if 1 %}", n) + Repeat("{% endif %}", n),
        Repeat("{% for a in b %}", n) + Repeat("{% endfor %}", n),
        Repeat("{% set a %}", n) + Repeat("{% endset %}", n),
        "{{ " + Repeat("{1:", n) + "1" + Repeat("}", n) + " }}"}) {
    ExpectRefused(source, "line 1");
  }
}

TEST(JinjaLimitsTest, LongChainsThatAreNotDeepAreFine) {
  const int n = 2000;
  EXPECT_TRUE(Render("{{ 1" + Repeat(" ~ 1", n) + " }}").ok());
  EXPECT_TRUE(Render("{{ 1" + Repeat(" and 1", n) + " }}").ok());
  EXPECT_TRUE(Render("{{ " + Repeat("not ", n) + "1 }}").ok());
  EXPECT_TRUE(Render("{% if 0 %}" + Repeat("{% elif 0 %}", n) + "{% endif %}").ok());
  EXPECT_TRUE(Render("{{ [" + Repeat("1,", n) + "] }}").ok());
}

TEST(JinjaLimitsTest, MacrosThatCallThemselvesEnd) {
  ExpectRefused("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "nested deeper than");
  ExpectRefused("{% macro f(n) %}{{ f(n + 1) }}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}", "line 1");
  ExpectRefused("{% macro f(n=f()) %}{% endmacro %}{{ f() }}", "nested deeper than");
  ExpectRefused(
      "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}"
      "{{ f(25) }}",
      "steps");
}

TEST(JinjaLimitsTest, NamespacesThatHoldThemselvesAreNoTrap) {
  ExpectRefused("{% set n = namespace() %}{% set n.a = n %}{{ n }}", "cannot be written");
  ExpectRefused("{% set n = namespace() %}{% set n.a = [n] %}{{ n.a | tojson }}", "no JSON form");
  const auto text =
      Render("{% set n = namespace() %}{% set n.a = [n] %}{{ n.a == n.a }}{{ n.a[0].a[0] == n }}");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->bytes(), "TrueTrue");
}

TEST(JinjaLimitsTest, NestedFilterNamesDoNotRecurseWithoutEnd) {
  ExpectRefused("{{ ['a'] | map(" + Repeat("'map', ", 1000) + "'list') | list }}",
                "more than 64 arguments");
  EXPECT_TRUE(Render("{{ ['a'] | map('map', 'map', 'list') | list }}").ok());
}

TEST(JinjaLimitsTest, NumbersBeyond64BitsAreRefused) {
  ExpectRefused("{{ 99999999999999999999 }}", "beyond 64 bits");
  ExpectRefused("{{ 9223372036854775807 + 1 }}", "beyond 64 bits");
  ExpectRefused("{{ -(-9223372036854775807 - 1) }}", "beyond 64 bits");
  ExpectRefused("{{ (-9223372036854775807 - 1) // -1 }}", "beyond 64 bits");
  EXPECT_TRUE(Render("{{ '99999999999999999999' | int }}{{ 1e300 | int }}{{ c[::-1] }}"
                     "{{ c[9223372036854775807:] }}{{ c[:-9223372036854775807:-1] }}")
                  .ok());
}

TEST(JinjaLimitsTest, AnyBytesAsContentAreLaidOut) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  for (const char* source :
       {"{{ c }}", "{{ c | tojson }}", "{{ [c] }}", "{{ c | upper | title }}", "{{ c[::-1] }}",
        "{{ c.split() }}", "{{ c | trim }}", "{{ c.splitlines() | length }}", "{{ c | length }}"}) {
    EXPECT_TRUE(Render(source, bytes).ok()) << source;
  }
  const auto text = Render("{{ c[:][0:999] }}", bytes);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->bytes(), bytes);
}

TEST(JinjaLimitsTest, ErrorsNameTheLine) {
  const auto status =
      Render("a\n{{ c }}\n\n{% if c %}\n  {{ missing.member }}\n{% endif %}").status();
  EXPECT_EQ(std::string(status.message()), "line 5: \"missing\" is undefined");
  EXPECT_EQ(std::string(Render("\n\n{{ 1 + }}").status().message()),
            "line 3: expected an expression");
}

}  // namespace
}  // namespace emptor::engine::jinja

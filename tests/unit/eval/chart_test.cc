#include "eval/chart.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "eval/report_data.h"

using namespace ragline;

namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("axis steps are round, and hold both ends") {
  CHECK(axis_steps(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(axis_steps(-3, 7, 5) == std::vector<double>{-4, -2, 0, 2, 4, 6, 8});
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(-6, 6), sign(-1, 1);
  for (int round = 0; round < 500; ++round) {
    const double a = sign(random) * std::pow(10, exponent(random)),
                 b = sign(random) * std::pow(10, exponent(random));
    const auto steps = axis_steps(std::min(a, b), std::max(a, b), 5);
    CHECK(steps.front() <= std::min(a, b) + 1e-9 * std::fabs(a - b));
    CHECK(steps.back() >= std::max(a, b) - 1e-9 * std::fabs(a - b));
    CHECK(steps.size() >= 2);
    CHECK(steps.size() <= 9);
  }
  CHECK(axis_steps(0, 0, 5).size() >= 2);
  CHECK(axis_steps(-1e308, 1e308, 5).size() >= 2);
  CHECK(axis_steps(0, 5e-324, 5).size() >= 2);
  CHECK(axis_steps(5, 5, 5).back() >= 5);
}

TEST_CASE("a bar for each value, with its whisker and what it is") {
  const std::string svg =
      bar_chart("F1 by <type>", {"a", "b"},
                {{"x & y", {{"a, x", 0.5, Interval{0.4, 0.6}}, {"b, x", 0.25, std::nullopt}}}});
  CHECK(count(svg, "<rect") == 4);  // two bars, two of the legend
  CHECK(count(svg, "class=\"whisker\"") == 1);
  CHECK(has(svg, "<title>a, x: 0.5 [0.4, 0.6]</title>"));
  CHECK(has(svg, "F1 by &lt;type&gt;"));
  CHECK(has(svg, "x &amp; y"));
  CHECK(has(svg, "role=\"img\""));
}

TEST_CASE("curves, points and differences") {
  const std::string curve =
      curve_chart("R at k", "k", {{"bm25", {{5, 0.4}, {10, 0.6}, {100, 0.9}}}});
  CHECK(count(curve, "<circle") == 3);
  CHECK(has(curve, "<title>bm25 at 10: 0.6</title>"));
  const std::string scatter = scatter_chart("s", "ms", "F1", {{"a", 10, 0.5}, {"b", NAN, 0.5}});
  CHECK(count(scatter, "<circle") == 1);
  const std::string difference = difference_chart(
      "d", {{"q1", 0.5, std::nullopt}, {"q2", -0.5, std::nullopt}, {"q3", INFINITY, std::nullopt}});
  CHECK(count(difference, "<rect") == 2);
  CHECK(difference.find("q2: -0.5") < difference.find("q1: 0.5"));
}

TEST_CASE("charts of nothing are charts") {
  for (const std::string& svg : {bar_chart("t", {}, {}), curve_chart("t", "k", {}),
                                 scatter_chart("t", "x", "y", {}), difference_chart("t", {})}) {
    CHECK(svg.starts_with("<svg"));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK_FALSE(has(svg, "nan"));
    CHECK_FALSE(has(svg, "inf"));
  }
}

TEST_CASE("results of several files are gathered by run") {
  ReportData data;
  REQUIRE(data.add(
      InputText(
          "a",
          R"({"type":"measure","measure":"nDCG@10","value":0.5,"queries":3,"low":0.4,"high":0.6}
{"type":"measure","measure":"nDCG@10","query_id":"q1","value":0.25}
{"type":"measure","measure":"nDCG@10","by":"kind","group":"x","value":0.75,"queries":2}
{"type":"score","query_id":"q1","scores":{"f1":0.5}}
{"type":"quantiles","measure":"cost","queries":3,"p50":1,"p95":2,"p99":3,"most":4}
{"type":"failures","failure":"retrieval","queries":2,"share":0.5,"examples":["q1"]}
{"type":"end","complete":true}
)"),
      "a"));
  REQUIRE(data.add(
      InputText("c", R"({"type":"measure","measure":"nDCG@10","run":"b","value":0.6,"queries":3}
{"type":"comparison","measure":"nDCG@10","run_a":"a","run_b":"b","queries":3,"difference":-0.1,"test":"t","p":0.5,"p_adjusted":0.9,"wins":1,"ties":0,"losses":2}
)"),
      "c"));
  REQUIRE(data.runs.size() == 2);
  CHECK(data.runs[0].means.at("nDCG@10").interval == Interval{0.4, 0.6});
  CHECK(data.runs[0].queries.at("nDCG@10").at("q1") == 0.25);
  CHECK(data.runs[0].queries.at("f1").at("q1") == 0.5);
  CHECK(data.runs[0].groups.at("nDCG@10").at("x").queries == 2);
  CHECK(data.runs[0].quantiles.at("cost").p95 == 2);
  CHECK(data.runs[0].failures.at("retrieval") == 2);
  CHECK(data.runs[1].name == "b");
  CHECK(data.comparisons[0].adjusted == 0.9);
  CHECK(data.by == "kind");
  CHECK(measures_of(data) == std::vector<std::string>{"nDCG@10"});
  CHECK(data.add(InputText("d", "\n{\"type\":\"measure\"}\n"), "d")
            .error()
            .message.starts_with("d:2: a measure without its name"));
}

TEST_CASE("cut-offs of measures") {
  CHECK(cutoff_of("R@100")->second == 100);
  CHECK(cutoff_of("P(rel=2)@5")->first == "P(rel=2)");
  CHECK_FALSE(cutoff_of("AP"));
  CHECK_FALSE(cutoff_of("@5"));
  CHECK_FALSE(cutoff_of("rgb_noise_robustness@0"));
}

#include "select/layout.h"

#include "catch.h"
#include "pools.h"

using namespace ragline;
using namespace ragline::testing;

namespace {

double distance(const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Three clusters, far apart: row i belongs to cluster i % 3.
std::vector<float> three_clusters(std::size_t size, std::size_t dimensions) {
  Random random(5);
  std::vector<float> out;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t d = 0; d < dimensions; ++d)
      out.push_back(static_cast<float>((d == i % 3 ? 8 : 0) + 0.3 * random.normal()));
  return out;
}

}  // namespace

TEST_CASE("a plane in space is found again") {
  // Points of a plane keep their distances, whichever way it is turned.
  Random random(1);
  std::vector<float> rows;
  std::vector<Place> flat;
  for (int i = 0; i < 20; ++i) {
    flat.push_back({3 * random.normal(), random.normal()});
    for (const double value : {0.6 * flat.back().x, 0.8 * flat.back().x, flat.back().y, 7.0})
      rows.push_back(static_cast<float>(value));
  }
  const auto found = principal_plane(rows, 4);
  for (std::size_t i = 0; i < 20; ++i)
    CHECK(near(distance(found[i], found[0]), distance(flat[i], flat[0]), 1e-5));
}

TEST_CASE("more dimensions than rows give the same plane") {
  const auto rows = three_clusters(12, 5);
  std::vector<float> wide;
  for (std::size_t i = 0; i < 12; ++i) {
    wide.insert(wide.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * 5),
                rows.begin() + static_cast<std::ptrdiff_t>(i * 5 + 5));
    wide.insert(wide.end(), 20, 1.f);
  }
  const auto a = principal_plane(rows, 5), b = principal_plane(wide, 25);
  for (std::size_t i = 0; i < 12; ++i) CHECK(distance(a[i], b[i]) < 1e-5);
}

TEST_CASE("neighbours stay neighbours") {
  const auto places = neighbour_plane(three_clusters(45, 10), 10);
  REQUIRE(places.size() == 45);
  for (std::size_t i = 0; i < 45; ++i) {
    std::size_t nearest = i == 0 ? 1 : 0;
    for (std::size_t j = 0; j < 45; ++j)
      if (j != i && distance(places[i], places[j]) < distance(places[i], places[nearest]))
        nearest = j;
    CHECK(nearest % 3 == i % 3);
  }
}

TEST_CASE("few rows, and equal ones") {
  CHECK(neighbour_plane({}, 3).empty());
  for (const std::size_t size : {1u, 2u, 3u, 9u}) {
    const std::vector<float> rows(size * 3, 0.5f);
    for (const Place& place : neighbour_plane(rows, 3))
      CHECK((std::isfinite(place.x) && std::isfinite(place.y)));
  }
}

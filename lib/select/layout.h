#pragma once
#include <cstdint>
#include <span>
#include <vector>

// Vectors of many dimensions laid out on a plane, to be looked at.
namespace ragline {

struct Place {
  double x = 0, y = 0;
};

// The two directions of most variance. rows: m x dimensions. Signs are fixed by the largest entry
// of each direction, so equal input gives equal output. O(m D^2 + D^3), or O(m^2 D + m^3) when m <
// D.
std::vector<Place> principal_plane(std::span<const float> rows, std::size_t dimensions);

struct NeighbourOptions {
  double perplexity = 15;  // neighbours that count, about; at most (m - 1) / 3
  std::size_t steps = 400;
};

// t-SNE (van der Maaten and Hinton, 2008), exact: who is near stays near, distances beyond that
// mean nothing. Begins at the principal plane, so it needs no seed. O(m^2) a step; at most
// kMostNeighbours rows, of more the first ones.
inline constexpr std::size_t kMostNeighbours = 2000;
std::vector<Place> neighbour_plane(std::span<const float> rows, std::size_t dimensions,
                                   const NeighbourOptions& options = {});

}  // namespace ragline

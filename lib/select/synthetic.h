#pragma once
#include <cstdint>
#include <vector>

#include "select/training_example.h"

// Multi-hop questions that are made, not collected: what training must be able to learn when it can
// be learnt at all, with no chunk shared by training and test.
//
// Topics stand in clusters of four; twelve facets are common to all. A topic has for each facet one
// fact (gold) and two or three echoes of it, which speak of the same facet with less of a direction
// called density, and fillers of no facet. A question asks for two to four facets of its topic with
// uneven weights. Echoes are nearer to the question than the fact they echo, so the order by
// similarity is redundant; spread alone picks fillers.
namespace ragline {

struct SyntheticOptions {
  std::size_t questions = 1800, clusters = 50, pool = 40, dimensions = 64;
  std::uint64_t seed = 0;
};

struct SyntheticData {
  std::vector<TrainingExample> train, validation, test;  // 60, 15 and 25 % of the clusters
};

SyntheticData make_synthetic(const SyntheticOptions& options);

}  // namespace ragline

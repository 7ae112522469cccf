#include "eval/prediction_powered.h"

#include <cmath>
#include <vector>

#include "eval/distributions.h"

namespace ragline {

namespace {

// The variance of a mean; 0 below two values.
double variance_of_mean(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double deviation = standard_deviation(values);
  return deviation * deviation / static_cast<double>(values.size());
}

}  // namespace

PoweredMean prediction_powered_mean(std::span<const double> unlabelled,
                                    std::span<const double> judged, std::span<const double> labels,
                                    double confidence) {
  PoweredMean out;
  out.judged = unlabelled.size();
  out.labelled = labels.size();
  double variance = 0;
  if (unlabelled.empty()) {
    out.mean = mean_of(labels);
    variance = variance_of_mean(labels);
  } else {
    std::vector<double> error(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) error[i] = labels[i] - judged[i];
    out.mean = mean_of(unlabelled) + mean_of(error);
    variance = variance_of_mean(unlabelled) + variance_of_mean(error);
  }
  const double reach = normal_quantile((1 + confidence) / 2) * std::sqrt(variance);
  out.interval = {out.mean - reach, out.mean + reach};
  return out;
}

JudgeAgreement judge_agreement(std::span<const double> judged, std::span<const double> labels) {
  JudgeAgreement out;
  out.rows = labels.size();
  if (labels.empty()) return out;
  double agree = 0, judged_yes = 0, labelled_yes = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool yes = judged[i] >= 0.5, truth = labels[i] >= 0.5;
    agree += yes == truth;
    judged_yes += yes;
    labelled_yes += truth;
  }
  const auto n = static_cast<double>(labels.size());
  out.accuracy = agree / n;
  const double p = judged_yes / n, q = labelled_yes / n;
  const double by_chance = p * q + (1 - p) * (1 - q);
  out.kappa = by_chance < 1 ? (out.accuracy - by_chance) / (1 - by_chance) : 1;
  return out;
}

}  // namespace ragline

#pragma once
#include <cstddef>
#include <span>

#include "eval/bootstrap.h"

// What a cheap judge of many rows and people's labels of a few say together (Angelopoulos et al.,
// "Prediction-powered inference", Science 2023; ARES uses it for judges of answers).
namespace ragline {

struct PoweredMean {
  double mean = 0;
  Interval interval;  // normal, at the confidence asked for
  std::size_t judged = 0, labelled = 0;
};

// The mean of the judge on rows without a label, plus the mean of (label - judge) on those with
// one: right on average however bad the judge is, and tighter than the labels alone when it is
// good. The variances add. Without rows of one sort it is the plain mean of the other.
//   unlabelled       the judge's values of rows without a label
//   judged, labels   the judge's and people's values of the same rows, in the same order
PoweredMean prediction_powered_mean(std::span<const double> unlabelled,
                                    std::span<const double> judged, std::span<const double> labels,
                                    double confidence = 0.95);

// How far a judge agrees with people on 0/1 labels.
struct JudgeAgreement {
  std::size_t rows = 0;
  double accuracy = 0;
  double kappa = 0;  // Cohen 1960; 1 when both are constant and equal
};
JudgeAgreement judge_agreement(std::span<const double> judged, std::span<const double> labels);

}  // namespace ragline

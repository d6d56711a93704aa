// Bounds of the numbers that size a model, the same for every kind of model files.
#pragma once

namespace emptor::engine {

template <typename T>
struct Bounds {
  T min, max;
};

inline constexpr Bounds<int> kVocabularyBounds = {1, 1 << 21};
inline constexpr Bounds<int> kContextBounds = {1, 1 << 22};
inline constexpr Bounds<int> kHiddenSizeBounds = {1, 1 << 16};
inline constexpr Bounds<int> kLayerBounds = {1, 512};
inline constexpr Bounds<int> kIntermediateSizeBounds = {1, 1 << 18};
inline constexpr Bounds<int> kHeadBounds = {1, 1024};
inline constexpr Bounds<int> kHeadDimBounds = {1, 1024};
inline constexpr Bounds<int> kExpertBounds = {0, 1024};
inline constexpr Bounds<int> kWindowBounds = {0, 1 << 22};
inline constexpr Bounds<double> kEpsilonBounds = {0, 1};
inline constexpr Bounds<double> kRopeBaseBounds = {1, 1e12};
inline constexpr Bounds<double> kScalingBounds = {1, 65536};
inline constexpr Bounds<double> kTurnBounds = {1e-3, 1e6};
inline constexpr Bounds<double> kAttentionFactorBounds = {1e-3, 1e3};

}  // namespace emptor::engine

//! The bounds of histograms.

/// From 50 µs to about 1.6 s.
pub(super) const CALL_SECONDS: &[f64] = &[
    0.000_05, 0.000_1, 0.000_2, 0.000_4, 0.000_8, 0.001_6, 0.003_2, 0.006_4, 0.012_8, 0.025_6,
    0.051_2, 0.102_4, 0.204_8, 0.409_6, 0.819_2, 1.638_4,
];
/// From 0.8 ms to about 13 s. The default budget of a turn is 10 s.
pub(super) const TURN_HOOK_SECONDS: &[f64] = &[
    0.000_8, 0.001_6, 0.003_2, 0.006_4, 0.012_8, 0.025_6, 0.051_2, 0.102_4, 0.204_8, 0.409_6,
    0.819_2, 1.638_4, 3.276_8, 6.553_6, 13.107_2,
];
/// The conventions' bounds for model calls. Tools and turns take about as long.
pub(super) const MODEL_SECONDS: &[f64] = &[
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/// The conventions' bounds for tokens: from 1, each 4 times the one before.
pub(super) const TOKENS: &[f64] = &[
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// From a thousand to a billion.
pub(super) const FUEL: &[f64] = &[
    1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9,
];
/// From 64 KiB, a page, to 1 GiB, each 4 times the one before.
pub(super) const MEMORY: &[f64] = &[
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
    268_435_456.0,
    1_073_741_824.0,
];

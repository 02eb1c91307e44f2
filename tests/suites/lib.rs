//! The names of packages that hold test suites: `Cargo.toml` has them.

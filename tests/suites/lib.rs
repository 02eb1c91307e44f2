//! An empty library: `Cargo.toml` names the packages that contain test suites.

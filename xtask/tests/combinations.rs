//! Each combination of features that an embedder may choose compiles without a warning.

use xtask::{cargo, root};

/// Packages and their features. One feature at a time is enough: none of them knows of another, but `mcp` of `api`.
const CHOICES: &[(&str, &[&str])] = &[
    ("portcullis", &["", "http", "watch"]),
    ("portcullis-agent", &["", "api", "mcp"]),
];

#[test]
fn every_choice_of_features_compiles() {
    for (package, choices) in CHOICES {
        for features in *choices {
            let mut check = cargo(&root());
            check
                .args(["check", "--quiet", "--package", package, "--lib"])
                .args(["--no-default-features", "--features", features])
                // Other features would be compiled over those of the tests.
                .args(["--target-dir", "target/combinations"])
                .env("CARGO_ENCODED_RUSTFLAGS", "-Dwarnings");
            let checked = check.output().expect("cargo starts");
            assert!(
                checked.status.success(),
                "`{package}` does not compile with the features [{features}]:\n{}",
                String::from_utf8_lossy(&checked.stderr)
            );
        }
    }
}

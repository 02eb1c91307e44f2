//! Running cargo from within cargo, so that every caller gets the same build.

use std::env;
use std::path::Path;
use std::process::Command;

/// Variables by which an outer cargo, a linter or a coverage tool would change a build of its
/// own: their names, or how they begin if they end in `_`.
const INHERITED: &[&str] = &[
    "RUSTFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "MAKEFLAGS",
    "MFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MAKEFLAGS",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "CARGO_BIN_",
    "CARGO_BUILD_",
    "CARGO_CFG_",
    "CARGO_CRATE_",
    "CARGO_FEATURE_",
    "CARGO_LLVM_COV_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_PROFILE_",
];

/// Returns cargo for such a build, to be run in `dir`: `$CARGO`, or else the `cargo` in `PATH`.
pub fn isolated(dir: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(program);
    cargo.current_dir(dir);
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_inherited) {
            cargo.env_remove(name);
        }
    }
    // Empty, it also silences the flags of the user's own configuration, made for another target.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "");
    cargo
}

fn is_inherited(name: &str) -> bool {
    let is_flags = name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS");
    is_flags
        || INHERITED
            .iter()
            .any(|listed| match listed.strip_suffix('_') {
                Some(_) => name.starts_with(listed),
                None => name == *listed,
            })
}

#[cfg(test)]
mod tests {
    use super::is_inherited;

    #[test]
    fn a_nested_build_is_its_own() {
        for name in [
            "RUSTFLAGS",
            "CARGO_PROFILE_RELEASE_LTO",
            "CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS",
        ] {
            assert!(is_inherited(name), "{name}");
        }
        for name in [
            "CARGO_HOME",
            "CARGO_NET_OFFLINE",
            "CARGO_TERM_COLOR",
            "PATH",
        ] {
            assert!(!is_inherited(name), "{name}");
        }
    }
}

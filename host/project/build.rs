//! Tells cargo which files are embedded, so that it notices added and removed ones.

fn main() {
    for embedded in [
        "templates",
        "../../wit",
        "../../guest-sdk",
        "../../Cargo.toml",
    ] {
        println!("cargo:rerun-if-changed={embedded}");
    }
}

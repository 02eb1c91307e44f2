//! Tells cargo what is embedded, so that a file that comes or goes is noticed.

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

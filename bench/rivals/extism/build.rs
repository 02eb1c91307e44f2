//! Extism takes a core module. The linker of `wasm32-wasip2`, the one wasm target that this project needs,
//! makes a component of it unless it is told not to.

fn main() {
    if std::env::var("TARGET").is_ok_and(|target| target == "wasm32-wasip2") {
        println!("cargo::rustc-cdylib-link-arg=--skip-wit-component");
    }
    println!("cargo::rerun-if-changed=build.rs");
}

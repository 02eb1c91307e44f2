//! Linker arguments of the plug-in. Extism takes a core module, and the linker of `wasm32-wasip2`, the
//! only wasm target of this project, makes a component by default.

fn main() {
    if std::env::var("TARGET").is_ok_and(|target| target == "wasm32-wasip2") {
        println!("cargo::rustc-cdylib-link-arg=--skip-wit-component");
    }
    println!("cargo::rerun-if-changed=build.rs");
}

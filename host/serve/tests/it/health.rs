//! The path `/health`.

use std::path::Path;

use portcullis::hooks::CacheChoice;
use portcullis::{Hooks, LoadOptions};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_serve::ServeOptions;
use serde_json::json;

use crate::server::start_with;

const PROBE: &str = "../../tests/frozen/0.2.0/probe.wasm";

#[tokio::test(flavor = "multi_thread")]
async fn hooks_in_quarantine_and_files_that_do_not_load_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join(PROBE), dir.path().join("probe.wasm")).unwrap();
    std::fs::write(dir.path().join("broken.wasm"), "no component").unwrap();
    std::fs::write(
        dir.path().join("hooks.toml"),
        "[quarantine]\nfailures = 1\n[hooks.probe.grants]\nstate = true\nevents = true\n\
         contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
         [hooks.probe.config]\npre-tool-call = \"panic\"\n",
    )
    .unwrap();
    let options = LoadOptions {
        skip_broken: true,
        cache: CacheChoice::Dir(root.join("../../target/test-cache")),
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options).unwrap();
    let bridge = Bridge::new(hooks, BridgeOptions::default()).unwrap();
    let server = start_with(bridge, ServeOptions::default()).await;
    let (_, before) = server.get("/health").await;
    assert_eq!(
        (&before["quarantined"], &before["broken"]),
        (&json!([]), &json!(1)),
        "{before}"
    );
    server.call("read").await;
    let (_, after) = server.get("/health").await;
    assert_eq!(
        (&after["hooks"], &after["quarantined"]),
        (&json!(1), &json!(["probe"])),
        "{after}"
    );
}

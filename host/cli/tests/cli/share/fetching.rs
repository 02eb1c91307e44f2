//! What is fetched is what was named, or nothing is written.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::registry::{Registry, tamper};
use super::{add, check, command, directory, hook, names, publish, read, refused};
use crate::support::{run, text};
use crate::terminal::Terminal;

#[test]
fn a_published_hook_is_added_named_and_pinned_with_its_source() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let source = registry.name("acme/path-jail:1.0");
    let first = publish(&hook("path-jail"), &source, &[]);
    let again = publish(&hook("path-jail"), &source, &[]);
    assert_eq!(
        first["manifest"], again["manifest"],
        "the same component is another artifact"
    );
    let dir = directory("");
    let shown = add(dir.path(), &source, &["--json"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert_eq!(shown.json()["written"], false);
    assert_eq!(shown.json()["origin"]["manifest"], first["manifest"]);
    assert_eq!(names(dir.path()), [""; 0]);
    let ran = add(dir.path(), &source, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in [
        "Comes from",
        "no: only its digest",
        "see",
        "deadline-ms",
        "[hooks.path-jail.grants]",
    ] {
        assert!(ran.out.contains(said), "no `{said}` in:\n{}", ran.out);
    }
    assert_eq!(
        names(dir.path()),
        ["hooks.lock", "hooks.toml", "path-jail.wasm"]
    );
    let lock = read(dir.path(), "hooks.lock");
    assert!(lock.contains(&format!("source = \"{source}\"")), "{lock}");
    assert_eq!(
        fs::read(dir.path().join("path-jail.wasm")).unwrap(),
        fs::read(hook("path-jail")).unwrap()
    );
    assert_eq!(check(dir.path()).code, Some(0));
    // By its digest it is the same, and nothing is new.
    let manifest = first["manifest"].as_str().unwrap();
    let by_digest = registry.name(&format!("acme/path-jail@sha256:{manifest}"));
    assert_eq!(add(dir.path(), &by_digest, &["--json"]).code, Some(0));
    // The lock keeps the source when it is written anew.
    let locked = ["hooks", "lock", "--update", "--hooks", text(dir.path())];
    assert_eq!(run(&mut command(&locked)).code, Some(0));
    assert_eq!(read(dir.path(), "hooks.lock"), lock);
    let removed = run(&mut bare_remove("path-jail", dir.path()));
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert_eq!(names(dir.path()), ["hooks.lock", "hooks.toml"]);
    assert!(!read(dir.path(), "hooks.toml").contains("path-jail"));
}

fn bare_remove(id: &str, dir: &std::path::Path) -> std::process::Command {
    crate::support::bare(&["remove", id, "--yes", "--hooks", text(dir)])
}

#[test]
fn on_a_no_and_without_a_person_nothing_is_written() {
    let dir = directory("");
    let source = hook("audit-log");
    let ran = add(dir.path(), text(&source), &[]);
    refused(&ran, "--yes");
    assert_eq!(names(dir.path()), [""; 0]);
    let mut terminal = Terminal::of(command(&[
        "add",
        text(&source),
        "--hooks",
        text(dir.path()),
    ]));
    terminal.wait("yes or no?");
    terminal.answer("no");
    terminal.wait("Nothing was written");
    assert_eq!(names(dir.path()), [""; 0]);
    // Killed while it asks.
    let mut terminal = Terminal::of(command(&[
        "add",
        text(&source),
        "--hooks",
        text(dir.path()),
    ]));
    terminal.wait("yes or no?");
    terminal.press(b"\x03");
    assert_ne!(terminal.exit_code(), Some(0));
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn what_was_changed_in_the_registry_is_refused() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let source = registry.name("acme/path-jail:1.0");
    let published = publish(&hook("path-jail"), &source, &[]);
    let manifest = published["manifest"].as_str().unwrap();
    let component = published["component"].as_str().unwrap();
    let dir = directory("");
    let blob = registry.blob(component);
    let whole = fs::read(&blob).unwrap();
    tamper(&blob);
    refused(&add(dir.path(), &source, &["--yes"]), "changed on the way");
    fs::write(&blob, whole).unwrap();
    assert_eq!(add(dir.path(), &source, &["--json"]).code, Some(0));
    // A manifest that names another component, under the digest that was named.
    let other = publish(
        &hook("audit-log"),
        &registry.name("acme/path-jail:2.0"),
        &[],
    );
    let other = registry.blob(other["manifest"].as_str().unwrap());
    fs::copy(other, registry.blob(manifest)).unwrap();
    let named = registry.name(&format!("acme/path-jail@sha256:{manifest}"));
    let ran = add(dir.path(), &named, &["--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn a_digest_that_was_given_must_be_its_own() {
    let dir = directory("");
    let source = hook("audit-log");
    let wrong = format!("sha256:{}", "a".repeat(64));
    refused(
        &add(dir.path(), text(&source), &["--yes", "--digest", &wrong]),
        "was given",
    );
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn a_private_registry_is_asked_with_dockers_credentials() {
    let Some(registry) = Registry::private() else {
        return;
    };
    let source = registry.name("acme/path-jail:1.0");
    let dir = directory("");
    let file = hook("path-jail");
    let without = run(&mut command(&["publish", text(&file), &source]));
    refused(&without, "docker login");
    let docker = tempfile::tempdir().unwrap();
    // `me:U*U`
    let config = format!(
        "{{\"auths\":{{\"{}\":{{\"auth\":\"bWU6VSpV\"}}}}}}",
        registry.address()
    );
    fs::write(docker.path().join("config.json"), config).unwrap();
    for arguments in [
        vec!["publish", text(&file), &source],
        vec!["add", &source, "--yes", "--hooks", text(dir.path())],
    ] {
        let ran = run(command(&arguments).env("DOCKER_CONFIG", docker.path()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            !ran.out.contains("U*U") && !ran.err.contains("U*U"),
            "{ran:?}"
        );
    }
    refused(&add(dir.path(), &source, &["--yes"]), "docker login");
}

/// A server that answers every request with what is made of its path, and counts them.
fn server(answer: impl Fn(&str) -> (u16, Vec<u8>) + Send + 'static) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).unwrap();
            let path = head.split(' ').nth(1).unwrap_or_default();
            if path.contains("/blobs/") {
                counted.fetch_add(1, Ordering::SeqCst);
            }
            let (status, body) = answer(path);
            let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n\r\n");
            // Who has read enough closes the connection.
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&body);
        }
    });
    (address, count)
}

#[test]
fn what_is_too_large_is_not_downloaded() {
    let layer = serde_json::json!({
        "mediaType": "application/wasm", "digest": format!("sha256:{}", "a".repeat(64)), "size": 1_u64 << 40
    });
    let manifest = serde_json::json!({
        "schemaVersion": 2,
        "config": { "mediaType": "application/vnd.wasm.config.v0+json", "digest": "sha256:0", "size": 2 },
        "layers": [layer],
    });
    let (address, blobs) = server(move |path| match path.contains("/manifests/") {
        true => (200, manifest.to_string().into_bytes()),
        false => (200, Vec::new()),
    });
    let dir = directory("");
    refused(
        &add(dir.path(), &format!("oci://{address}/a/b:1"), &["--yes"]),
        "67108864 bytes",
    );
    assert_eq!(blobs.load(Ordering::SeqCst), 0);
    // A manifest and a file that do not say how long they are.
    let (address, _) = server(|_| (200, vec![b' '; 5 << 20]));
    refused(
        &add(dir.path(), &format!("oci://{address}/a/b:1"), &["--yes"]),
        "4194304 bytes",
    );
    let (address, _) = server(|_| (200, vec![0; 65 << 20]));
    refused(
        &add(dir.path(), &format!("http://{address}/a.wasm"), &["--yes"]),
        "67108864 bytes",
    );
}

#[test]
fn a_file_is_fetched_from_a_server_and_nothing_is_sent_without_encryption() {
    let bytes = fs::read(hook("audit-log")).unwrap();
    let (address, _) = server(move |path| match path {
        "/audit-log.wasm" => (200, bytes.clone()),
        _ => (404, Vec::new()),
    });
    let dir = directory("");
    let ran = add(
        dir.path(),
        &format!("http://{address}/audit-log.wasm"),
        &["--yes"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(check(dir.path()).code, Some(0));
    let ran = add(
        dir.path(),
        &format!("http://{address}/none.wasm"),
        &["--yes"],
    );
    refused(&ran, "does not exist");
    let ran = add(dir.path(), "http://192.0.2.1/a.wasm", &["--yes"]);
    assert!(ran.err.contains("use https"), "{ran:?}");
}

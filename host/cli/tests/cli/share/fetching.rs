//! The named component is fetched, or nothing is written.

use std::fs;

use portcullis::verdict::Digest;

use super::registry::{Registry, tamper};
use super::server::{Answer, Server};
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
    // The source with the digest gives the same component.
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
    // The command is killed while it asks.
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
    // The blob of the named digest is replaced by a manifest that names another component.
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
    let server = Server::new(move |request| match request.path.contains("/manifests/") {
        true => Answer::new(200, manifest.to_string()),
        false => Answer::new(200, ""),
    });
    let dir = directory("");
    refused(
        &add(
            dir.path(),
            &format!("oci://{}/a/b:1", server.address),
            &["--yes"],
        ),
        "67108864 bytes",
    );
    let heads = server.heads();
    assert!(
        !heads.iter().any(|head| head.contains("/blobs/")),
        "{heads:?}"
    );
    // A manifest and a file whose responses have no length.
    let server = Server::new(|request| match request.path.as_str() {
        "/v2/" => Answer::new(200, ""),
        _ => Answer::new(200, vec![b' '; 5 << 20]),
    });
    refused(
        &add(
            dir.path(),
            &format!("oci://{}/a/b:1", server.address),
            &["--yes"],
        ),
        "4194304 bytes",
    );
    let server = Server::new(|_| Answer::new(200, vec![0; 65 << 20]));
    refused(
        &add(
            dir.path(),
            &format!("http://{}/a.wasm", server.address),
            &["--yes"],
        ),
        "67108864 bytes",
    );
}

#[test]
fn a_file_is_fetched_from_a_server_and_nothing_is_sent_without_encryption() {
    let bytes = fs::read(hook("audit-log")).unwrap();
    let server = Server::new(move |request| match request.path.as_str() {
        "/audit-log.wasm" => Answer::new(200, bytes.clone()),
        // A response that is longer than a signature may be.
        "/audit-log.wasm.sigstore.json" => Answer::new(404, vec![b' '; 1 << 20]),
        "/hidden.wasm" => Answer::new(200, bytes.clone()),
        "/hidden.wasm.sigstore.json" => Answer::new(401, ""),
        _ => Answer::new(404, ""),
    });
    let address = &server.address;
    let dir = directory("");
    let ran = add(
        dir.path(),
        &format!("http://{address}/audit-log.wasm"),
        &["--yes"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(check(dir.path()).code, Some(0));
    let other = directory("");
    let hidden = format!("http://{address}/hidden.wasm");
    let ran = add(other.path(), &hidden, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = add(
        dir.path(),
        &format!("http://{address}/none.wasm"),
        &["--yes"],
    );
    refused(&ran, "does not exist");
    let ran = add(dir.path(), "http://192.0.2.1/a.wasm", &["--yes"]);
    assert!(ran.err.contains("use https"), "{ran:?}");
}

#[test]
fn a_redirect_leads_nowhere_without_encryption_and_not_on_for_ever() {
    let dir = directory("");
    let leads_to = |location: &'static str| {
        Server::new(move |_| Answer::new(302, "").with("location", location))
    };
    for (location, why) in [
        ("http://192.0.2.1/a.wasm", "without encryption"),
        ("/a.wasm", "too often"),
    ] {
        let server = leads_to(location);
        let source = format!("http://{}/a.wasm", server.address);
        refused(&add(dir.path(), &source, &["--yes"]), why);
        let heads = server.heads();
        assert!(
            !heads.iter().any(|head| head.contains("referer:")),
            "{heads:?}"
        );
    }
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn what_an_address_asks_is_not_shown() {
    let server = Server::new(|request| {
        let to = match request.path.as_str() {
            "/a.wasm" => "/signed?X-Amz-Signature=SECRET",
            _ => "http://me:SECRET@192.0.2.1/a.wasm?SECRET",
        };
        Answer::new(302, "").with("location", to)
    });
    let dir = directory("");
    let source = format!("http://{}/a.wasm", server.address);
    let ran = add(dir.path(), &source, &["--yes"]);
    refused(&ran, "without encryption");
    assert!(!ran.err.contains("SECRET"), "{}", ran.err);
    assert_eq!(server.heads().len(), 2);
}

#[cfg(unix)]
#[test]
fn the_rule_of_a_directory_holds_for_the_file_that_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    let (trusted, other) = (root.join("trusted"), root.join("other"));
    fs::create_dir(&trusted).unwrap();
    fs::create_dir(&other).unwrap();
    fs::copy(hook("audit-log"), other.join("a.wasm")).unwrap();
    std::os::unix::fs::symlink(other.join("a.wasm"), trusted.join("link.wasm")).unwrap();
    let dir = directory(&format!(
        "[trust.sources.\"{}/*\"]\nrequire = \"none\"\n[trust.sources.\"{}/*\"]\nrequire = \"pinned\"\n",
        trusted.display(),
        other.display()
    ));
    for file in [trusted.join("link.wasm"), trusted.join("../other/a.wasm")] {
        refused(
            &add(dir.path(), text(&file), &["--yes"]),
            "its digest given",
        );
    }
    fs::copy(hook("audit-log"), trusted.join("a.wasm")).unwrap();
    let ran = add(dir.path(), text(&trusted.join("a.wasm")), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_file_that_cannot_be_added_is_named_as_it_was_given() {
    let scratch = tempfile::tempdir().unwrap();
    let dir = directory("");
    let file = |name: &str| scratch.path().canonicalize().unwrap().join(name);
    fs::write(file("README.md"), "# A hook\n").unwrap();
    // A component without exports.
    fs::write(file("empty.wasm"), b"\0asm\x0d\0\x01\0").unwrap();
    for (name, why) in [
        ("gone.wasm", "it does not exist; name a file that exists"),
        (
            "README.md",
            "is no WebAssembly component: it begins with `# A `",
        ),
        ("empty.wasm", "serves no lifecycle point"),
    ] {
        let file = file(name);
        let ran = add(dir.path(), text(&file), &["--yes"]);
        refused(&ran, why);
        // The error names the source too.
        let least = if name == "gone.wasm" { 1 } else { 2 };
        let count = ran.err.matches(text(&file)).count();
        assert!(count >= least, "{ran:?}");
        assert!(!ran.err.contains("hook.wasm"), "{ran:?}");
    }
    assert_eq!(names(dir.path()), [""; 0]);
}

/// Returns a registry with one artifact, which requires a token and issues it at `/token`.
fn with_tokens(challenge: &'static str, token: Answer) -> Server {
    let component = fs::read(hook("audit-log")).unwrap();
    let digest = format!("sha256:{}", Digest::of(&component));
    let manifest = serde_json::json!({
        "schemaVersion": 2,
        "config": {
            "mediaType": "application/vnd.wasm.config.v0+json",
            "digest": format!("sha256:{}", Digest::of(b"{}")),
            "size": 2
        },
        "layers": [{ "mediaType": "application/wasm", "digest": digest, "size": component.len() }],
    });
    Server::new(move |request| {
        if request.path.starts_with("/token") {
            return token.clone();
        }
        if !request.head.contains("authorization: bearer right") {
            let host = request.head.split("host: ").nth(1).unwrap();
            let host = host.lines().next().unwrap();
            let challenge = challenge.replace("HOST", host);
            return Answer::new(401, "").with("WWW-Authenticate", &challenge);
        }
        match &request.path {
            path if path.ends_with("/manifests/1") => Answer::new(200, manifest.to_string()),
            path if path.contains("/blobs/") => Answer::new(200, component.clone()),
            _ => Answer::new(404, ""),
        }
    })
}

#[test]
fn a_token_is_fetched_with_encryption_and_within_bounds() {
    let docker = tempfile::tempdir().unwrap();
    let log_in = |server: &Server, dir: &std::path::Path| {
        let config = format!(
            "{{\"auths\":{{\"{}\":{{\"auth\":\"bWU6VSpV\"}}}}}}",
            server.address
        );
        fs::write(docker.path().join("config.json"), config).unwrap();
        let source = format!("oci://{}/a/b:1", server.address);
        run(command(&["add", &source, "--yes", "--hooks", text(dir)])
            .env("DOCKER_CONFIG", docker.path()))
    };
    let here = "Bearer realm=\"http://HOST/token\",service=\"x\"";
    let right = || Answer::new(200, "{\"token\":\"right\"}");
    for (challenge, token, why) in [
        (here, Answer::new(200, vec![b' '; 65 << 20]), "65536 bytes"),
        (
            here,
            Answer::new(500, vec![b' '; 65 << 20]),
            "500 Internal Server Error",
        ),
        (here, Answer::new(401, "secret"), "docker login"),
        (
            here,
            Answer::new(302, "").with("location", "http://192.0.2.1/token"),
            "without encryption",
        ),
        (
            "Bearer realm=\"http://192.0.2.1/token\",service=\"x\"",
            right(),
            "without encryption",
        ),
    ] {
        let dir = directory("");
        let server = with_tokens(challenge, token);
        refused(&log_in(&server, dir.path()), why);
        assert_eq!(names(dir.path()), [""; 0]);
    }
    let dir = directory("");
    let server = with_tokens(here, right());
    let ran = log_in(&server, dir.path());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heads = server.heads();
    let asked = heads.iter().find(|head| head.contains("/token?")).unwrap();
    assert!(asked.contains("service=x"), "{asked}");
    assert!(asked.contains("scope=repository%3Aa%2Fb%3Apull"), "{asked}");
    // `me:U*U`, in lower case.
    assert!(asked.contains("authorization: basic bwu6vspv"), "{asked}");
}

#[test]
fn what_is_on_this_machine_is_not_asked_of_a_proxy() {
    let bytes = fs::read(hook("audit-log")).unwrap();
    let proxy = Server::new(|_| Answer::new(502, ""));
    let server = Server::new(move |request| match request.path.as_str() {
        "/audit-log.wasm" => Answer::new(200, bytes.clone()),
        _ => Answer::new(404, ""),
    });
    let registry = with_tokens(
        "Bearer realm=\"http://HOST/token\"",
        Answer::new(200, "{\"token\":\"right\"}"),
    );
    let through = |arguments: &[&str]| {
        let address = format!("http://{}", proxy.address);
        let mut command = command(arguments);
        run(command
            .env("HTTP_PROXY", &address)
            .env("http_proxy", address))
    };
    for source in [
        format!("http://{}/audit-log.wasm", server.address),
        format!("oci://{}/a/b:1", registry.address),
    ] {
        let dir = directory("");
        let ran = through(&["add", &source, "--yes", "--hooks", text(dir.path())]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    if let Some(registry) = Registry::start() {
        let (file, to) = (hook("audit-log"), registry.name("a/b:1"));
        let ran = through(&["publish", text(&file), &to]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert_eq!(proxy.heads(), [""; 0]);
}

//! Audits of the hooks that were added, and vendoring them.

use std::fs;
use std::path::Path;

use super::registry::Registry;
use super::signatures::{key, trusting};
use super::{Ran, add, check, command, directory, hook, names, publish, refused};
use crate::support::{bare, run, text};

fn audit(dir: &Path, options: &[&str]) -> Ran {
    let store = format!("sqlite:{}", dir.join("no-store.db").display());
    run(command(&["audit", "--json", "--hooks", text(dir), "--store", &store]).args(options))
}

/// Returns the kinds of the findings, for each hook.
fn found(ran: &Ran) -> Vec<(String, String)> {
    let found = ran.json();
    let found = found.as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    found
        .map(|one| (text(&one["hook"]), text(&one["kind"])))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(hook, kind): &(&str, &str)| ((*hook).to_owned(), (*kind).to_owned());
    expected.iter().map(owned).collect()
}

#[test]
fn what_is_unsigned_outdated_or_revoked_is_found() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (dir, _) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    let published = publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    let ran = audit(dir.path(), &[]);
    assert_eq!((ran.code, found(&ran)), (Some(0), pairs(&[])), "{ran:?}");
    let list = dir.path().join("revoked.txt");
    fs::write(
        &list,
        format!(
            "# Of November.\nsha256:{} leaks\n",
            published["manifest"].as_str().unwrap()
        ),
    )
    .unwrap();
    let ran = audit(dir.path(), &["--revoked", text(&list)]);
    assert_eq!(
        (ran.code, found(&ran)),
        (Some(1), pairs(&[("path-jail", "revoked")])),
        "{ran:?}"
    );
    fs::write(&list, "sha256:123\n").unwrap();
    refused(
        &audit(dir.path(), &["--revoked", text(&list)]),
        "64 hexadecimal digits",
    );
    publish(&hook("audit-log"), &source, &[]);
    let ran = audit(dir.path(), &[]);
    assert_eq!(found(&ran), pairs(&[("path-jail", "outdated")]), "{ran:?}");
    assert_eq!(found(&audit(dir.path(), &["--offline"])), pairs(&[]));
    let unsigned = directory("");
    assert_eq!(
        add(unsigned.path(), text(&hook("audit-log")), &["--yes"]).code,
        Some(0)
    );
    let ran = audit(unsigned.path(), &[]);
    assert_eq!(found(&ran), pairs(&[("audit-log", "unsigned")]), "{ran:?}");
}

#[test]
fn what_stands_beside_an_installed_file_says_nothing_of_it() {
    let dir = directory("[trust]\nrequire = \"none\"\n");
    let added = add(dir.path(), text(&hook("audit-log")), &["--yes"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    fs::write(dir.path().join("audit-log.wasm.manifest.json"), "{}").unwrap();
    let ran = audit(dir.path(), &["--offline"]);
    assert_eq!(found(&ran), pairs(&[("audit-log", "unsigned")]), "{ran:?}");
}

#[test]
fn what_is_not_known_is_found() {
    let dir = directory("");
    let file = dir.path().join("audit-log.wasm");
    fs::copy(hook("audit-log"), &file).unwrap();
    let ran = audit(dir.path(), &["--offline"]);
    assert_eq!(
        (ran.code, found(&ran)),
        (Some(1), pairs(&[("audit-log.wasm", "unsigned")])),
        "{ran:?}"
    );
    fs::remove_file(&file).unwrap();
    let added = add(dir.path(), text(&hook("audit-log")), &["--yes"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    for change in [&|| fs::copy(hook("path-jail"), &file).map(drop), &|| {
        fs::remove_file(&file)
    }] as [&dyn Fn() -> std::io::Result<()>; 2]
    {
        change().unwrap();
        let found = found(&audit(dir.path(), &["--offline"]));
        assert!(
            found.contains(&("audit-log".into(), "changed".into())),
            "{found:?}"
        );
    }
}

#[test]
fn a_signer_counts_while_hooks_toml_names_one_and_a_later_signature_is_taken() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (dir, settings) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    let unsigned = format!("[trust]\nrequire = \"none\"\n{settings}");
    fs::write(dir.path().join("hooks.toml"), &unsigned).unwrap();
    publish(&hook("path-jail"), &source, &[]);
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    let ran = audit(dir.path(), &[]);
    assert_eq!(found(&ran), pairs(&[("path-jail", "unsigned")]), "{ran:?}");
    publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    let update = ["update", "--yes", "--hooks", text(dir.path())];
    let ran = run(&mut command(&update));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = audit(dir.path(), &[]);
    assert_eq!((ran.code, found(&ran)), (Some(0), pairs(&[])), "{ran:?}");
    // The key is no longer trusted, such as after a theft.
    let removed = super::read(dir.path(), "hooks.toml").replace("acme = \"acme.pub\"", "");
    for require in ["none", "signed"] {
        let required = format!("require = \"{require}\"");
        let settings = removed.replace("require = \"none\"", &required);
        fs::write(dir.path().join("hooks.toml"), settings).unwrap();
        let ran = audit(dir.path(), &[]);
        assert_eq!(found(&ran), pairs(&[("path-jail", "unsigned")]), "{ran:?}");
    }
}

#[test]
fn a_key_that_was_replaced_under_its_name_is_another() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let (stolen, new) = (key(), key());
    let (dir, _) = trusting(&stolen);
    let source = registry.name("acme/path-jail:1");
    publish(
        &hook("path-jail"),
        &source,
        &["--sign", text(&stolen.private)],
    );
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    fs::copy(&new.public, dir.path().join("acme.pub")).unwrap();
    let ran = audit(dir.path(), &["--offline"]);
    assert_eq!(found(&ran), pairs(&[("path-jail", "unsigned")]), "{ran:?}");
    assert!(ran.out.contains("with the key sha256:"), "{}", ran.out);
    // The same component, signed with the new key under the same name.
    publish(&hook("path-jail"), &source, &["--sign", text(&new.private)]);
    let update = ["update", "--yes", "--hooks", text(dir.path())];
    let ran = run(&mut command(&update));
    refused(&ran, "with the key sha256:");
    refused(&ran, "--signer 'acme'");
    let ran = run(command(&update).args(["--signer", "acme"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = audit(dir.path(), &[]);
    assert_eq!((ran.code, found(&ran)), (Some(0), pairs(&[])), "{ran:?}");
    // The hook is unsigned without the key's file.
    fs::remove_file(dir.path().join("acme.pub")).unwrap();
    let ran = audit(dir.path(), &["--offline"]);
    assert_eq!(found(&ran), pairs(&[("path-jail", "unsigned")]), "{ran:?}");
}

#[test]
fn a_hook_that_does_not_load_hides_nothing_that_was_found_of_it_or_of_others() {
    let dir = directory("");
    assert_eq!(
        add(dir.path(), text(&hook("audit-log")), &["--yes"]).code,
        Some(0)
    );
    // A component that is not a hook, from a source that is no longer accepted.
    let component = b"\0asm\x0d\0\x01\0";
    fs::write(dir.path().join("b.wasm"), component).unwrap();
    let digest = portcullis::verdict::Digest::of(component);
    let lock = super::read(dir.path(), "hooks.lock");
    let entry = format!(
        "[components.'b.wasm']\nid = \"b\"\nsha256 = \"{digest}\"\n\
         origin.source = 'https://example.com/b.wasm?token=x'\n"
    );
    fs::write(dir.path().join("hooks.lock"), format!("{lock}\n{entry}")).unwrap();
    fs::write(dir.path().join("audit-log.wasm"), "cut off").unwrap();
    let list = dir.path().join("revoked.txt");
    fs::write(&list, format!("sha256:{digest}\n")).unwrap();
    let ran = audit(dir.path(), &["--revoked", text(&list)]);
    let mut found = found(&ran);
    found.retain(|(_, kind)| kind != "unsigned");
    found.sort();
    let expected = pairs(&[
        ("audit-log", "changed"),
        ("b", "broken"),
        ("b", "revoked"),
        ("b", "unknown"),
    ]);
    assert_eq!((ran.code, found), (Some(1), expected), "{ran:?}");
}

#[test]
fn vendored_hooks_are_added_without_the_registry_and_keep_their_signature() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (dir, _) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    // The tag moves; the added version is vendored.
    publish(&hook("audit-log"), &source, &[]);
    let to = tempfile::tempdir().unwrap();
    let mut vendor = bare(&["vendor", text(to.path()), "--hooks", text(dir.path())]);
    let ran = run(vendor.env("DOCKER_CONFIG", "/nonexistent"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        names(to.path()),
        [
            "path-jail.wasm",
            "path-jail.wasm.manifest.json",
            "path-jail.wasm.sigstore.json"
        ]
    );
    drop(registry);
    let (other, _) = trusting(&key);
    let file = to.path().join("path-jail.wasm");
    let ran = add(other.path(), text(&file), &["--yes"]);
    assert_eq!(
        (ran.code, ran.out.contains("yes, by `acme`")),
        (Some(0), true),
        "{ran:?}"
    );
    assert_eq!(check(other.path()).code, Some(0));
    let ran = audit(other.path(), &[]);
    assert_eq!((ran.code, found(&ran)), (Some(0), pairs(&[])), "{ran:?}");
    let again = tempfile::tempdir().unwrap();
    let vendor = ["vendor", text(again.path()), "--hooks", text(other.path())];
    let ran = run(&mut bare(&vendor));
    assert_eq!(
        (ran.code, names(again.path())),
        (Some(0), names(to.path())),
        "{ran:?}"
    );
    fs::copy(hook("audit-log"), &file).unwrap();
    refused(
        &run(&mut bare(&vendor)),
        "which it was added from, cannot be used: ",
    );
    let (other, _) = trusting(&key);
    fs::copy(hook("audit-log"), &file).unwrap();
    refused(
        &add(other.path(), text(&file), &["--yes"]),
        "changed on the way",
    );
}

#[test]
fn a_hook_from_a_file_is_vendored_as_it_is_locked() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("path-jail.wasm");
    fs::copy(hook("path-jail"), &file).unwrap();
    let dir = directory("");
    assert_eq!(add(dir.path(), text(&file), &["--yes"]).code, Some(0));
    let to = tempfile::tempdir().unwrap();
    let vendor = || {
        run(&mut bare(&[
            "vendor",
            text(to.path()),
            "--hooks",
            text(dir.path()),
        ]))
    };
    let is_vendored = || {
        let ran = vendor();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let vendored = fs::read(to.path().join("path-jail.wasm")).unwrap();
        assert!(vendored == fs::read(hook("path-jail")).unwrap());
    };
    is_vendored();
    // A hook that has no source is named.
    let own = dir.path().join("audit-log.wasm");
    fs::copy(hook("audit-log"), &own).unwrap();
    let trusted = run(&mut bare(&["hooks", "trust", text(&own), "--yes"]));
    assert_eq!(trusted.code, Some(0), "{trusted:?}");
    let ran = vendor();
    assert!(ran.out.contains("audit-log is left out"), "{ran:?}");
    // The file is replaced by another version, and then removed.
    fs::copy(hook("audit-log"), &file).unwrap();
    is_vendored();
    fs::remove_file(&file).unwrap();
    is_vendored();
    fs::copy(hook("audit-log"), dir.path().join("path-jail.wasm")).unwrap();
    refused(&vendor(), "is not the component that hooks.lock pins");
}

//! Hooks that are built for other versions of the contract than the host's.

use portcullis::SessionOptions;
use portcullis::contract::VERSION;
use portcullis::hooks::{HooksError, LoadFault, Stage};
use portcullis::points::{PreLlmCall, PreToolCall};
use portcullis::verdict::Digest;
use portcullis_tests::{FROZEN, HooksDir, Sample, component, probe};

/// Replaces a byte sequence wherever it occurs.
fn rewritten(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len(), "lengths stand before names");
    let places = places(&bytes, from);
    assert!(!places.is_empty(), "there is no `{from}` in it");
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    bytes
}

fn places(bytes: &[u8], text: &str) -> Vec<usize> {
    let windows = bytes.windows(text.len()).enumerate();
    windows
        .filter(|(_, window)| *window == text.as_bytes())
        .map(|(at, _)| at)
        .collect()
}

/// Returns a component of today, built for another version: every interface of the contract has
/// that version.
fn of_version(name: &str, version: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(component(name)).expect("a component");
    assert_eq!(VERSION.len(), version.len(), "lengths stand before names");
    let package = "portcullis:hooks/";
    for at in places(&bytes, package) {
        let interface = at + package.len();
        let is_name = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'-';
        let name = bytes[interface..].iter().take_while(is_name).count();
        let version_at = interface + name + 1;
        let end = version_at + version.len();
        if bytes[version_at - 1] == b'@' && &bytes[version_at..end] == VERSION.as_bytes() {
            bytes[version_at..end].copy_from_slice(version.as_bytes());
        }
    }
    bytes
}

fn load(name: &str, bytes: &[u8], settings: &str) -> Result<portcullis::Hooks, HooksError> {
    HooksDir::new()
        .with_file(&format!("{name}.wasm"), bytes)
        .settings(settings)
        .try_load()
}

/// Returns the reason why a component does not load: the fault, the stage, and the text.
fn fault(name: &str, bytes: &[u8]) -> (LoadFault, Stage, String) {
    let Err(HooksError::Load(errors)) = load(name, bytes, "") else {
        panic!("it loads");
    };
    let error = errors.0.first().expect("an error");
    (error.fault.clone(), error.stage, errors.to_string())
}

#[test]
fn frozen_components_are_what_they_were() {
    for frozen in FROZEN {
        let digest = Digest::of(&frozen.bytes()).to_string();
        assert_eq!(digest, frozen.sha256, "{}", frozen.version);
    }
    assert_eq!(
        FROZEN.last().map(|f| f.version),
        Some(VERSION),
        "none of the host's own version"
    );
}

#[tokio::test]
async fn a_frozen_component_loads_and_is_told_with_its_version() {
    for frozen in FROZEN {
        let settings = probe("pre-tool-call = \"transform {\\\"path\\\":\\\"b\\\"}\"");
        let hooks = load("probe", &frozen.bytes(), &settings).expect(frozen.version);
        assert_eq!(hooks.reports()[0].contract, frozen.version);
        let session = hooks.session(SessionOptions::new("test"));
        let mut call = PreToolCall::sample();
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{:?}", verdict.decision);
        assert_eq!(&*call.views.tool_arguments, r#"{"path":"b"}"#);
    }
}

#[tokio::test]
async fn a_newer_patch_that_uses_nothing_new_runs() {
    let hooks = load("tiny", &of_version("tiny", "0.2.9"), "").expect("it loads");
    assert_eq!(hooks.reports()[0].contract, "0.2.9");
    let session = hooks.session(SessionOptions::new("test"));
    // The hook reads the conversation, through an import of the newer version.
    let verdict = session.run(&mut PreLlmCall::sample()).await;
    assert!(verdict.decision.passed() && verdict.runs[0].outcome().is_some());
}

#[test]
fn a_newer_patch_that_serves_a_point_which_is_not_known_is_refused_with_both_versions() {
    let bytes = rewritten(
        of_version("tiny", "0.2.9"),
        "hooks/pre-llm-call",
        "hooks/pre-xyz-call",
    );
    refused_as_newer("tiny", &bytes, Stage::Inspect, "pre-xyz-call");
}

#[test]
fn a_newer_patch_that_imports_an_interface_which_is_not_known_is_refused_with_both_versions() {
    let bytes = rewritten(
        of_version("tiny", "0.2.9"),
        "hooks/conversation",
        "hooks/conversatiom",
    );
    refused_as_newer("tiny", &bytes, Stage::Inspect, "conversatiom");
}

#[test]
fn a_newer_patch_that_imports_a_function_which_is_not_known_is_refused_with_both_versions() {
    // It imports `conversation.last`. The pattern includes the length, so that no other name
    // matches.
    let bytes = rewritten(of_version("tiny", "0.2.9"), "\x04last", "\x04lasx");
    refused_as_newer("tiny", &bytes, Stage::Link, "lasx");
}

#[test]
fn a_newer_patch_with_another_record_is_refused_with_both_versions() {
    // The record of an image, which is in the messages of `conversation.last`.
    let bytes = rewritten(of_version("tiny", "0.2.9"), "media-type", "media-sort");
    refused_as_newer("tiny", &bytes, Stage::Link, "last");
}

fn refused_as_newer(name: &str, bytes: &[u8], stage: Stage, what: &str) {
    let (fault_, at, text) = fault(name, bytes);
    assert!(matches!(fault_, LoadFault::NewerContract { .. }), "{text}");
    assert_eq!(at, stage, "{text}");
    for part in [what, "0.2.9", VERSION, "run a newer host"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_an_equal_version_gets_wrong_is_not_blamed_on_the_version() {
    let bytes = std::fs::read(component("tiny")).expect("a component");
    for (from, to) in [
        ("hooks/pre-llm-call", "hooks/pre-xyz-call"),
        ("media-type", "media-sort"),
    ] {
        let (_, _, text) = fault("tiny", &rewritten(bytes.clone(), from, to));
        assert!(!text.contains("newer"), "{text}");
    }
}

#[test]
fn another_minor_or_major_version_is_refused_whether_or_not_it_would_fit() {
    for (version, fix) in [
        (
            "0.3.0",
            "run a newer host, or build the hook against the WIT of 0.2.0",
        ),
        (
            "1.0.0",
            "run a newer host, or build the hook against the WIT of 0.2.0",
        ),
        ("0.1.0", "; build the hook against the WIT of 0.2.0"),
        ("0.0.9", "; build the hook against the WIT of 0.2.0"),
    ] {
        let (fault_, stage, text) = fault("tiny", &of_version("tiny", version));
        assert!(matches!(fault_, LoadFault::OtherVersion { .. }), "{text}");
        assert_eq!(stage, Stage::Inspect);
        for part in [version, "version 0.2.0", "0.2.x", fix] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn a_name_of_ours_without_a_version_is_refused() {
    let wat = "(component (instance $i) (export \"portcullis:hooks/pre-turn\" (instance $i)))";
    let bytes = wat::parse_str(wat).expect("valid WAT");
    let (fault_, _, text) = fault("none", &bytes);
    assert!(matches!(fault_, LoadFault::OtherVersion { .. }), "{text}");
}

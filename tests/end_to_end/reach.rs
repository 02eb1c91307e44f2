//! The data that a hook can see, change and reach, and whether it could exfiltrate the data that it
//! reads.

use portcullis::report::{ExfiltrationRisk, Reach};
use portcullis_tests::{HooksDir, probe};

/// Returns the report on the only hook of a directory.
fn said(dir: &HooksDir) -> (Reach, Option<ExfiltrationRisk>) {
    let hooks = dir.load();
    let report = &hooks.reports()[0];
    (report.reach(), report.exfiltration_risk())
}

fn filer(grants: &str) -> HooksDir {
    let dir = HooksDir::new()
        .with("filer")
        .settings(&format!("[hooks.filer.grants]\n{grants}\n"));
    std::fs::create_dir(dir.path().join("box")).expect("a directory");
    dir
}

#[test]
fn a_hook_that_reads_and_sends_is_named_with_both_sides() {
    let keyholder = HooksDir::new()
        .with("keyholder")
        .with_file("key", b"k")
        .settings(
            "[hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n\
             [secrets]\nKEY = { file = \"key\" }\n",
        );
    for (dir, both) in [
        (HooksDir::new().with("tiny"), None),
        (filer(""), None),
        (filer("read = [\"box\"]"), None),
        (
            filer("write = [\"box\"]"),
            Some((vec!["content"], vec!["the directories (box)"])),
        ),
        (
            keyholder,
            Some((vec!["content", "secrets (KEY)"], vec!["events"])),
        ),
    ] {
        let carry = said(&dir).1;
        let told = carry.as_ref().map(|carry| {
            let text = |list: &[String]| {
                let mut list = list.to_vec();
                list.sort();
                list
            };
            (text(&carry.reads), text(&carry.sends))
        });
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            told,
            both.map(|(reads, sends)| (owned(reads), owned(sends)))
        );
        if let Some(carry) = carry {
            let text = carry.to_string();
            assert!(
                text.starts_with("could exfiltrate what it reads: "),
                "{text}"
            );
        }
    }
}

#[test]
fn a_hook_that_is_switched_off_carries_nothing() {
    let dir = HooksDir::new()
        .with("probe")
        .settings("[hooks.probe]\nenabled = false\n");
    assert_eq!(said(&dir).1, None);
}

#[test]
fn what_a_hook_sees_changes_and_reaches_is_said_apart() {
    let (reach, carry) = said(&HooksDir::new().with("probe").settings(&probe("")));
    let has = |list: &[String], text: &str| list.iter().any(|line| line.contains(text));
    assert!(has(&reach.see, "the whole conversation"), "{reach:?}");
    assert!(has(&reach.change, "change what passes"), "{reach:?}");
    assert!(has(&reach.change, "write parts of the prompt"), "{reach:?}");
    assert!(has(&reach.change, "remember things"), "{reach:?}");
    assert!(has(&reach.reach, "send events"), "{reach:?}");
    assert!(!has(&reach.see, "events"), "{reach:?}");
    assert!(carry.is_some());

    let (reach, _) = said(&HooksDir::new().with("tiny"));
    assert!(has(&reach.change, "refuse"), "{reach:?}");
    assert!(!has(&reach.change, "change what passes"), "{reach:?}");
    assert!(reach.reach.is_empty(), "{reach:?}");

    let (reach, _) = said(&filer("read = [\"box\"]"));
    assert_eq!(
        reach.reach,
        ["use files in the directories that it was granted (read: box)"]
    );
}

//! The choice of the workspace to evict, and the error if none can be evicted.

use super::*;

#[tokio::test]
async fn the_least_recently_used_is_evicted_and_restored() {
    let house = house(|_| {});
    house.visit("a", "of a").await;
    house.visit("b", "b").await;
    // Used again, so that b is evicted.
    house.workspaces.open("a").await.unwrap();
    house.visit("c", "c").await;
    assert!(house.root("a").exists() && !house.root("b").exists());
    house.workspaces.close("c").await.unwrap();
    let b = house.workspaces.open("b").await.unwrap();
    assert_eq!(file(b.path()), "b");
    let expected = [
        "opened a: created",
        "opened b: created",
        "snapshot of 1 b: it is being evicted",
        "evicted b: workspace `c` needs room",
        "opened c: created",
        "closed c: requested",
        "opened b: restored from its newest snapshot",
    ];
    assert_eq!(house.notes.take(), expected);
    let hidden = fs::read_dir(house.root("")).unwrap();
    let hidden: Vec<_> = hidden
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(hidden, [".locks"], "nothing is left on the way");
}

#[tokio::test]
async fn when_all_are_in_use_opening_is_retried_and_then_fails() {
    let house = house(|_| {});
    let _a = house.workspaces.open("a").await.unwrap();
    let _b = house.workspaces.open("b").await.unwrap();
    house.notes.take();
    let error = house.workspaces.open("c").await.unwrap_err().to_string();
    for part in [
        "`c`",
        "2 are open",
        "2 retries",
        "all are in use",
        "raise `max_open`",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(house.notes.take(), [retry(1), retry(2)]);
}

/// Returns the note of a retry to make room for `c`.
fn retry(n: u32) -> String {
    format!("retry {n} a: workspace `c` needs room")
}

#[tokio::test]
async fn one_that_becomes_free_in_time_is_evicted() {
    let house = house(|config| config.eviction_retries = 10_000);
    let a = house.workspaces.open("a").await.unwrap();
    let _b = house.workspaces.open("b").await.unwrap();
    house.notes.take();
    let opening = house.workspaces.open("c");
    let free = async {
        let mut notes = Vec::new();
        while !notes.contains(&retry(1)) {
            tokio::time::sleep(Duration::from_millis(1)).await;
            notes.extend(house.notes.take());
        }
        drop(a);
        notes
    };
    let (opened, before) = tokio::join!(opening, free);
    opened.unwrap();
    let notes = [before, house.notes.take()].concat();
    assert_eq!(notes.first(), Some(&retry(1)));
    assert_eq!(notes.last().unwrap(), "opened c: created");
    assert!(notes.contains(&"evicted a: workspace `c` needs room".to_owned()));
}

#[tokio::test]
async fn a_workspace_too_large_for_a_snapshot_is_not_evicted() {
    let house = house(|_| {});
    house.visit("large", &"x".repeat(101)).await;
    house.visit("b", "b").await;
    let c = house.workspaces.open("c").await.unwrap();
    assert!(house.root("large").exists() && !house.root("b").exists());
    house.notes.take();

    // Only the large workspace could be evicted now.
    let error = house.workspaces.open("d").await.unwrap_err().to_string();
    assert!(
        error.contains("`large` holds more than the 100 bytes"),
        "{error}"
    );
    let retry = |n| format!("retry {n} large: workspace `d` needs room");
    assert_eq!(house.notes.take(), [retry(1), retry(2)]);
    assert_eq!(house.workspaces.open_names().await, ["c", "large"]);
    drop(c);
}

#[tokio::test]
async fn a_failed_eviction_is_retried() {
    let house = house(|config| {
        config.max_open = NonZeroUsize::MIN;
        config.snapshots = None;
    });
    house.visit("a", "a").await;
    // Blocks the removal of the workspace.
    fs::write(house.root(".a.leaving"), "").unwrap();
    let error = house.workspaces.open("b").await.unwrap_err().to_string();
    assert!(error.contains(".a.leaving"), "{error}");
    assert_eq!(file(&house.root("a")), "a");
    let retry = |n| format!("retry {n} a: workspace `b` needs room");
    assert_eq!(house.notes.take()[1..], [retry(1), retry(2)]);
    fs::remove_file(house.root(".a.leaving")).unwrap();
    house.workspaces.open("b").await.unwrap();
    let expected = ["evicted a: workspace `b` needs room", "opened b: created"];
    assert_eq!(house.notes.take(), expected);
}

#[tokio::test]
async fn idle_workspaces_are_evicted_and_those_in_use_are_not() {
    let house = house(|config| {
        config.snapshots = None;
        config.idle = Duration::from_millis(20);
    });
    house.visit("idle", "x").await;
    let used = house.workspaces.open("used").await.unwrap();
    assert!(
        house
            .workspaces
            .evict_idle()
            .await
            .unwrap()
            .evicted
            .is_empty()
    );
    tokio::time::sleep(Duration::from_millis(30)).await;
    house.notes.take();
    let evictions = house.workspaces.evict_idle().await.unwrap();
    assert_eq!(evictions.evicted, ["idle"]);
    assert!(evictions.failed.is_empty());
    assert_eq!(house.notes.take(), ["evicted idle: it was idle"]);
    drop(used);
    // Without snapshots its content is lost.
    let idle = house.workspaces.open("idle").await.unwrap();
    assert_eq!(fs::read_dir(idle.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn idle_workspaces_that_cannot_be_evicted_are_reported() {
    let house = house(|config| config.idle = Duration::ZERO);
    house.visit("large", &"x".repeat(101)).await;
    house.visit("gone", "x").await;
    fs::remove_dir_all(house.root("gone")).unwrap();
    house.notes.take();
    let evictions = house.workspaces.evict_idle().await.unwrap();
    assert_eq!(evictions.evicted, ["gone"]);
    let [(name, WorkspaceError::TooLarge { .. })] = evictions.failed.as_slice() else {
        panic!("{evictions:?}");
    };
    assert_eq!(name, "large");
    assert_eq!(house.notes.take(), ["evicted gone: it was idle"]);
}

#[tokio::test]
async fn closed_workspaces_are_evicted_once_they_were_idle() {
    let house = house(|config| config.idle = Duration::ZERO);
    house.visit("a", "of a").await;
    house.visit("b", "b").await;
    house.workspaces.close("a").await.unwrap();
    house.notes.take();
    let evictions = house.workspaces.evict_closed().await.unwrap();
    assert_eq!(
        (evictions.evicted, evictions.failed.len()),
        (vec!["a".to_owned()], 0)
    );
    assert!(!house.root("a").exists() && house.root("b").exists());
    let expected = [
        "snapshot of 4 a: it is being evicted",
        "evicted a: it was closed and idle",
    ];
    assert_eq!(house.notes.take(), expected);
}

#[tokio::test]
async fn a_closed_workspace_that_was_used_is_not_evicted() {
    let house = house(|config| config.idle = Duration::from_secs(3600));
    house.visit("a", "of a").await;
    house.workspaces.close("a").await.unwrap();
    assert!(
        house
            .workspaces
            .evict_closed()
            .await
            .unwrap()
            .evicted
            .is_empty()
    );
    assert!(house.root("a").exists());
}

#[tokio::test]
async fn the_eviction_of_a_closed_workspace_is_retried() {
    let house = house(|config| {
        config.idle = Duration::ZERO;
        config.max_snapshot_bytes = 1;
        config.eviction_retries = 1;
        config.eviction_delay = Duration::ZERO;
    });
    house.visit("a", "of a").await;
    house.workspaces.close("a").await.unwrap();
    house.notes.take();
    let evictions = house.workspaces.evict_closed().await.unwrap();
    assert!(matches!(evictions.failed.as_slice(), [(name, _)] if name == "a"));
    assert!(house.root("a").exists());
    assert_eq!(house.notes.take(), ["retry 1 a: its eviction failed"]);
}

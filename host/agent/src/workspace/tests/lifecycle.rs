//! Opening, closing and snapshots.

use super::*;

#[tokio::test]
async fn a_workspace_is_opened_shared_closed_and_reopened() {
    let house = house(|_| {});
    let one = house.workspaces.open("a").await.unwrap();
    let two = house.workspaces.open("a").await.unwrap();
    assert_eq!((one.name(), one.path()), ("a", house.root("a").as_path()));
    assert_eq!(one.path(), two.path());
    fs::write(one.path().join("file"), "kept").unwrap();
    drop(one);
    let error = house.workspaces.close("a").await.unwrap_err();
    assert!(matches!(error, WorkspaceError::InUse { .. }), "{error}");
    drop(two);
    house.workspaces.close("a").await.unwrap();
    house.workspaces.close("a").await.unwrap();
    assert!(house.workspaces.open_names().await.is_empty());
    assert_eq!(
        file(house.workspaces.open("a").await.unwrap().path()),
        "kept"
    );
    assert_eq!(house.workspaces.open_names().await, ["a"]);
    let expected = [
        "opened a: created",
        "closed a: requested",
        "opened a: reopened",
    ];
    assert_eq!(house.notes.take(), expected);
}

#[test]
fn an_operation_that_got_no_thread_keeps_nothing_from_the_next() {
    let house = house(|_| {});
    let mut without = tokio::runtime::Builder::new_current_thread();
    let without = without.enable_all().thread_stack_size(1 << 60).build();
    let without = without.unwrap();
    let error = without.block_on(house.workspaces.open("a")).unwrap_err();
    assert!(error.to_string().contains("no more threads"), "{error}");
    let with = tokio::runtime::Runtime::new().unwrap();
    let opened = with.block_on(async {
        tokio::time::timeout(Duration::from_secs(20), house.workspaces.open("a")).await
    });
    assert!(opened.expect("the table is free").is_ok());
}

#[tokio::test]
async fn snapshots_are_numbered_upwards_and_the_oldest_go() {
    let house = house(|config| config.max_snapshots = NonZeroUsize::new(2).unwrap());
    let workspace = house.workspaces.open("a").await.unwrap();
    let snapshots = house.dir.path().join("snapshots/a");
    // A crash has left half a snapshot, and the clock was once far ahead.
    fs::create_dir_all(snapshots.join(".partial/junk")).unwrap();
    fs::create_dir(snapshots.join("9999999999999")).unwrap();
    let mut taken = Vec::new();
    for text in ["1", "22", "333"] {
        fs::write(workspace.path().join("file"), text).unwrap();
        taken.push(house.workspaces.snapshot("a").await.unwrap());
    }
    assert!(taken.is_sorted());
    assert!(!taken[0].exists());
    assert_eq!(
        (file(&taken[1]), file(&taken[2])),
        ("22".into(), "333".into())
    );
    assert_eq!(fs::read_dir(&snapshots).unwrap().count(), 2);
    let expected = [
        "opened a: created",
        "snapshot of 1 a: requested",
        "snapshot of 2 a: requested",
        "snapshot of 3 a: requested",
    ];
    assert_eq!(house.notes.take(), expected);
}

#[tokio::test]
async fn a_snapshot_that_cannot_be_taken_says_why_and_leaves_nothing() {
    let house = house(|_| {});
    let error = house.workspaces.snapshot("a").await.unwrap_err();
    assert!(matches!(error, WorkspaceError::NotOpen { .. }), "{error}");
    house.visit("a", &"x".repeat(101)).await;
    let error = house.workspaces.snapshot("a").await.unwrap_err();
    assert!(matches!(error, WorkspaceError::TooLarge { .. }), "{error}");
    let snapshots = house.dir.path().join("snapshots/a");
    assert_eq!(fs::read_dir(snapshots).unwrap().count(), 0);

    let house = super::house(|config| config.snapshots = None);
    house.visit("a", "x").await;
    let error = house.workspaces.snapshot("a").await.unwrap_err();
    assert!(
        matches!(error, WorkspaceError::NoSnapshots { .. }),
        "{error}"
    );
    assert_eq!(house.notes.take(), ["opened a: created"]);
}

#[tokio::test]
async fn a_failed_open_is_not_an_event() {
    let house = house(|config| config.snapshots = Some(config.root.join("snaps")));
    fs::create_dir_all(house.root("")).unwrap();
    fs::write(house.root("taken"), "a file").unwrap();
    let cases = [
        ("../a", "cannot name a workspace"),
        ("snaps", "the snapshots are kept there"),
        ("taken", "is not a directory"),
    ];
    for (name, expected) in cases {
        let error = house.workspaces.open(name).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/", house.root("link")).unwrap();
        let error = house.workspaces.open("link").await.unwrap_err();
        assert!(
            matches!(error, WorkspaceError::NotADirectory { .. }),
            "{error}"
        );
    }
    assert!(house.notes.take().is_empty());
    assert!(house.workspaces.open_names().await.is_empty());
}

#[tokio::test]
async fn a_workspace_is_open_in_one_host_at_a_time() {
    let house = house(|_| {});
    let other = Workspaces::new(WorkspaceConfig::new(house.root("")));
    let guard = house.workspaces.open("a").await.unwrap();
    let error = other.open("a").await.unwrap_err();
    assert!(
        matches!(error, WorkspaceError::OpenElsewhere { .. }),
        "{error}"
    );
    // A user of the workspace keeps it open, even if the host is dropped.
    let House {
        dir, workspaces, ..
    } = house;
    drop(workspaces);
    assert!(other.open("a").await.is_err());
    drop(guard);
    other.open("a").await.unwrap();
    drop(dir);
}

#[tokio::test]
async fn an_operation_runs_to_its_end() {
    let house = house(|_| {});
    // After one poll the work has begun. The thread may already have finished it.
    let mut open = Box::pin(house.workspaces.open("a"));
    drop(futures::poll!(&mut open));
    drop(open);
    assert_eq!(house.workspaces.open_names().await, ["a"]);
    assert_eq!(house.notes.take(), ["opened a: created"]);
    // The result is dropped, so the workspace will soon not be in use.
    let closed = async {
        while house.workspaces.close("a").await.is_err() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), closed)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_observers_panic_is_ignored() {
    struct Panics;
    impl WorkspaceObserver for Panics {
        fn happened<'a>(&'a self, _: &'a WorkspaceEvent) -> BoxFuture<'a, ()> {
            async {
                // Observers may be async, like the observers that run hooks.
                tokio::time::sleep(Duration::from_millis(1)).await;
                panic!("an observer's panic, part of a test");
            }
            .boxed()
        }
    }
    let notes = Arc::new(Notes::default());
    let dir = tempfile::tempdir().unwrap();
    let workspaces = Workspaces::new(WorkspaceConfig::new(dir.path()))
        .observed_by(Arc::new(Panics))
        .observed_by(notes.clone());
    // In another task, which also shows that the future is `Send`.
    let opened = tokio::spawn(async move { workspaces.open("a").await });
    assert!(opened.await.unwrap().is_ok());
    assert_eq!(notes.take(), ["opened a: created"]);
}

use super::*;

fn open(hooks: &Path, read: &[&str], write: &[&str]) -> Result<Arc<[Directory]>, Vec<Unusable>> {
    let owned = |paths: &[&str]| {
        paths
            .iter()
            .map(|path| (*path).to_owned())
            .collect::<Vec<_>>()
    };
    Directory::open_all(hooks, &BTreeMap::new(), &owned(read), &owned(write))
}

/// Creates a hooks directory with directories in it and next to it.
fn hooks() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let hooks = dir.path().join("hooks");
    for name in ["hooks/a/in", "hooks/b", "beside"] {
        std::fs::create_dir_all(dir.path().join(name)).unwrap();
    }
    std::fs::write(hooks.join("file"), "").unwrap();
    (dir, hooks)
}

#[test]
fn a_grant_names_directories_from_that_of_the_hooks() {
    let (dir, hooks) = hooks();
    let absolute = dir.path().canonicalize().unwrap().join("beside");
    let absolute = absolute.to_str().unwrap();
    let read = ["a", "b", "../beside", ".", absolute];
    let opened = open(&hooks, &read, &["b"]).unwrap();
    let found: Vec<_> = opened.iter().map(|d| (&*d.guest, d.writable)).collect();
    let expected = [
        ("b", true),
        ("a", false),
        ("../beside", false),
        (".", false),
        (absolute, false),
    ];
    assert_eq!(found, expected);
    for (path, why) in [
        ("none", "is not there"),
        ("file", "is no directory"),
        ("file/in", "is no directory"),
    ] {
        let unusable = open(&hooks, &[path], &[]).expect_err(path);
        assert_eq!(unusable[0].path, path);
        assert!(unusable[0].why.contains(why), "{}", unusable[0].why);
    }
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_wherever_it_stands() {
    use std::os::unix::fs::symlink;
    let (dir, hooks) = hooks();
    symlink("..", hooks.join("a/up")).unwrap();
    symlink("a", hooks.join("short")).unwrap();
    let outside = dir.path().canonicalize().unwrap().join("link");
    symlink("beside", &outside).unwrap();
    for path in [
        "a/up",
        "short",
        "short/in",
        "a/up/b",
        outside.to_str().unwrap(),
    ] {
        let unusable = open(&hooks, &[path], &[]).expect_err(path);
        let why = &unusable[0].why;
        assert!(why.contains("symbolic link"), "{path}: {why}");
        assert!(
            why.contains("grant the directory that it leads to"),
            "{why}"
        );
    }
    // The path that the operator named may have links.
    let named = dir.path().join("named");
    symlink("hooks", &named).unwrap();
    assert!(open(&named, &["a/in"], &[]).is_ok());
}

#[cfg(unix)]
#[test]
fn a_directory_is_the_one_that_was_opened_whatever_stands_at_its_path() {
    let (_dir, hooks) = hooks();
    let before = open(&hooks, &["a", "a/in"], &[]).unwrap();
    assert!(before[1].is_within(&before[0]));
    assert!(!before[0].is_within(&before[1]) && !before[0].is_within(&before[0]));
    let again = open(&hooks, &["a"], &[]).unwrap();
    assert_eq!(before[0], again[0]);
    std::fs::rename(hooks.join("a"), hooks.join("was")).unwrap();
    std::fs::create_dir(hooks.join("a")).unwrap();
    let after = open(&hooks, &["a"], &[]).unwrap();
    assert_ne!(before[0], after[0]);
}

#[cfg(unix)]
#[test]
fn what_a_path_passes_through_holds_every_directory_and_every_link() {
    use std::os::unix::fs::symlink;
    let (dir, hooks) = hooks();
    // `hooks/file` is found through a link in `b`, by way of `a`.
    symlink("../a/in/../../file", hooks.join("b/link")).unwrap();
    let directories = ["a", "a/in", "b", ".", "../beside"];
    let granted = open(&hooks, &directories, &[]).unwrap();
    let among = |path: &str| {
        let passed = passed(&hooks.join(path)).unwrap();
        let among: Vec<bool> = granted.iter().map(|d| d.is_among(&passed)).collect();
        among
    };
    assert_eq!(among("file"), [false, false, false, true, false]);
    assert_eq!(among("b/link"), [true, true, true, true, false]);
    assert_eq!(among("a/none/at/all"), [true, false, false, true, false]);
    symlink("round", dir.path().join("round")).unwrap();
    assert!(passed(&dir.path().join("round")).is_err());
}

//! Tests of state in memory.

use super::writer::tests::FailsOnce;
use super::*;

fn open(store: &Arc<MemoryState>) -> Transaction {
    Transaction::new(
        store.clone(),
        Quota {
            keys: 3,
            bytes: 100,
        },
        WriteState::AfterAnswer,
    )
}

fn costs() -> Namespace {
    Namespace::Shared("costs".into())
}

#[test]
fn a_session_that_is_left_is_remembered_in_another_host() {
    let private = |opening| Namespace::Private {
        opening,
        hook: "counts".into(),
    };
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    for opening in [1, 2] {
        let n = opening.to_string().into_bytes();
        call.set(&private(opening), "n".into(), n).expect("room");
    }
    call.commit();
    let kept = serde_json::to_string(&store.export(1)).expect("JSON");
    let there = Arc::new(MemoryState::default());
    there.import(7, serde_json::from_str(&kept).expect("what was kept"));
    let call = open(&there);
    assert_eq!(call.get(&private(7), "n"), Some(b"1".to_vec()));
    assert_eq!(call.get(&private(2), "n"), None);
}

#[test]
fn plain_writes_wait_for_the_commit() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    call.set(&costs(), "a".into(), b"1".to_vec()).expect("room");
    assert_eq!(call.get(&costs(), "a"), Some(b"1".to_vec()));
    assert_eq!(store.shared("costs", "a"), None);
    call.commit();
    assert_eq!(store.shared("costs", "a"), Some(b"1".to_vec()));
}

#[test]
fn a_failed_call_leaves_nothing() {
    let store = Arc::new(MemoryState::default());
    store.set_shared("costs", "total", b"5".to_vec());
    let mut call = open(&store);
    call.set(&costs(), "a".into(), b"x".to_vec()).expect("room");
    assert_eq!(call.increment(&costs(), "total".into(), 3), Ok(8));
    assert_eq!(
        call.swap(&costs(), "lock".into(), None, Some(b"me".to_vec())),
        Ok(true)
    );
    // Another session adds while the call runs.
    let mut other = open(&store);
    assert_eq!(other.increment(&costs(), "total".into(), 10), Ok(18));
    other.commit();
    drop(call);
    assert_eq!(store.shared("costs", "total"), Some(b"15".to_vec()));
    assert_eq!(store.shared("costs", "lock"), None);
    assert_eq!(store.shared("costs", "a"), None);
}

#[test]
fn what_a_failed_call_made_is_gone() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    assert_eq!(call.increment(&costs(), "new".into(), 3), Ok(3));
    drop(call);
    assert_eq!(store.shared("costs", "new"), None);
}

#[test]
fn what_others_took_away_does_not_come_back() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    assert_eq!(call.increment(&costs(), "total".into(), 10), Ok(10));
    let mut reset = open(&store);
    reset.delete(&costs(), "total".into());
    reset.commit();
    drop(call);
    assert_eq!(store.shared("costs", "total"), None);
}

#[test]
fn what_a_call_overwrites_is_its_own_until_it_commits() {
    let store = Arc::new(MemoryState::default());
    store.set_shared("costs", "total", b"100".to_vec());
    let mut call = open(&store);
    call.set(&costs(), "total".into(), b"0".to_vec())
        .expect("room");
    assert_eq!(call.increment(&costs(), "total".into(), 5), Ok(5));
    let mut other = open(&store);
    assert_eq!(other.increment(&costs(), "total".into(), 5), Ok(105));
    other.commit();
    drop(call);
    assert_eq!(store.shared("costs", "total"), Some(b"105".to_vec()));
}

#[test]
fn undoing_is_capped_too() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    let full = (0..100).find_map(|_| call.increment(&costs(), "n".into(), 1).err());
    assert_eq!(full, Some(StateFault::TooManyBytes(100)));
}

#[test]
fn a_swap_sees_what_the_call_wrote_before() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    call.set(&costs(), "a".into(), b"1".to_vec()).expect("room");
    let swapped = call.swap(&costs(), "a".into(), Some(b"1".to_vec()), None);
    assert_eq!(swapped, Ok(true));
    assert_eq!(call.keys(&costs()), Vec::<String>::new());
}

#[test]
fn keys_and_bytes_are_capped() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    let too_big = call.set(&costs(), "a".into(), vec![0; 100]);
    assert_eq!(too_big, Err(StateFault::TooManyBytes(100)));
    for key in ["a", "b", "c"] {
        call.set(&costs(), key.into(), Vec::new()).expect("room");
    }
    let one_more = call.set(&costs(), "d".into(), Vec::new());
    assert_eq!(one_more, Err(StateFault::TooManyKeys(3)));
}

#[test]
fn what_is_deleted_in_a_store_is_capped() {
    let store = Arc::new(MemoryState::default());
    let costs: Arc<str> = "costs".into();
    let mut call = open(&store);
    let too_long = call.delete_stored(&costs, "k".repeat(101));
    assert_eq!(too_long, Err(StateFault::TooManyBytes(100)));
    assert!(call.is_clean());
    for key in ["a", "b", "c", "a"] {
        assert_eq!(call.delete_stored(&costs, key.into()), Ok(()));
    }
    let one_more = call.delete_stored(&costs, "d".into());
    assert_eq!(one_more, Err(StateFault::TooManyKeys(3)));
}

#[tokio::test]
async fn what_is_swapped_for_nothing_in_a_store_is_capped_too() {
    let store = Arc::new(MemoryState::stored(FailsOnce::new(1)));
    let writer = store.writer().expect("it has a store").clone();
    let costs: Arc<str> = "costs".into();
    let mut call = open(&store);
    for (key, expected) in [
        ("a", Ok(true)),
        ("b", Ok(true)),
        ("c", Ok(true)),
        ("d", Err(StateFault::TooManyKeys(3))),
    ] {
        let set = call.set_stored(&writer, &costs, key.into(), b"1".to_vec());
        assert_eq!(set.await, Ok(Ok(())));
        let one = Some(b"1".to_vec());
        let swapped = call.swap_stored(&writer, &costs, key.into(), one, None);
        assert_eq!(swapped.await, Ok(expected));
    }
}

#[test]
fn what_was_never_there_is_not_remembered_as_gone() {
    let store = Arc::new(MemoryState::default());
    let mut call = open(&store);
    call.set(&costs(), "a".into(), b"1".to_vec()).expect("room");
    let swapped = call.swap(&costs(), "a".into(), Some(b"1".to_vec()), None);
    assert_eq!(swapped, Ok(true));
    assert!(call.is_clean());
}

#[test]
fn a_key_counts_once_whoever_wrote_it() {
    let store = Arc::new(MemoryState::default());
    for key in ["a", "b", "c"] {
        store.set_shared("costs", key, vec![0; 30]);
    }
    let mut call = open(&store);
    let mut set = |key: &str, len| call.set(&costs(), key.into(), vec![0; len]);
    // The three keys and the other two values have 63 bytes.
    assert_eq!(set("a", 37), Ok(()));
    assert_eq!(set("a", 38), Err(StateFault::TooManyBytes(100)));
    assert_eq!(set("b", 30), Ok(()));
    assert_eq!(set("d", 0), Err(StateFault::TooManyKeys(3)));
    // Values that the call overwrites do not count; the others do.
    store.set_shared("costs", "b", vec![0; 90]);
    assert_eq!(set("a", 37), Ok(()));
    store.set_shared("costs", "c", vec![0; 31]);
    assert_eq!(set("a", 37), Err(StateFault::TooManyBytes(100)));
    store.remove_shared("costs", "c");
    assert_eq!(set("d", 30), Ok(()));
    store.remove_shared("costs", "a");
    assert_eq!(set("a", 37), Ok(()));
    assert_eq!(set("a", 38), Err(StateFault::TooManyBytes(100)));
    call.delete(&costs(), "b".into());
    assert_eq!(call.keys(&costs()), ["a", "d"]);
    let set = call.set(&costs(), "b".into(), vec![0; 31]);
    assert_eq!(set, Err(StateFault::TooManyBytes(100)));
    call.commit();
    assert_eq!(open(&store).keys(&costs()), ["a", "d"]);
}

#[test]
fn text_is_not_a_number_and_sums_do_not_wrap() {
    let store = Arc::new(MemoryState::default());
    store.set_shared("costs", "name", b"x".to_vec());
    store.set_shared("costs", "most", i64::MAX.to_string().into_bytes());
    let mut call = open(&store);
    for key in ["name", "most"] {
        let sum = call.increment(&costs(), key.into(), 1);
        assert_eq!(sum, Err(StateFault::NotANumber));
    }
}

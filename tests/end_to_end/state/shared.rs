//! Shared state in the store, which several hosts have open.

use std::sync::Arc;

use portcullis::capabilities::CallMode;
use portcullis_tests::TestStore;

use super::{ask, host, session, spender, tell};

#[tokio::test]
async fn hosts_see_what_the_others_share() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let (here, there) = (host(&dir, &store), host(&dir, &store));
    let (one, two) = (session(&here, "one").await, session(&there, "two").await);
    assert_eq!(ask(&one, "add 3").await, "3");
    assert_eq!(ask(&two, "add 4").await, "7");
    assert_eq!(ask(&one, "sum").await, "7");
    assert_eq!(ask(&one, "put here").await, "put");
    assert_eq!(ask(&two, "read").await, "here");
    assert_eq!(ask(&two, "take two").await, "true");
    assert_eq!(ask(&one, "take one").await, "false");
    assert_eq!(ask(&one, "keys").await, "owner sum value");
    assert_eq!(here.state().shared("sums", "sum"), None);
}

#[tokio::test]
async fn a_hook_that_imports_shared_state_can_wait_only_where_there_is_a_store() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let calling = |hooks: &portcullis::Hooks| hooks.reports()[0].calling;
    assert_eq!(calling(&dir.load()), CallMode::Sync);
    assert_eq!(calling(&host(&dir, &store)), CallMode::Async);
}

/// Runs a host that spends one by one. Returns the number of permitted spends.
async fn spend(dir: &portcullis_tests::HooksDir, store: &Arc<TestStore>, tries: usize) -> usize {
    let hooks = host(dir, store);
    let session = session(&hooks, "spends").await;
    let mut spent = 0;
    for _ in 0..tries {
        let (_, verdict) = tell(&session, "spend 1 300").await;
        spent += usize::from(verdict.decision.passed());
    }
    spent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hosts_never_spend_more_than_one_budget() {
    let (dir, store) = (Arc::new(spender("")), Arc::new(TestStore::default()));
    let spends = || {
        let (dir, store) = (dir.clone(), store.clone());
        tokio::spawn(async move { spend(&dir, &store, 500).await })
    };
    let (here, there) = (spends(), spends());
    let spent = here.await.expect("a host") + there.await.expect("a host");
    assert!(spent <= 300, "{spent}");
    assert_eq!(store.shared("sums", "sum"), Some(spent.to_string()));
}

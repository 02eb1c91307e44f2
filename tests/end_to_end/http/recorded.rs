//! Recorded calls: the bodies of all requests of a call are bounded together.

use std::num::NonZeroUsize;

use portcullis_store::RecordingOptions;
use tokio::task::block_in_place;

use super::dir;
use super::server::{Answer, Server};
use crate::recorded_directories::record;

const MIB: usize = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_too_large_together_are_missing_in_their_call_only() -> anyhow::Result<()> {
    let server = Server::new(Answer::Bytes(MIB)).await;
    let dir = dir(
        &[server.grant("GET")],
        "http-response-bytes = 16_777_216\nfuel = false\ndeadline-ms = 10_000\nwall-ms = 20_000",
    );
    let recording = RecordingOptions {
        call_bytes: NonZeroUsize::new(64 * MIB).expect("some"),
        ..RecordingOptions::default()
    };
    let lines = [3, 6, 4].map(|times| format!("times {} {times}", server.url()));
    let lines = lines.each_ref().map(String::as_str);
    let (store, filter) = record(dir.path(), recording, &lines).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let missing = "more than 4 MiB of requests and responses";
    let expected = [(3, 3, None), (6, 4, Some(missing)), (4, 4, None)];
    assert_eq!(calls.len(), expected.len());
    for (call, (requests, mib, missing)) in calls.iter().zip(expected) {
        let responses = call.world.requests.iter().map(|request| &request.response);
        let bodies = responses.map(|response| match response {
            Some(response) => response.body.content().len(),
            None => 0,
        });
        let bodies: Vec<usize> = bodies.collect();
        assert_eq!(bodies.len(), requests);
        let (kept, most) = (bodies.iter().sum::<usize>(), mib * MIB);
        match missing {
            None => assert_eq!(kept, most),
            // The piece that does not fit is the last that is read.
            Some(_) => assert!(kept <= most && kept > most - MIB, "{bodies:?}"),
        }
        assert_eq!(call.world.missing.as_deref(), missing);
        let why = missing.map(|missing| format!("it was not recorded as a whole: {missing}"));
        assert_eq!(call.cannot_be_replayed(), why);
    }
    Ok(())
}

//! Hostile files in the hooks directory of a crowd.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::load::Crowd;
use crate::place;

/// Puts one file after another into the hooks directory and loads the hooks again, with it and without it,
/// until the sessions are done. Returns how many files there were, and how many of them loaded.
pub(super) async fn put(
    crowd: &Crowd,
    least: usize,
    done: Arc<AtomicBool>,
) -> Result<(usize, usize), String> {
    let (hooks, dir, files) = (crowd.hooks.clone(), crowd.dir(), crowd.files.clone());
    let putting = tokio::task::spawn_blocking(move || {
        let known = hooks.reports().len();
        let (mut put, mut loaded) = (0, 0);
        for (place, bytes) in files.iter().cycle() {
            if put >= least && done.load(Ordering::Relaxed) {
                break;
            }
            // A place that this machine does not support is skipped.
            if place::put(&dir, *place, bytes).map_err(|e| e.to_string())? {
                let _ = hooks.reload();
                loaded += usize::from(hooks.reports().len() > known);
            }
            place::take_away(&dir);
            let _ = hooks.reload();
            put += 1;
        }
        Ok((put, loaded))
    });
    putting.await.map_err(|e| e.to_string())?
}

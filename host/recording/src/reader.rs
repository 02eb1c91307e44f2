//! Reading calls from blocks.

use std::collections::HashMap;
use std::sync::Arc;

use portcullis::recording::RecordedSetup;
use serde::Deserialize as _;
use serde_json::Value;

use crate::age::{self, Identities};
use crate::block::FORMAT;
use crate::call::{Line, StoredCall};
use crate::compression;
use crate::error::RecordingError;
use crate::files::{StoredDirectory, StoredTree};

/// Reads the calls of a block that a host wrote, in the order in which they ended.
///
/// # Errors
///
/// The block is damaged, written by a newer version, or encrypted for others than these identities.
pub fn read(
    host: i64,
    bytes: &[u8],
    identities: &Identities,
) -> Result<Vec<StoredCall>, RecordingError> {
    let bytes = age::plain(bytes, identities)?;
    let text = compression::decompress(&bytes)?;
    let mut lines = text.split(|byte| *byte == b'\n');
    let format = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let format: Option<u32> = format.and_then(|format| format.parse().ok());
    match format {
        Some(1..=FORMAT) => {}
        Some(found) => {
            return Err(RecordingError::Newer {
                found,
                known: FORMAT,
            });
        }
        None => return Err(RecordingError::Damaged("it has no format".to_owned())),
    }
    let (mut setups, mut values, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut trees = HashMap::new();
    let mut sessions: HashMap<String, Arc<str>> = HashMap::new();
    for line in lines {
        match line.split_first() {
            None => {}
            Some((b'S', json)) => setups.push(Arc::new(parsed::<RecordedSetup>(json)?)),
            Some((b'V', json)) => values.push(Arc::new(parsed::<Value>(json)?)),
            Some((b'C', json)) => {
                let line: Line = parsed(json)?;
                calls.push(stored(
                    host,
                    line,
                    &setups,
                    &values,
                    &mut trees,
                    &mut sessions,
                )?);
            }
            // A line of a kind that a later version added without changing the format's number.
            Some(_) => {}
        }
    }
    Ok(calls)
}

fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(json).map_err(RecordingError::damaged)
}

fn stored(
    host: i64,
    line: Line,
    setups: &[Arc<RecordedSetup>],
    values: &[Arc<Value>],
    trees: &mut HashMap<usize, Arc<StoredTree>>,
    sessions: &mut HashMap<String, Arc<str>>,
) -> Result<StoredCall, RecordingError> {
    let lost =
        |what: &str| RecordingError::Damaged(format!("a call names {what} that is not there"));
    let mut views = std::collections::BTreeMap::new();
    for (name, index) in line.shared {
        let value = values.get(index).ok_or_else(|| lost("a view"))?;
        views.insert(name, value.clone());
    }
    for (name, value) in line.views {
        views.insert(name, Arc::new(value));
    }
    let mut tree = |index: usize| match trees.get(&index) {
        Some(tree) => Ok(tree.clone()),
        None => {
            let value = values.get(index).ok_or_else(|| lost("a directory"))?;
            let tree = StoredTree::deserialize(&**value).map_err(RecordingError::damaged)?;
            let tree = Arc::new(tree);
            trees.insert(index, tree.clone());
            Ok(tree)
        }
    };
    let directories = line.directories.into_iter().map(|directory| {
        Ok(StoredDirectory {
            guest: directory.guest,
            before: tree(directory.before)?,
            after: directory.after.map(&mut tree).transpose()?,
        })
    });
    let directories = directories.collect::<Result<_, RecordingError>>()?;
    let session = sessions
        .entry(line.session)
        .or_insert_with_key(|id| id.as_str().into());
    Ok(StoredCall {
        host,
        id: line.id,
        at_ms: line.at,
        session: session.clone(),
        setup: setups
            .get(line.setup)
            .ok_or_else(|| lost("a setup"))?
            .clone(),
        instance: line.instance,
        point: line.point,
        context: line.context,
        subject: line.subject,
        views,
        world: line.world,
        directories,
        contents: Arc::default(),
        outcome: line.outcome,
        redacted: line.redacted,
        too_large: line.too_large,
    })
}

//! Reads a directory piece by piece. wasmtime reads all of it for each stream, before the first
//! entry is requested: a thousand streams of a large directory take gigabytes of the host's memory.
//!
//! If directories are recorded or calls are replayed, the entries are sorted by name: a file system
//! orders a copy of the directory differently.

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, Dir, FileType, statat};
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime_wasi::WasiView as _;
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorType, DirectoryEntry, DirectoryEntryStream, ErrorCode,
};

use crate::model::failure::Failure;
use crate::model::threads;
use crate::sandbox::store::HookStore;

/// The version that `wasmtime-wasi` implements.
const TYPES: &str = "wasi:filesystem/types@0.2.12";
/// The number of entries that are read at once.
const PIECE: usize = 64;
/// The number of entries that are read at once for sorting; more than a recorded directory has.
const ORDERED: usize = 4_097;

type Entry = Result<DirectoryEntry, ErrorCode>;

/// A directory being read.
pub(super) struct Listing {
    dir: Arc<Mutex<Dir>>,
    /// The entries that were read and not yet requested.
    read: VecDeque<Entry>,
    /// Whether entries are sorted by name.
    ordered: bool,
}

/// Replaces the linked functions with these.
pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    let mut types = linker.instance(TYPES)?;
    types.resource(
        "directory-entry-stream",
        ResourceType::host::<DirectoryEntryStream>(),
        |mut store, rep| {
            let table = store.data_mut().ctx().table;
            table.delete(Resource::<Listing>::new_own(rep))?;
            Ok(())
        },
    )?;
    types.func_wrap_async(
        "[method]descriptor.read-directory",
        |mut store: StoreContextMut<'_, HookStore>, (dir,): (Resource<Descriptor>,)| {
            Box::new(async move { Ok((begin(store.data_mut(), &dir).await?,)) })
        },
    )?;
    types.func_wrap_async(
        "[method]directory-entry-stream.read-directory-entry",
        |mut store: StoreContextMut<'_, HookStore>,
         (stream,): (Resource<DirectoryEntryStream>,)| {
            Box::new(async move { Ok((next(store.data_mut(), &stream).await?,)) })
        },
    )?;
    linker.allow_shadowing(false);
    Ok(())
}

type Begun = Result<Resource<DirectoryEntryStream>, ErrorCode>;

async fn begin(store: &mut HookStore, dir: &Resource<Descriptor>) -> wasmtime::Result<Begun> {
    let ordered = store.tape.as_ref().is_some_and(|tape| tape.orders());
    let table = store.ctx().table;
    let dir = match table.get(dir)? {
        Descriptor::Dir(dir) => dir.dir.clone(),
        Descriptor::File(_) => return Ok(Err(ErrorCode::NotDirectory)),
    };
    // Opened again, so that every stream starts with the first entry.
    let opened = blocking(move || Dir::read_from(&*dir).map_err(io::Error::from)).await?;
    let listing = match opened {
        Ok(dir) => Listing {
            dir: Arc::new(Mutex::new(dir)),
            read: VecDeque::new(),
            ordered,
        },
        Err(e) => return Ok(Err(ErrorCode::from(e))),
    };
    let rep = table.push(listing)?.rep();
    Ok(Ok(Resource::new_own(rep)))
}

async fn next(
    store: &mut HookStore,
    stream: &Resource<DirectoryEntryStream>,
) -> wasmtime::Result<Result<Option<DirectoryEntry>, ErrorCode>> {
    let listing = Resource::<Listing>::new_borrow(stream.rep());
    let listing = store.ctx().table.get_mut(&listing)?;
    if listing.read.is_empty() {
        let (dir, ordered) = (listing.dir.clone(), listing.ordered);
        listing.read = blocking(move || match ordered {
            true => in_order(piece(&dir, ORDERED)),
            false => piece(&dir, PIECE),
        })
        .await?;
    }
    Ok(listing.read.pop_front().transpose())
}

/// Runs `body` on a blocking thread. If there is no thread, the host has failed, and not the hook.
async fn blocking<T: Send + 'static>(
    body: impl FnOnce() -> T + Send + 'static,
) -> wasmtime::Result<T> {
    let done = threads::blocking(body).await;
    done.map_err(|e| Failure::Host(format!("a directory was not read: {e}")).into())
}

/// Sorts entries by name, with those that could not be read at the end.
fn in_order(mut read: VecDeque<Entry>) -> VecDeque<Entry> {
    read.make_contiguous()
        .sort_by(|one, other| match (one, other) {
            (Ok(one), Ok(other)) => one.name.cmp(&other.name),
            (one, other) => one.is_err().cmp(&other.is_err()),
        });
    read
}

/// Returns the next entries, at most `most`; none at the end.
fn piece(dir: &Mutex<Dir>, most: usize) -> VecDeque<Entry> {
    let mut dir = dir.lock().unwrap_or_else(PoisonError::into_inner);
    let mut read = VecDeque::new();
    while read.len() < most {
        let Some(entry) = dir.next() else { break };
        match entry.map_err(io::Error::from) {
            Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
            Ok(entry) => read.push_back(known(&dir, &entry)),
            Err(e) => {
                read.push_back(Err(ErrorCode::from(e)));
                break;
            }
        }
    }
    read
}

fn known(dir: &Dir, entry: &rustix::fs::DirEntry) -> Entry {
    let file_type = match entry.file_type() {
        // Some file systems report the type only for the file itself.
        FileType::Unknown => {
            let dir = dir.fd().map_err(io::Error::from)?;
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            let stat = statat(dir.as_fd(), entry.file_name(), flags).map_err(io::Error::from)?;
            FileType::from_raw_mode(stat.st_mode)
        }
        known => known,
    };
    let name = entry.file_name().to_str();
    Ok(DirectoryEntry {
        type_: descriptor_type(file_type),
        name: name.map_err(|_| ErrorCode::IllegalByteSequence)?.to_owned(),
    })
}

const fn descriptor_type(file_type: FileType) -> DescriptorType {
    match file_type {
        FileType::RegularFile => DescriptorType::RegularFile,
        FileType::Directory => DescriptorType::Directory,
        FileType::Symlink => DescriptorType::SymbolicLink,
        FileType::Fifo => DescriptorType::Fifo,
        FileType::Socket => DescriptorType::Socket,
        FileType::CharacterDevice => DescriptorType::CharacterDevice,
        FileType::BlockDevice => DescriptorType::BlockDevice,
        FileType::Unknown => DescriptorType::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_is_not_read_for_want_of_a_thread_fails_the_host() {
        let runtime = threads::runtime_without_threads();
        let error = runtime.block_on(blocking(|| ())).expect_err("no thread");
        let failure = error.downcast_ref::<Failure>();
        assert!(matches!(failure, Some(Failure::Host(_))), "{failure:?}");
    }
}

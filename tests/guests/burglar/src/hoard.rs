//! Attacks with memory that the host holds for a guest, which is not in the guest's memory.

use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

use crate::granted;

/// More than any hook may hold.
const MANY: usize = 100_000;

/// Makes the host read a large directory repeatedly, and hold the results.
pub(crate) fn directory_streams() {
    let Some(dir) = granted("data") else { return };
    for _ in 0..MANY {
        if let Ok(stream) = dir.read_directory() {
            std::mem::forget(stream);
        }
    }
}

/// Opens a directory repeatedly.
pub(crate) fn descriptors() {
    let Some(dir) = granted("data") else { return };
    for _ in 0..MANY {
        let flags = DescriptorFlags::READ;
        if let Ok(opened) = dir.open_at(PathFlags::empty(), ".", OpenFlags::DIRECTORY, flags) {
            std::mem::forget(opened);
        }
    }
}

/// Makes the host read ahead in a file, in as many streams as possible.
pub(crate) fn file_streams() {
    let Some(dir) = granted("data") else { return };
    let write = DescriptorFlags::READ | DescriptorFlags::WRITE;
    let Ok(file) = dir.open_at(PathFlags::empty(), "large", OpenFlags::CREATE, write) else {
        return;
    };
    let piece = vec![b'x'; 64 << 10];
    for index in 0..16 {
        let _ = file.write(&piece, index * piece.len() as u64);
    }
    for _ in 0..MANY {
        if let Ok(stream) = file.read_via_stream(0) {
            // Read by the host in the background, and never fetched.
            let _ = stream.read(1 << 20);
            std::mem::forget(stream);
        }
    }
}

/// Passes the longest possible paths to the host, repeatedly.
pub(crate) fn paths() {
    let Some(dir) = granted("data") else { return };
    let path = "x/".repeat(400 << 10);
    for _ in 0..MANY {
        let _ = dir.stat_at(PathFlags::empty(), &path);
    }
}

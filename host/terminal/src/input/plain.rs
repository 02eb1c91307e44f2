//! Plain lines of a terminal, which edits and echoes them itself.

use std::io;

use super::keyboard::Read;
use super::stream::read_line;

pub(super) use self::system::{Plain, Wake};

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io::{BufReader, PipeReader, PipeWriter, Read as _, Write as _};
    use std::os::fd::AsFd as _;

    use rustix::event::{PollFd, PollFlags, poll};

    use super::{Read, io, read_line};

    /// Reads until it is woken.
    pub(in super::super) struct Plain {
        input: BufReader<File>,
        woken: PipeReader,
    }

    /// Wakes the reader.
    pub(in super::super) struct Wake(PipeWriter);

    impl Plain {
        pub(in super::super) fn new() -> io::Result<(Self, Wake)> {
            let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
            let (woken, wake) = io::pipe()?;
            let plain = Self {
                input: BufReader::new(input),
                woken,
            };
            Ok((plain, Wake(wake)))
        }

        /// Reads the next line; `None` at the end of the input.
        pub(in super::super) fn read(&mut self) -> io::Result<Option<Read>> {
            if self.input.buffer().is_empty() && !self.has_line()? {
                return Ok(Some(Read::Stopped));
            }
            Ok(read_line(&mut self.input)?.map(Read::Line))
        }

        /// Waits for a line or a wake-up. A terminal is readable once a line is entered.
        fn has_line(&mut self) -> io::Result<bool> {
            loop {
                let mut wanted = [
                    PollFd::new(self.input.get_ref(), PollFlags::IN),
                    PollFd::new(&self.woken, PollFlags::IN),
                ];
                match poll(&mut wanted, None) {
                    Err(rustix::io::Errno::INTR) => continue,
                    polled => polled?,
                };
                let [typed, woken] = wanted.map(|wanted| !wanted.revents().is_empty());
                if woken {
                    self.woken.read_exact(&mut [0])?;
                }
                // A line that was typed before answers the next question.
                if typed || woken {
                    return Ok(typed);
                }
            }
        }
    }

    impl Wake {
        pub(in super::super) fn wake(&self) {
            // A reader that has ended needs no wake-up.
            let _ = (&self.0).write_all(&[0]);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Read, io, read_line};

    /// Reads lines. It cannot be woken: the line that is being typed is the answer to the next question.
    pub(in super::super) struct Plain;

    /// Does nothing, since the reader cannot be woken.
    pub(in super::super) struct Wake;

    impl Plain {
        pub(in super::super) fn new() -> io::Result<(Self, Wake)> {
            Ok((Self, Wake))
        }

        /// Reads the next line; `None` at the end of the input.
        pub(in super::super) fn read(&mut self) -> io::Result<Option<Read>> {
            Ok(read_line(&mut io::stdin().lock())?.map(Read::Line))
        }
    }

    impl Wake {
        pub(in super::super) fn wake(&self) {}
    }
}

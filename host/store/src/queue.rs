//! A queue that wakes its reader once for many messages.
//!
//! Waking a thread takes longer than a hook's call. So a message that can wait wakes the reader
//! only if it is the first one. The reader then sleeps until there are many messages, or until its
//! patience has ended.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The sending end. Dropping it closes the queue.
pub(crate) struct Sender<T>(Arc<Queue<T>>);

/// The receiving end.
pub(crate) struct Receiver<T>(Arc<Queue<T>>);

/// The error that the reader is gone.
#[derive(Debug)]
pub(crate) struct Gone;

struct Queue<T> {
    held: Mutex<Held<T>>,
    /// The number of messages after the last message was added or taken.
    count: AtomicUsize,
    /// The number of messages that wakes the reader.
    enough: usize,
    /// The number of messages from which on senders wait.
    most: usize,
    filled: Condvar,
    emptied: Condvar,
}

struct Held<T> {
    messages: VecDeque<T>,
    /// Whether one of the messages cannot wait.
    is_urgent: bool,
    has_sender: bool,
    has_reader: bool,
}

/// The number of last messages that are searched for the one to join.
const NEAR: usize = 64;

/// Creates a queue of at most `most` messages, whose reader wakes up for `enough` messages.
pub(crate) fn queue<T>(enough: usize, most: usize) -> (Sender<T>, Receiver<T>) {
    let queue = Arc::new(Queue {
        held: Mutex::new(Held {
            messages: VecDeque::with_capacity(enough),
            is_urgent: false,
            has_sender: true,
            has_reader: true,
        }),
        count: AtomicUsize::new(0),
        enough,
        most,
        filled: Condvar::new(),
        emptied: Condvar::new(),
    });
    (Sender(queue.clone()), Receiver(queue))
}

impl<T> Queue<T> {
    fn hold(&self) -> MutexGuard<'_, Held<T>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Sender<T> {
    /// Returns whether there are enough messages to wake the reader, and it has not taken them yet.
    pub(crate) fn is_behind(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) >= self.0.enough
    }

    /// Adds a message that can wait. Blocks while the queue is full.
    ///
    /// # Errors
    ///
    /// The reader is gone.
    pub(crate) fn send(&self, message: T) -> Result<(), Gone> {
        self.put(|| message, false)
    }

    /// Adds a message like [`send`](Self::send). `make` creates the message in the queue. It runs
    /// while the queue is locked, so it must be quick, and must not use the queue.
    #[inline]
    pub(crate) fn send_made(&self, make: impl FnOnce() -> T) -> Result<(), Gone> {
        self.put(make, false)
    }

    /// Adds a message that a thread waits for, so that the reader takes it at once.
    ///
    /// # Errors
    ///
    /// The reader is gone.
    pub(crate) fn send_urgent(&self, message: T) -> Result<(), Gone> {
        self.put(|| message, true)
    }

    /// Joins `belongs` to the message it belongs to, if that message is among the last ones in the
    /// queue. Otherwise sends it as a separate message.
    ///
    /// # Errors
    ///
    /// The reader is gone.
    pub(crate) fn join<J>(
        &self,
        belongs: J,
        is_it: impl Fn(&T) -> bool,
        join: impl FnOnce(&mut T, J),
        alone: impl FnOnce(J) -> T,
    ) -> Result<(), Gone> {
        let mut held = self.0.hold();
        let mut last = held.messages.iter_mut().rev().take(NEAR);
        if let Some(message) = last.find(|message| is_it(message)) {
            join(message, belongs);
            return Ok(());
        }
        drop(held);
        self.send(alone(belongs))
    }

    #[inline]
    fn put(&self, make: impl FnOnce() -> T, is_urgent: bool) -> Result<(), Gone> {
        let queue = &*self.0;
        let mut held = queue.hold();
        while held.messages.len() >= queue.most && held.has_reader {
            held = wait(&queue.emptied, held);
        }
        if !held.has_reader {
            return Err(Gone);
        }
        held.messages.push_back(make());
        held.is_urgent |= is_urgent;
        let count = held.messages.len();
        queue.count.store(count, Ordering::Relaxed);
        drop(held);
        if is_urgent || count == 1 || count == queue.enough {
            queue.filled.notify_one();
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.hold().has_sender = false;
        self.0.filled.notify_one();
    }
}

impl<T> Receiver<T> {
    /// Returns a buffer for messages. Its capacity is the number of messages that wakes the reader,
    /// as the queue's is, so that no sender has to make room.
    pub(crate) fn room(&self) -> VecDeque<T> {
        VecDeque::with_capacity(self.0.enough)
    }

    /// Waits for a message, and then up to `patience` for more. Moves all messages into `taken`,
    /// which must be empty; none if `until` is reached first. The queue reuses the memory of
    /// `taken`. Returns `false` if there are no messages and no sender.
    pub(crate) fn take(
        &self,
        taken: &mut VecDeque<T>,
        patience: Duration,
        until: Option<Instant>,
    ) -> bool {
        let queue = &*self.0;
        let mut held = queue.hold();
        while held.messages.is_empty() && held.has_sender {
            held = match until {
                None => wait(&queue.filled, held),
                Some(until) => match left(until) {
                    Some(left) => wait_for(&queue.filled, held, left),
                    None => return true,
                },
            };
        }
        let end = Instant::now() + patience;
        while held.messages.len() < queue.enough && !held.is_urgent && held.has_sender {
            match left(end) {
                Some(left) => held = wait_for(&queue.filled, held, left),
                None => break,
            }
        }
        held.is_urgent = false;
        std::mem::swap(&mut held.messages, taken);
        queue.count.store(0, Ordering::Relaxed);
        let is_over = taken.is_empty() && !held.has_sender;
        let was_full = taken.len() >= queue.most;
        drop(held);
        if was_full {
            queue.emptied.notify_all();
        }
        !is_over
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut held = self.0.hold();
        held.has_reader = false;
        // Dropping the messages ends the waits for answers to them.
        let messages = std::mem::take(&mut held.messages);
        drop(held);
        drop(messages);
        self.0.emptied.notify_all();
    }
}

fn left(until: Instant) -> Option<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    (!left.is_zero()).then_some(left)
}

fn wait<'a, T>(on: &Condvar, held: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    on.wait(held).unwrap_or_else(PoisonError::into_inner)
}

fn wait_for<'a, T>(on: &Condvar, held: MutexGuard<'a, T>, time: Duration) -> MutexGuard<'a, T> {
    let waited = on.wait_timeout(held, time);
    waited.unwrap_or_else(PoisonError::into_inner).0
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Longer than any test waits.
    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn many_messages_or_an_urgent_one_end_the_readers_patience() {
        let (sender, receiver) = queue(3, 10);
        for number in 0..3 {
            sender.send(number).unwrap();
        }
        assert_eq!(taken(&receiver), [0, 1, 2]);
        sender.send(3).unwrap();
        sender.send_urgent(4).unwrap();
        assert_eq!(taken(&receiver), [3, 4]);
        sender.send(5).unwrap();
        drop(sender);
        assert_eq!(taken(&receiver), [5]);
        assert!(!receiver.take(&mut VecDeque::new(), LONG, None));
    }

    #[test]
    fn the_reader_is_behind_until_it_takes_what_is_enough_to_wake_it() {
        let (sender, receiver) = queue(2, 10);
        sender.send(0).unwrap();
        assert!(!sender.is_behind());
        sender.send(1).unwrap();
        assert!(sender.is_behind());
        assert_eq!(taken(&receiver), [0, 1]);
        assert!(!sender.is_behind());
    }

    fn taken(receiver: &Receiver<u32>) -> VecDeque<u32> {
        let mut taken = VecDeque::new();
        assert!(receiver.take(&mut taken, LONG, None));
        taken
    }

    #[test]
    fn what_belongs_to_a_message_joins_it_until_it_is_taken() {
        let (sender, receiver) = queue(2, 1_000);
        let join = |of: u32| {
            let joined = sender.join(
                of,
                |(number, _)| *number == of,
                |(_, joined), _| *joined = true,
                |of| (of, true),
            );
            joined.unwrap();
        };
        sender.send((1, false)).unwrap();
        sender.send((2, false)).unwrap();
        join(1);
        let mut taken = VecDeque::new();
        assert!(receiver.take(&mut taken, LONG, None));
        assert_eq!(taken, [(1, true), (2, false)]);
        taken.clear();
        sender.send((3, false)).unwrap();
        join(2);
        assert!(receiver.take(&mut taken, LONG, None));
        assert_eq!(taken, [(3, false), (2, true)]);
    }

    #[test]
    fn without_messages_the_reader_waits_until_its_time() {
        let (sender, receiver) = queue::<()>(1, 1);
        let mut taken = VecDeque::new();
        assert!(receiver.take(&mut taken, LONG, Some(Instant::now())));
        assert!(taken.is_empty());
        drop(receiver);
        assert!(sender.send(()).is_err());
    }

    #[test]
    fn senders_wait_while_it_is_full() {
        let (sender, receiver) = queue(1, 2);
        let all = thread::scope(|scope| {
            scope.spawn(move || {
                for number in 0..100 {
                    sender.send(number).unwrap();
                }
            });
            let (mut all, mut taken) = (Vec::new(), VecDeque::new());
            while receiver.take(&mut taken, Duration::ZERO, None) {
                assert!(taken.len() <= 2);
                all.extend(taken.drain(..));
            }
            all
        });
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }
}

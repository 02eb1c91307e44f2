//! The relay, between a client and a server of the test's own.

mod bytes;
mod calls;
mod ends;
mod listen;
mod observed;
mod peers;
mod traced;
mod unreadable;

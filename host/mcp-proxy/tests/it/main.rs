//! The relay, between a client and a server of the test's own.

mod asked;
mod bytes;
mod calls;
mod ends;
mod http;
mod ids;
mod lines;
mod listen;
mod notifications;
mod observed;
mod peers;
mod tasks;
mod traced;
mod unread;
mod unreadable;

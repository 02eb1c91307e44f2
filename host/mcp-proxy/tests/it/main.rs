//! Tests of the relay, between a client and a server that the tests play.

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

//! `portcullis run --json`: a session that a program drives, with lines of JSON in both directions.

mod event;
mod program;
mod request;
mod schema;

pub use event::FrontEvent;
pub use program::Program;
pub use request::Request;
pub use schema::schema;

//! The person who answers the questions of suspended turns.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

/// The option that names the person.
#[derive(Debug, Args)]
pub struct PersonArg {
    /// The name that the journal records for an answer. Default: the user's name on this machine.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    person: Option<String>,
}

impl PersonArg {
    /// Returns the name.
    pub fn name(&self) -> String {
        self.person.clone().unwrap_or_else(user)
    }
}

/// Returns the name of the process's user. The environment is not asked, because anybody can set it.
#[cfg(unix)]
fn user() -> String {
    use nix::unistd::{User, getuid};
    let uid = getuid();
    match User::from_uid(uid) {
        Ok(Some(user)) => user.name,
        // A container may have no entry for the user.
        Ok(None) | Err(_) => format!("uid {uid}"),
    }
}

#[cfg(not(unix))]
fn user() -> String {
    std::env::var("USERNAME").unwrap_or_else(|_| "somebody".to_owned())
}

//! The person who answers the questions of suspended turns.

use clap::Args;

/// The person who answers.
#[derive(Debug, Args)]
pub struct PersonArg {
    /// The name that the journal notes for an answer. Default: the user's name on this machine.
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

impl PersonArg {
    /// Returns the name.
    pub fn name(&self) -> String {
        self.person.clone().unwrap_or_else(user)
    }
}

fn user() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    let mut names = names.filter_map(|name| std::env::var(name).ok());
    let name = names.find(|name| !name.trim().is_empty());
    name.unwrap_or_else(|| "somebody".to_owned())
}

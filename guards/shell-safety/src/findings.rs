//! Finding dangerous commands in a script.

mod code;
mod delete;
mod discard;
mod fetch;
mod find;
mod flow;
mod network;
mod place;
mod runner;
mod system;
mod write;

use flow::Flow;
use guards_common::rules::{self, Action};
use guards_shell::{Command, read};
use place::Places;

use crate::config::{Config, Rule};

/// A finding of a rule.
pub type Finding = rules::Finding<Rule>;

/// Returns the findings in a script, without those that the operator allows.
pub fn all(config: &Config, script: &str, working_dir: Option<&str>) -> Vec<Finding> {
    let commands = match read(script) {
        Ok(commands) => commands,
        Err(why) => {
            let what = format!("The script cannot be checked: {why}");
            return vec![Finding::new(Rule::Unreadable, what)];
        }
    };
    let mut look = Look {
        flow: Flow::of(&commands),
        places: Places::new(working_dir, &config.writable),
        found: Vec::new(),
    };
    for command in &commands {
        look.command(command);
    }
    look.found
        .retain(|finding| rules::action(&config.rules, finding.rule) != Action::Allow);
    look.found
}

/// The search of a script, command by command.
struct Look {
    flow: Flow,
    places: Places,
    found: Vec<Finding>,
}

impl Look {
    fn command(&mut self, command: &Command) {
        self.places.dirs.clone_from(&command.dirs);
        let name = command.name();
        if command.multiplies {
            self.add(
                Rule::ForkBomb,
                format!("`{name}` starts itself again and again"),
            );
        }
        if let Some(word) = command.words.first()
            && (!word.is_known
                || word.text.contains(['*', '?', '[']) && word.text != "[" && word.text != "[[")
        {
            self.add(
                Rule::Unknown,
                format!(
                    "The name of the command `{}` is only known when it runs",
                    word.text
                ),
            );
        }
        self.delete(command);
        self.write(command);
        self.network(command);
        self.code(command);
        self.system(command);
        self.discard(command);
    }

    fn add(&mut self, rule: Rule, what: String) {
        let finding = Finding::new(rule, what);
        if !self.found.contains(&finding) {
            self.found.push(finding);
        }
    }
}

#[cfg(test)]
mod tests;

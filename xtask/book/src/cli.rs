//! The command reference, from the command's own help.

use std::fmt::Write as _;

/// The width of the help, in characters.
const WIDTH: usize = 92;

/// Returns every command with its help, as `--help` prints it.
pub(crate) fn reference() -> String {
    let mut text = String::new();
    let mut command = portcullis_cli::command().term_width(WIDTH);
    // Builds what clap adds to commands by itself, such as their full names.
    command.build();
    describe(&command, &mut text);
    text
}

fn describe(command: &clap::Command, text: &mut String) {
    // The values are the user's and not the book's.
    let mut shown = command
        .clone()
        .mut_args(|argument| argument.hide_env_values(true))
        .term_width(WIDTH);
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let help = shown.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(
        text,
        "## `{name}`\n\n```text\n{}\n```\n\n",
        lines.join("\n").trim()
    );
    for command in command.get_subcommands() {
        if !command.is_hide_set() {
            describe(command, text);
        }
    }
}

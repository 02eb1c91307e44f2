//! The modes of the terminal: how it echoes and reads.

pub use self::system::Modes;

/// Ends the line that is being edited, and the terminal's marks around pasted text.
#[cfg(unix)]
fn leave_line() {
    // If the standard error is closed, there is no terminal to restore.
    let _ = super::Out::stderr().line("\x1b[?2004l");
}

#[cfg(unix)]
mod system {
    use std::io;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The modes to restore.
    pub struct Modes(Option<Termios>);

    impl Modes {
        /// Returns the current modes of the standard input.
        pub fn of_keyboard() -> Self {
            Self(tcgetattr(io::stdin()).ok())
        }

        /// Restores the modes, if they have changed.
        pub fn restore(&self) {
            let (Some(then), Ok(now)) = (&self.0, tcgetattr(io::stdin())) else {
                return;
            };
            if then.local_modes != now.local_modes {
                // A terminal that has closed needs no modes.
                let _ = tcsetattr(io::stdin(), OptionalActions::Drain, then);
                super::leave_line();
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// The modes of a console, which the system restores when a program ends.
    pub struct Modes;

    impl Modes {
        /// Returns the current modes of the standard input.
        pub fn of_keyboard() -> Self {
            Self
        }

        /// Does nothing.
        pub fn restore(&self) {}
    }
}

//! The command at a terminal.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{built, portcullis, text};

/// The longest wait for the command: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command at a terminal of its own.
pub struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
    /// The working directory, if there is one, and the command's other directories.
    dirs: Vec<TempDir>,
}

impl Terminal {
    /// Creates a session in which the model writes this to the file `a.txt`, and a hook asks first.
    pub fn new(content: &str) -> Self {
        let arguments = serde_json::json!({ "path": "a.txt", "content": content });
        let call = serde_json::json!({ "name": "write_file", "arguments": arguments });
        Self::play(&serde_json::json!({
            "responses": [{ "tool_calls": [call] }, { "text": "Done." }]
        }))
    }

    /// Creates a session with this script, and a hook that asks before a tool call.
    pub fn play(script: &serde_json::Value) -> Self {
        built();
        let hooks = tempfile::tempdir().unwrap();
        let probe = xtask::root().join("target/test-hooks/probe.wasm");
        fs::copy(probe, hooks.path().join("probe.wasm")).unwrap();
        let settings = "[hooks.probe.grants]\nstate = true\nevents = true\n\
            contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
            [hooks.probe.config]\npre-tool-call = \"ask\"\n";
        fs::write(hooks.path().join("hooks.toml"), settings).unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("script.json"), script.to_string()).unwrap();
        let provider = format!("scripted:{}", text(&dir.path().join("script.json")));
        let mut command = portcullis(&["run", "--provider", &provider, "--no-journal"]);
        command.args(["--no-watch", "--allow", "*", "--hooks", text(hooks.path())]);
        command.args(["--workdir", text(dir.path()), "Write."]);
        Self {
            dirs: vec![dir, hooks],
            ..Self::of(command)
        }
    }

    /// Starts any command.
    pub fn of(mut command: Command) -> Self {
        let (master, slave) = pair();
        command.stdin(slave.try_clone().unwrap());
        command.stdout(slave.try_clone().unwrap());
        command.stderr(slave);
        // SAFETY: its calls may be made between fork and exec.
        unsafe { command.pre_exec(own_terminal) };
        let child = command.spawn().unwrap();
        drop(command);
        let (send, screen) = channel();
        let mut from = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut piece = [0; 4_096];
            while let Ok(n @ 1..) = from.read(&mut piece) {
                let _ = send.send(piece[..n].to_vec());
            }
        });
        Self {
            child,
            keyboard: master,
            screen,
            seen: String::new(),
            dirs: Vec::new(),
        }
    }

    /// Waits until the screen has shown this text. Returns the output up to then.
    pub fn wait(&mut self, part: &str) -> String {
        loop {
            if let Some(at) = self.seen.find(part) {
                let rest = self.seen.split_off(at + part.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(piece) => self.seen.push_str(&String::from_utf8_lossy(&piece)),
                Err(_) => panic!("no `{part}` in:\n{}", self.seen),
            }
        }
    }

    pub fn answer(&mut self, line: &str) {
        writeln!(self.keyboard, "{line}").unwrap();
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
    }

    /// Returns whether the terminal itself echoes input.
    pub fn echoes(&self) -> bool {
        let mut modes = std::mem::MaybeUninit::<libc::termios>::uninit();
        // SAFETY: the call fills the modes of an open terminal.
        let modes = unsafe {
            assert_eq!(
                libc::tcgetattr(self.keyboard.as_raw_fd(), modes.as_mut_ptr()),
                0
            );
            modes.assume_init()
        };
        modes.c_lflag & libc::ECHO != 0
    }

    /// Sends the command a signal.
    pub fn signal(&self, signal: i32) {
        let id = self.child.id().try_into().unwrap();
        // SAFETY: the child has not been waited for, so the number is its own.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
    }

    /// Waits for the command to end with this exit code. The terminal stays open.
    pub fn ended(mut self, code: Option<i32>) -> Self {
        assert_eq!(self.child.wait().unwrap().code(), code);
        self
    }

    /// Waits for the command to end. Returns its exit code.
    pub fn exit_code(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Waits for the command to end. Returns whether the file was written.
    pub fn end(mut self) -> bool {
        self.wait("Done.");
        assert!(self.child.wait().unwrap().success());
        self.dirs[0].path().join("a.txt").exists()
    }

    /// Waits for the command to end. Returns whether it succeeded.
    pub fn ends_well(mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}

/// Makes the standard input the terminal of this process, so that Ctrl-C reaches it. A process that
/// a script runs in the background inherits that Ctrl-C is ignored.
fn own_terminal() -> std::io::Result<()> {
    // SAFETY: no call is given memory.
    let made = unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL) != libc::SIG_ERR
            && libc::setsid() != -1
            && libc::ioctl(0, libc::TIOCSCTTY, 0) != -1
    };
    match made {
        true => Ok(()),
        false => Err(std::io::Error::last_os_error()),
    }
}

/// Returns the two ends of a new terminal.
fn pair() -> (File, File) {
    let (mut master, mut slave) = (-1, -1);
    let (name, modes, size) = (
        std::ptr::null_mut(),
        std::ptr::null_mut(),
        std::ptr::null_mut(),
    );
    // SAFETY: the two numbers outlive the call, and null selects the defaults.
    let opened = unsafe { libc::openpty(&mut master, &mut slave, name, modes, size) };
    assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: the two descriptors are open, and nobody else has them.
    unsafe { (File::from_raw_fd(master), File::from_raw_fd(slave)) }
}

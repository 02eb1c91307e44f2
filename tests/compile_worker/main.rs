//! Compiles components for the tests, as the command's child process does. It writes its process id
//! beside the file that its argument names, if there is one, and waits until that file is gone.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    if let Some(gate) = std::env::args_os().nth(1) {
        let gate = Path::new(&gate);
        let process = std::process::id().to_string();
        std::fs::write(gate.with_extension("pid"), process).expect("a file for the process id");
        while gate.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    portcullis::compiler::worker_main()
}

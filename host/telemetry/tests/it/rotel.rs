//! A real collector, Rotel from PyPI, receives the signals and passes them on.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use portcullis::settings::TelemetryTable;
use portcullis_agent::{AgentBuilder, NewSession};
use portcullis_collector::{Collector, attributes};
use xtask::test::not_run;
use xtask_projects::packages;

use crate::agents::{agent, calls, probe, says, told, traced_in};

const PACKAGE: &str = "rotel==0.0.1a15";

/// The longest wait for anything, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns Rotel's program, if there is one for this system.
fn program() -> Option<PathBuf> {
    if !cfg!(all(
        target_os = "linux",
        target_arch = "x86_64",
        target_env = "gnu"
    )) {
        not_run(&format!("{PACKAGE}, which is not made for this system"));
        return None;
    }
    let python = packages::python(&[PACKAGE]).unwrap_or_else(|error| panic!("{error}"))?;
    let place =
        "import importlib.util as u; print(u.find_spec('rotel').submodule_search_locations[0])";
    let found = Command::new(python).args(["-c", place]).output().unwrap();
    let dir = String::from_utf8(found.stdout).unwrap();
    let program = Path::new(dir.trim()).join("rotel-agent");
    let tried = Command::new(&program).arg("--version").output().unwrap();
    if !tried.status.success() {
        let why = String::from_utf8_lossy(&tried.stderr).into_owned();
        not_run(&format!("{PACKAGE}, which does not start: {}", why.trim()));
        return None;
    }
    Some(program)
}

/// A Rotel that passes on the signals that it receives. It is stopped when it is dropped.
struct Rotel {
    child: Child,
    takes: SocketAddr,
    _dir: tempfile::TempDir,
}

impl Drop for Rotel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Rotel {
    /// Starts Rotel. It does not report the port that the system assigns. A port that was free a moment ago may be
    /// taken: then Rotel ends, and another port is tried.
    fn start(program: &Path, to: &Collector) -> Self {
        let until = Instant::now() + PATIENCE;
        loop {
            match Self::try_start(program, to, until) {
                Some(rotel) => return rotel,
                None => assert!(Instant::now() < until, "it does not listen"),
            }
        }
    }

    fn try_start(program: &Path, to: &Collector, until: Instant) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let [grpc, http] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [grpc, takes] = [grpc, http].map(|free| free.local_addr().unwrap());
        let child = Command::new(program)
            .arg("start")
            .args(["--otlp-grpc-endpoint", &grpc.to_string()])
            .args(["--otlp-http-endpoint", &takes.to_string()])
            .args(["--exporter", "otlp", "--otlp-exporter-protocol", "http"])
            .args(["--otlp-exporter-endpoint", to.address()])
            .arg("--pid-file")
            .arg(dir.path().join("pid"))
            .arg("--log-file")
            .arg(dir.path().join("log"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut rotel = Self {
            child,
            takes,
            _dir: dir,
        };
        while TcpStream::connect(takes).is_err() {
            let has_ended = rotel.child.try_wait().unwrap().is_some();
            if has_ended || Instant::now() > until {
                return None;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // Another program may have the port.
        let is_alive = rotel.child.try_wait().unwrap().is_none();
        is_alive.then_some(rotel)
    }

    fn table(&self) -> TelemetryTable {
        TelemetryTable {
            endpoint: Some(format!("http://{}", self.takes)),
            logs: true,
            ..TelemetryTable::default()
        }
    }
}

fn clerk() -> AgentBuilder {
    let does = "pre-turn = \"lines 1\"\npre-tool-call = \"continue\"\npost-turn = \"continue\"";
    agent(&[calls(&[("echo", "c1")]), says("done")], probe(does))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_collector_passes_on_all_that_was_sent() {
    let Some(program) = program() else { return };
    let behind = Collector::start().await;
    let rotel = Rotel::start(&program, &behind);
    told(clerk(), NewSession::default(), &rotel.table()).await;
    let with_logs = |table| TelemetryTable {
        logs: true,
        ..table
    };
    let (sent, _) = traced_in(clerk(), NewSession::default(), with_logs).await;
    let (spans, records, metrics) = {
        let sent = sent.taken.lock().unwrap();
        (sent.spans.len(), sent.logs.len(), sent.metrics.clone())
    };
    assert!(records > 0);
    let all_came = || {
        let came = behind.taken.lock().unwrap();
        let has_metrics = metrics.iter().all(|name| came.metrics.contains(name));
        came.spans.len() == spans && came.logs.len() == records && has_metrics
    };
    let until = Instant::now() + PATIENCE;
    while !all_came() {
        let came = behind.tree();
        assert!(Instant::now() < until, "this came:\n{came}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(behind.tree(), sent.tree());
    let tool = |at: &Collector| attributes(&at.span("execute_tool echo").attributes);
    assert_eq!(tool(&behind), tool(&sent));
    let service = |at: &Collector| at.taken.lock().unwrap().services[0].clone();
    assert_eq!(service(&behind), service(&sent));
}

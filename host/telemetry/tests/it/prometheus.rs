//! A real Prometheus reads `/metrics`. Debian's package is kept in `target/toolchains` and not installed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use portcullis::settings::TelemetryTable;
use portcullis_agent::NewSession;
use portcullis_telemetry::Telemetry;
use serde_json::Value;
use xtask::test::not_run;

use crate::agents::{agent, calls, probe, says};

/// The longest wait for Prometheus to read the metrics, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the directory of Prometheus's programs, or the reason why it is missing.
fn programs() -> Result<PathBuf, String> {
    let kept = xtask::root().join("target/toolchains/prometheus");
    let programs = kept.join("usr/bin");
    if programs.exists() {
        return Ok(programs);
    }
    let parent = kept.parent().expect("a directory");
    fs::create_dir_all(parent).expect("it is made");
    let dir = tempfile::tempdir_in(parent).expect("a directory");
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let ran = command.args(arguments).current_dir(dir.path()).output();
        let ran = ran.map_err(|error| format!("`{program}`: {error}"))?;
        match ran.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&ran.stderr).into_owned()),
        }
    };
    run("apt-get", &["download", "prometheus"])?;
    let files = fs::read_dir(dir.path()).expect("the directory");
    let mut names = files.map(|file| file.expect("a file").file_name());
    let package = names.next().ok_or("apt-get has downloaded nothing")?;
    let package = package.to_str().ok_or("the package has no name")?;
    run("dpkg-deb", &["--extract", package, "prometheus"])?;
    // Another process may have been faster.
    let _ = fs::rename(dir.path().join("prometheus"), &kept);
    Ok(programs)
}

/// A Prometheus that reads the metrics at an address. It is stopped when it is dropped.
struct Prometheus {
    child: Child,
    url: String,
    _dir: tempfile::TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Prometheus {
    fn start(programs: &Path, reads: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("prometheus.yml");
        let text = format!(
            "global:\n  scrape_interval: 100ms\nscrape_configs:\n  - job_name: portcullis\n    \
             static_configs:\n      - targets: [\"{reads}\"]\n"
        );
        fs::write(&config, text).unwrap();
        let mut child = Command::new(programs.join("prometheus"))
            .arg(format!("--config.file={}", config.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                dir.path().join("data").display()
            ))
            .arg("--web.listen-address=127.0.0.1:0")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let listening = line.contains("msg=\"Listening on\"");
            let address = line.split("address=").nth(1)?;
            listening.then(|| address.split(' ').next().unwrap_or(address).to_owned())
        });
        // Later output is read so that the process can write it.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            url: format!("http://{}/api/v1/query", address.expect("its address")),
            _dir: dir,
        }
    }

    /// Returns the labels and the value of the only series, once it exists.
    async fn one(&self, query: &str) -> (Value, String) {
        let until = Instant::now() + PATIENCE;
        let mut url = reqwest::Url::parse(&self.url).unwrap();
        url.query_pairs_mut().append_pair("query", query);
        loop {
            let answer = reqwest::get(url.clone()).await.unwrap().bytes().await;
            let answer: Value = serde_json::from_slice(&answer.unwrap()).unwrap();
            let result = answer["data"]["result"].as_array().cloned();
            match result.unwrap_or_default().as_slice() {
                [one] => {
                    let value = one["value"][1].as_str().unwrap();
                    return (one["metric"].clone(), value.to_owned());
                }
                [] => assert!(Instant::now() < until, "{query}: {answer}"),
                more => panic!("{query}: {more:#?}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_reads_the_metrics_and_finds_nothing_wrong_with_them() {
    let programs = match programs() {
        Ok(programs) => programs,
        Err(why) => {
            let why = why.trim().replace('\n', "; ");
            not_run(&format!(
                "a real Prometheus, whose package cannot be had: {why}"
            ));
            return;
        }
    };
    let table = TelemetryTable {
        prometheus: "127.0.0.1:0".parse().ok(),
        service_name: "the \"help\\desk\"\n".into(),
        ..TelemetryTable::default()
    };
    let telemetry = Telemetry::start(&table).await.unwrap();
    let hooks = probe("post-tool-call = \"continue\"");
    telemetry.metrics().watch(&hooks);
    let agent = agent(&[calls(&[("echo", "c1")]), says("done")], hooks)
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("Do it.").await.unwrap();
    session.close().await;
    let mut check = Command::new(programs.join("promtool"))
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text = telemetry.metrics().text();
    let mut stdin = check.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    let checked = check.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(
        checked.status.success() && said.is_empty(),
        "{said}\n{text}"
    );
    let address = telemetry.prometheus().unwrap().to_string();
    let prometheus = Prometheus::start(&programs, &address);
    let (labels, turns) = prometheus.one("portcullis_turns_total").await;
    assert_eq!(
        (labels["outcome"].as_str(), turns.as_str()),
        (Some("ok"), "1")
    );
    let (labels, _) = prometheus.one("target_info").await;
    assert_eq!(labels["service_name"], "the \"help\\desk\"\n");
    let of = "{point=\"post-tool-call\"}";
    let (_, runs) = prometheus
        .one(&format!("portcullis_hook_duration_seconds_count{of}"))
        .await;
    let median = format!("histogram_quantile(0.5, portcullis_hook_fuel_bucket{of})");
    let (_, fuel) = prometheus.one(&median).await;
    assert_eq!(runs, "1");
    assert!(fuel.parse::<f64>().unwrap() > 0.0, "{fuel}");
    let (_, up) = prometheus.one("up").await;
    assert_eq!(up, "1");
}

//! `portcullis serve`

mod pruned;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use portcullis::Hooks;
use portcullis::reload::WatchOptions;
use portcullis_access::ConnectionLimits;
use portcullis_bridge::{BridgeOptions, RecorderLayer};
use portcullis_serve::{Listen, Listening, ServeOptions, make_directory};
use tokio_util::sync::CancellationToken;

use crate::alerts::{self, AlertsArg};
use crate::daemon::{self, Daemon, DaemonArgs};
use crate::run::reload;
use crate::store::RetentionArgs;
use crate::telemetry::{self, TelemetryArgs};
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::output::Diagnostics;
use crate::terminal::signals::Signals;

/// Hold the hooks of a directory, and answer calls of other processes.
///
/// It listens on a Unix socket, where `portcullis hook` finds it if it runs the same hooks with the same settings, and
/// with --http on a TCP address. Each point is a path: `POST /v1/points/pre-tool-call`. `GET /openapi.json` describes
/// all paths. Hooks that are changed in the directory are reloaded. Ctrl-C and SIGTERM end it: calls that have begun
/// are answered, and sessions are saved.
///
/// With --keep-days or --keep-bytes, sessions are deleted at the start and then once a day.
///
/// When it is ready, it prints one line for each address that it listens on, and one for the file
/// with the token of --http.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis serve --hooks ./hooks\n  \
    portcullis serve --hooks ./hooks --http 127.0.0.1:7600")]
pub struct ServeArgs {
    #[command(flatten)]
    daemon: DaemonArgs,
    #[command(flatten)]
    alerts: AlertsArg,
    /// Take requests on this address too, from clients with the token. Port 0 is any free one.
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Let --http be an address that other machines reach. Requests and the token are not encrypted.
    #[arg(long, requires = "http")]
    allow_remote: bool,
    /// End when there was no request for so many seconds. Default: never.
    #[arg(long, value_name = "SECONDS", value_parser = seconds())]
    idle: Option<u64>,
    /// The time that calls and detached runs have when a session is closed, and at the end, in
    /// seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds())]
    drain: u64,
    /// The most bytes of a request.
    #[arg(long, value_name = "BYTES", default_value_t = ServeOptions::default().body_bytes)]
    max_body_bytes: usize,
    /// The most calls at once. One more is answered with status 503.
    #[arg(long, value_name = "NUMBER", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_calls: u32,
    /// The most connections at once. One more waits.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_connections: u32,
    /// The time that a client may take to send a request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds())]
    read_timeout: u64,
    #[command(flatten)]
    telemetry: TelemetryArgs,
    #[command(flatten)]
    retention: RetentionArgs,
    /// Leave the terminal.
    #[arg(long, hide = true)]
    detached: bool,
}

/// The time without an event after which another process can open an agent's session, such as
/// `portcullis hook` of another version. That process waits longer than this.
const RELEASE: Duration = Duration::from_secs(2);

fn seconds() -> RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=31_536_000)
}

pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if args.detached {
        daemon::detach()?;
        // A detached daemon's standard error is its log file.
        Diagnostics::bound();
    }
    crate::runtime::start()?.block_on(served(args))
}

fn places(args: &ServeArgs, daemon: &Daemon) -> anyhow::Result<Vec<Listen>> {
    let Daemon { id, dir, .. } = daemon;
    make_directory(dir)?;
    let mut places = Vec::new();
    #[cfg(unix)]
    places.push(Listen::Unix(id.clone(), dir.clone()));
    if let Some(address) = args.http {
        places.push(Listen::Tcp {
            address,
            token: id.token(dir),
            remote: args.allow_remote,
        });
    }
    Ok(places)
}

async fn served(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let daemon = args.daemon.daemon()?;
    // Another daemon of these hooks is detected before the hooks are loaded.
    let listening = Listening::bind(places(args, &daemon)?).await?;
    let drain = Duration::from_secs(args.drain);
    let telemetry = args.telemetry.start(&daemon.hooks).await?;
    let hooks: Arc<OnceLock<Hooks>> = Arc::default();
    let alert_file = args.alerts.read(&daemon.hooks)?;
    let alerts = match &alert_file {
        Some(file) => alerts::start(file, &hooks)?,
        None => None,
    };
    let mut options = BridgeOptions {
        drain,
        recorder: alerts.map(|alerts| {
            let layer: RecorderLayer = Arc::new(move |journal| alerts.recorder(journal));
            layer
        }),
        ..BridgeOptions::default()
    };
    if let Some(telemetry) = &telemetry {
        options.observer = telemetry.observer("");
    }
    let (store, bridge) = tokio::task::block_in_place(|| {
        let store = args.daemon.open_store()?;
        options.store = store.clone();
        let bridge = args.daemon.bridge(&daemon.hooks, options)?;
        anyhow::Ok((store, bridge))
    })?;
    pruned::start(args.retention, store).await?;
    let _ = hooks.set(bridge.hooks().clone());
    if let Some(file) = &alert_file {
        alerts::warn(file, bridge.hooks());
    }
    let _reports = reload::report(bridge.hooks());
    let _watch = bridge.hooks().watch(WatchOptions::default())?;
    let options = ServeOptions {
        body_bytes: args.max_body_bytes,
        calls: usize::try_from(args.max_calls)?,
        connections: ConnectionLimits {
            connections: args.max_connections,
            read: Duration::from_secs(args.read_timeout),
        },
        drain,
        release: (!args.daemon.no_store).then_some(RELEASE),
        idle: args.idle.map(Duration::from_secs),
        telemetry: telemetry.clone(),
    };
    let mut signals = Signals::default();
    // Signals are received before the message that the daemon is ready.
    signals.listen();
    ready(&daemon, listening.addresses())?;
    let stop = CancellationToken::new();
    let ended = listening.serve(bridge, &options, stop.clone()).ended();
    tokio::pin!(ended);
    let left = tokio::select! {
        left = &mut ended => left?,
        _ = signals.next() => {
            stop.cancel();
            ended.await?
        }
    };
    telemetry::end(telemetry).await;
    if left > 0 {
        tracing::warn!("{left} background runs did not end in time, and are lost");
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the addresses at which requests are taken.
fn ready(daemon: &Daemon, addresses: &[SocketAddr]) -> anyhow::Result<()> {
    let Daemon { id, dir, .. } = daemon;
    let mut out = Out::stdout();
    #[cfg(unix)]
    print_line!(out, "unix:{}", id.socket(dir).display())?;
    for address in addresses {
        print_line!(out, "http://{}", address.to_string())?;
        print_line!(out, "token: {}", id.token(dir).display())?;
    }
    Ok(out.flush()?)
}

//! `portcullis mcp-proxy`

mod kept;
mod serve;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use portcullis::Hooks;
use portcullis::reload::WatchOptions;
use portcullis_agent::{ApiKey, McpHttpConfig};
use portcullis_mcp_proxy::transport::{self, Connection};
use portcullis_mcp_proxy::{POINTS, RelayEnd, relay};
use portcullis_store::Store;
use tokio_util::sync::CancellationToken;
use url::Url;

use self::kept::Kept;
use crate::alerts::{self, AlertsArg};
use crate::hooks::{
    CacheArgs, HooksDir, Keeps, load_for, load_with_store, uncalled, warn_if_empty,
};
use crate::run::reload;
use crate::store::{StoreArg, open_or_make};
use crate::telemetry::{self, TelemetryArgs};
use crate::terminal::signals::Signals;

/// Run hooks between an MCP client and an MCP server.
///
/// Put it in front of a server's command in the client's settings. Every tool call passes the
/// hooks; all other messages are passed on byte for byte. Hooks that are changed in the directory
/// are reloaded.
///
/// With --listen it runs until it is stopped. Otherwise: exit code 0 if the client closed the connection, 1 if the server ended before, 130 on Ctrl-C and 143 on SIGTERM.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis mcp-proxy --hooks ./hooks -- npx -y @modelcontextprotocol/server-filesystem .\n  \
    portcullis mcp-proxy --hooks ./hooks --server git -- mcp-server-git --repository .\n  \
    portcullis mcp-proxy --hooks ./hooks --url https://mcp.example.com/mcp --token-env MCP_TOKEN\n  \
    portcullis mcp-proxy --hooks ./hooks --listen 127.0.0.1:8000 -- mcp-server-git --repository .")]
pub struct McpProxyArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    store: StoreArg,
    #[command(flatten)]
    alerts: AlertsArg,
    /// Keep nothing: the hooks' state ends with the connection, and the journal has no runs.
    #[arg(long, conflicts_with_all = ["store", "session"])]
    no_store: bool,
    /// Record calls of components, so that `portcullis replay` can repeat them. `[recording]` in
    /// the hooks directory's hooks.toml has the settings. With that table, calls are recorded
    /// without this option too.
    #[arg(long, conflicts_with = "no_store")]
    record: bool,
    /// The session that the connection continues. Default: a session of its own, whose memory ends with it.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The server's name. With it hooks see the server's tools as `NAME__TOOL`, as in an agent.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Connect to a server that speaks streamable HTTP, instead of starting one.
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    /// The variable of the environment that holds the server's bearer token.
    #[arg(long, value_name = "NAME", requires = "url")]
    token_env: Option<String>,
    /// Listen for clients over streamable HTTP at this address, such as `127.0.0.1:8000`, with the path `/mcp`, instead of
    /// the standard streams. Each session of a client has a server of its own.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "session")]
    listen: Option<SocketAddr>,
    /// The variable of the environment that holds the bearer token which clients must send. Default: a new token, shown on
    /// the standard error.
    #[arg(long, value_name = "NAME", requires = "listen")]
    listen_token_env: Option<String>,
    /// Let the address be one that other machines can reach.
    #[arg(long, requires = "listen")]
    listen_remote: bool,
    #[command(flatten)]
    telemetry: TelemetryArgs,
    /// The longest message, in bytes. A longer one is answered with an error.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    max_message_bytes: usize,
    /// The server's command. It inherits the environment and the standard error.
    #[arg(last = true, required_unless_present = "url", value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The time at the end for clients to read their last responses, and then for detached runs to end.
const DRAIN: Duration = Duration::from_secs(10);

pub fn run(args: McpProxyArgs) -> anyhow::Result<ExitCode> {
    let store = match args.no_store {
        true => None,
        false => Some(open_or_make(&args.store).context("the store does not open")?),
    };
    let hooks = match &store {
        Some(store) => load_with_store(store, &args.dir.hooks, &args.cache)?,
        None => load_for(Keeps::NOTHING, &args.dir.hooks, None, &args.cache, false)?,
    };
    warn_if_empty(&args.dir.hooks, &hooks);
    uncalled::warn(&hooks, "the MCP proxy", |point| POINTS.contains(&point));
    let runtime = crate::runtime::start()?;
    let ended = runtime.block_on(proxy(args, hooks, store));
    // A thread may still wait for a line of input, or for a client that takes no output.
    runtime.shutdown_background();
    ended
}

async fn proxy(args: McpProxyArgs, hooks: Hooks, store: Option<Store>) -> anyhow::Result<ExitCode> {
    let _reports = reload::report(&hooks);
    let _watch = hooks.watch(WatchOptions::default())?;
    let telemetry = args.telemetry.start(&args.dir.hooks).await?;
    if let Some(telemetry) = &telemetry {
        telemetry.metrics().watch(&hooks);
    }
    let alerts = match args.alerts.read(&args.dir.hooks)? {
        Some(file) => {
            alerts::warn(&file, &hooks);
            alerts::start(&file, &Arc::new(hooks.clone().into()))?
        }
        None => None,
    };
    let kept = Kept::open(
        store,
        args.session.clone(),
        crate::recording::options(&args.dir.hooks, args.record)?,
        telemetry.clone(),
        alerts,
    )
    .await?;
    let ended = match args.listen {
        Some(address) => serve::serve(args, address, &hooks, &kept).await,
        None => streams(args, &hooks, &kept).await,
    };
    let closed = kept.close(&hooks).await;
    telemetry::end(telemetry).await;
    let code = ended?;
    closed?;
    Ok(code)
}

/// Relays between the standard streams and the server.
async fn streams(args: McpProxyArgs, hooks: &Hooks, kept: &Kept) -> anyhow::Result<ExitCode> {
    let server = connect(&args)?;
    let most = args.max_message_bytes;
    let client = transport::over(tokio::io::stdin(), tokio::io::stdout(), most);
    let options = kept.options(hooks, args.server).await?;
    let stop = CancellationToken::new();
    let relayed = relay(client, server, hooks, options, stop.clone());
    tokio::pin!(relayed);
    let mut signals = Signals::default();
    let (end, signal) = tokio::select! {
        end = &mut relayed => (end, None),
        signal = signals.next() => {
            stop.cancel();
            (relayed.await, Some(signal))
        }
    };
    match (signal, end) {
        (Some(signal), _) => Ok(ExitCode::from(signal.exit_code())),
        (None, RelayEnd::Client | RelayEnd::Stopped) => Ok(ExitCode::SUCCESS),
        (None, RelayEnd::Server) => {
            anyhow::bail!("the MCP server ended before the client closed the connection")
        }
    }
}

fn connect(args: &McpProxyArgs) -> anyhow::Result<Connection> {
    let most = args.max_message_bytes;
    if let Some(url) = &args.url {
        // Only errors show the host.
        let host = || Url::parse(url).ok()?.host_str().map(str::to_owned);
        let name = args.server.clone().or_else(host);
        let name = name.unwrap_or_else(|| "--url".to_owned());
        let token = args.token_env.clone().map_or(ApiKey::None, ApiKey::Env);
        let config = McpHttpConfig {
            token,
            ..McpHttpConfig::new(name, url)
        };
        return Ok(transport::connect(&config, most)?);
    }
    let mut words = args.command.iter();
    let program = words
        .next()
        .context("name the server's command behind `--`")?;
    let mut command = tokio::process::Command::new(program);
    command.args(words);
    transport::spawn(command, most).with_context(|| {
        let program = program.to_string_lossy();
        format!(
            "the MCP server `{program}` cannot be started; install it, or correct the command behind `--`"
        )
    })
}

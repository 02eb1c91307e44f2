//! `portcullis worker`: serves the agent of an `agent.toml` to a Restate server.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use portcullis::approval::DeferAll;
use portcullis_access::listen_fix;
use portcullis_agent::NewSession;
use portcullis_agent_file::{AgentFile, StartError, StartOptions};
use portcullis_restate::{Worker, register};
use portcullis_store::Store;
use tokio::net::{TcpListener, TcpSocket};
use url::Url;

use crate::agent_file::{self, AgentArg};
use crate::run::{Edits, reload};
use crate::store::open_users;
use crate::terminal::format::print_line;
use crate::terminal::signals::Signals;
use crate::terminal::{Out, Printable};

/// The time that background work has at the end.
const DRAIN: Duration = Duration::from_secs(10);

/// The interval for finding jobs whose worker died.
const JOBS: Duration = Duration::from_secs(30);

/// The most connections that wait to be taken.
const BACKLOG: u32 = 1024;

/// Serve the agent of an agent.toml to a Restate server, which runs its turns on one worker or many.
///
/// All workers of an agent, and its users, have the same store: PostgreSQL, or one SQLite file if
/// they are on one machine. The questions of hooks suspend a turn, unless `approvals` names a
/// command. Any process that reaches a worker's address can run turns: keep it in a network of the
/// server and its workers.
///
/// When it is ready, it prints the address that it listens on. Ctrl-C and SIGTERM end it: turns that run are continued
/// by another worker.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis worker --restate http://127.0.0.1:9070\n  \
    portcullis worker --listen 127.0.0.1:9081 --share-port\n  \
    portcullis worker --listen 0.0.0.0:9080 --allow-remote --restate http://server:9070 --advertise http://workers:9080"
)]
pub struct WorkerArgs {
    #[command(flatten)]
    agent: AgentArg,
    #[command(flatten)]
    edits: Edits,
    #[command(flatten)]
    serving: ServingArgs,
}

/// The worker's address.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
struct ServingArgs {
    /// The address to listen on. Port 0 is any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9080")]
    listen: SocketAddr,
    /// Let --listen be an address that other machines reach. The server's requests are not
    /// encrypted.
    #[arg(long)]
    allow_remote: bool,
    /// Let other workers of this machine listen on the same address, and share its connections with them.
    #[arg(long)]
    share_port: bool,
    /// Register with the server that has its admin API at this URL.
    #[arg(long, value_name = "URL")]
    restate: Option<Url>,
    /// The URL at which the server reaches the worker, or the load balancer in front of several.
    /// Default: the address of --listen.
    #[arg(long, value_name = "URL", requires = "restate")]
    advertise: Option<Url>,
}

/// Runs the command.
pub fn run(args: WorkerArgs) -> anyhow::Result<ExitCode> {
    let WorkerArgs {
        agent,
        edits,
        serving: args,
    } = args;
    let mut file = agent.load()?.unwrap_or_default();
    edits.apply(&mut file)?;
    let faults = file.faults();
    if !faults.is_empty() {
        return Err(StartError::Faults(faults).into());
    }
    if !args.listen.ip().is_loopback() && !args.allow_remote {
        bail!(
            "other machines reach {}, and could run turns; add --allow-remote if the network is only the server's and \
             its workers', or listen on 127.0.0.1",
            args.listen
        );
    }
    let store = match file.stores.open_blocking()? {
        Some(store) => Some(store),
        None => open_users(file.stores.options()),
    };
    let store = store.context("there is no store; set `stores.url`")?;
    let hooks = agent_file::load_hooks(&file, Some(&store))?;
    let runtime = crate::runtime::start()?;
    let ended = runtime.block_on(serve(args, file, hooks, store));
    runtime.shutdown_background();
    ended
}

async fn serve(
    args: ServingArgs,
    file: AgentFile,
    hooks: portcullis_agent_file::LoadedHooks,
    store: Store,
) -> anyhow::Result<ExitCode> {
    let mut options = StartOptions::new(hooks.clone());
    options.store = Some(store.clone());
    let running = file.start(options).await?;
    for warning in &running.warnings {
        tracing::warn!("{warning}");
    }
    let _reports: Vec<_> = hooks.all().into_iter().map(reload::report).collect();
    let _reloading = reload::start(&hooks, &file)?;
    let approver = file.approvals.approver(file.working_dir.clone());
    let approver = approver.unwrap_or_else(|| Arc::new(DeferAll));
    let NewSession {
        user,
        working_dir,
        workspace,
        answer_within,
        ..
    } = running.new_session();
    let new_session = move || NewSession {
        user: user.clone(),
        working_dir: working_dir.clone(),
        workspace: workspace.clone(),
        approver: approver.clone(),
        answer_within,
        ..NewSession::default()
    };
    let agent = running.agent.clone();
    let worker = Worker::new(agent.clone(), store, new_session);
    let listener = listen(args.listen, args.share_port)?;
    let address = listener.local_addr()?;
    let jobs = tokio::spawn(async move {
        let mut every = tokio::time::interval(JOBS);
        loop {
            every.tick().await;
            if let Err(error) = agent.resume_jobs().await {
                tracing::warn!("the jobs of workers that died are not taken over: {error}");
            }
        }
    });
    let mut signals = Signals::default();
    // Signals are received before the message that the worker is ready.
    signals.listen();
    let stopped = async {
        signals.next().await;
    };
    let serving = worker.serve(listener, stopped);
    let registering = async {
        if let Some(admin) = &args.restate {
            let url = match args.advertise {
                Some(url) => url,
                None => Worker::url(address)?,
            };
            register(admin, &url).await?;
        }
        print_line!(
            Out::stdout(),
            "listening on {}",
            Printable::line(address.to_string())
        )?;
        Ok::<_, anyhow::Error>(())
    };
    tokio::pin!(serving);
    let served = tokio::select! {
        registered = registering => match registered {
            Ok(()) => {
                serving.await;
                Ok(())
            }
            failed => failed,
        },
        () = &mut serving => Ok(()),
    };
    jobs.abort();
    let left = running.close(DRAIN).await;
    if left > 0 {
        tracing::warn!("{left} background runs did not end within {DRAIN:?}");
    }
    served?;
    Ok(ExitCode::SUCCESS)
}

fn listen(address: SocketAddr, share: bool) -> anyhow::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    #[cfg(unix)]
    {
        socket.set_reuseaddr(true)?;
        if share {
            socket.set_reuseport(true)?;
        }
    }
    #[cfg(not(unix))]
    if share {
        bail!("--share-port does not work on this system; put a balancer before the workers");
    }
    let cannot = |cause: io::Error| {
        let fix = listen_fix(&cause);
        anyhow!("cannot listen on {address}: {cause}{fix}")
    };
    socket.bind(address).map_err(cannot)?;
    socket.listen(BACKLOG).map_err(cannot)
}

//! The store on the command line.

mod retention;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use portcullis_agent_file::{AgentFile, StoreAddress};
use portcullis_store::{BadStoreUrl, Store, StoreOptions, StoreUrl};

use crate::agent_file::AgentArg;
use crate::files::state_dir;

pub use self::retention::{DAY, RetentionArgs};

/// The variable that names the store.
pub const VARIABLE: &str = "PORTCULLIS_STORE";

/// The store to use.
#[derive(Debug, Args)]
pub struct StoreArg {
    /// The store: `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST/DATABASE`. Default: the one that
    /// `agent.toml` names, if the command has --agent, or else a file in the user's state directory.
    #[arg(
        long,
        value_name = "URL",
        env = VARIABLE,
        hide_env_values = true
    )]
    store: Option<Unread>,
}

/// The URL as it was given. It is parsed after the command line, whose messages show a value that cannot
/// be parsed, with its password.
#[derive(Clone)]
struct Unread(String);

impl From<String> for Unread {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unread")
    }
}

impl StoreArg {
    /// Returns the URL as it was given. An empty variable counts as unset.
    pub fn text(&self) -> Option<&str> {
        let text = self.store.as_ref().map(|Unread(text)| text.as_str());
        text.filter(|text| !text.is_empty())
    }

    /// Returns an identifier that is equal for two processes if and only if they would open the
    /// same store. It may contain a password.
    pub fn identity(&self) -> anyhow::Result<String> {
        let (Some(text), Some(address)) = (self.text(), self.address()?) else {
            return Ok(users().unwrap_or_default().display().to_string());
        };
        let url = address.url()?;
        Ok(match url.file() {
            Some(file) => std::path::absolute(file)?.display().to_string(),
            None => text.to_owned(),
        })
    }

    /// Returns the store, if one is named.
    pub fn address(&self) -> anyhow::Result<Option<StoreAddress>> {
        let Some(text) = self.text() else {
            return Ok(None);
        };
        match text.parse::<StoreUrl>() {
            Ok(url) => Ok(Some(StoreAddress::Url(url))),
            Err(error) => Err(no_store(text, error)),
        }
    }
}

/// The store that a command reads.
#[derive(Debug, Args)]
pub struct Where {
    #[command(flatten)]
    agent: AgentArg,
    #[command(flatten)]
    store: StoreArg,
}

impl Where {
    /// Returns the agent.toml that is named or found.
    pub fn agent_path(&self) -> Option<PathBuf> {
        self.agent.path()
    }

    /// Returns the settings in agent.toml, or the defaults.
    pub fn agent(&self) -> anyhow::Result<AgentFile> {
        Ok(self.agent.load()?.unwrap_or_default())
    }

    /// Returns the store that is named, as it was given.
    pub fn text(&self) -> Option<&str> {
        self.store.text()
    }

    /// Opens the store, which must exist.
    pub fn open(&self) -> anyhow::Result<Store> {
        let mut file = self.agent()?;
        let fix = match self.store.address()? {
            Some(address) => {
                file.stores.url = Some(address);
                "name another with --store or PORTCULLIS_STORE"
            }
            None => {
                "name another with --store, or the agent.toml whose store is meant with --agent"
            }
        };
        opened(&file, fix)
    }

    /// Opens the store, if it exists.
    pub fn open_if_there(&self) -> anyhow::Result<Option<Store>> {
        let mut file = self.agent()?;
        if let Some(address) = self.store.address()? {
            file.stores.url = Some(address);
        }
        if file.stores.url.is_none() && users().is_none() {
            return Ok(None);
        }
        let url = url_of(&file)?;
        if url.file().is_some_and(|path| !path.exists()) {
            return Ok(None);
        }
        Ok(Some(Store::open_blocking(url, file.stores.options())?))
    }
}

/// Returns the error for a text that names no store.
fn no_store(text: &str, error: BadStoreUrl) -> anyhow::Error {
    if Path::new(text).is_file() {
        return anyhow!(
            "--store or {VARIABLE}: `{text}` is the path of a file; did you mean `sqlite:{text}`?"
        );
    }
    anyhow!("--store or {VARIABLE}: {}", error.of(text))
}

/// Opens the store of an agent.toml, or the user's. It must exist.
pub fn of(file: &AgentFile) -> anyhow::Result<Store> {
    opened(
        file,
        "name another with `stores.url` in agent.toml, or the agent.toml with --agent",
    )
}

fn opened(file: &AgentFile, fix: &str) -> anyhow::Result<Store> {
    let url = url_of(file)?;
    if let Some(path) = url.file().filter(|path| !path.exists()) {
        anyhow::bail!(
            "there is no store at {}; `portcullis run`, `hook`, `serve` and `mcp-proxy` make one; {fix}",
            path.display()
        );
    }
    Ok(Store::open_blocking(url, file.stores.options())?)
}

fn url_of(file: &AgentFile) -> anyhow::Result<StoreUrl> {
    Ok(match &file.stores.url {
        Some(address) => address.url()?,
        None => StoreUrl::sqlite(
            users().context("the user has no state directory; set `stores.url` in agent.toml")?,
        ),
    })
}

/// Opens the store that is named, or the user's. It is made if it does not exist.
pub fn open_or_make(arg: &StoreArg) -> anyhow::Result<Store> {
    let url = match arg.address()? {
        Some(address) => address.url()?,
        None => StoreUrl::sqlite(
            users().context("the user has no state directory; name a store with --store")?,
        ),
    };
    Ok(Store::open_blocking(url, StoreOptions::default())?)
}

/// Opens the user's store. Returns `None` with a warning if the store cannot be opened.
pub fn open_users(options: StoreOptions) -> Option<Store> {
    let opened = Store::open_blocking(StoreUrl::sqlite(users()?), options);
    let failed = |error| tracing::warn!("nothing is kept after this session: {error:#}");
    opened.map_err(failed).ok()
}

/// Returns whether a run of an agent can have a store, as far as that is known without opening it.
pub fn may_open(file: &AgentFile) -> bool {
    let named = file.stores.url.is_some();
    let users = || {
        let path = users();
        let above = path.iter().flat_map(|path| path.ancestors().skip(1));
        // Missing directories are created.
        let there = above.filter(|dir| dir.exists()).take(1);
        there.last().is_some_and(Path::is_dir)
    };
    named || users()
}

fn users() -> Option<PathBuf> {
    Some(state_dir()?.join("store.sqlite"))
}

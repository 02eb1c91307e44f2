//! The demo in one process, without a store.

use std::num::NonZeroU64;
use std::sync::Arc;

use portcullis::Hooks;
use portcullis::approval::Approver;
use portcullis_agent::{
    Agent, AgentConfig, CompactionConfig, Deltas, NewSession, RulePolicy, RunRecorder, Toolbox,
    builtin_tools,
};

use crate::DemoArgs;
use crate::approver::ScriptedPerson;
use crate::narrator::Narrator;
use crate::play::Play;
use crate::stage::Stage;
use crate::story::{SESSION, STORY};
use portcullis_explain::{MemoryJournal, page};
use portcullis_terminal::approval::{Recorded, TerminalApprover};
use portcullis_terminal::input::Lines;

/// The system prompt, although the model is a script.
const INSTRUCTIONS: &str = "You help with releases. Work in the working directory only.";

/// The size of the conversation at which it is compacted: small, so that six turns reach it.
const LIMIT_TOKENS: NonZeroU64 = const { NonZeroU64::new(1_300).unwrap() };

/// Plays the demo.
pub async fn play(args: &DemoArgs, hooks: Hooks, stage: &Stage) -> anyhow::Result<()> {
    let journal = MemoryJournal::default();
    // The file is opened first, since it may be refused.
    #[cfg(feature = "durable")]
    let recorded = match &args.record {
        None => None,
        Some(file) => Some(crate::record::Recorded::open(journal.clone(), file).await?),
    };
    let approver: Arc<dyn Approver> = match args.interactive {
        true => Arc::new(TerminalApprover::new(Arc::new(Lines::default()))),
        false => Arc::new(ScriptedPerson::new()),
    };
    let approver = Recorded::new(approver);
    let narrator = match args.json {
        true => None,
        false => Some(Narrator::begin(args.detail(), stage.places(), &hooks)?),
    };
    #[cfg(feature = "durable")]
    let agent = match &recorded {
        None => agent(hooks, stage, journal.clone())?,
        Some(recorded) => agent(hooks, stage, recorded.clone())?,
    };
    #[cfg(not(feature = "durable"))]
    let agent = agent(hooks, stage, journal.clone())?;
    let new = NewSession {
        id: SESSION.into(),
        user: Some("ann".into()),
        working_dir: Some(stage.work().to_owned()),
        approver: Arc::new(approver.clone()),
        keep_values: true,
        ..NewSession::default()
    };
    let mut play = Play::begin(agent, new, approver, narrator).await?;
    for index in 0..STORY.len() {
        play.turn(index).await?;
    }
    let narrator = play.end().await?;
    #[cfg(feature = "durable")]
    if let Some(recorded) = &recorded {
        recorded.flush().await?;
    }
    if let Some(narrator) = narrator {
        let page = stage.keep(&page(&journal.explain(SESSION)))?;
        narrator.closing(&stage.outcome(), &args.hooks, &page, args.record())?;
    }
    Ok(())
}

fn agent(
    hooks: Hooks,
    stage: &Stage,
    journal: impl RunRecorder + 'static,
) -> anyhow::Result<Agent> {
    let mut tools = Toolbox::new();
    tools.extend(builtin_tools())?;
    let agent = Agent::builder()
        .providers(Stage::script()?.providers())
        .tools(Arc::new(tools))
        .policy(Arc::new(RulePolicy {
            working_dir: Some(stage.work().to_owned()),
            ..RulePolicy::default()
        }))
        .hooks(hooks)
        .journal(journal)
        .config(AgentConfig {
            name: "demo".into(),
            system_prompt: Some(INSTRUCTIONS.into()),
            // Text is shown before hooks change it, so that the change can be compared.
            deltas: Deltas::Always,
            compaction: CompactionConfig {
                limit_tokens: LIMIT_TOKENS,
                keep_recent: 2,
                ..CompactionConfig::default()
            },
            ..AgentConfig::default()
        })
        .build()?;
    Ok(agent)
}

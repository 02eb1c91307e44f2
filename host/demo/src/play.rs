//! Playing the story: one session, turn by turn.

use std::num::NonZeroU64;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis::Hooks;
use portcullis::approval::Approver;
use portcullis_agent::{
    Agent, AgentConfig, AgentEvent, AgentSession, CompactionConfig, Deltas, EventReceiver,
    NewSession, RulePolicy, Toolbox, builtin_tools,
};

use crate::DemoArgs;
use crate::approver::ScriptedPerson;
use crate::narrator::Narrator;
use crate::stage::Stage;
use crate::story::STORY;
use portcullis_explain::{MemoryJournal, page};
use portcullis_terminal::activity::{Detail, RunRecord, TurnLog};
use portcullis_terminal::approval::{Recorded, TerminalApprover};
use portcullis_terminal::input::Lines;
use portcullis_terminal::json;

/// The system prompt, although the model is a script.
const INSTRUCTIONS: &str = "You help with releases. Work in the working directory only.";

/// A conversation of more tokens is compacted: few, so that six turns reach it.
const LIMIT_TOKENS: NonZeroU64 = const { NonZeroU64::new(1_300).unwrap() };

/// The session's id.
const SESSION: &str = "demo";

/// Plays the demo.
pub async fn play(
    args: &DemoArgs,
    detail: Detail,
    hooks: Hooks,
    stage: &Stage,
) -> anyhow::Result<()> {
    let approver: Arc<dyn Approver> = match args.interactive {
        true => Arc::new(TerminalApprover::new(Arc::new(Lines::default()))),
        false => Arc::new(ScriptedPerson::new()),
    };
    let approver = Recorded::new(approver);
    let mut narrator = Narrator::new(detail, stage.places());
    if !args.json {
        narrator.opening(&hooks)?;
    }
    let journal = MemoryJournal::default();
    let agent = agent(hooks, stage, journal.clone())?;
    let mut player = Player {
        agent: agent.clone(),
        events: agent.context().events.subscribe(),
        approver: approver.clone(),
        json: args.json,
    };
    let mut session = agent
        .session(NewSession {
            id: SESSION.into(),
            user: Some("ann".into()),
            working_dir: Some(stage.work().to_owned()),
            approver: Arc::new(approver),
            keep_values: true,
            ..NewSession::default()
        })
        .await
        .context("the demo's session did not begin")?;
    let log = player.log()?;
    if !args.json {
        narrator.outside_turns(&log)?;
    }
    for (index, scene) in STORY.iter().enumerate() {
        let log = player.turn(&mut session, scene.says).await?;
        if !args.json {
            narrator.turn(index + 1, scene, &log)?;
        }
    }
    session.close().await;
    agent.drain(DRAIN).await;
    let log = player.log()?;
    if !args.json {
        narrator.outside_turns(&log)?;
        let page = stage.keep(&page(&journal.explain(SESSION)))?;
        narrator.closing(&stage.outcome(), &args.hooks, &page)?;
    }
    Ok(())
}

/// How long what runs in the background may take once the session has ended.
const DRAIN: std::time::Duration = std::time::Duration::from_secs(10);

fn agent(hooks: Hooks, stage: &Stage, journal: MemoryJournal) -> anyhow::Result<Agent> {
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
            // Text is shown before hooks have changed it, so that a change can be compared.
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

/// Runs turns and collects what happened in them.
struct Player {
    agent: Agent,
    events: EventReceiver,
    approver: Recorded,
    json: bool,
}

impl Player {
    /// A turn that fails is part of the story: the log holds it.
    async fn turn(&mut self, session: &mut AgentSession, says: &str) -> anyhow::Result<TurnLog> {
        let _ended = session.turn(says).await;
        // What runs in the background belongs to the turn that left it.
        self.agent.drain(DRAIN).await;
        self.log()
    }

    /// What happened since the last call. With `--json` it is also printed.
    fn log(&mut self) -> anyhow::Result<TurnLog> {
        let mut log = TurnLog::default();
        while let Some(emitted) = self.events.try_next() {
            if let (true, AgentEvent::HookRun { run }) = (self.json, &emitted.event) {
                json::line(&RunRecord::new(&emitted.session_id, run))?;
            }
            log.take(&emitted);
        }
        log.asked = self.approver.take().into();
        Ok(log)
    }
}

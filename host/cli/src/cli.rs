//! The command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{
    approvals, attack, bench, build, case, check, completions, conform, demo, dev, explain, hook,
    hooks, import, init, install, jobs, logging, man, mcp_proxy, new, points, promote, replay,
    resume, run, runs, schema, script, serve, sessions, shadow, share, stats, test, ui, wit,
    worker,
};

/// Sandboxed lifecycle hooks for agents.
///
/// Hooks are WebAssembly components in a directory. What a hook exports are the lifecycle points
/// that it serves; what it imports is all that it can see and do.
#[derive(Debug, Parser)]
#[command(
    name = "portcullis",
    version,
    disable_help_subcommand = true,
    after_help = "Examples:\n  portcullis hooks check --hooks ./hooks\n  \
        portcullis init && portcullis run \"Hello\"\n  \
        portcullis run --hooks ./hooks --provider anthropic --model MODEL"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a project for a hook, in any of the languages.
    New(new::NewArgs),
    /// Build a project to a component.
    Build(build::BuildArgs),
    /// Print the contract as WIT, or the world of chosen points.
    Wit(wit::WitArgs),
    /// Inspect and trust hooks: list, inspect, order, check, lock, trust.
    #[command(subcommand)]
    Hooks(hooks::HooksCommand),
    /// Fetch a hook, show what it may do, ask, and add it to the hooks directory.
    Add(Box<share::AddArgs>),
    /// Remove a hook from the hooks directory, hooks.toml and hooks.lock.
    Remove(share::RemoveArgs),
    /// Fetch the current versions of added hooks, show what is different, ask, and replace them.
    Update(Box<share::UpdateArgs>),
    /// Find hooks that are unsigned, outdated, revoked or over-privileged.
    Audit(share::AuditArgs),
    /// Write the added hooks into a directory, with their signatures, for use without a network.
    Vendor(share::VendorArgs),
    /// Push a hook to an OCI registry, signed or not.
    Publish(share::PublishArgs),
    /// Run a hook's test cases.
    Test(test::TestArgs),
    /// Write a test case from a recorded call.
    #[command(subcommand)]
    Case(case::CaseCommand),
    /// Build and test again whenever a file changes.
    Dev(dev::DevArgs),
    /// Measure what a hook costs: to load, to start, to call, to keep.
    Bench(bench::BenchArgs),
    /// Try a hook with many inputs, and check its failure policy.
    Conform(conform::ConformArgs),
    /// List the lifecycle points: what passes them, and what hooks may answer.
    Points(points::PointsArgs),
    /// Play a scripted session in which example hooks act.
    Demo(demo::DemoArgs),
    /// Run hostile hooks against the limits in force.
    Attack(attack::AttackArgs),
    /// Let a hook's answers take effect, in all sessions or a share of them, or take that back.
    Promote(promote::PromoteArgs),
    /// List hook runs.
    Runs(runs::RunsArgs),
    /// Show statistics of hooks: calls, refusals, failures, latency, fuel and memory.
    Stats(stats::StatsArgs),
    /// Show what hooks in audit mode would have done.
    #[command(subcommand)]
    Shadow(shadow::ShadowCommand),
    /// Explain a session: what each hook did, who changed what, and why something was refused.
    Explain(explain::ExplainArgs),
    /// Show sessions live in a browser, and answer there what suspended turns wait for.
    Ui(ui::UiArgs),
    /// Make recorded calls again by another version of a hook, and report what differs.
    Replay(replay::ReplayArgs),
    /// List the background jobs that hooks have queued.
    Jobs(jobs::JobsArgs),
    /// Let another agent run the hooks of a directory.
    Install(install::InstallArgs),
    /// Remove what `portcullis install` entered into an agent's settings.
    Uninstall(install::UninstallArgs),
    /// Enter the command hooks of Claude Code's settings into hooks.toml, as script hooks.
    Import(import::ImportArgs),
    /// Run a command hook of Claude Code as a script hook.
    Script(script::ScriptArgs),
    /// Answer a hook event of another agent with the hooks of a directory.
    Hook(Box<hook::HookArgs>),
    /// List, show, export, release and delete conversations.
    Sessions(sessions::SessionsArgs),
    /// Write an agent.toml that runs.
    Init(init::InitArgs),
    /// Find everything that is wrong with agent.toml and its hooks.
    Check(check::CheckArgs),
    /// Chat with a real or a scripted model, under hooks.
    Run(Box<run::RunArgs>),
    /// Continue a suspended turn.
    Resume(Box<resume::ResumeArgs>),
    /// Answer the questions of suspended turns.
    #[command(subcommand)]
    Approvals(approvals::ApprovalsCommand),
    /// Run hooks between an MCP client and an MCP server.
    McpProxy(mcp_proxy::McpProxyArgs),
    /// Hold the hooks of a directory, and answer calls of other processes.
    Serve(Box<serve::ServeArgs>),
    /// Serve the agent of an agent.toml to a Restate server, which runs its turns on one worker or many.
    Worker(Box<worker::WorkerArgs>),
    /// Print the JSON schema of a file, for editors.
    Schema(schema::SchemaArgs),
    /// Print completions for a shell.
    Completions(completions::CompletionsArgs),
    /// Print the manual, or write a page for each command.
    Man(man::ManArgs),
}

impl Cli {
    /// Starts logging, without what the command shows in its own words.
    pub fn start_logging(&self) {
        use Command::{Attack, Bench, Conform, Dev, Replay, Resume, Run, Test};
        match self.command {
            Attack(_) | Bench(_) | Conform(_) | Dev(_) | Replay(_) | Test(_) => {
                logging::start_without_failures();
            }
            Run(_) | Resume(_) => logging::start_for_a_session(),
            _ => logging::start(),
        }
    }

    /// Runs the command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::New(args) => new::run(args),
            Command::Build(args) => build::run(args),
            Command::Wit(args) => wit::run(&args),
            Command::Hooks(command) => command.run(),
            Command::Add(args) => share::add(&args),
            Command::Remove(args) => share::remove(&args),
            Command::Update(args) => share::update(&args),
            Command::Audit(args) => share::audit(&args),
            Command::Vendor(args) => share::vendor(&args),
            Command::Publish(args) => share::publish(&args),
            Command::Test(args) => test::run(&args),
            Command::Case(command) => command.run(),
            Command::Dev(args) => dev::run(&args),
            Command::Bench(args) => bench::run(&args),
            Command::Conform(args) => conform::run(&args),
            Command::Points(args) => points::run(&args),
            Command::Demo(args) => demo::run(&args),
            Command::Attack(args) => attack::run(&args),
            Command::Promote(args) => promote::run(&args),
            Command::Runs(args) => runs::run(&args),
            Command::Stats(args) => stats::run(&args),
            Command::Shadow(command) => command.run(),
            Command::Explain(args) => explain::run(&args),
            Command::Ui(args) => ui::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Jobs(args) => jobs::run(&args),
            Command::Install(args) => install::install(&args),
            Command::Uninstall(args) => install::uninstall(&args),
            Command::Import(args) => import::run(&args),
            Command::Script(args) => script::run(&args),
            Command::Hook(args) => Ok(hook::run(*args)),
            Command::Sessions(args) => sessions::run(&args),
            Command::Init(args) => init::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Run(args) => run::run(*args),
            Command::Resume(args) => resume::run(*args),
            Command::Approvals(command) => command.run(),
            Command::McpProxy(args) => mcp_proxy::run(args),
            Command::Serve(args) => serve::run(&args),
            Command::Worker(args) => worker::run(*args),
            Command::Schema(args) => schema::run(&args),
            Command::Completions(args) => completions::run(&args),
            Command::Man(args) => man::run(&args),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        fn check(command: &clap::Command) {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(
                help.is_some_and(|help| help.contains("Example")),
                "`{}` has no example",
                command.get_name()
            );
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}

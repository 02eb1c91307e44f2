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
/// Hooks are WebAssembly components in a directory. A hook's exports are the lifecycle points that
/// it serves; its imports are all that it can see and do.
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
    New(new::NewArgs),
    Build(build::BuildArgs),
    Wit(wit::WitArgs),
    /// Inspect and trust hooks: list, inspect, order, check, lock, trust.
    #[command(subcommand)]
    Hooks(hooks::HooksCommand),
    Add(Box<share::AddArgs>),
    Remove(share::RemoveArgs),
    Update(Box<share::UpdateArgs>),
    Audit(share::AuditArgs),
    Vendor(share::VendorArgs),
    Publish(share::PublishArgs),
    Test(test::TestArgs),
    /// Write a test case from a recorded call.
    #[command(subcommand)]
    Case(case::CaseCommand),
    Dev(dev::DevArgs),
    Bench(bench::BenchArgs),
    Conform(conform::ConformArgs),
    Points(points::PointsArgs),
    Demo(demo::DemoArgs),
    Attack(attack::AttackArgs),
    Promote(promote::PromoteArgs),
    Runs(runs::RunsArgs),
    Stats(stats::StatsArgs),
    /// Show the effects that hooks in audit mode would have had.
    #[command(subcommand)]
    Shadow(shadow::ShadowCommand),
    Explain(explain::ExplainArgs),
    Ui(ui::UiArgs),
    Replay(replay::ReplayArgs),
    Jobs(jobs::JobsArgs),
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    Import(import::ImportArgs),
    Script(script::ScriptArgs),
    Hook(Box<hook::HookArgs>),
    Sessions(sessions::SessionsArgs),
    Init(init::InitArgs),
    Check(check::CheckArgs),
    Run(Box<run::RunArgs>),
    Resume(Box<resume::ResumeArgs>),
    /// Answer the questions of suspended turns.
    #[command(subcommand)]
    Approvals(approvals::ApprovalsCommand),
    McpProxy(mcp_proxy::McpProxyArgs),
    Serve(Box<serve::ServeArgs>),
    Worker(Box<worker::WorkerArgs>),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Cli {
    /// Starts logging, without the records that the command shows itself.
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

//! The faults of a file: everything that a start would refuse.

use portcullis::settings::TelemetryTable;
use portcullis::settings::{PartialSettings, SettingsError, not_a_directory};

use crate::faults::{Faults, not_known};
use crate::file::AgentFile;
use crate::providers::Provider;

impl AgentFile {
    /// Returns everything that a start would refuse, if it can be found without starting anything:
    /// wrong and missing values, keys and files that do not exist, programs that are not found,
    /// duplicate names. Does not load hooks or connect to servers.
    pub fn faults(&self) -> Vec<SettingsError> {
        let mut faults = Faults::of(self);
        self.own_faults(&mut faults);
        self.provider_faults(&mut faults);
        let providers = self.provider_names();
        let providers: Vec<&str> = providers.iter().map(String::as_str).collect();
        self.hook_model_faults(&providers, &mut faults);
        for (name, mcp) in &self.mcp {
            mcp.faults(name, &mut faults);
        }
        for (name, subagent) in &self.subagents {
            subagent.faults(&["subagents", name], &providers, &mut faults);
        }
        for (name, tool) in &self.client_tools {
            tool.faults(name, &mut faults);
        }
        for (name, job) in &self.jobs {
            job.faults(name, self, &mut faults);
        }
        self.finish
            .iter()
            .for_each(|table| table.faults(&mut faults));
        self.workspaces
            .iter()
            .for_each(|table| table.faults(&mut faults));
        self.stores.faults(&mut faults);
        let telemetry = self.telemetry.iter().flat_map(TelemetryTable::faults);
        for (key, problem) in telemetry {
            faults.add(&["telemetry", key], problem);
        }
        self.restate
            .iter()
            .for_each(|table| table.faults(&mut faults));
        self.name_faults(&mut faults);
        for fault in self.tool_names(None).faults {
            faults.placed(fault);
        }
        faults.into_errors()
    }

    fn own_faults(&self, faults: &mut Faults<'_>) {
        if !self.working_dir.is_dir() {
            let dir = self.working_dir.display();
            let problem = format!("there is no directory {dir}; create it, or name another");
            faults.add(&["working-dir"], problem);
        }
        if self.hooks.enabled && self.hooks.dir.is_file() {
            let wrong = not_a_directory(&self.hooks.dir);
            let problem = format!("{} {}", self.hooks.dir.display(), wrong.problem);
            faults.add(&["hooks", "dir"], problem);
        } else if self.hooks.enabled && !self.hooks.dir.is_dir() {
            let problem = format!(
                "there is no hooks directory {}; name the directory with --hooks or `hooks.dir`, or run \
                 without hooks with --no-hooks or `hooks.enabled = false`",
                self.hooks.dir.display()
            );
            faults.add(&["hooks", "dir"], problem);
        }
        if let Some(path) = &self.system_prompt_file {
            faults.file(&["system-prompt-file"], path);
            if self.system_prompt.is_some() {
                let problem = "the instructions have two sources; keep one of them";
                faults.add(&["system-prompt-file"], problem);
            }
        }
        self.approvals.faults(faults);
        self.alert_faults(faults);
    }

    fn provider_faults(&self, faults: &mut Faults<'_>) {
        if self.providers.is_empty() {
            let problem = "there is no provider; name one with --provider, or in [[providers]]; `portcullis init` writes an agent.toml \
                 that runs";
            faults.add(&["providers"], problem);
        }
        let mut names: Vec<String> = Vec::new();
        for (index, provider) in self.providers.iter().enumerate() {
            provider.faults(index, faults);
            for name in provider.names() {
                if names.contains(&name) {
                    let problem = format!(
                        "two providers are called `{name}`; hooks switch providers by name, so rename one"
                    );
                    faults.add(&["providers", &index.to_string(), "name"], problem);
                }
                names.push(name);
            }
        }
    }

    /// Adds a fault for each hook whose granted model has an unknown provider. Errors of
    /// `hooks.toml` itself are reported when the hooks are loaded.
    fn hook_model_faults(&self, providers: &[&str], faults: &mut Faults<'_>) {
        for dir in self.hook_dirs() {
            let settings = PartialSettings::of_dir(&dir);
            for (id, hook) in settings.hooks() {
                let model = hook.grants.model.as_ref();
                let name = model.and_then(|model| model.provider.as_deref());
                let is_known =
                    |name: &&str| providers.contains(name) || faults.lacks_entries(&["providers"]);
                if let Some(name) = name.filter(|name| !is_known(name)) {
                    let at = ["hooks", id, "grants", "model", "provider"];
                    let problem = not_known("provider", name, providers);
                    let problem = format!("the model of hook `{id}`: {problem}");
                    faults.placed(settings.error(&at, problem));
                }
            }
        }
    }

    /// Returns the names of the providers, in order.
    fn provider_names(&self) -> Vec<String> {
        self.providers.iter().flat_map(Provider::names).collect()
    }

    /// Adds a fault for each duplicate name. Tools, client tools, the finish tool and sub-agents
    /// share one set of names.
    fn name_faults(&self, faults: &mut Faults<'_>) {
        let mut names: Vec<&str> = self.built_in_names();
        let finish = self
            .finish
            .iter()
            .map(|finish| ("finish", finish.name.as_str()));
        let client = self
            .client_tools
            .keys()
            .map(|name| ("client-tools", name.as_str()));
        let subagents = self
            .subagents
            .keys()
            .map(|name| ("subagents", name.as_str()));
        for (table, name) in finish.chain(client).chain(subagents) {
            if names.contains(&name) {
                let problem = format!(
                    "there is a tool called `{name}` already; a model calls tools by name, so rename one"
                );
                faults.add(&[table, name], problem);
            }
            names.push(name);
        }
    }
}

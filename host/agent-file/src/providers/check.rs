//! The faults of a provider.

use super::{Provider, ProviderKind};
use crate::faults::Faults;

impl Provider {
    pub(crate) fn faults(&self, index: usize, faults: &mut Faults<'_>) {
        let index = index.to_string();
        let at = |key| ["providers", &index, key];
        let Some(kind) = self.kind else {
            faults.add(
                &at("kind"),
                "`kind` is missing; set it to `openai`, `anthropic` or `scripted`",
            );
            return;
        };
        let scripted = kind == ProviderKind::Scripted;
        let keys = [
            ("script", scripted, self.script.is_some()),
            ("responses", scripted, self.responses.is_some()),
            ("repeat", scripted, self.repeat),
            ("base-url", !scripted, self.base_url.is_some()),
            ("key-env", !scripted, self.key_env.is_some()),
            ("key-file", !scripted, self.key_file.is_some()),
            ("no-key", !scripted, self.no_key),
            ("effort", !scripted, self.effort.is_some()),
            ("replay-thinking", !scripted, self.replay_thinking),
        ];
        for (key, fits, set) in keys {
            if set && !fits {
                let problem = format!(
                    "a provider of kind `{}` has no `{key}`; remove it",
                    kind.name()
                );
                faults.add(&at(key), problem);
            }
        }
        faults.address(&at("base-url"), self.base_url.as_deref(), "key");
        let sources = [self.key_env.is_some(), self.key_file.is_some(), self.no_key];
        if sources.into_iter().filter(|set| *set).count() > 1 {
            faults.add(
                &at("kind"),
                "the key has more than one source; keep one of `key-env`, `key-file` and `no-key`",
            );
            return;
        }
        if let Err(error) = self.provider(kind) {
            faults.add(&at(error.key), error.problem);
        }
    }
}

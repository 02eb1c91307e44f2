//! `portcullis:hooks/model`: completions of the agent's model.
//!
//! The embedder's [`ModelClient`] makes the call. The budget is checked here, so that it applies to
//! every client.

mod budget;
mod grant;

use std::sync::Arc;

use wasmtime::component::HasSelf;

use self::budget::TokenBudgets;
use super::{Access, CallMode, Capability, InstanceContext, InstanceState, Key, Permission};
use crate::contract::bindings::portcullis::hooks::model::{self, Completion, Host, ModelError};
use crate::contract::linked::component::Linker;
use crate::contract::text::sanitize_for_terminal;
use crate::model::hook::HookId;
use crate::model::model_client::{ModelClient, ModelQuery};
use crate::model::secrets::Secrets;
use crate::sandbox::store::{CallOwner, HookStore};

pub use grant::ModelGrant;

/// The key of grants.
const KEY: &str = "model";

/// Bytes of a prompt for each token, as an estimate before the provider counts them.
const BYTES_PER_TOKEN: u64 = 4;

/// The most tokens of a completion if the hook sets no limit.
const DEFAULT_OUTPUT_TOKENS: u32 = 1_024;

/// A session's access to the agent's model.
pub(crate) struct SessionModel {
    client: Arc<dyn ModelClient>,
    budgets: ModelBudgets,
}

impl SessionModel {
    /// Creates the access. `budgets` are the budgets that the session spends, if it does not spend
    /// its own.
    pub(crate) fn new(client: Arc<dyn ModelClient>, budgets: Option<ModelBudgets>) -> Self {
        Self {
            client,
            budgets: budgets.unwrap_or_default(),
        }
    }

    /// Returns the budgets for a session that spends them in this turn.
    pub(crate) fn budgets(&self, turn: u32) -> ModelBudgets {
        ModelBudgets {
            used: self.budgets.used.clone(),
            turn: Some(self.budgets.turn(turn)),
        }
    }
}

/// The use of the agent's model by hooks, in the current turn. Hooks with the same id share a
/// budget. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ModelBudgets {
    used: Arc<TokenBudgets>,
    /// The turn of the session that owns the budgets, if another session spends them.
    turn: Option<u32>,
}

impl ModelBudgets {
    /// Returns the turn whose budgets a call spends. `turn` is that of the call's own session.
    fn turn(&self, turn: u32) -> u32 {
        self.turn.unwrap_or(turn)
    }
}

/// An instance's access to the model. Exists only if the hook was granted the model.
pub(crate) struct Model {
    hook: HookId,
    grant: ModelGrant,
    /// The most bytes of instructions and prompt.
    most_bytes: u64,
    session: Option<Arc<SessionModel>>,
    secrets: Arc<Secrets>,
}

impl InstanceState for Option<Box<Model>> {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let grant = cx.setup.grants.model.clone()?;
        Some(Box::new(Model {
            hook: cx.setup.id.clone(),
            grant,
            most_bytes: cx.setup.limits.model_prompt_bytes as u64,
            session: cx.owner.model.clone(),
            secrets: cx.setup.secrets.clone(),
        }))
    }

    fn bind(&mut self, owner: &CallOwner) {
        if let Some(model) = self {
            model.session = owner.model.clone();
        }
    }
}

impl Host for HookStore {
    async fn complete(
        &mut self,
        instructions: String,
        prompt: String,
        max_tokens: Option<u32>,
    ) -> wasmtime::Result<Result<Completion, ModelError>> {
        let context = self.current.context_now()?.clone();
        let Some(Model {
            hook,
            grant,
            most_bytes,
            session: Some(session),
            secrets,
        }) = self.capabilities.model.as_deref_mut()
        else {
            return Ok(Err(not_granted()));
        };
        self.used.mark_key(KEY);
        let bytes = (instructions.len() as u64).saturating_add(prompt.len() as u64);
        if bytes > *most_bytes {
            return Ok(Err(ModelError::TooLong(*most_bytes)));
        }
        let most = grant.tokens.get();
        let estimate = bytes.div_ceil(BYTES_PER_TOKEN).max(1);
        let wanted = estimate.saturating_add(max_tokens.unwrap_or(DEFAULT_OUTPUT_TOKENS).into());
        let least = estimate.saturating_add(1);
        let turn = session.budgets.turn(context.turn);
        let budgets = &session.budgets.used;
        let reserved = match budgets.reserve(hook, turn, most, least, wanted) {
            Ok(reserved) => reserved,
            Err(left) => {
                return Ok(Err(ModelError::Budget(format!(
                    "the prompt takes about {estimate} tokens, and {left} of {most} are left in this turn"
                ))));
            }
        };
        let output = reserved.tokens.saturating_sub(estimate);
        let answered = session
            .client
            .complete(ModelQuery {
                hook,
                context: &context,
                provider: grant.provider.as_deref(),
                model: grant.model.as_deref(),
                instructions: &secrets.redact(&instructions),
                prompt: &secrets.redact(&prompt),
                max_output_tokens: u32::try_from(output).unwrap_or(u32::MAX),
            })
            .await;
        // If the provider counts nothing, or fails, the hook is charged for the prompt, so that it
        // cannot ask forever.
        let tokens = match &answered {
            Ok(completion) => {
                let usage = &completion.usage;
                let counted = usage.input_tokens.saturating_add(usage.output_tokens);
                let written = (completion.text.len() as u64).div_ceil(BYTES_PER_TOKEN);
                match counted {
                    0 => estimate.saturating_add(written),
                    counted => counted,
                }
            }
            Err(_) => estimate,
        };
        budgets.settle(hook, reserved, tokens);
        Ok(answered.map_err(printable))
    }

    fn tokens_left(&mut self) -> wasmtime::Result<u64> {
        let turn = self.current.context_now()?.turn;
        let Some(model) = self.capabilities.model.as_deref() else {
            return Ok(0);
        };
        let left = |session: &Arc<SessionModel>| {
            let most = model.grant.tokens.get();
            let ModelBudgets { used, .. } = &session.budgets;
            used.left(&model.hook, session.budgets.turn(turn), most)
        };
        Ok(model.session.as_ref().map_or(0, left))
    }
}

fn not_granted() -> ModelError {
    ModelError::NoModel("the hook has no `grants.model`".to_owned())
}

/// Sanitizes a provider's error, which may come from a server.
fn printable(error: ModelError) -> ModelError {
    match error {
        ModelError::NoModel(text) => ModelError::NoModel(sanitize_for_terminal(&text)),
        ModelError::Budget(text) => ModelError::Budget(sanitize_for_terminal(&text)),
        ModelError::Provider(text) => ModelError::Provider(sanitize_for_terminal(&text)),
        ModelError::TooLong(most) => ModelError::TooLong(most),
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::table(KEY, "{ tokens = 2000 }", |grants| {
        grants.model.as_ref().map(ModelGrant::summary)
    })]),
    access: Access::Reach,
    sends: |_| Some("the agent's model".to_owned()),
    waits: |_| true,
    notes_use: true,
    ..Capability::new(
        &["portcullis:hooks/model"],
        "ask the agent's model, within a budget of tokens",
        link,
    )
};

fn link(linker: &mut Linker<HookStore>, mode: CallMode) -> wasmtime::Result<()> {
    if mode == CallMode::Sync {
        // A hook that asks for completions can wait.
        return Ok(());
    }
    model::add_to_linker::<_, HasSelf<HookStore>>(linker, HookStore::called)
}

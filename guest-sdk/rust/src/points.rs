//! The lifecycle points: a module for each, with its input and its `Outcome`.
//!
//! Every `Outcome` has `Continue`; the others are those that are legal at the point. Where a
//! refusal is, `Outcome::reject(code, reason)` makes one; where content is, `transform_text`,
//! `replace_text` and `answer_text` make the outcome of a single text.

#[macro_use]
mod outcome;
mod retries;
mod tool_calls;

macro_rules! points {
    ($($(#[$doc:meta])* $module:ident $world:literal [$($helper:ident)*])*) => {
        $($(#[$doc])* pub mod $module {
            pub use bindings::exports::portcullis::hooks::$module::*;

            #[doc(hidden)]
            #[allow(missing_docs)]
            pub mod bindings {
                wit_bindgen::generate!({
                    path: "../../wit",
                    world: $world,
                    pub_export_macro: true,
                    additional_derives: [PartialEq],
                    with: { "portcullis:hooks/types@0.1.0": crate::types },
                });
            }

            outcome!([$($helper)*]);
        })*

        #[cfg(test)]
        const WORLDS: &[&str] = &[$($world),*];
    };
}

// A row: the module, the contract's world, the helpers that its `Outcome` has. A new point has a
// row here and a line in `points` of `portcullis-sdk-macros`.
points! {
    /// A session begins: before its first turn.
    session_start "on-session-start" [reject]
    /// A session ends, however it ends.
    session_end "on-session-end" []
    /// A turn begins: the user has said something, nothing has been done with it.
    pre_turn "on-pre-turn" [reject transform_text replace_text answer_text]
    /// A turn is done, its output not yet given back.
    post_turn "on-post-turn" [reject transform_text replace_text]
    /// A turn has failed.
    turn_error "on-turn-error" [replace_text]
    /// A turn is suspended: its checkpoint is kept.
    turn_suspended "on-turn-suspended" []
    /// A suspended turn goes on.
    turn_resumed "on-turn-resumed" []
    /// What may the turn do?
    prompt_policy "on-prompt-policy" []
    /// What should the turn know?
    prompt_context "on-prompt-context" []
    /// What else should the turn know, by the plan of what to look for?
    prompt_recall "on-prompt-recall" []
    /// Which tools are there beside the agent's own?
    prompt_tools "on-prompt-tools" []
    /// The prompt is about to be written.
    prompt_compile "on-prompt-compile" []
    /// A step begins.
    pre_step "on-pre-step" [reject stop]
    /// A step is done, its tools included.
    post_step "on-post-step" [stop]
    /// A model is about to be called.
    pre_llm_call "on-pre-llm-call" [reject]
    /// A piece of a response is about to be shown.
    llm_delta "on-llm-delta" [reject stop]
    /// A model has answered.
    post_llm_call "on-post-llm-call" [reject transform_text replace_text]
    /// A model call has failed.
    llm_error "on-llm-error" []
    /// A tool is about to run.
    pre_tool_call "on-pre-tool-call" [reject]
    /// A running tool tells how far it is.
    tool_update "on-tool-update" [reject]
    /// An update of a running tool was shown.
    tool_update_sent "on-tool-update-sent" []
    /// A tool has run.
    post_tool_call "on-post-tool-call" [reject]
    /// A tool changed the agent's state.
    state_changed "on-state-changed" []
    /// A message was added to the conversation.
    message_added "on-message-added" []
    /// A sub-agent is about to be started.
    pre_subagent "on-pre-subagent" [reject]
    /// A sub-agent is done.
    post_subagent "on-post-subagent" []
    /// The conversation is about to be compacted.
    pre_compaction "on-pre-compaction" [reject]
    /// The conversation has been compacted.
    post_compaction "on-post-compaction" []
    /// A turn is about to end.
    turn_stopping "on-turn-stopping" []
    /// A workspace was opened.
    workspace_opened "on-workspace-opened" []
    /// A workspace was closed.
    workspace_closed "on-workspace-closed" []
    /// A workspace was taken away to make room.
    workspace_evicted "on-workspace-evicted" []
    /// A workspace could not be taken away, and that is tried again.
    workspace_eviction_retried "on-workspace-eviction-retried" []
    /// A copy of a workspace was kept.
    workspace_snapshotted "on-workspace-snapshotted" []
}

#[cfg(test)]
mod tests;

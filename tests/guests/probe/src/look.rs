//! The views of the probe.

use portcullis_sdk::prelude::*;

/// Returns all data that the views show of the call.
pub fn look() -> String {
    let decided = verdict::current().map(|verdict| format!("{:?}", verdict.decision));
    format!(
        "content={:?} messages={} arguments={:?} output={:?} tools={:?} user={:?} verdict={decided:?} \
         {} state={:?} diff={}",
        content::text(),
        conversation::len(),
        tool_data::arguments_json(),
        tool_data::output(),
        tool_catalog::names(),
        session::user(),
        contributed(),
        agent_state::get("mood"),
        agent_state::diff(),
    )
}

/// Returns the contributions to the prompt.
fn contributed() -> String {
    let policies: Vec<_> = prompt::policies()
        .into_iter()
        .map(|policy| format!("{}:{}", policy.domain, policy.rules))
        .collect();
    let items: Vec<_> = prompt::context_items()
        .into_iter()
        .map(|item| format!("{}:{}", item.kind, item.text))
        .collect();
    let sections: Vec<_> = prompt::sections()
        .into_iter()
        .map(|section| format!("{}:{}", section.id, section.text))
        .collect();
    let memory = prompt::policy("memory").map(|policy| policy.rules);
    format!(
        "policies={policies:?} memory={memory:?} items={items:?} sections={sections:?} queries={:?}",
        prompt::queries(),
    )
}

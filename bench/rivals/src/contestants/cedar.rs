//! Cedar in the host's process.

use anyhow::Context as _;
use cedar_policy::{
    Authorizer, Context, Decision, Entities, EntityId, EntityTypeName, EntityUid, PolicySet,
    Request, RestrictedExpression,
};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const ENTRY: Entry = Entry {
    key: "cedar",
    name: "Cedar",
    limits: "the language always ends",
    passing: "a request of the policy's own, which holds copies",
};

pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    principal: EntityUid,
    action: EntityUid,
    tool: EntityTypeName,
}

impl Cedar {
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self {
            authorizer: Authorizer::new(),
            policies: include_str!("../../guards/guard.cedar").parse()?,
            entities: Entities::empty(),
            principal: r#"Agent::"main""#.parse()?,
            action: r#"Action::"call""#.parse()?,
            tool: "Tool".parse()?,
        })
    }
}

impl Contestant for Cedar {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let resource =
            EntityUid::from_type_name_and_id(self.tool.clone(), EntityId::new(call.name));
        let arguments = RestrictedExpression::new_string(call.arguments.to_owned());
        let context = Context::from_pairs([("arguments".to_owned(), arguments)])?;
        let request = Request::new(
            self.principal.clone(),
            self.action.clone(),
            resource,
            context,
            None,
        )?;
        let answer = self
            .authorizer
            .is_authorized(&request, &self.policies, &self.entities);
        if answer.decision() == Decision::Allow {
            return Ok(Verdict::Continue);
        }
        let policy = answer
            .diagnostics()
            .reason()
            .next()
            .context("no policy refused")?;
        let text = |key| {
            self.policies
                .annotation(policy, key)
                .context("no such annotation")
        };
        Ok(Verdict::reject(text("code")?, text("reason")?))
    }
}

//! A memory, a policy, a provider and an approver that report the requests that they receive.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis::contract::ContentPart;
use portcullis_agent::{
    DeltaSink, Denial, ExecutionGrant, LlmRequest, LlmResponse, Memory, MemoryError, MemoryTurn,
    Policy, PolicyRequest, Provider, ProviderError, RulePolicy,
};

use super::effects::Effects;
use super::said;

pub struct ToldMemory(pub Effects);

#[async_trait]
impl Memory for ToldMemory {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        self.0.tell("the memory is asked");
        Ok(None)
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        _: &[ContentPart],
    ) -> Result<(), MemoryError> {
        self.0.tell("the memory takes note");
        Ok(())
    }
}

pub struct ToldPolicy(pub Effects, pub RulePolicy);

#[async_trait]
impl Policy for ToldPolicy {
    async fn check(&self, request: PolicyRequest<'_>) -> Result<ExecutionGrant, Denial> {
        self.0
            .tell(format!("the policy is asked: {}", request.tool));
        self.1.check(request).await
    }
}

/// A person who always gives this decision.
pub struct Person(pub ApprovalDecision, pub Effects);

impl Approver for Person {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        self.1
            .tell(format!("a person is asked: {}", question.request.question));
        Box::pin(std::future::ready(self.0.clone()))
    }
}

/// A provider that reports its requests.
pub struct ToldProvider(pub Arc<dyn Provider>, pub Effects);

#[async_trait]
impl Provider for ToldProvider {
    fn default_model(&self) -> &str {
        self.0.default_model()
    }

    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        let messages: Vec<String> = request.messages.iter().map(said::line).collect();
        let format = match &request.response_format {
            Some(_) => ", with a format",
            None => "",
        };
        self.1
            .tell(format!("sent: {}{format}", messages.join(" | ")));
        self.0.complete(request, deltas).await
    }
}

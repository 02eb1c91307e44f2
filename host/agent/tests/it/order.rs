//! The documented order, as one list.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::ContentPart;
use portcullis_agent::{
    DeltaSink, Denial, ExecutionGrant, LlmRequest, LlmResponse, Memory, MemoryError, MemoryTurn,
    Policy, PolicyRequest, Provider, ProviderError, RulePolicy, Script,
};

use crate::support::{Trail, bench, calls_echo, record_all, responses};

struct Recording<T>(T, Trail);

#[async_trait]
impl Provider for Recording<Arc<dyn Provider>> {
    fn default_model(&self) -> &str {
        self.0.default_model()
    }

    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        self.1.add("provider");
        self.0.complete(request, deltas).await
    }
}

#[async_trait]
impl Policy for Recording<RulePolicy> {
    async fn check(&self, request: PolicyRequest<'_>) -> Result<ExecutionGrant, Denial> {
        self.1.add("policy");
        self.0.check(request).await
    }
}

#[async_trait]
impl Memory for Recording<()> {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        self.1.add("memory is asked");
        Ok(None)
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        _: &[ContentPart],
    ) -> Result<(), MemoryError> {
        self.1.add("memory takes note");
        Ok(())
    }
}

#[tokio::test]
async fn everything_happens_in_the_documented_order() {
    let played = Script::parse(&responses(&[&calls_echo("hi"), r#"{"text": "done"}"#])).unwrap();
    let bench = bench(r#"{"responses": []}"#, |builder, trail| {
        let provider = played.providers().first().unwrap().1.clone();
        let recorded = trail.clone();
        builder
            .providers(Default::default())
            .provider("p", Arc::new(Recording(provider, trail.clone())))
            .policy(Arc::new(Recording(RulePolicy::default(), trail.clone())))
            .memory(Arc::new(Recording((), trail.clone())))
            .prepare(move |session| record_all(session, &recorded))
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "done"
    );
    session.close().await;
    assert_eq!(
        bench.trail.take(),
        [
            "session-start",
            "pre-turn",
            "memory is asked",
            "message-added",
            "prompt-policy",
            "prompt-context",
            "prompt-recall",
            "prompt-tools",
            "prompt-compile",
            "pre-step",
            "pre-llm-call",
            "provider",
            "post-llm-call",
            "message-added",
            "policy",
            "pre-tool-call",
            "echo runs: hi",
            "post-tool-call",
            "message-added",
            "post-step",
            "pre-step",
            "pre-llm-call",
            "provider",
            "llm-delta",
            "post-llm-call",
            "message-added",
            "post-step",
            "turn-stopping",
            "memory takes note",
            "post-turn",
            "session-end",
        ]
    );
}

use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::json;

use super::ProviderFallback;
use llm_error::{Outcome, ProviderErrorKind};

#[test]
fn each_provider_has_its_own_retries() {
    let retries = json!({ "server": 1 });
    let host = Host::new().config(json!({ "backoff_ms": 7, "retries": retries }));
    let fails = |provider: &str, attempt| {
        let facts = llm_error::Facts {
            provider: provider.into(),
            model: "m".into(),
            attempt,
            kind: ProviderErrorKind::Server,
            status: None,
            message: String::new(),
            retry_after_ms: None,
            providers: vec!["main".into(), "backup".into()],
        };
        host.call(ProviderFallback::llm_error, facts)
    };
    let switch = Outcome::SwitchProvider {
        provider: "backup".into(),
        model: None,
    };
    assert_eq!(fails("main", 1), Ok(Outcome::Retry(7)));
    assert_eq!(fails("main", 2), Ok(switch));
    assert_eq!(fails("backup", 3), Ok(Outcome::Retry(7)));
    assert_eq!(fails("backup", 4), Ok(Outcome::GiveUp));
}

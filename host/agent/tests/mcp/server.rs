//! An MCP server over stdio, with tools for the tests.

use std::time::Duration;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ErrorData, ProgressNotificationParam};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Note {
    /// The text to say.
    text: String,
}

#[derive(Clone)]
struct Server {
    tool_router: ToolRouter<Self>,
}

#[tool_router(router = tool_router)]
impl Server {
    #[tool(name = "say", description = "Says it back.")]
    async fn say(&self, note: Parameters<Note>) -> String {
        format!("you said {}", note.0.text)
    }

    #[tool(name = "fail", description = "Fails.")]
    async fn fail(&self) -> Result<String, ErrorData> {
        Err(ErrorData::internal_error("it did not work\u{1b}[31m", None))
    }

    #[tool(name = "hang", description = "Takes its time.")]
    async fn hang(&self) -> String {
        tokio::time::sleep(Duration::from_secs(60)).await;
        "at last".into()
    }

    #[tool(
        name = "work",
        description = "Reports its progress, and ends when it is cancelled."
    )]
    async fn work(&self, context: RequestContext<RoleServer>) -> String {
        if let Some(token) = context.meta.get_progress_token() {
            let report = ProgressNotificationParam::new(token, 1.0)
                .with_total(2.0)
                .with_message("half of it".to_owned());
            context.peer.notify_progress(report).await.unwrap();
        }
        context.ct.cancelled().await;
        "cancelled".into()
    }

    #[tool(
        name = "trace",
        description = "Gives the trace that the call is part of."
    )]
    async fn trace(&self, context: RequestContext<RoleServer>) -> String {
        let meta = serde_json::to_value(&context.meta).unwrap();
        format!("{} {}", meta["traceparent"], meta["baggage"])
    }

    #[tool(name = "die", description = "Ends the server.")]
    async fn die(&self) -> String {
        eprintln!("about to die");
        eprintln!("of a broken heart");
        std::process::exit(3)
    }

    #[tool(
        name = "order",
        description = "Says under which key it was called.",
        annotations(idempotent_hint = true)
    )]
    async fn order(&self, context: RequestContext<RoleServer>) -> String {
        let key = context.meta.get("portcullis/idempotency-key");
        key.map_or_else(|| "no key".into(), |key| key.to_string())
    }

    #[tool(
        name = "look",
        description = "Only looks.",
        annotations(read_only_hint = true)
    )]
    async fn look(&self) -> String {
        "nothing to see".into()
    }

    #[tool(name = "env.of", description = "Gives a variable of its environment.")]
    async fn env(&self, note: Parameters<Note>) -> String {
        std::env::var(note.0.text).unwrap_or_else(|_| "not set".into())
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {}

/// Serves until the input ends.
pub async fn serve() {
    let server = Server {
        tool_router: Server::tool_router(),
    };
    let running = server.serve(rmcp::transport::stdio()).await.unwrap();
    running.waiting().await.unwrap();
}

//! The description of the paths, made from the types.

use portcullis::points::PointId;
use portcullis_bridge::{AnswerRequest, CallReply};
use portcullis_dialects::{AnsweredEvent, Dialect};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::api::{ErrorReply, Health, PointRequest};

/// Returns the OpenAPI document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    for point in PointId::ALL {
        let name = point.name();
        let call = operation::<PointRequest, CallReply>(
            &mut schemas,
            &format!("Calls the hooks of `{name}`."),
        );
        paths.insert(format!("/v1/points/{name}"), json!({ "post": call }));
    }
    let answer = operation::<AnswerRequest, CallReply>(
        &mut schemas,
        "Continues a call that waits for a person, with what the person decided about its first question.",
    );
    paths.insert("/v1/answers".into(), json!({ "post": answer }));
    for dialect in Dialect::ALL {
        let event = operation::<Map<String, Value>, AnsweredEvent>(
            &mut schemas,
            &format!("Answers a hook event of {}.", dialect.agent()),
        );
        paths.insert(format!("/v1/events/{dialect}"), json!({ "post": event }));
    }
    let session =
        json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } });
    let mut close = without_body("Saves a session and closes it.", "204");
    close["parameters"] = json!([session]);
    close["responses"]["default"] = error(&mut schemas);
    paths.insert("/v1/sessions/{id}".into(), json!({ "delete": close }));
    let mut health = without_body("Says that requests are answered.", "200");
    health["responses"]["200"]["content"] = content::<Health>(&mut schemas);
    paths.insert("/health".into(), json!({ "get": health }));
    for (path, summary) in [
        ("/metrics", "Counters, in the text format of Prometheus."),
        ("/openapi.json", "This document."),
    ] {
        paths.insert(path.into(), json!({ "get": without_body(summary, "200") }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Portcullis",
            "description": "Calls the hooks of a directory. An error is never a decision: the operation must not go ahead.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "security": [{ "token": [] }, {}],
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": { "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "Over TCP only. A Unix socket takes requests of its own user.",
            } },
        },
    })
}

fn operation<Body: JsonSchema, Reply: JsonSchema>(
    schemas: &mut SchemaGenerator,
    summary: &str,
) -> Value {
    let body = content::<Body>(schemas);
    let reply = content::<Reply>(schemas);
    json!({
        "summary": summary,
        "requestBody": { "required": true, "content": body },
        "responses": {
            "200": { "description": "What the hooks decided.", "content": reply },
            "default": error(schemas),
        },
    })
}

fn error(schemas: &mut SchemaGenerator) -> Value {
    json!({ "description": "Nothing was decided.", "content": content::<ErrorReply>(schemas) })
}

fn without_body(summary: &str, status: &str) -> Value {
    json!({ "summary": summary, "responses": { status: { "description": summary } } })
}

fn content<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    json!({ "application/json": { "schema": schemas.subschema_for::<T>() } })
}

//! The OpenTelemetry resource: the service that is observed.

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use portcullis::settings::TelemetryTable;

use crate::conventions::{SERVICE_NAME, SERVICE_VERSION};
use crate::environment::variable;

/// Returns the service that the table and the environment describe. The environment overrides the
/// table.
pub(crate) fn resource(table: &TelemetryTable) -> Resource {
    let given = Resource::builder().build();
    let named = variable("OTEL_SERVICE_NAME").is_some()
        || variable("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|text| {
            let mut pairs = text.split(',');
            pairs.any(|pair| pair.trim_start().starts_with("service.name="))
        });
    let own = table.resource.iter();
    let own = own.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let mut builder = Resource::builder_empty()
        .with_attribute(KeyValue::new(SERVICE_VERSION, env!("CARGO_PKG_VERSION")))
        .with_attributes(own);
    builder = builder.with_attributes(
        given
            .iter()
            .map(|(key, value)| KeyValue::new(key.clone(), value.clone())),
    );
    if !named {
        builder = builder.with_attribute(KeyValue::new(SERVICE_NAME, table.service_name.clone()));
    }
    builder.build()
}

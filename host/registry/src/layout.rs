//! The WebAssembly OCI artifact layout: a manifest, a configuration and the component as the only layer.

use std::collections::BTreeMap;

use oci_client::manifest::{OCI_IMAGE_MEDIA_TYPE, OciDescriptor, OciImageManifest};
use portcullis::verdict::Digest;
use serde_json::json;
use wasmparser::{Encoding, Parser, Payload};

use crate::error::Error;

/// The media type of the configuration.
pub(crate) const CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// The media type of the component.
pub(crate) const COMPONENT: &str = "application/wasm";
/// The most bytes of a component.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most bytes of a manifest, an index or a configuration.
pub(crate) const MOST_METADATA: u64 = 4 << 20;

/// A part of an artifact, with its bytes.
pub(crate) struct Blob {
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Blob {
    pub(crate) fn digest(&self) -> String {
        format!("sha256:{}", Digest::of(&self.bytes))
    }

    pub(crate) fn descriptor(&self) -> OciDescriptor {
        OciDescriptor {
            media_type: self.media_type.to_owned(),
            digest: self.digest(),
            size: i64::try_from(self.bytes.len()).unwrap_or(i64::MAX),
            ..OciDescriptor::default()
        }
    }
}

/// Returns the configuration of a component. It depends only on the component, so that the artifact
/// has the same digest whenever it is published.
pub(crate) fn config(component: &Blob, name: &str) -> Result<Blob, Error> {
    let (imports, exports) = interfaces(&component.bytes, name)?;
    let config = json!({
        "created": "1970-01-01T00:00:00Z",
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [component.digest()],
        "component": { "imports": imports, "exports": exports },
    });
    Ok(Blob {
        media_type: CONFIG,
        bytes: config.to_string().into_bytes(),
    })
}

/// Returns the manifest of a component.
pub(crate) fn manifest(
    config: &Blob,
    component: &Blob,
    annotations: BTreeMap<String, String>,
) -> OciImageManifest {
    OciImageManifest {
        media_type: Some(OCI_IMAGE_MEDIA_TYPE.to_owned()),
        config: config.descriptor(),
        layers: vec![component.descriptor()],
        annotations: (!annotations.is_empty()).then_some(annotations),
        ..OciImageManifest::default()
    }
}

/// Returns the layer of a manifest that is the component, and its digest.
pub(crate) fn component(manifest: &[u8], what: &str) -> Result<(OciDescriptor, Digest), Error> {
    let other = |why: String| Error::NoComponent {
        what: what.to_owned(),
        why,
    };
    let manifest: OciImageManifest = serde_json::from_slice(manifest).map_err(|error| {
        other(format!(
            "its manifest is not that of one artifact ({error}); an index of several is not read"
        ))
    })?;
    if manifest.config.media_type != CONFIG {
        let found = portcullis::text::sanitize_for_terminal(&manifest.config.media_type);
        return Err(other(format!(
            "its configuration is `{found}`, and not `{CONFIG}`"
        )));
    }
    let [layer] = manifest.layers.as_slice() else {
        let count = manifest.layers.len();
        return Err(other(format!(
            "it has {count} layers, and a component is one"
        )));
    };
    if layer.media_type != COMPONENT {
        let found = portcullis::text::sanitize_for_terminal(&layer.media_type);
        return Err(other(format!(
            "its layer is `{found}`, and not `{COMPONENT}`"
        )));
    }
    let digest = digest(&layer.digest).map_err(other)?;
    Ok((layer.clone(), digest))
}

/// Returns the digest that a descriptor or a reference names.
pub(crate) fn digest(text: &str) -> Result<Digest, String> {
    let hex = text.strip_prefix("sha256:");
    let hex = hex.ok_or("only digests of SHA-256 are checked")?;
    hex.parse()
}

/// Checks that bytes are a component.
pub(crate) fn check(bytes: &[u8], what: &str) -> Result<(), Error> {
    interfaces(bytes, what).map(drop)
}

/// Returns the names of a component's imports and exports.
fn interfaces(bytes: &[u8], name: &str) -> Result<(Vec<String>, Vec<String>), Error> {
    let other = |why: String| Error::NoComponent {
        what: name.to_owned(),
        why,
    };
    if !bytes.starts_with(b"\0asm") {
        let begin = bytes.get(..4.min(bytes.len())).unwrap_or_default();
        let why = match begin {
            [] => "it is empty".to_owned(),
            begin => format!("it begins with `{}`", begin.escape_ascii()),
        };
        return Err(other(format!(
            "{why}; name a component, such as `portcullis build` makes"
        )));
    }
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(|error| other(error.to_string()))? {
            Payload::Version { encoding, .. } => {
                depth += 1;
                if depth == 1 && encoding != Encoding::Component {
                    return Err(other(
                        "it is a module; build a component from it (`portcullis build`)".into(),
                    ));
                }
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    let import = import.map_err(|error| other(error.to_string()))?;
                    imports.push(import.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 1 => {
                for export in section {
                    let export = export.map_err(|error| other(error.to_string()))?;
                    exports.push(export.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok((imports, exports))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(text: &str) -> Blob {
        Blob {
            media_type: COMPONENT,
            bytes: wat::parse_str(text).unwrap(),
        }
    }

    #[test]
    fn an_artifact_names_its_component_and_what_that_imports_and_exports() {
        let component = blob(
            "(component (import \"wasi:a/b@0.2.0\" (instance)) (component) (instance $i) (export \"x:y/z\" (instance $i)))",
        );
        let config = config(&component, "a.wasm").unwrap();
        let said: serde_json::Value = serde_json::from_slice(&config.bytes).unwrap();
        assert_eq!(said["component"]["imports"], json!(["wasi:a/b@0.2.0"]));
        assert_eq!(said["component"]["exports"], json!(["x:y/z"]));
        assert_eq!(said["layerDigests"], json!([component.digest()]));
        let manifest = manifest(&config, &component, BTreeMap::new());
        let manifest = serde_json::to_vec(&manifest).unwrap();
        let (layer, digest) = super::component(&manifest, "a").unwrap();
        assert_eq!(layer.size as usize, component.bytes.len());
        assert_eq!(digest, Digest::of(&component.bytes));
    }

    #[test]
    fn what_is_no_component_is_told() {
        let error = config(&blob("(module)"), "a.wasm")
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("it is a module"), "{error}");
        for (bytes, why) in [
            (
                &b"# Portcullis\n"[..],
                "it begins with `# Po`; name a component",
            ),
            (&b"\x7f"[..], "it begins with `\\x7f`; name a component"),
            (&b""[..], "it is empty; name a component"),
        ] {
            let error = check(bytes, "README.md").unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        let component = blob("(component)");
        let config = config(&component, "a.wasm").unwrap();
        let right = manifest(&config, &component, BTreeMap::new());
        let mut image = right.clone();
        image.config.media_type = "application/vnd.oci.image.config.v1+json".into();
        let mut two = right.clone();
        two.layers.extend(right.layers.clone());
        let mut text = right.clone();
        text.layers[0].media_type = "text/plain".into();
        let mut weak = right;
        weak.layers[0].digest = "md5:0".into();
        for (manifest, why) in [
            (image, "image.config"),
            (two, "2 layers"),
            (text, "text/plain"),
            (weak, "SHA-256"),
        ] {
            let bytes = serde_json::to_vec(&manifest).unwrap();
            let error = super::component(&bytes, "a").unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(super::component(b"{\"manifests\":[]}", "a").is_err());
    }
}

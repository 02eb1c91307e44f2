//! A component's metadata: its licence, and links to more information. The metadata is in the
//! custom sections that the component model's tools and OCI registries read.

use serde::Deserialize;
use wasm_metadata::{AddMetadata, AddMetadataField, Homepage, Licenses, Source};

/// The table `[about]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The licence, as an SPDX expression such as `MIT OR Apache-2.0`.
    pub license: Option<License>,
    /// The URL of a page about the hook.
    pub homepage: Option<Url>,
    /// The URL of its source.
    pub source: Option<Url>,
}

/// An SPDX expression.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct License(String);

/// An `http` or `https` URL.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Url(String);

impl TryFrom<String> for License {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match Licenses::new(&text) {
            Ok(_) => Ok(Self(text)),
            Err(why) => Err(format!(
                "`{text}` is no SPDX expression, such as `MIT OR Apache-2.0`: {why}"
            )),
        }
    }
}

impl TryFrom<String> for Url {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if let Err(why) = Homepage::new(&text) {
            return Err(format!("`{text}` is no URL: {why}"));
        }
        match ["https://", "http://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            true => Ok(Self(text)),
            false => Err(format!(
                "`{text}` is no address of the web; write one that begins with `https://`"
            )),
        }
    }
}

impl About {
    /// Returns whether the table is empty.
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the component with this metadata in its custom sections.
    pub(crate) fn put_into(&self, component: Vec<u8>) -> anyhow::Result<Vec<u8>> {
        if self.is_empty() {
            return Ok(component);
        }
        let mut metadata = AddMetadata::default();
        if let Some(License(text)) = &self.license {
            metadata.licenses = AddMetadataField::Set(Licenses::new(text)?);
        }
        if let Some(Url(text)) = &self.homepage {
            metadata.homepage = AddMetadataField::Set(Homepage::new(text)?);
        }
        if let Some(Url(text)) = &self.source {
            metadata.source = AddMetadataField::Set(Source::new(text)?);
        }
        metadata.to_wasm(&component)
    }
}

#[cfg(test)]
mod tests {
    use super::About;

    #[test]
    fn what_is_no_licence_or_url_is_named() {
        for (text, named) in [
            ("license = \"Mit licence\"", "`Mit licence`"),
            ("homepage = \"example\"", "`example`"),
            (
                "source = \"git@example.com:a/b.git\"",
                "`git@example.com:a/b.git`",
            ),
            (
                "homepage = \"javascript:alert(1)\"",
                "begins with `https://`",
            ),
            ("licence = \"MIT\"", "`licence`"),
        ] {
            let error = toml::from_str::<About>(text).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
        let about = "license = \"MIT OR Apache-2.0\"\nhomepage = \"https://example.com\"";
        assert!(toml::from_str::<About>(about).is_ok());
    }
}

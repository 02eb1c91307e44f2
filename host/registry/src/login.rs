//! Logging in to a registry: its challenge, and the token that the challenge leads to. The registry is not
//! trusted, so the token must arrive over an encrypted connection, and its size is bounded.

use http_auth::parser::ChallengeParser;
use oci_client::secrets::RegistryAuth;
use serde::Deserialize;
use url::Url;

use crate::error::Error;
use crate::layout::MOST_METADATA;
use crate::web::{self, Web};

/// The most bytes of an answer with a token.
const MOST_TOKEN: u64 = 64 << 10;

/// A registry's token service, and the scope to request.
#[derive(Debug, PartialEq, Eq)]
struct Challenge {
    realm: String,
    service: Option<String>,
}

/// An answer with a token, under one of its two names.
#[derive(Deserialize)]
struct Token {
    token: Option<String>,
    access_token: Option<String>,
}

/// Returns the token for a scope, if the registry requires one. `root` is the address that requires it.
pub(crate) async fn token(
    web: &Web,
    root: &Url,
    scope: &str,
    auth: &RegistryAuth,
) -> Result<Option<String>, Error> {
    let answer = web::send(web.get(root, "*/*"), MOST_METADATA, &|_, _| {}).await?;
    let Some(challenge) = answer.challenges.iter().find_map(|text| challenge(text)) else {
        return Ok(None);
    };
    let server = |url: String, why: String| Error::Server { url, why };
    let realm = Url::parse(&challenge.realm);
    let mut realm = realm.map_err(|error| {
        let why = format!("it asks for a token from an address that is none: {error}");
        server(web::shown(root), why)
    })?;
    let shown = web::shown(&realm);
    if !web::is_safe(root, &realm) {
        let why = "the registry asks for a token from there, which is an address without encryption, or on this machine";
        return Err(server(shown, why.into()));
    }
    realm
        .query_pairs_mut()
        .extend_pairs(challenge.service.iter().map(|service| ("service", service)))
        .append_pair("scope", scope);
    let mut request = web.get(&realm, "application/json");
    if let RegistryAuth::Basic(user, password) = auth {
        request = request.basic_auth(user, Some(password));
    }
    let answer = web::send(request, MOST_TOKEN, &|_, _| {}).await?;
    if !answer.status.is_success() {
        let why = format!(
            "it gives no token, and answers {}; log in with `docker login` if the registry asks for it",
            answer.status
        );
        return Err(server(shown, why));
    }
    // The answer may be a secret, so it is not shown.
    let read: Option<Token> = serde_json::from_slice(&answer.body).ok();
    let token = read.and_then(|read| read.token.or(read.access_token));
    match token {
        Some(token) => Ok(Some(token)),
        None => Err(server(shown, "its answer holds no token".into())),
    }
}

/// Returns the first challenge of a header that asks for a token.
fn challenge(header: &str) -> Option<Challenge> {
    ChallengeParser::new(header).find_map(|challenge| {
        let challenge = challenge.ok()?;
        if !challenge.scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let said = |key: &str| {
            let mut said = challenge.params.iter();
            let found = said.find(|(name, _)| name.eq_ignore_ascii_case(key));
            found.map(|(_, value)| value.to_unescaped())
        };
        Some(Challenge {
            realm: said("realm")?,
            service: said("service"),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_for_a_token_is_found_among_others() {
        let expected = |service: Option<&str>| {
            Some(Challenge {
                realm: "https://auth.example/token".into(),
                service: service.map(str::to_owned),
            })
        };
        for (header, found) in [
            (
                "Bearer realm=\"https://auth.example/token\",service=\"r.example\",scope=\"x\"",
                expected(Some("r.example")),
            ),
            (
                "Basic realm=\"r\", bearer Realm=\"https://auth.example/token\"",
                expected(None),
            ),
            ("Basic realm=\"r\"", None),
            ("Bearer service=\"r.example\"", None),
            ("", None),
            ("Bearer realm=\"", None),
        ] {
            assert_eq!(challenge(header), found, "{header}");
        }
    }
}

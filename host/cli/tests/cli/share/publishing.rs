//! What a registry has while a hook is pushed.

use super::server::{Answer, Server};
use super::signatures::key;
use super::{hook, publish};
use crate::support::text;

#[test]
fn the_tag_leads_to_the_hook_only_after_it_has_its_signature() {
    let server = Server::new(|request| {
        let upload = "/v2/a/b/blobs/uploads/1";
        let path = request.path.as_str();
        match request.method.as_str() {
            "POST" | "PATCH" => Answer::new(202, "").with("location", upload),
            "PUT" => Answer::new(201, "").with("location", path),
            _ if path == "/v2/" || path.contains("/referrers/") => Answer::new(200, "{}"),
            _ => Answer::new(404, ""),
        }
    });
    let to = format!("oci://{}/a/b:1", server.address);
    let key = key();
    let published = publish(&hook("audit-log"), &to, &["--sign", text(&key.private)]);
    let heads = server.heads();
    let manifests = heads
        .iter()
        .filter_map(|head| head.strip_prefix("PUT /v2/a/b/manifests/"));
    let manifests: Vec<&str> = manifests
        .map(|rest| rest.split(' ').next().unwrap())
        .collect();
    let by_digest = |name: &str| format!("sha256:{}", published[name].as_str().unwrap());
    assert_eq!(
        manifests,
        [
            by_digest("manifest").as_str(),
            by_digest("signature").as_str(),
            "1"
        ],
        "{heads:?}"
    );
}

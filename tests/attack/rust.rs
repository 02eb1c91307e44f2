//! Attacks that are hooks in Rust: misuses of its standard library.

use std::net::TcpListener;

use portcullis_attack::Attack;
use portcullis_tests::component;

/// The action of the hook, and the header with the expected result.
const ACTIONS: &[(&str, &str)] = &[
    ("panic-in-a-lock", "cause = [\"trap\"]"),
    ("panic-in-a-drop", "cause = [\"trap\"]"),
    ("format-for-ever", "cause = [\"fuel\", \"deadline\"]"),
    ("allocate", "cause = [\"memory\"]"),
    ("capacity-overflow", "cause = [\"trap\", \"memory\"]"),
    ("forge", "expected = \"survived\""),
    ("exit", "cause = [\"trap\"]"),
    ("abort", "cause = [\"trap\"]"),
    (
        "spin-on-a-lock",
        "cause = [\"trap\", \"fuel\", \"deadline\"]",
    ),
    ("sleep", "cause = [\"deadline\"]\nceiling-ms = 1500"),
    ("thread", "expected = \"survived\""),
    ("environment", "expected = \"survived\""),
    ("deep-json", "cause = [\"guest-error\"]"),
];

/// The hook that reads a file does not load.
const FILE_READER: &str = "what = \"Reads a file: it is given no directory, so there is none.\"\nexpected = \"survived\"\nid = \"file-reader\"";

/// The actions of the hook with the directories that it was granted: the name, a description, the
/// expected result, the settings, and the contents of the directories.
const BURGLARIES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "grants-that-nest",
        "link-in-place-of-a-grant",
        "expected = \"load-refused\"\ncause = [\"overlapping-grants\"]",
        "write = [\"data\", \"data/in\"]",
        "directories = [\"data/in\"]",
    ),
    (
        "links-out-of-a-grant",
        "links-out",
        "expected = \"survived\"",
        "write = [\"data\"]",
        "directories = [\"data/in\"]",
    ),
    (
        "hoard-directory-streams",
        "directory-streams",
        "cause = [\"host-memory\"]\nceiling-ms = 2000",
        "read = [\"data\"]\n[hooks.burglar.limits]\nwall-ms = 60_000",
        "directories = [\"data\"]\nfiles = 5000",
    ),
    (
        "hoard-descriptors",
        "descriptors",
        "cause = [\"host-memory\"]\nceiling-ms = 1000",
        "read = [\"data\"]",
        "directories = [\"data\"]",
    ),
    (
        "hoard-file-streams",
        "file-streams",
        "cause = [\"host-memory\"]\nceiling-ms = 1000",
        "write = [\"data\"]",
        "directories = [\"data\"]",
    ),
    (
        "hoard-long-paths",
        "paths",
        "cause = [\"deadline\", \"fuel\", \"host-calls\"]\nceiling-ms = 1000",
        "read = [\"data\"]",
        "directories = [\"data\"]",
    ),
];

/// Returns the attacks. The first one builds the hooks.
pub fn attacks() -> Vec<Attack> {
    let hostile = std::fs::read(component("hostile")).expect("a component");
    let reader = std::fs::read(component("file-reader")).expect("a component");
    let mut attacks: Vec<Attack> = ACTIONS
        .iter()
        .map(|(action, says)| {
            let header = format!(
                "what = \"The action `{action}`, in Rust.\"\n{says}\n\
                 settings = '''\n[hooks.hostile.config]\naction = \"{action}\"\n'''"
            );
            attack(&format!("rust/{action}"), &header, hostile.clone())
        })
        .collect();
    attacks.push(attack("rust/file-reader", FILE_READER, reader));
    let burglar = std::fs::read(component("burglar")).expect("a component");
    for (name, action, says, grants, place) in BURGLARIES {
        let card = format!(
            "what = \"The action `{action}` with granted directories, in Rust.\"\n{says}\nid = \"burglar\"\n{place}\n\
             settings = '''\n[hooks.burglar]\nisolation = \"call\"\n[hooks.burglar.grants]\n{grants}\n[hooks.burglar.config]\naction = \"{action}\"\n'''"
        );
        attacks.push(attack(&format!("rust/{name}"), &card, burglar.clone()));
    }
    let exfiltrator = std::fs::read(component("exfiltrator")).expect("a component");
    let drip = drip();
    let drips = format!("http://127.0.0.1:{drip}");
    for (action, does, says, grant, urls) in [
        (
            "http-byte-by-byte",
            "wait",
            "cause = [\"deadline\"]\nceiling-ms = 1500",
            format!("GET {drips}"),
            vec![drips.clone()],
        ),
        (
            "exfiltrate-to-private-addresses",
            "send",
            "expected = \"survived\"\nceiling-ms = 1000",
            // The name is granted, but not the address that it resolves to.
            format!("POST http://localhost:{drip}"),
            private(drip),
        ),
        (
            "hoard-requests",
            "hoard",
            "cause = [\"handles\", \"deadline\", \"fuel\"]\nceiling-ms = 1000",
            format!("GET {drips}"),
            Vec::new(),
        ),
    ] {
        let header = format!(
            "what = \"The action `{does}` by HTTP, in Rust.\"\n{says}\nid = \"exfiltrator\"\n\
             settings = '''\n[hooks.exfiltrator.grants]\nhttp = [\"{grant}\"]\n\
             [hooks.exfiltrator.config]\naction = \"{does}\"\nurls = {urls:?}\n'''"
        );
        attacks.push(attack(
            &format!("rust/{action}"),
            &header,
            exfiltrator.clone(),
        ));
    }
    attacks
}

/// Returns the hosts that nothing may be sent to: this machine by its names, private networks, a
/// cloud's metadata.
fn private(port: u16) -> Vec<String> {
    let hosts = [
        "localhost",
        "127.0.0.1",
        "127.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
    ];
    let here = hosts.map(|host| format!("http://{host}:{port}/"));
    let there = [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
    ];
    here.into_iter().chain(there.map(str::to_owned)).collect()
}

/// Starts a server that answers a byte a second, for as long as the tests run.
fn drip() -> u16 {
    use std::io::{Read as _, Write as _};
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                // An answer that comes before its question is a protocol error.
                let _ = stream.read(&mut [0; 4096]);
                let mut said = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
                while said.is_ok() {
                    std::thread::sleep(std::time::Duration::from_secs(1));
                    said = stream.write_all(b"x");
                }
            });
        }
    });
    port
}

fn attack(path: &str, header: &str, component: Vec<u8>) -> Attack {
    let comment: String = header.lines().map(|line| format!(";; {line}\n")).collect();
    Attack::of_component(path, &comment, component).expect("a header")
}

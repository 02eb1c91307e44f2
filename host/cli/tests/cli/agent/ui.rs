//! `portcullis ui`: a question that is answered in a browser.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use portcullis_browser::Browser;

use super::live::{Live, at_gate, gated, make_gate};
use super::scene::Scene;
use super::suspended::{DEFERRED, suspend, suspended};
use crate::support::run;

/// `portcullis ui`, until it is dropped.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(scene: &Scene) -> Self {
        let cache = scene.command(&[]);
        let cache: Vec<String> = cache
            .get_args()
            .map(|argument| argument.to_str().unwrap().to_owned())
            .collect();
        let mut command: Command = scene.uncached(&["ui", "--person", "ann", "--"]);
        let mut child = command
            .args(cache)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        Self { child, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn browser(served: &Served) -> Option<Browser> {
    let mut browser = Browser::start().unwrap()?;
    browser.open(&served.url).unwrap();
    browser
        .wait("document.querySelector('a.session') !== null")
        .unwrap();
    browser.click("a.session").unwrap();
    browser
        .wait("document.querySelector('[data-do=approve]') !== null")
        .unwrap();
    Some(browser)
}

#[test]
fn the_approval_button_resumes_a_suspended_turn() {
    let (scene, _id) = suspended();
    let served = Served::start(&scene);
    let Some(mut browser) = browser(&served) else {
        return;
    };
    assert_eq!(
        browser
            .eval("document.querySelector('.question').innerText")
            .unwrap(),
        "May it?"
    );
    assert!(!scene.path("a").exists());
    browser.click("[data-do=approve]").unwrap();
    browser
        .wait("document.querySelector('#bar .state').innerText === 'ended'")
        .unwrap();
    assert!(scene.path("a").exists(), "the tool ran");
    browser
        .wait("document.body.innerText.includes('ann, in a browser, approved: call c-1')")
        .unwrap();
    // The page is not loaded again.
    browser
        .wait("document.querySelector('[data-do=approve]') === null")
        .unwrap();
    browser.picture("ui-resumed.png").unwrap();
}

#[test]
fn a_call_is_denied_and_another_one_changed_in_the_page() {
    let (scene, id) = suspended();
    let served = Served::start(&scene);
    let Some(mut browser) = browser(&served) else {
        return;
    };
    browser.click(".ask summary").unwrap();
    browser
        .eval("document.querySelector('.ask textarea').value = '{\"path\": \"c\", \"content\": \"d\"}'")
        .unwrap();
    browser.click("[data-do=edit]").unwrap();
    browser
        .wait("document.querySelector('#bar .state').innerText === 'ended'")
        .unwrap();
    assert!(scene.path("c").exists() && !scene.path("a").exists());

    scene.write(
        "script.json",
        r#"{ "responses": [{ "tool_calls": [{ "id": "c-2", "name": "write_file", "arguments": { "path": "e", "content": "f" } }] }, { "text": "No." }] }"#,
    );
    let again = suspend(&scene, "Write once more.");
    assert_ne!(id, again);
    browser
        .open(served.url.split("/login").next().unwrap())
        .unwrap();
    browser
        .wait("[...document.querySelectorAll('a.session')].some((it) => it.innerText.includes('waiting for you'))")
        .unwrap();
    browser
        .eval("[...document.querySelectorAll('a.session')].find((it) => it.innerText.includes('waiting for you')).id = 'waits-for-me'")
        .unwrap();
    scene.write(
        "script.json",
        r#"{ "responses": [{ "text": "Then not." }] }"#,
    );
    browser.click("#waits-for-me").unwrap();
    browser
        .wait("document.querySelector('.why') !== null")
        .unwrap();
    browser.type_into(".why", "not today").unwrap();
    browser.click("[data-do=deny]").unwrap();
    browser
        .wait("document.querySelector('#bar .state').innerText === 'ended'")
        .unwrap();
    assert!(!scene.path("e").exists(), "the tool did not run");
}

#[test]
fn a_session_whose_process_is_killed_is_shown_as_interrupted() {
    let scene = Scene::new(DEFERRED);
    make_gate(&scene);
    scene.write("script.json", &gated(""));
    let mut live = Live::run(&scene, &["Run."]);
    let _gate = at_gate(&scene);
    let served = Served::start(&scene);
    let Some(mut browser) = Browser::start().unwrap() else {
        return;
    };
    browser.open(&served.url).unwrap();
    browser
        .wait("document.querySelector('a.session .state.running') !== null")
        .unwrap();
    live.signal("-KILL");
    live.end();
    browser
        .wait("document.querySelector('a.session .state.interrupted') !== null")
        .unwrap();
    browser.click("a.session").unwrap();
    browser
        .wait("document.body.innerText.includes('its process died before it ended')")
        .unwrap();
}

#[test]
fn it_listens_on_loopback_alone() {
    let scene = Scene::new(DEFERRED);
    scene.write("script.json", r#"{ "responses": [{ "text": "Hello." }] }"#);
    assert_eq!(scene.run(&["Hello"]).code, Some(0));
    let ran = run(&mut scene.uncached(&["ui", "--listen", "0.0.0.0:0"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("not an address of loopback"),
        "{}",
        ran.err
    );
}

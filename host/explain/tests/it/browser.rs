//! The page in a real browser. Without a browser these tests do not run, and print so.

use std::net::TcpListener;

use portcullis_agent::JournalEvent;
use portcullis_browser::Browser;
use portcullis_explain::page;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::sample::{self, Sample, changes, continues, refuses};

/// A browser, and the file with a page.
struct Opened {
    browser: Browser,
    dir: TempDir,
}

impl Opened {
    /// Returns a browser with the page, if this machine has one.
    fn with(page: &str) -> Option<Self> {
        let browser = Browser::start().unwrap()?;
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("page.html"), page).unwrap();
        let mut opened = Self { browser, dir };
        opened.open("");
        Some(opened)
    }

    fn open(&mut self, fragment: &str) {
        self.browser.open("about:blank#").unwrap();
        let file = self.dir.path().join("page.html");
        let url = format!("file://{}{fragment}", file.display());
        self.browser.open(&url).unwrap();
        self.browser
            .wait("document.documentElement.dataset.ready !== undefined")
            .unwrap();
    }

    fn eval(&mut self, expression: &str) -> Value {
        self.browser.eval(expression).unwrap()
    }

    fn count(&mut self, selector: &str) -> u64 {
        let found = self.eval(&format!("document.querySelectorAll({selector:?}).length"));
        found.as_u64().unwrap()
    }

    /// Presses a key and releases it.
    fn press(&mut self, key: &str) {
        let text = if key == "Escape" { "" } else { key };
        for kind in ["keyDown", "keyUp"] {
            let pressed = json!({ "type": kind, "key": key, "text": text });
            self.browser
                .call("Input.dispatchKeyEvent", pressed)
                .unwrap();
        }
    }

    /// Returns the times until a page's first paint and until its load event, in milliseconds. Each
    /// is the least of five measurements.
    fn times(&mut self, page: &str) -> (f64, f64) {
        std::fs::write(self.dir.path().join("page.html"), page).unwrap();
        let file = self.dir.path().join("page.html");
        let url = format!("file://{}", file.display());
        let mut least = (f64::MAX, f64::MAX);
        for _ in 0..5 {
            self.browser.open("about:blank#").unwrap();
            self.browser.open(&url).unwrap();
            self.browser
                .wait("performance.getEntriesByName('first-contentful-paint').length > 0")
                .unwrap();
            let seen =
                self.eval("performance.getEntriesByName('first-contentful-paint')[0].startTime");
            let loaded = self.eval("performance.getEntriesByType('navigation')[0].loadEventEnd");
            least.0 = seen.as_f64().unwrap().min(least.0);
            least.1 = loaded.as_f64().unwrap().min(least.1);
        }
        least
    }
}

#[test]
fn a_session_is_drawn() {
    let page = page(&sample::session().journal.explain("s"));
    let Some(mut opened) = Opened::with(&page) else {
        return;
    };
    let drawn = opened.browser.picture("session.png").unwrap().len();
    opened.browser.open("about:blank#").unwrap();
    let blank = opened.browser.picture("blank.png").unwrap().len();
    assert!(
        drawn > 4 * blank,
        "{drawn} bytes, and a blank page has {blank}"
    );
}

#[test]
fn a_link_opens_what_it_leads_to() {
    let explanation = sample::session().journal.explain("s");
    let quiet = explanation
        .runs()
        .find(|(_, run)| run.is_quiet())
        .unwrap()
        .1
        .id
        .clone();
    let page = page(&explanation);
    // The chain of a quiet run is closed.
    assert!(page.contains(r#"<details class="chain">"#));
    let Some(mut opened) = Opened::with(&page) else {
        return;
    };
    let closed = "details.chain:not([open])";
    let before = opened.count(closed);
    opened.open(&format!("#{quiet}"));
    assert_eq!(opened.count(closed) + 1, before);
}

#[test]
fn hostile_text_is_inert() {
    let heard = TcpListener::bind("127.0.0.1:0").unwrap();
    heard.set_nonblocking(true).unwrap();
    let address = heard.local_addr().unwrap();
    let hostile = format!(
        "<img src=\"http://{address}/i\" onerror=\"document.title='owned'\"></script></pre></style>\
         <script>document.title='owned'</script><script src=\"http://{address}/s\"></script>\
         <link rel=stylesheet href=\"http://{address}/c\"><style>@import url(http://{address}/d)</style>\
         <meta http-equiv=refresh content=\"0;url=http://{address}/r\">\u{1b}[31mred\u{202e}turned\0 \" ' --> ]]>"
    );
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::TurnBegan {
        input: Some(hostile.clone()),
    });
    sample.run(&hostile, &hostile, None, refuses(&hostile, &hostile));
    sample.run(
        "pre-tool-call",
        "jail",
        Some(&hostile),
        changes(&hostile, &hostile, "x"),
    );
    sample.finished(&hostile, true, &hostile);
    let long = hostile.repeat(4 * 1024 * 1024 / hostile.len());
    sample.run("post-turn", "guard", None, refuses("long", &long));
    sample.event(JournalEvent::TurnFailed {
        error: long,
        cancelled: false,
        elapsed_ms: 1,
    });
    let page = page(&sample.journal.explain("s"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for tag in [
        "<img",
        "<link",
        "<script src",
        "<meta http-equiv=refresh",
        "\u{1b}",
        "\u{202e}",
        "\0",
    ] {
        assert!(!page.contains(tag), "{tag:?}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("\\u{202e}turned") && page.contains("&lt;img src="));
    let Some(mut opened) = Opened::with(&page) else {
        return;
    };
    assert_eq!(opened.eval("document.title"), "s · Portcullis");
    let connected = heard.accept().map(|(_, from)| from);
    assert!(connected.is_err(), "the page connected from {connected:?}");
}

/// The page has no address that a browser would load.
#[test]
fn the_page_loads_nothing() {
    let page = page(&sample::session().journal.explain("s"));
    for loads in [
        "http://", "https://", "src=", "url(", "@import", "<link", "<iframe", "fetch(", "import(",
    ] {
        assert!(!page.contains(loads), "{loads}");
    }
    let targets = page.split("href=\"").skip(1);
    assert!(targets.clone().count() > 5);
    for target in targets {
        assert!(target.starts_with('#'), "{}", &target[..40]);
    }
    // Every link has a target in the page.
    for target in page
        .split("href=\"#")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
    {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
}

#[test]
fn a_long_session_is_drawn_whole() {
    let mut sample = Sample::new();
    for turn in 1..=50 {
        sample.turn = turn;
        sample.step = 0;
        sample.event(JournalEvent::TurnBegan {
            input: Some(format!("Message {turn}.")),
        });
        sample.run("pre-turn", "guard", None, continues());
        for step in 1..=3 {
            sample.step = step;
            sample.run("pre-llm-call", "audit", None, continues());
            sample.model(1);
            let call = format!("{turn}.{step}");
            sample.run(
                "pre-tool-call",
                "guard",
                Some(&call),
                match (turn + step) % 7 {
                    0 => refuses("outside", "The path leads outside."),
                    _ => continues(),
                },
            );
            sample.run(
                "pre-tool-call",
                "jail",
                Some(&call),
                changes("/path", "../a", "/work/a"),
            );
            sample.event(JournalEvent::ToolStarted {
                call_id: call.clone(),
                name: "write_file".into(),
                arguments: Some(r#"{"path":"/work/a"}"#.into()),
            });
            sample.finished(&call, (turn + step) % 7 != 0, "wrote it");
            for hook in ["guard", "audit"] {
                sample.run("post-tool-call", hook, Some(&call), continues());
            }
            sample.run("post-step", "audit", None, continues());
        }
        sample.step = 0;
        sample.run("post-turn", "audit", None, continues());
    }
    let explanation = sample.journal.explain("s");
    assert_eq!(explanation.totals.runs, 1_000);
    let page = page(&explanation);
    let Some(mut opened) = Opened::with(&page) else {
        return;
    };
    assert_eq!(opened.count("section.turn"), 50);
    let elements = opened.count("*");
    assert!(opened.browser.picture("long.png").unwrap().len() > 20_000);
    let empty = "<!DOCTYPE html><title>empty</title><p>empty</p>";
    let (empty, long) = (opened.times(empty), opened.times(&page));
    println!(
        "1,000 runs: {} bytes, {elements} elements; seen after {:.0} ms and loaded after {:.0} ms, an empty page after {:.0} and {:.0} ms",
        page.len(),
        long.0,
        long.1,
        empty.0,
        empty.1
    );
}

#[test]
fn what_is_searched_is_shown_alone() {
    let Some(mut opened) = Opened::with(&page(&sample::session().journal.explain("s"))) else {
        return;
    };
    let seen = "[...document.querySelectorAll('.leaf')].filter((it) => it.getClientRects().length > 0).length";
    let all = opened.eval(seen);
    opened.browser.type_into("#search", "injection").unwrap();
    opened.browser.wait(&format!("{seen} === 1")).unwrap();
    opened
        .browser
        .eval("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
        .unwrap();
    assert_eq!(opened.eval(seen), all);
    opened.browser.click("[data-filter=refused]").unwrap();
    opened.browser.wait(&format!("{seen} === 2")).unwrap();
}

/// Returns a page of a session in which hooks changed and refused something.
fn opened() -> Option<Opened> {
    Opened::with(&page(&sample::session().journal.explain("s")))
}

#[test]
fn keys_search_and_show_everything_again() {
    let Some(mut opened) = opened() else {
        return;
    };
    let seen = "[...document.querySelectorAll('.leaf')].filter((it) => it.getClientRects().length > 0).length";
    let (all, expanded) = (opened.eval(seen), opened.count("details[open]"));
    opened.press("/");
    assert_eq!(opened.eval("document.activeElement.id"), "search");
    // In the search field, the key is a letter.
    opened.press("c");
    assert_eq!(opened.eval("document.activeElement.value"), "c");
    opened
        .browser
        .type_into("#search", "an injection? no: nothing")
        .unwrap();
    opened
        .browser
        .wait(&format!(
            "{seen} === 0 && !document.getElementById('nothing').hidden"
        ))
        .unwrap();
    opened.press("Escape");
    opened.browser.wait(&format!("{seen} === {all}")).unwrap();
    assert_eq!(opened.eval("document.getElementById('search').value"), "");
    assert_ne!(opened.eval("document.activeElement.id"), "search");
    assert_eq!(opened.count("details[open]"), expanded);
}

#[test]
fn keys_move_between_events_and_expand_them() {
    let Some(mut opened) = opened() else {
        return;
    };
    // The position of the mark, among the items that did more than continue.
    let place = "(() => {
        const loud = [...document.querySelectorAll('.leaf')];
        const seen = loud.filter((it) => it.dataset.k !== 'hooks' && it.getClientRects().length > 0);
        return [seen.indexOf(document.querySelector('.here')), seen.length];
    })()";
    assert_eq!(opened.eval(place)[0], -1);
    for (key, expected) in [("j", 0), ("j", 1), ("k", 0)] {
        opened.press(key);
        assert_eq!(opened.eval(place)[0], expected, "{key}");
    }
    // Before the first item comes the last.
    opened.press("k");
    let at_last = opened.eval(place);
    assert_eq!(at_last[0].as_u64().map(|at| at + 1), at_last[1].as_u64());

    let is_expanded = "document.querySelector('.here').open";
    for _ in 0..20 {
        opened.press("j");
        if opened.eval("document.querySelector('.here').matches('details')") == true {
            break;
        }
    }
    let before = opened.eval(is_expanded);
    assert!(before.is_boolean(), "no event that can be expanded");
    opened.press("o");
    assert_ne!(opened.eval(is_expanded), before);
    opened.press("o");
    assert_eq!(opened.eval(is_expanded), before);
    opened.press("Escape");
    assert_eq!(opened.count(".here"), 0);
}

#[test]
fn keys_and_a_printer_expand_everything_and_a_key_changes_the_theme() {
    let Some(mut opened) = opened() else {
        return;
    };
    let (expanded, collapsed) = ("details[open]", "details:not([open])");
    assert!(opened.count(expanded) > 0 && opened.count(collapsed) > 0);
    opened.press("c");
    assert_eq!(opened.count(expanded), 0);
    opened.press("e");
    assert_eq!(opened.count(collapsed), 0);
    opened.press("c");
    opened.browser.call("Page.printToPDF", json!({})).unwrap();
    assert_eq!(opened.count(collapsed), 0);
    let print = json!({ "media": "print" });
    opened
        .browser
        .call("Emulation.setEmulatedMedia", print)
        .unwrap();
    let shown = opened.eval("getComputedStyle(document.querySelector('.tools')).display");
    assert_eq!(shown, "none", "nothing to click on is printed");

    let theme = "document.documentElement.dataset.theme";
    opened.press("t");
    let one = opened.eval(theme);
    opened.press("t");
    let other = opened.eval(theme);
    let both = [one.as_str(), other.as_str()];
    assert!(
        both == [Some("dark"), Some("light")] || both == [Some("light"), Some("dark")],
        "{both:?}"
    );
}

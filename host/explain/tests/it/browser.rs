//! The page in a real browser. Without one these tests are not run, and say so.

use std::ffi::OsStr;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use portcullis_agent::JournalEvent;
use portcullis_explain::page;
use tempfile::TempDir;

use crate::sample::{self, Sample, changes, continues, refuses};

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// What the browser makes of a page.
struct Browser {
    program: &'static str,
    dir: TempDir,
}

impl Browser {
    /// A browser with the page, if this machine has one.
    fn with(page: &str) -> Option<Self> {
        let works = |program: &&&str| Command::new(program).arg("--version").output().is_ok();
        let Some(program) = BROWSERS.iter().find(works) else {
            println!("NOT RUN: the page in a browser, because Chromium is not installed");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("page.html"), page).unwrap();
        Some(Self { program, dir })
    }

    fn run(&self, url: &str, options: &[&OsStr]) -> Vec<u8> {
        let profile = self.dir.path().join("profile");
        let ran = Command::new(self.program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(options)
            .arg(url)
            .output()
            .unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        ran.stdout
    }

    fn url(&self) -> String {
        format!("file://{}", self.dir.path().join("page.html").display())
    }

    /// The document once its script has run.
    fn dom(&self, fragment: &str) -> String {
        let dom = self.run(
            &format!("{}{fragment}", self.url()),
            &["--dump-dom".as_ref()],
        );
        String::from_utf8(dom).unwrap()
    }

    /// How many bytes a picture has: a blank one is compressed to few.
    fn picture(&self, url: &str, name: &str) -> usize {
        let file = self.dir.path().join(name);
        let mut option = OsStr::new("--screenshot=").to_owned();
        option.push(&file);
        self.run(url, &[&option, "--window-size=1280,900".as_ref()]);
        let png = std::fs::read(&file).unwrap();
        assert!(png.starts_with(b"\x89PNG"), "{}", file.display());
        keep(&file, name);
        png.len()
    }
}

/// Keeps a picture for people to look at, if they say where.
fn keep(file: &Path, name: &str) {
    if let Some(dir) = std::env::var_os("PORTCULLIS_PICTURES") {
        std::fs::copy(file, Path::new(&dir).join(name)).unwrap();
    }
}

#[test]
fn a_session_is_drawn() {
    let page = page(&sample::session().journal.explain("s"));
    let Some(browser) = Browser::with(&page) else {
        return;
    };
    let dom = browser.dom("");
    assert!(dom.contains("data-ready="), "the script has run: {dom}");
    let blank = browser.picture("about:blank", "blank.png");
    let drawn = browser.picture(&browser.url(), "session.png");
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
    let Some(browser) = Browser::with(&page) else {
        return;
    };
    let closed = |dom: &str| dom.matches(r#"<details class="chain">"#).count();
    let (before, after) = (browser.dom(""), browser.dom(&format!("#{quiet}")));
    assert_eq!(closed(&after) + 1, closed(&before));
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
    let Some(browser) = Browser::with(&page) else {
        return;
    };
    let dom = browser.dom("");
    assert!(
        dom.contains("<title>s · Portcullis</title>"),
        "{}",
        &dom[..500]
    );
    assert!(dom.contains("data-ready="));
    let connected = heard.accept().map(|(_, from)| from);
    assert!(connected.is_err(), "the page connected from {connected:?}");
}

/// The page names nothing that a browser would load.
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
    // Every link leads somewhere.
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
    println!("{} bytes for {} runs", page.len(), explanation.totals.runs);
    let Some(browser) = Browser::with(&page) else {
        return;
    };
    keep(&browser.dir.path().join("page.html"), "long.html");
    let dom = browser.dom("");
    assert_eq!(dom.matches("<section class=\"turn\"").count(), 50);
    assert!(browser.picture(&browser.url(), "long.png") > 20_000);
}

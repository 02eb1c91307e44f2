//! Chromium for tests of pages. It is driven over its debugging pipe, with the DevTools protocol.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The maximum wait for a page to reach the state that a test waits for, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of attempts to click an element, and the time that the page has to receive a click.
const TRIES: u32 = 5;
const HEARD: Duration = Duration::from_secs(5);

/// The pause between two checks of a page.
const PAUSE: Duration = Duration::from_millis(50);

/// A browser with one page. It ends when it is dropped.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The messages that arrived while an answer was awaited.
    events: VecDeque<Value>,
    last: u64,
    page: String,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser with an empty page. Returns `None` if this machine has no browser, and
    /// reports NOT RUN.
    ///
    /// # Errors
    ///
    /// The browser does not start.
    pub fn start() -> anyhow::Result<Option<Self>> {
        let works = |program: &&&str| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|version| version.status.success())
        };
        let Some(program) = PROGRAMS.iter().find(works) else {
            xtask::test::not_run("the pages in a browser, because Chromium is not installed");
            return Ok(None);
        };
        let profile = tempfile::tempdir()?;
        // The browser reads from descriptor 3 and writes to 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null",
                "sh",
                program,
            ])
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
            ])
            .args([
                "--disable-component-update",
                "--window-size=1280,900",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // Files that it leaves there are removed with the profile.
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let to = child.stdin.take().context("its input")?;
        let from = BufReader::new(child.stdout.take().context("its output")?);
        let mut browser = Self {
            child,
            to,
            from,
            events: VecDeque::new(),
            last: 0,
            page: String::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.page = text(&attached["sessionId"])?;
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(Some(browser))
    }

    /// Calls a method of the DevTools protocol.
    ///
    /// # Errors
    ///
    /// The browser refuses it, or has ended.
    pub fn call(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if !self.page.is_empty() {
            message["sessionId"] = Value::from(&*self.page);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes)?;
        self.to.flush()?;
        loop {
            let mut answer = self.message()?;
            if answer["id"] != self.last {
                self.events.push_back(answer);
                continue;
            }
            if !answer["error"].is_null() {
                bail!("{method}: {}", answer["error"]);
            }
            return Ok(answer["result"].take());
        }
    }

    fn message(&mut self) -> anyhow::Result<Value> {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes)?;
        let bytes = bytes.strip_suffix(&[0]).context("the browser has ended")?;
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Opens an address, and waits until its page is loaded.
    ///
    /// # Errors
    ///
    /// The address cannot be opened.
    pub fn open(&mut self, url: &str) -> anyhow::Result<()> {
        self.call("Page.navigate", json!({"url": url}))?;
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    /// Opens a page of a file.
    ///
    /// # Errors
    ///
    /// The page cannot be opened.
    pub fn open_file(&mut self, file: &Path) -> anyhow::Result<()> {
        self.open(&format!("file://{}", file.display()))
    }

    /// Returns the value of a JavaScript expression in the page.
    ///
    /// # Errors
    ///
    /// The expression throws.
    pub fn eval(&mut self, expression: &str) -> anyhow::Result<Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", params)?;
        match result["exceptionDetails"].is_null() {
            true => Ok(result["result"]["value"].take()),
            false => bail!("{expression}: {}", result["exceptionDetails"]),
        }
    }

    /// Waits until a JavaScript expression is true in the page.
    ///
    /// # Errors
    ///
    /// The expression does not become true within a minute. The error has the text of the page.
    pub fn wait(&mut self, expression: &str) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            // A page that is being left has no context.
            if self.eval(expression).is_ok_and(|value| value == true) {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        let page = self.eval("location.href + '\\n' + document.body.innerText")?;
        bail!("not within {PATIENCE:?}: {expression}\n{}", text(&page)?)
    }

    /// Clicks on the first element of a selector, as a mouse does. A page may move its content
    /// between the press and the release, so that no element is clicked: the click is then
    /// repeated. The scripts of the page have run before.
    ///
    /// # Errors
    ///
    /// No element matches, or it cannot be clicked.
    pub fn click(&mut self, selector: &str) -> anyhow::Result<()> {
        let quoted = Value::from(selector);
        let place = format!(
            "(() => {{ const it = document.querySelector({quoted}); it.scrollIntoView({{ block: 'center' }});
               window.clicked = false; it.addEventListener('click', () => {{ window.clicked = true; }}, {{ capture: true, once: true }});
               const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        self.wait("document.readyState === 'complete'")?;
        for _ in 0..TRIES {
            let place = self.eval(&place)?;
            for kind in ["mousePressed", "mouseReleased"] {
                let at = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
                self.call("Input.dispatchMouseEvent", at)?;
            }
            let until = Instant::now() + HEARD;
            while Instant::now() < until {
                // A page that the click has left has no record of it.
                if self
                    .eval("window.clicked")
                    .is_ok_and(|clicked| clicked != false)
                {
                    return Ok(());
                }
                std::thread::sleep(PAUSE);
            }
        }
        bail!("{selector} cannot be clicked")
    }

    /// Types a text into the first element of a selector.
    ///
    /// # Errors
    ///
    /// No element matches.
    pub fn type_into(&mut self, selector: &str, text: &str) -> anyhow::Result<()> {
        let selector = Value::from(selector);
        self.eval(&format!("document.querySelector({selector}).focus()"))?;
        self.call("Input.insertText", json!({"text": text}))?;
        Ok(())
    }

    /// Takes a picture of the visible page, as PNG. The picture is saved for people to look at in
    /// the directory of `PORTCULLIS_PICTURES`, if it is set.
    ///
    /// # Errors
    ///
    /// The browser takes no picture.
    pub fn picture(&mut self, name: &str) -> anyhow::Result<Vec<u8>> {
        let taken = self.call("Page.captureScreenshot", json!({"format": "png"}))?;
        let png = STANDARD.decode(text(&taken["data"])?)?;
        if let Some(dir) = std::env::var_os("PORTCULLIS_PICTURES") {
            std::fs::write(Path::new(&dir).join(name), &png)?;
        }
        Ok(png)
    }

    /// Returns the addresses that pages have requested since the last call.
    pub fn requested(&mut self) -> Vec<String> {
        let events = self.events.drain(..);
        let urls = events.filter(|event| event["method"] == "Network.requestWillBeSent");
        let url = |event: Value| {
            event["params"]["request"]["url"]
                .as_str()
                .map(str::to_owned)
        };
        urls.filter_map(url).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(value: &Value) -> anyhow::Result<String> {
    Ok(value.as_str().context("a text")?.to_owned())
}

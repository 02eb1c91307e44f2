//! The pages in a real browser. Without a browser these tests do not run, and print so.

use portcullis_agent::JournalEvent;
use portcullis_browser::Browser;
use portcullis_ui::Continued;
use serde_json::json;

use crate::support::Served;

/// Returns a browser with the list of sessions, if this machine has one.
fn browser(served: &Served) -> Option<Browser> {
    let mut browser = Browser::start().unwrap()?;
    browser.open(&served.url).unwrap();
    browser
        .wait("document.querySelector('nav.kinds') !== null")
        .unwrap();
    browser
        .wait("document.documentElement.dataset.live === 'on'")
        .unwrap();
    let address = browser.eval("location.href").unwrap();
    assert_eq!(
        address,
        format!("{}/", served.address()),
        "the token is gone"
    );
    Some(browser)
}

#[test]
fn the_list_and_a_session_are_kept_up_while_it_runs() {
    let served = Served::start();
    served.begin("monday", "Write the notes.");
    let Some(mut browser) = browser(&served) else {
        return;
    };
    let states = "[...document.querySelectorAll('a.session')].map((it) => it.innerText.split('\\n')[0]).join()";
    assert_eq!(browser.eval(states).unwrap(), "running");
    // The element stays the same, so the document is not loaded again.
    browser
        .eval("window.same = document.querySelector('a.session')")
        .unwrap();
    served.begin("tuesday", "And now?");
    served.run("tuesday", (1, 1), "guard", "reject");
    browser
        .wait(&format!("{states} === 'running,running'"))
        .unwrap();
    served.event(
        "monday",
        1,
        1,
        JournalEvent::TurnFailed {
            error: "the model does not answer".into(),
            cancelled: false,
            elapsed_ms: 9,
        },
    );
    browser
        .wait("window.same.innerText.startsWith('failed')")
        .unwrap();
    browser.picture("ui-list.png").unwrap();
    browser.type_into("#find", "tues").unwrap();
    browser
        .wait(&format!(
            "location.search.includes('q=tues') && {states} === 'running'"
        ))
        .unwrap();

    browser
        .open(&format!("{}/session?id=tuesday", served.address()))
        .unwrap();
    browser
        .wait("document.documentElement.dataset.live === 'on'")
        .unwrap();
    browser.eval("window.same = document.querySelector('#turn-1'); document.querySelector('#search').value = ''").unwrap();
    for hook in ["audit", "budget", "jail"] {
        served.run("tuesday", (1, 2), hook, "continue");
    }
    browser
        .wait("document.querySelector('#turn-1').innerText.includes('jail')")
        .unwrap();
    served.event(
        "tuesday",
        1,
        2,
        JournalEvent::TurnEnded {
            origin: json!({"from": "model"}),
            input_tokens: 7,
            output_tokens: 5,
            elapsed_ms: 9,
            output: Some("Done.".into()),
        },
    );
    let input = Some("Once more".into());
    served.event("tuesday", 2, 0, JournalEvent::TurnBegan { input });
    browser
        .wait("document.querySelector('#turn-2')?.innerText.includes('Once more')")
        .unwrap();
    assert_eq!(
        browser
            .eval("window.same === document.querySelector('#turn-1')")
            .unwrap(),
        true
    );
    browser
        .wait("document.querySelector('#bar .state').innerText.includes('running')")
        .unwrap();
    browser.picture("ui-session.png").unwrap();
    // Elements that the reader opened stay open.
    browser
        .click("#turn-1 details.chain:not([open]) > summary")
        .unwrap();
    let open = browser
        .eval("document.querySelectorAll('#turn-1 details[open]').length")
        .unwrap();
    served.run("tuesday", (2, 1), "guard", "continue");
    browser
        .wait("document.querySelector('#turn-2').innerText.includes('guard')")
        .unwrap();
    assert_eq!(
        browser
            .eval("document.querySelectorAll('#turn-1 details[open]').length")
            .unwrap(),
        open
    );
    for url in browser.requested() {
        assert!(url.starts_with(served.address()), "{url}");
    }
}

#[test]
fn a_question_is_answered_in_the_page() {
    let mut served = Served::start();
    served.begin("monday", "Write the notes.");
    let id = served.suspend("monday", &[("c1", "May the agent write a.md?")]);
    let Some(mut browser) = browser(&served) else {
        return;
    };
    browser
        .wait("document.querySelector('a.session').innerText.includes('1 waiting for you')")
        .unwrap();
    browser.click("a.session").unwrap();
    browser
        .wait("document.querySelector('.question')?.innerText === 'May the agent write a.md?'")
        .unwrap();
    browser
        .wait("document.documentElement.dataset.live === 'on'")
        .unwrap();
    browser.picture("ui-question.png").unwrap();
    browser.click("[data-do=approve]").unwrap();
    let continued = served.continued.blocking_recv().unwrap();
    assert_eq!(continued, Continued::Suspended(id));
    browser
        .wait("document.body.innerText.includes('ann, in a browser, approved: call c1')")
        .unwrap();
    browser.picture("ui-answered.png").unwrap();
}

#[test]
fn what_is_typed_for_one_call_is_never_sent_for_another() {
    let served = Served::start();
    served.begin("monday", "Write the notes.");
    let first = served.suspend("monday", &[("c1", "May it write a.md?")]);
    let second = served.suspend("monday", &[("c2", "And b.md?"), ("c3", "And c.md?")]);
    let Some(mut browser) = browser(&served) else {
        return;
    };
    browser
        .open(&format!("{}/session?id=monday", served.address()))
        .unwrap();
    browser
        .wait("document.documentElement.dataset.live === 'on' && document.querySelectorAll('.why').length === 3")
        .unwrap();
    let of = |call: &str| format!(".ask[data-call={call}] .why");
    browser.type_into(&of("c1"), "for the first").unwrap();
    browser.type_into(&of("c3"), "for the third").unwrap();
    browser
        .eval("document.querySelector('.ask[data-call=c1] textarea').value = '{}'")
        .unwrap();
    // The first turn is removed, and the second moves to its position.
    served.discard(&first);
    browser
        .wait("document.querySelector('.ask').dataset.call === 'c2' && document.querySelectorAll('.why').length === 2")
        .unwrap();
    let values = "[...document.querySelectorAll('.ask')].map((it) => it.querySelector('.why').value + it.querySelector('textarea').value.length).join()";
    let arguments = browser
        .eval("document.querySelector('.ask[data-call=c3] textarea').value.length")
        .unwrap();
    assert_eq!(
        browser.eval(values).unwrap(),
        format!("{arguments},for the third{arguments}")
    );
    // The focus stays, although a new element appears above.
    let focused = "document.activeElement.closest('.ask')?.dataset.call";
    assert_eq!(browser.eval(focused).unwrap(), "c3");
    served.resolve(&second, "c2");
    browser
        .wait("document.querySelectorAll('.why').length === 1 && document.querySelector('.answered') !== null")
        .unwrap();
    assert_eq!(browser.eval(focused).unwrap(), "c3");
    assert_eq!(
        browser
            .eval("document.querySelector('.why').value")
            .unwrap(),
        "for the third"
    );
}

#[test]
fn hostile_text_is_inert() {
    let served = Served::start();
    let hostile = "<img src=x onerror=\"document.title='owned'\"></textarea></script><script>document.title='owned'</script>\u{202e}turned\" '";
    served.begin(hostile, hostile);
    served.run(hostile, (1, 1), hostile, "reject");
    served.suspend(hostile, &[(hostile, hostile)]);
    let Some(mut browser) = browser(&served) else {
        return;
    };
    browser.click("a.session").unwrap();
    browser
        .wait("document.querySelector('.question') !== null")
        .unwrap();
    browser
        .wait("document.documentElement.dataset.live === 'on'")
        .unwrap();
    served.run(hostile, (1, 2), hostile, "continue");
    browser
        .wait("Number(document.documentElement.dataset.updates) > 0")
        .unwrap();
    assert_eq!(
        browser
            .eval("document.querySelectorAll('img, main script').length")
            .unwrap(),
        0
    );
    let title = browser.eval("document.title").unwrap();
    assert!(title.as_str().unwrap().ends_with("· Portcullis"), "{title}");
    let text = browser.eval("document.body.innerText").unwrap();
    assert!(!text.as_str().unwrap().contains('\u{202e}'));
    // The question's text is data in the page's request too.
    browser.type_into(".why", "no").unwrap();
    browser.click("[data-do=deny]").unwrap();
    browser
        .wait("document.body.innerText.includes('denied: call')")
        .unwrap();
}

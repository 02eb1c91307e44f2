//! A sub-agent's hooks after its parents'.

use portcullis::contract::ContentPart;
use portcullis::points::{MessageAdded, PostTurn, PreTurn, post_turn, pre_turn};
use portcullis::{Decision, Hooks, NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Sample, hook, text, turn};

/// Loads a component and a native hook that append their ids to the text. The component's id is the
/// same for every agent.
fn agent(name: &'static str, priority: i32) -> Hooks {
    let action = format!("\"append  {name}-probe\"");
    let settings = hook(
        "probe",
        &format!("priority = {priority}"),
        &format!("pre-turn = {action}\npost-turn = {action}"),
    );
    let said = move |now: String| vec![ContentPart::Text(format!("{now} {name}"))];
    let native = NativeHook::new(name)
        .priority(priority + 1)
        .on::<PreTurn>(move |call| Ok(pre_turn::Outcome::Transform(said(text(call)))))
        .on::<PostTurn>(move |call| Ok(post_turn::Outcome::Transform(said(text(call)))));
    HooksDir::new()
        .with("probe")
        .settings(&settings)
        .load_beside([native])
}

#[tokio::test]
async fn parents_first_at_every_point_and_each_agents_own_order_within() {
    // By priority alone the child's would run first, and at post points too.
    let mut session = agent("parent", 500).session(SessionOptions::new("child"));
    session.stack(&agent("child", 0));
    session.stack(&agent("grandchild", 900));
    let mut before = turn(".");
    let verdict = session.run(&mut before).await;
    assert_eq!(
        text(&before),
        ". parent-probe parent child-probe child grandchild-probe grandchild"
    );
    assert_eq!(verdict.runs.len(), 6);
    let mut after = PostTurn::sample();
    let _ = session.run(&mut after).await;
    assert_eq!(
        text(&after),
        "hello parent parent-probe child child-probe grandchild grandchild-probe"
    );
}

#[tokio::test]
async fn what_a_parents_hook_refuses_no_hook_of_the_childs_clears() {
    let refuse =
        HooksDir::new()
            .with("probe")
            .settings(&hook("probe", "", "pre-turn = \"reject\""));
    let mut session = refuse.load().session(SessionOptions::new("child"));
    session.stack(&agent("child", -100));
    let mut call = turn(".");
    let verdict = session.run(&mut call).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
    assert_eq!((text(&call).as_str(), verdict.runs.len()), (".", 3));
}

#[tokio::test]
async fn a_hook_remembers_for_each_agent_by_itself() {
    let counting = || {
        HooksDir::new()
            .with("probe")
            .settings(&hook(
                "probe",
                "isolation = \"call\"",
                "pre-turn = \"remember\"",
            ))
            .load()
    };
    let mut session = counting().session(SessionOptions::new("child"));
    let mut call = turn("");
    let _ = session.run(&mut call).await;
    assert_eq!(text(&call), "1");
    session.stack(&counting());
    // The parent's count continues, the child's begins; the child answers last.
    let _ = session.run(&mut call).await;
    assert_eq!(text(&call), "1");
    let kept = session.private_state();
    assert_eq!(kept.len(), 2);
    let again = counting().session(SessionOptions::new("child"));
    again.restore(kept);
    let _ = again.run(&mut call).await;
    assert_eq!(text(&call), "3");
}

#[tokio::test]
async fn a_hook_added_later_stands_among_the_last_agents() {
    let mut session = agent("parent", 500).session(SessionOptions::new("child"));
    session.stack(&agent("child", 0));
    let own = NativeHook::new("own").priority(-5).on::<PreTurn>(|call| {
        let parts = vec![ContentPart::Text(format!("{} own", text(call)))];
        Ok(pre_turn::Outcome::Transform(parts))
    });
    session.add(own).expect("a hook");
    let mut call = turn(".");
    let _ = session.run(&mut call).await;
    assert_eq!(text(&call), ". parent-probe parent own child-probe child");
}

#[tokio::test]
async fn those_that_look_on_do_so_once_all_agents_hooks_have_decided() {
    let observer = "role = \"observe\"\npriority = -1000";
    let looks = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", observer, "pre-turn = \"continue\""))
        .load();
    let mut session = looks.session(SessionOptions::new("child"));
    session.stack(&agent("child", 0));
    let verdict = session.run(&mut turn(".")).await;
    let order: Vec<_> = verdict.runs.iter().map(|run| run.hook.as_str()).collect();
    assert_eq!(order, ["probe", "child", "probe"]);
    assert_eq!(verdict.runs[2].component, verdict.runs[0].component);
    assert!(verdict.runs[0].change.is_some() && verdict.runs[2].change.is_none());
    let told = session.run(&mut MessageAdded::sample()).await;
    assert_eq!(told.runs.len(), 2);
}

//! Phrases, as steps of words that follow each other.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::words::Words;

/// A phrase: one word of each step, in order and in one sentence, with a few other words in between.
#[derive(Debug)]
pub struct Phrase {
    /// The name of its sign.
    pub sign: &'static str,
    steps: Vec<Vec<&'static str>>,
    /// The most other words between two steps.
    gap: usize,
}

/// Returns all phrases.
fn all() -> &'static [Phrase] {
    static ALL: OnceLock<Vec<Phrase>> = OnceLock::new();
    ALL.get_or_init(|| read(include_str!("phrases.txt")))
}

fn read(text: &'static str) -> Vec<Phrase> {
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let lists: BTreeMap<&str, Vec<&str>> = lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, words)| (name, words.split_whitespace().collect()))
        .collect();
    let step = |step: &'static str| {
        let words: Vec<&str> = step.split_whitespace().collect();
        match words.as_slice() {
            [name] if lists.contains_key(name) => lists.get(name).cloned().unwrap_or_default(),
            _ => words,
        }
    };
    let phrase = |line: &'static str| {
        let (head, steps) = line.split_once(": ")?;
        let (sign, gap) = head.split_once(' ')?;
        Some(Phrase {
            sign,
            steps: steps.split(" | ").map(step).collect(),
            gap: gap.parse().ok()?,
        })
    };
    lines().filter_map(phrase).collect()
}

/// Words of texts about such attacks.
const ABOUT: &str = "injection injections jailbreak jailbreaks jailbreaking attacker attackers adversarial owasp \
    malicious untrusted guardrail guardrails phishing redteam vulnerability vulnerabilities exploit \
    mitigation sanitize classifier detector payload payloads";
/// Words that report what somebody else says.
const REPORTS: &str = "such like example e.g eg called says said write writes phrase phrases string strings contains \
    containing contain asks tries try attempt attempts telling tells tell detect detects match matches \
    text may might could would can test tests";

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|other| other == word)
}

/// Returns the phrases in the text, with the start of the first of each. One pass, since outputs may be long.
pub fn find(words: &Words) -> Vec<(&'static Phrase, usize)> {
    let mut found: Vec<(&Phrase, usize)> = Vec::new();
    for (at, word) in words.all.iter().enumerate() {
        for phrase in starting(word) {
            let is_new = !found.iter().any(|(other, _)| std::ptr::eq(*other, *phrase));
            if is_new && continues(words, phrase, at) {
                found.push((phrase, at));
            }
        }
    }
    found
}

/// Returns the phrases whose first step has the word.
fn starting(word: &str) -> &'static [&'static Phrase] {
    static STARTS: OnceLock<BTreeMap<&str, Vec<&Phrase>>> = OnceLock::new();
    let starts = STARTS.get_or_init(|| {
        let mut starts: BTreeMap<&str, Vec<&Phrase>> = BTreeMap::new();
        for phrase in all() {
            for word in phrase.steps.first().into_iter().flatten() {
                starts.entry(word).or_default().push(phrase);
            }
        }
        starts
    });
    starts.get(word).map_or(&[], Vec::as_slice)
}

fn continues(words: &Words, phrase: &Phrase, start: usize) -> bool {
    let sentence = words.sentences.get(start);
    let mut at = start;
    for step in phrase.steps.iter().skip(1) {
        let next = words
            .all
            .iter()
            .enumerate()
            .skip(at + 1)
            .take(phrase.gap + 1);
        let mut next = next.filter(|(place, _)| words.sentences.get(*place) == sentence);
        match next.find(|(_, word)| step.contains(&word.as_str())) {
            Some((place, _)) => at = place,
            None => return false,
        }
    }
    true
}

/// Returns whether the text is about such attacks.
pub fn is_about_attacks(words: &Words) -> bool {
    words.all.iter().any(|word| has(ABOUT, word))
}

/// Returns whether the words before `at` report what somebody else says.
pub fn is_reported(words: &Words, at: usize) -> bool {
    let before = words.all.get(at.saturating_sub(8)..at).unwrap_or_default();
    before.iter().any(|word| has(REPORTS, word))
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::score::SIGNS;

    #[test]
    fn every_phrase_is_of_a_known_sign() {
        assert_eq!(all().len(), 32);
        for phrase in all() {
            assert!(
                SIGNS.iter().any(|(sign, _)| *sign == phrase.sign),
                "{phrase:?}"
            );
            assert!(phrase.steps.len() > 1, "{phrase:?}");
        }
    }
}

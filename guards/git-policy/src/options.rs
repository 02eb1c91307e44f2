//! The options among the arguments of a command.

/// An option that a command has.
#[derive(Debug)]
pub(crate) struct Known {
    letter: &'static str,
    name: &'static str,
    takes: Takes,
}

#[derive(Debug, PartialEq)]
enum Takes {
    Nothing,
    /// A value in the same word, or none.
    Attached,
    /// A value in the same word or in the next.
    Value,
}

/// Creates an option without a value. The letter or the name may be empty.
pub(crate) const fn flag(letter: &'static str, name: &'static str) -> Known {
    known(letter, name, Takes::Nothing)
}

/// Creates an option whose value, if it has one, is in the same word.
pub(crate) const fn attached(letter: &'static str, name: &'static str) -> Known {
    known(letter, name, Takes::Attached)
}

/// Creates an option with a value.
pub(crate) const fn value(letter: &'static str, name: &'static str) -> Known {
    known(letter, name, Takes::Value)
}

const fn known(letter: &'static str, name: &'static str, takes: Takes) -> Known {
    Known {
        letter,
        name,
        takes,
    }
}

/// The way in which a program reads its options.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Long names may be abbreviated, and `no-` turns them off.
    Git,
    /// Long names are written in full, and a flag may have `=false`.
    Gh,
}

#[derive(Debug)]
struct Given<'a> {
    known: &'static Known,
    is_on: bool,
    value: Option<&'a str>,
}

/// The arguments of a command, parsed as the command parses them.
#[derive(Debug)]
pub(crate) struct Options<'a> {
    given: Vec<Given<'a>>,
    /// The arguments that are neither options nor their values.
    pub(crate) operands: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// Parses the arguments of a verb of Git. Unknown options are assumed to have no value.
    pub(crate) fn of_git(words: &[&'a str], known: &'static [Known]) -> Self {
        Self::read(words, known, Style::Git)
    }

    /// Parses the arguments of a verb of `gh`.
    pub(crate) fn of_gh(words: &[&'a str], known: &'static [Known]) -> Self {
        Self::read(words, known, Style::Gh)
    }

    /// Returns whether the option with this letter or name is on. The last one decides.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.last(key).is_some_and(|given| given.is_on)
    }

    /// Returns whether the option is turned off. The last one decides.
    pub(crate) fn lacks(&self, key: &str) -> bool {
        self.last(key).is_some_and(|given| !given.is_on)
    }

    /// Returns the values of an option.
    pub(crate) fn values(&self, key: &str) -> impl Iterator<Item = &'a str> {
        let given = self.given.iter().filter(move |given| given.is(key));
        given.filter_map(|given| given.value)
    }

    fn last(&self, key: &str) -> Option<&Given<'a>> {
        self.given.iter().rfind(|given| given.is(key))
    }

    fn read(words: &[&'a str], known: &'static [Known], style: Style) -> Self {
        let mut options = Self {
            given: Vec::new(),
            operands: Vec::new(),
        };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if word == "--" || style == Style::Git && word == "--end-of-options" {
                options.operands.extend(words);
                break;
            } else if let Some(long) = word.strip_prefix("--") {
                options.long(long, &mut words, known, style);
            } else if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                options.letters(letters, &mut words, known, style);
            } else {
                options.operands.push(word);
            }
        }
        options
    }

    fn long(
        &mut self,
        long: &'a str,
        words: &mut impl Iterator<Item = &'a str>,
        known: &'static [Known],
        style: Style,
    ) {
        let (name, said) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let named = style.named(name, known);
        let takes_next = named
            .iter()
            .any(|(known, is_on)| *is_on && known.takes == Takes::Value);
        let value = match said {
            None if takes_next => words.next(),
            said => said,
        };
        for (known, is_on) in named {
            let is_on = is_on && !style.turns_off(known, value);
            self.given.push(Given {
                known,
                is_on,
                value,
            });
        }
    }

    fn letters(
        &mut self,
        letters: &'a str,
        words: &mut impl Iterator<Item = &'a str>,
        known: &'static [Known],
        style: Style,
    ) {
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            let Some(known) = known.iter().find(|known| known.letter.starts_with(letter)) else {
                continue;
            };
            let rest = letters.as_str();
            let assigned = rest.strip_prefix('=').filter(|_| style == Style::Gh);
            let value = match known.takes {
                Takes::Nothing => assigned,
                Takes::Value if rest.is_empty() => words.next(),
                Takes::Attached | Takes::Value => Some(assigned.unwrap_or(rest)),
            };
            let is_last = known.takes != Takes::Nothing || assigned.is_some();
            self.given.push(Given {
                known,
                is_on: !style.turns_off(known, value),
                value,
            });
            if is_last {
                break;
            }
        }
    }
}

impl Given<'_> {
    fn is(&self, key: &str) -> bool {
        self.known.name == key || self.known.letter == key
    }
}

impl Style {
    /// Returns the options that a long name may mean, and whether it turns them on. Git refuses an ambiguous name, but
    /// its version decides which names are ambiguous, so all options are returned.
    fn named(self, name: &str, known: &'static [Known]) -> Vec<(&'static Known, bool)> {
        let all = |fits: fn(&str, &str) -> bool| -> Vec<_> {
            let long = known.iter().filter(|known| !known.name.is_empty());
            long.filter_map(|known| Some((known, turned(known.name, name, fits)?)))
                .collect()
        };
        if name.is_empty() {
            return Vec::new();
        }
        if self == Style::Gh {
            let exact = known.iter().filter(|known| known.name == name);
            return exact.map(|known| (known, true)).collect();
        }
        let exact = all(|known, name| known == name);
        match exact.is_empty() {
            true => all(|known, name| known.starts_with(name)),
            false => exact,
        }
    }

    fn turns_off(self, known: &Known, value: Option<&str>) -> bool {
        let is_false = |value: &str| matches!(value, "0" | "f" | "F" | "false" | "False" | "FALSE");
        self == Style::Gh && known.takes == Takes::Nothing && value.is_some_and(is_false)
    }
}

/// Returns whether `said` turns Git's option `name` on or off, or `None` if it means another option.
fn turned(name: &str, said: &str, fits: fn(&str, &str) -> bool) -> Option<bool> {
    if fits(name, said) {
        return Some(true);
    }
    let is_off = match name.strip_prefix("no-") {
        Some(stem) => fits(stem, said),
        None => said
            .strip_prefix("no-")
            .is_some_and(|stem| !stem.is_empty() && fits(name, stem)),
    };
    is_off.then_some(false)
}

#[cfg(test)]
mod tests {
    use super::{Known, Options, attached, flag, value};

    const KNOWN: &[Known] = &[
        flag("f", "force"),
        flag("n", "no-verify"),
        value("m", "message"),
        attached("S", "gpg-sign"),
    ];

    #[test]
    fn git_reads_its_options() {
        for (script, on, messages, operands) in [
            ("a -f b", "f", "", "a b"),
            ("--forc", "f", "", ""),
            ("--no-verif", "n", "", ""),
            ("--force --no-force", "", "", ""),
            ("--no-verify --verify", "", "", ""),
            ("--force=x", "f", "", ""),
            ("-fm x y", "f", "x", "y"),
            ("-mform x", "", "form", "x"),
            ("-fmx -mn", "f", "x n", ""),
            ("--mess x --message=y z", "", "x y", "z"),
            ("-Sfn x", "", "", "x"),
            ("-- -f", "", "", "-f"),
            ("--end-of-options -f", "", "", "-f"),
            ("--unknown x -", "", "", "x -"),
            ("--= -m", "", "", ""),
        ] {
            let words: Vec<&str> = script.split(' ').collect();
            let options = Options::of_git(&words, KNOWN);
            let found: String = ["f", "n"].into_iter().filter(|o| options.has(o)).collect();
            assert_eq!(found, on, "{script}");
            let values: Vec<&str> = options.values("message").collect();
            assert_eq!(values.join(" "), messages, "{script}");
            assert_eq!(options.operands.join(" "), operands, "{script}");
        }
    }

    #[test]
    fn gh_reads_its_options() {
        for (script, on, messages, operands) in [
            ("--force=true x", "f", "", "x"),
            ("--force=false -n=0", "", "", ""),
            ("--forc", "", "", ""),
            ("-fnm x", "fn", "x", ""),
            ("-m=x --message y", "", "x y", ""),
        ] {
            let words: Vec<&str> = script.split(' ').collect();
            let options = Options::of_gh(&words, KNOWN);
            let found: String = ["f", "n"].into_iter().filter(|o| options.has(o)).collect();
            assert_eq!(found, on, "{script}");
            let values: Vec<&str> = options.values("message").collect();
            assert_eq!(values.join(" "), messages, "{script}");
            assert_eq!(options.operands.join(" "), operands, "{script}");
        }
    }
}

//! The words of a text, normalised for comparison.

/// Words in lower case, with their sentences and quotes.
#[derive(Debug, Default)]
pub struct Words {
    /// The words.
    pub all: Vec<String>,
    /// For each word, whether it is within quotes.
    quoted: Vec<bool>,
    /// For each word, the number of its sentence.
    pub sentences: Vec<u32>,
    /// Whether there are more words in the text.
    pub are_cut: bool,
}

impl Words {
    /// Reads the first `most` words of a text.
    pub fn of(text: &str, most: usize) -> Self {
        let mut words = Self::default();
        let mut word = String::new();
        let (mut is_quoted, mut sentence) = (false, 0_u32);
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter.is_alphanumeric()
                || (letter == '\'' && !word.is_empty())
                || is_leet(letter, &word, letters.peek())
            {
                word.extend(folded(letter).to_lowercase());
                continue;
            }
            words.push(&mut word, is_quoted, sentence);
            match letter {
                '"' | '“' | '”' | '„' | '«' | '»' | '`' => is_quoted = !is_quoted,
                '.' | '!' | '?' | '\n' | ';' => {
                    let ends = letters.peek().is_none_or(|next| next.is_whitespace());
                    sentence += u32::from(ends);
                    // A quote that is not closed ends with its paragraph.
                    is_quoted &= !(letter == '\n' && letters.peek() == Some(&'\n'));
                }
                _ => {}
            }
            if words.all.len() >= most {
                words.are_cut = letters.any(char::is_alphanumeric);
                break;
            }
        }
        words.push(&mut word, is_quoted, sentence);
        words.spaced();
        words
    }

    fn push(&mut self, word: &mut String, is_quoted: bool, sentence: u32) {
        if word.is_empty() {
            return;
        }
        let plain = word.trim_matches('\'');
        let has_letters = plain.chars().any(char::is_alphabetic);
        self.all.push(match has_letters && plain.len() > 2 {
            true => plain.chars().map(digit_as_letter).collect(),
            false => plain.to_owned(),
        });
        self.quoted.push(is_quoted);
        self.sentences.push(sentence);
        word.clear();
    }

    /// Joins letters that stand alone: `i g n o r e` is one word.
    fn spaced(&mut self) {
        let is_letter =
            |word: &String| word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        let mut at = 0;
        while at < self.all.len() {
            let count = self
                .all
                .iter()
                .skip(at)
                .take_while(|word| is_letter(word))
                .count();
            if count >= 4 {
                let joined: String = self.all.drain(at..at + count).collect();
                self.quoted.drain(at + 1..at + count);
                self.sentences.drain(at + 1..at + count);
                self.all.insert(at, joined);
            }
            at += 1;
        }
    }

    /// Returns whether the word is within quotes.
    pub fn is_quoted(&self, at: usize) -> bool {
        self.quoted.get(at).copied().unwrap_or_default()
    }
}

/// Returns whether a sign replaces a letter within a word, as in `p@ssword`.
fn is_leet(letter: char, word: &str, next: Option<&char>) -> bool {
    matches!(letter, '@' | '$' | '!')
        && !word.is_empty()
        && word.len() < 16
        && next.is_some_and(|next| next.is_ascii_lowercase())
}

fn digit_as_letter(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Returns the Latin letter that a letter looks like.
fn folded(letter: char) -> char {
    match letter {
        'а' | 'Α' | 'α' => 'a',
        'е' | 'Ε' | 'ε' | 'Е' => 'e',
        'о' | 'Ο' | 'ο' | 'О' => 'o',
        'р' | 'Р' => 'p',
        'с' | 'С' => 'c',
        'і' | 'ı' | 'І' => 'i',
        'ѕ' => 's',
        'ν' => 'v',
        'у' => 'y',
        'х' => 'x',
        // Full-width letters.
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter)
        }
        // Mathematical letters in bold and italics.
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (u32::from(letter) - 0x1d400) % 52;
            let code = if at < 26 {
                u32::from('A') + at
            } else {
                u32::from('a') + at - 26
            };
            char::from_u32(code).unwrap_or(letter)
        }
        other => other,
    }
}

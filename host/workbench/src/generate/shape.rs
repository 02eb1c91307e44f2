//! The shape of generated values.

/// Characters that programs often mishandle: NUL, an escape sequence, a byte order mark, both line
/// ends, a right-to-left override, characters of two code points, a family of seven, the last code
/// point.
const ODD: &str = "\u{0}\u{1b}[31m\u{feff}\r\n\u{202e}e\u{301}\u{df}\u{130}👨‍👩‍👧‍👦\u{fffd}\u{10ffff}";
/// The number of bytes of a huge text in a view.
const HUGE: usize = 256 << 10;
/// The number of bytes of a long text in a record.
const LONG: usize = 4 << 10;

/// The shape of generated values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The shape of texts.
    pub text: Text,
    /// The shape of numbers.
    pub number: Number,
    /// The number of items in a list.
    pub items: usize,
    /// Whether options have a value.
    pub some: bool,
    /// The case of the first variant; the variants after it get the next ones.
    pub case: usize,
    /// The number of messages in the conversation.
    pub messages: usize,
}

/// The shape of generated texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// The name of the text's field.
    Ordinary,
    /// Empty.
    Empty,
    /// The longest realistic text.
    Huge,
    /// Characters that programs often mishandle.
    Odd,
}

/// The shape of generated numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// One.
    One,
    /// Zero.
    Zero,
    /// The largest number.
    Most,
}

impl Shape {
    /// The shape of an ordinary input.
    pub const ORDINARY: Self = Self {
        text: Text::Ordinary,
        number: Number::One,
        items: 1,
        some: false,
        case: 0,
        messages: 2,
    };

    /// The shape of an ordinary input with a value in every option.
    pub const COMPLETE: Self = Self {
        some: true,
        ..Self::ORDINARY
    };

    /// The shape with empty texts and lists, zeros and no options.
    pub const EMPTY: Self = Self {
        text: Text::Empty,
        number: Number::Zero,
        items: 0,
        messages: 0,
        ..Self::ORDINARY
    };

    /// The extremes, each with a name.
    pub const EXTREMES: [(&'static str, Self); 6] = [
        ("empty", Self::EMPTY),
        (
            "full",
            Self {
                some: true,
                items: 6,
                ..Self::ORDINARY
            },
        ),
        (
            "huge texts",
            Self {
                text: Text::Huge,
                some: true,
                ..Self::ORDINARY
            },
        ),
        (
            "unusual characters",
            Self {
                text: Text::Odd,
                some: true,
                items: 3,
                ..Self::ORDINARY
            },
        ),
        (
            "largest numbers",
            Self {
                number: Number::Most,
                some: true,
                ..Self::ORDINARY
            },
        ),
        (
            "10,000 messages",
            Self {
                messages: 10_000,
                ..Self::ORDINARY
            },
        ),
    ];

    /// Returns a text of a record's field.
    pub(super) fn in_record(&self, field: &str) -> String {
        match self.text {
            Text::Huge => field.chars().cycle().take(LONG).collect(),
            _ => self.in_view(field),
        }
    }

    /// Returns a text of a view.
    pub(super) fn in_view(&self, word: &str) -> String {
        match self.text {
            Text::Ordinary => word.to_owned(),
            Text::Empty => String::new(),
            Text::Huge => format!("{word} ").chars().cycle().take(HUGE).collect(),
            Text::Odd => format!("{word} {ODD}"),
        }
    }

    /// Returns the text of a JSON object.
    pub(super) fn json(&self, word: &str) -> String {
        match self.text {
            Text::Empty => "{}".to_owned(),
            _ => serde_json::json!({ word: self.in_view(word) }).to_string(),
        }
    }
}

//! Commands with words, assignments and redirects.

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem as Item,
    IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, RedirectList, SimpleCommand,
    SubshellCommand,
};

use crate::reader::{Reader, Unreadable};
use crate::walk::Done;
use crate::words::SUBSTITUTED;
use crate::{Redirect, Word, base};

/// Commands whose arguments assign variables.
const DECLARE: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

/// The redirects, the input and the variables of a command.
#[derive(Default)]
pub(crate) struct Beside {
    pub(crate) redirects: Vec<Redirect>,
    /// The text of its input, if that is written in the script.
    pub(crate) input: Option<Word>,
    /// Variables for this command alone; `None` if the value is not known.
    pub(crate) variables: Vec<(String, Option<String>)>,
}

impl Reader {
    pub(crate) fn simple(&mut self, command: &SimpleCommand) -> Done {
        let mut beside = Beside::default();
        let mut words = Vec::new();
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                Item::AssignmentWord(assignment, _) => {
                    let variable = self.assigned(assignment)?;
                    beside.variables.extend(variable);
                }
                item => self.item(item, &mut words, &mut beside)?,
            }
        }
        if let Some(name) = &command.word_or_name {
            words.extend(self.words(&name.value)?);
        }
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words, &mut beside)?;
        }
        if words.is_empty() {
            for (name, value) in beside.variables.drain(..) {
                self.state.set(&name, value);
            }
        }
        self.run(words, beside)
    }

    fn item(&mut self, item: &Item, words: &mut Vec<Word>, beside: &mut Beside) -> Done {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect, beside),
            Item::Word(word) => {
                words.extend(self.words(&word.value)?);
                Ok(())
            }
            Item::AssignmentWord(assignment, word) => {
                let name = words.first().map_or("", |word| base(&word.text));
                if DECLARE.contains(&name)
                    && let Some((name, value)) = self.assigned(assignment)?
                {
                    self.state.set(&name, value);
                }
                words.extend(self.words(&word.value)?);
                Ok(())
            }
            Item::ProcessSubstitution(_, shell) => {
                words.push(self.substituted(shell)?);
                Ok(())
            }
        }
    }

    /// Returns the variable that is assigned, and its value if that is known.
    fn assigned(
        &mut self,
        assignment: &Assignment,
    ) -> Result<Option<(String, Option<String>)>, Unreadable> {
        let value = match &assignment.value {
            AssignmentValue::Scalar(value) => self.words(&value.value)?,
            AssignmentValue::Array(values) => {
                for (index, value) in values {
                    if let Some(index) = index {
                        self.hidden(&index.value)?;
                    }
                    self.words(&value.value)?;
                }
                vec![Word::default()]
            }
        };
        let name = match &assignment.name {
            AssignmentName::VariableName(name) => name,
            AssignmentName::ArrayElementName(name, index) => {
                self.hidden(index)?;
                return Ok(Some((name.clone(), None)));
            }
        };
        let is_known = value.iter().all(|word| word.is_known) && !assignment.append;
        let texts: Vec<&str> = value.iter().map(|word| word.text.as_str()).collect();
        Ok(Some((name.clone(), is_known.then(|| texts.join(" ")))))
    }

    fn substituted(&mut self, shell: &SubshellCommand) -> Result<Word, Unreadable> {
        let start = self.commands.len();
        self.apart(|reader| reader.list(&shell.list))?;
        Ok(Word {
            text: SUBSTITUTED.to_owned(),
            is_known: false,
            commands: start..self.commands.len(),
        })
    }

    /// Reads something with redirects. Their input is also the input of the commands in it.
    pub(crate) fn redirected(
        &mut self,
        redirects: Option<&RedirectList>,
        read: impl FnOnce(&mut Self) -> Done,
    ) -> Done {
        let mut beside = Beside::default();
        for redirect in redirects.iter().flat_map(|redirects| &redirects.0) {
            self.redirect(redirect, &mut beside)?;
        }
        let outside = self.input.clone();
        if beside.input.is_some() {
            self.input = beside.input.take();
        }
        read(self)?;
        self.input = outside;
        match beside.redirects.is_empty() {
            true => Ok(()),
            false => self.run(Vec::new(), beside),
        }
    }

    fn redirect(&mut self, redirect: &IoRedirect, beside: &mut Beside) -> Done {
        match redirect {
            IoRedirect::File(_, kind, IoFileRedirectTarget::Filename(file)) => {
                let writes = !matches!(
                    kind,
                    IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput
                );
                self.file(&file.value, writes, beside)
            }
            IoRedirect::File(_, _, IoFileRedirectTarget::ProcessSubstitution(_, shell)) => {
                beside.input = Some(self.substituted(shell)?);
                Ok(())
            }
            IoRedirect::File(_, kind, IoFileRedirectTarget::Duplicate(word)) => {
                let is_descriptor = word
                    .value
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-');
                let writes = matches!(kind, IoFileRedirectKind::DuplicateOutput);
                match is_descriptor {
                    true => Ok(()),
                    false => self.file(&word.value, writes, beside),
                }
            }
            IoRedirect::File(_, _, IoFileRedirectTarget::Fd(_)) => Ok(()),
            IoRedirect::OutputAndError(file, _) => self.file(&file.value, true, beside),
            IoRedirect::HereDocument(_, document) => {
                beside.input = Some(match document.requires_expansion {
                    true => self.here_document(&document.doc.value)?,
                    false => Word::known(&document.doc.value),
                });
                Ok(())
            }
            IoRedirect::HereString(_, word) => {
                beside.input = Some(Word::joined(&self.words(&word.value)?));
                Ok(())
            }
        }
    }

    fn file(&mut self, raw: &str, writes: bool, beside: &mut Beside) -> Done {
        let files = self.words(raw)?;
        let redirects = files.into_iter().map(|file| Redirect { writes, file });
        beside.redirects.extend(redirects);
        Ok(())
    }
}

//! From the parser's tree to commands.

use brush_parser::ast::{
    AndOr, AndOrList, AssignmentName, AssignmentValue, Command as Tree,
    CommandPrefixOrSuffixItem as Item, CompoundCommand, CompoundList, ExtendedTestExpr,
    IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline, RedirectList,
    SeparatorOperator, SimpleCommand,
};

use crate::reader::{Reader, Unreadable};
use crate::{Redirect, Word};

type Done = Result<(), Unreadable>;

/// What stands beside the words of a command.
#[derive(Default)]
pub(crate) struct Beside {
    pub(crate) redirects: Vec<Redirect>,
    /// The text that it is given as input, if that is written here.
    pub(crate) input: Option<Word>,
}

impl Reader {
    pub(crate) fn list(&mut self, list: &CompoundList) -> Done {
        for item in &list.0 {
            let outside = self.is_parallel;
            self.is_parallel |= matches!(item.1, SeparatorOperator::Async);
            self.and_or(&item.0)?;
            self.is_parallel = outside;
        }
        Ok(())
    }

    fn and_or(&mut self, list: &AndOrList) -> Done {
        self.pipeline(&list.first)?;
        for next in &list.additional {
            match next {
                AndOr::And(pipeline) | AndOr::Or(pipeline) => self.pipeline(pipeline)?,
            }
        }
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Done {
        let outside = self.is_parallel;
        self.is_parallel |= pipeline.seq.len() > 1;
        let start = self.commands.len();
        for command in &pipeline.seq {
            let stage = self.commands.len();
            self.command(command)?;
            for command in self.commands.iter_mut().skip(stage) {
                if command.upstream.is_empty() {
                    command.upstream = start..stage;
                }
            }
            self.scripts_from_pipe(start..stage, stage)?;
        }
        self.is_parallel = outside;
        Ok(())
    }

    fn command(&mut self, command: &Tree) -> Done {
        self.spend()?;
        match command {
            Tree::Simple(command) => self.simple(command),
            Tree::Compound(command, redirects) => {
                self.compound(command)?;
                self.redirected(redirects.as_ref())
            }
            Tree::Function(function) => {
                self.functions.push(function.fname.value.clone());
                self.compound(&function.body.0)?;
                self.functions.pop();
                self.redirected(function.body.1.as_ref())
            }
            Tree::ExtendedTest(test, redirects) => {
                self.test(&test.expr)?;
                self.redirected(redirects.as_ref())
            }
        }
    }

    fn compound(&mut self, command: &CompoundCommand) -> Done {
        match command {
            CompoundCommand::Arithmetic(_) => Ok(()),
            CompoundCommand::ArithmeticForClause(command) => self.list(&command.body.list),
            CompoundCommand::BraceGroup(command) => self.list(&command.list),
            CompoundCommand::Subshell(command) => self.list(&command.list),
            CompoundCommand::ForClause(command) => {
                let mut values = Vec::new();
                for value in command.values.iter().flatten() {
                    values.extend(self.words(&value.value)?);
                }
                // One value is what the variable is; of several, none is known.
                self.variables.remove(&command.variable_name);
                if let [value] = values.as_slice()
                    && value.is_known
                {
                    self.variables
                        .insert(command.variable_name.clone(), value.text.clone());
                }
                self.list(&command.body.list)
            }
            CompoundCommand::CaseClause(command) => {
                self.words(&command.value.value)?;
                for case in &command.cases {
                    case.cmd.as_ref().map_or(Ok(()), |list| self.list(list))?;
                }
                Ok(())
            }
            CompoundCommand::IfClause(command) => {
                self.list(&command.condition)?;
                self.list(&command.then)?;
                for other in command.elses.iter().flatten() {
                    other
                        .condition
                        .as_ref()
                        .map_or(Ok(()), |list| self.list(list))?;
                    self.list(&other.body)?;
                }
                Ok(())
            }
            CompoundCommand::WhileClause(command) | CompoundCommand::UntilClause(command) => {
                self.list(&command.0)?;
                self.list(&command.1.list)
            }
            CompoundCommand::Coprocess(command) => self.command(&command.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) -> Done {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left)?;
                self.test(right)
            }
            ExtendedTestExpr::Not(test) | ExtendedTestExpr::Parenthesized(test) => self.test(test),
            ExtendedTestExpr::UnaryTest(_, word) => self.words(&word.value).map(drop),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                self.words(&left.value)?;
                self.words(&right.value).map(drop)
            }
        }
    }

    fn simple(&mut self, command: &SimpleCommand) -> Done {
        let mut beside = Beside::default();
        let mut words = Vec::new();
        for item in command.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, true, &mut words, &mut beside)?;
        }
        if let Some(name) = &command.word_or_name {
            words.extend(self.words(&name.value)?);
        }
        for item in command.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, false, &mut words, &mut beside)?;
        }
        self.run(words, beside)
    }

    fn item(
        &mut self,
        item: &Item,
        is_prefix: bool,
        words: &mut Vec<Word>,
        beside: &mut Beside,
    ) -> Done {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect, beside),
            Item::Word(word) => {
                words.extend(self.words(&word.value)?);
                Ok(())
            }
            Item::AssignmentWord(assignment, word) => {
                let value = match &assignment.value {
                    AssignmentValue::Scalar(value) => self.words(&value.value)?,
                    AssignmentValue::Array(values) => {
                        for (_, value) in values {
                            self.words(&value.value)?;
                        }
                        Vec::new()
                    }
                };
                if !is_prefix {
                    words.extend(self.words(&word.value)?);
                }
                if let AssignmentName::VariableName(name) = &assignment.name {
                    let is_known = value.iter().all(|word| word.is_known) && !assignment.append;
                    let texts: Vec<&str> = value.iter().map(|word| word.text.as_str()).collect();
                    match is_known {
                        true => self.variables.insert(name.clone(), texts.join(" ")),
                        false => self.variables.remove(name),
                    };
                }
                Ok(())
            }
            Item::ProcessSubstitution(_, shell) => {
                words.push(self.substituted(shell)?);
                Ok(())
            }
        }
    }

    fn substituted(
        &mut self,
        shell: &brush_parser::ast::SubshellCommand,
    ) -> Result<Word, Unreadable> {
        let start = self.commands.len();
        self.list(&shell.list)?;
        Ok(Word {
            text: "/dev/fd/63".to_owned(),
            is_known: false,
            commands: start..self.commands.len(),
        })
    }

    fn redirected(&mut self, redirects: Option<&RedirectList>) -> Done {
        let mut beside = Beside::default();
        for redirect in redirects.iter().flat_map(|redirects| &redirects.0) {
            self.redirect(redirect, &mut beside)?;
        }
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
                beside.input = self.words(&word.value)?.into_iter().next();
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

//! The order in which commands run, and the known state of the shell before each.

use brush_parser::ast::{
    AndOr, AndOrList, CaseClauseCommand, Command as Tree, CompoundCommand, CompoundList,
    ExtendedTestExpr, ForClauseCommand, IfClauseCommand, Pipeline, RedirectList, SeparatorOperator,
};

use crate::reader::{Reader, Unreadable};
use crate::state::State;

pub(crate) type Done = Result<(), Unreadable>;

impl Reader {
    pub(crate) fn list(&mut self, list: &CompoundList) -> Done {
        for item in &list.0 {
            match item.1 {
                SeparatorOperator::Async => {
                    let outside = std::mem::replace(&mut self.is_parallel, true);
                    self.apart(|reader| reader.and_or(&item.0))?;
                    self.is_parallel = outside;
                }
                SeparatorOperator::Sequence => self.and_or(&item.0)?,
            }
        }
        Ok(())
    }

    fn and_or(&mut self, list: &AndOrList) -> Done {
        let mut failed = self.pipeline(&list.first)?;
        for next in &list.additional {
            match next {
                AndOr::And(pipeline) => failed.join(&self.pipeline(pipeline)?),
                AndOr::Or(pipeline) => {
                    let succeeded = std::mem::replace(&mut self.state, failed);
                    failed = self.pipeline(pipeline)?;
                    match leaves(pipeline) {
                        true => self.state = succeeded.clone(),
                        false => self.state.join(&succeeded),
                    }
                    if leaves(pipeline) {
                        failed = succeeded;
                    }
                }
            }
        }
        if !self.state.ends_on_failure {
            self.state.join(&failed);
        }
        Ok(())
    }

    /// Reads a pipeline, and returns the state of the shell if the pipeline fails.
    fn pipeline(&mut self, pipeline: &Pipeline) -> Result<State, Unreadable> {
        if let [command] = pipeline.seq.as_slice() {
            self.left = None;
            self.command(command)?;
            let mut failed = self.state.clone();
            if let Some(left) = self.left.take() {
                failed.dirs = left;
            }
            if pipeline.bang {
                std::mem::swap(&mut self.state, &mut failed);
            }
            return Ok(failed);
        }
        let parallel = std::mem::replace(&mut self.is_parallel, true);
        let input = self.input.clone();
        let outside = self.state.clone();
        let start = self.commands.len();
        for command in &pipeline.seq {
            let stage = self.commands.len();
            self.state = outside.clone();
            self.command(command)?;
            for command in self.commands.iter_mut().skip(stage) {
                if command.upstream.is_empty() {
                    command.upstream = start..stage;
                }
            }
            self.scripts_from_pipe(start..stage, stage)?;
            self.input = None;
        }
        // In some shells the last command of a pipeline runs in the shell itself.
        self.state.join(&outside);
        self.input = input;
        self.is_parallel = parallel;
        self.left = None;
        Ok(self.state.clone())
    }

    fn command(&mut self, command: &Tree) -> Done {
        self.spend()?;
        match command {
            Tree::Simple(command) => self.simple(command),
            Tree::Compound(command, redirects) => self.compound(command, redirects.as_ref()),
            Tree::Function(function) => {
                self.define(function);
                Ok(())
            }
            Tree::ExtendedTest(test, redirects) => {
                self.test(&test.expr)?;
                self.redirected(redirects.as_ref(), |_| Ok(()))
            }
        }
    }

    pub(crate) fn compound(
        &mut self,
        command: &CompoundCommand,
        redirects: Option<&RedirectList>,
    ) -> Done {
        self.redirected(redirects, |reader| reader.inside(command))?;
        self.left = None;
        Ok(())
    }

    fn inside(&mut self, command: &CompoundCommand) -> Done {
        match command {
            CompoundCommand::Arithmetic(command) => self.hidden(&command.expr.value),
            CompoundCommand::ArithmeticForClause(command) => {
                let parts = [&command.initializer, &command.condition, &command.updater];
                for part in parts.into_iter().flatten() {
                    self.hidden(&part.value)?;
                }
                self.repeated(|reader| reader.list(&command.body.list))
            }
            CompoundCommand::BraceGroup(command) => self.list(&command.list),
            CompoundCommand::Subshell(command) => self.apart(|reader| reader.list(&command.list)),
            CompoundCommand::ForClause(command) => self.for_each(command),
            CompoundCommand::CaseClause(command) => self.case(command),
            CompoundCommand::IfClause(command) => self.branches(command),
            CompoundCommand::WhileClause(command) | CompoundCommand::UntilClause(command) => self
                .repeated(|reader| {
                    reader.condition(&command.0)?;
                    reader.list(&command.1.list)
                }),
            CompoundCommand::Coprocess(command) => {
                self.apart(|reader| reader.command(&command.body))
            }
        }
    }

    /// Reads a list whose failure does not end the script.
    fn condition(&mut self, list: &CompoundList) -> Done {
        let ends = std::mem::take(&mut self.state.ends_on_failure);
        self.list(list)?;
        self.state.ends_on_failure = ends;
        Ok(())
    }

    fn branches(&mut self, command: &IfClauseCommand) -> Done {
        self.condition(&command.condition)?;
        let mut otherwise = self.state.clone();
        self.list(&command.then)?;
        let mut after = vec![self.state.clone()];
        let mut is_whole = false;
        for other in command.elses.iter().flatten() {
            self.state = otherwise.clone();
            match &other.condition {
                Some(condition) => self.condition(condition)?,
                None => is_whole = true,
            }
            otherwise = self.state.clone();
            self.list(&other.body)?;
            after.push(self.state.clone());
        }
        if !is_whole {
            after.push(otherwise);
        }
        after.iter().for_each(|state| self.state.join(state));
        Ok(())
    }

    fn case(&mut self, command: &CaseClauseCommand) -> Done {
        self.words(&command.value.value)?;
        let start = self.state.clone();
        let mut after = start.clone();
        for case in &command.cases {
            for pattern in &case.patterns {
                self.hidden(&pattern.value)?;
            }
            // A case may continue with the next one.
            self.state.join(&start);
            if let Some(list) = &case.cmd {
                self.list(list)?;
            }
            after.join(&self.state);
        }
        self.state = after;
        Ok(())
    }

    fn for_each(&mut self, command: &ForClauseCommand) -> Done {
        let mut values = Vec::new();
        for value in command.values.iter().flatten() {
            values.extend(self.words(&value.value)?);
        }
        // The variable is known only if there is one value.
        let value = match values.as_slice() {
            [value] if value.is_known => Some(value.text.clone()),
            _ => None,
        };
        self.repeated(|reader| {
            reader.state.set(&command.variable_name, value.clone());
            reader.list(&command.body.list)
        })
    }

    /// Reads something that may run repeatedly. The values that it changes are not known then.
    fn repeated(&mut self, read: impl Fn(&mut Self) -> Done) -> Done {
        let before = self.state.clone();
        read(self)?;
        if self.state == before {
            return Ok(());
        }
        if self.state.dirs != before.dirs {
            self.state.dirs = vec![None];
        }
        self.state.join(&before);
        let joined = self.state.clone();
        read(self)?;
        self.state.join(&joined);
        Ok(())
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
}

/// Returns whether nothing after the pipeline runs.
fn leaves(pipeline: &Pipeline) -> bool {
    let [Tree::Simple(command)] = pipeline.seq.as_slice() else {
        return false;
    };
    let name = command
        .word_or_name
        .as_ref()
        .map(|word| word.value.as_str());
    matches!(name, Some("exit" | "return" | "break" | "continue"))
}

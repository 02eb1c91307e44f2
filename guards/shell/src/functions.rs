//! Functions: their commands are read where they are called.

use brush_parser::ast::{FunctionBody, FunctionDefinition};

use crate::reader::{Reader, Unreadable};

/// The functions of a script.
#[derive(Default)]
pub(crate) struct Functions {
    defined: Vec<Function>,
    /// The functions whose commands are being read.
    open: Vec<String>,
}

struct Function {
    name: String,
    body: FunctionBody,
    is_called: bool,
}

impl Functions {
    /// Returns whether commands of the function are being read.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }
}

impl Reader {
    pub(crate) fn define(&mut self, function: &FunctionDefinition) {
        self.functions.defined.push(Function {
            name: function.fname.value.clone(),
            body: function.body.clone(),
            is_called: false,
        });
    }

    /// Reads the commands of all functions with this name: earlier commands may decide which definition counts.
    pub(crate) fn call(&mut self, name: &str) -> Result<(), Unreadable> {
        if self.functions.is_open(name) {
            return Ok(());
        }
        let mut bodies = Vec::new();
        for function in &mut self.functions.defined {
            if function.name == name {
                function.is_called = true;
                bodies.push(function.body.clone());
            }
        }
        let start = self.state.clone();
        let mut after = start.clone();
        for body in &bodies {
            self.state = start.clone();
            self.body(name, body)?;
            after.join(&self.state);
        }
        // A function may return before it changes anything.
        self.state = after;
        Ok(())
    }

    /// Reads the functions that the script does not call by name, with nothing known of its variables.
    pub(crate) fn uncalled(&mut self) -> Result<(), Unreadable> {
        self.state.forget_values();
        self.state.dirs = vec![None];
        while let Some(function) = self.functions.defined.iter_mut().find(|f| !f.is_called) {
            let name = function.name.clone();
            self.call(&name)?;
        }
        Ok(())
    }

    fn body(&mut self, name: &str, body: &FunctionBody) -> Result<(), Unreadable> {
        let outside = std::mem::take(&mut self.is_parallel);
        self.functions.open.push(name.to_owned());
        self.compound(&body.0, body.1.as_ref())?;
        self.functions.open.pop();
        self.is_parallel = outside;
        Ok(())
    }
}

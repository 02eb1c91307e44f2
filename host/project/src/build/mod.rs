//! Building a project to a component.

mod check;
mod error;
mod options;
mod unchanged;
mod work;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

pub use error::BuildError;
pub use options::{Options, Progress};
use unchanged::Inputs;
pub(crate) use unchanged::{Found, files_below};
pub(crate) use work::{BuildContext, Work};

use crate::{FileError, Project};

impl Project {
    /// Builds the component, and returns its path: `dist/NAME.wasm`. Missing tools are installed for the
    /// user only, if possible.
    ///
    /// # Errors
    ///
    /// A tool is missing, the sources do not compile, or the component does not serve the points that the
    /// manifest names.
    pub fn build(&self, progress: &mut dyn FnMut(Progress<'_>)) -> Result<PathBuf, BuildError> {
        self.build_with(&Options::default(), progress)
    }

    /// Builds the component with options.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    pub fn build_with(
        &self,
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PathBuf, BuildError> {
        let mut cx = BuildContext::new(options, progress);
        self.language().toolchain().prepare(self, &mut cx)?;
        // Taken before the build, so that the next build sees changes made during this one.
        let inputs = match options.output {
            Some(_) => None,
            None => Inputs::of(self),
        };
        let is_built = |inputs: &Inputs| inputs.are_of(&self.component()) == Some(true);
        if options.keeps && inputs.as_ref().is_some_and(is_built) {
            return Ok(self.component());
        }
        if let Some(inputs) = &inputs {
            inputs.settle();
        }
        let mut work = Work::new(self, cx);
        let component = self.language().toolchain().build(&mut work)?;
        let found = work.found();
        let about = &self.manifest().about;
        let component = about
            .put_into(component)
            .map_err(|cause| BuildError::Component {
                what: "what `[about]` says could not be written into the component".to_owned(),
                cause,
            })?;
        check::points(self, &component)?;
        let to = options.output.clone().unwrap_or_else(|| self.component());
        let dir = to.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.unwrap_or(Path::new("."));
        fs::create_dir_all(dir).map_err(|cause| FileError::new("make", dir, cause))?;
        // A rename, so that a host that watches the file never reads half of it.
        let fault = |cause| FileError::new("write", &to, cause);
        let named = tempfile::Builder::new();
        let mut new = named
            .make_in(dir, |path| File::create_new(path))
            .map_err(fault)?;
        new.write_all(&component).map_err(fault)?;
        new.persist(&to).map_err(|kept| fault(kept.error))?;
        match (inputs, found) {
            (Some(inputs), Some(found)) => inputs.keep(&component, found),
            (Some(inputs), None) => inputs.forget(),
            (None, _) => {}
        }
        Ok(to)
    }

    /// Returns whether a build with [`Options::keeps`] would keep the component: it is known that
    /// its inputs have not changed.
    pub fn is_built(&self) -> bool {
        self.is_of_sources() == Some(true)
    }

    /// Returns whether it is known that the component was made of other sources than the current
    /// ones.
    pub fn is_outdated(&self) -> bool {
        self.is_of_sources() == Some(false)
    }

    fn is_of_sources(&self) -> Option<bool> {
        Inputs::of(self)?.are_of(&self.component())
    }
}

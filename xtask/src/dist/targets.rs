//! The systems that the command is built for.

use crate::{Error, Result};

/// A system that the command is built for, as Rust and the registries name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Rust's name.
    pub name: &'static str,
    /// Node's `process.platform` and `process.arch`.
    pub node: (&'static str, &'static str),
    /// The platform tags of wheels.
    pub wheel: &'static str,
    /// The machines, as Python markers.
    pub marker: &'static str,
    /// The command's size in bytes.
    pub bytes: u64,
}

/// All targets: static binaries, for any Linux of the architecture.
pub const TARGETS: &[Target] = &[
    Target {
        name: "x86_64-unknown-linux-musl",
        node: ("linux", "x64"),
        wheel: "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
        marker: "sys_platform == 'linux' and platform_machine == 'x86_64'",
        bytes: 60_900_000,
    },
    Target {
        name: "aarch64-unknown-linux-musl",
        node: ("linux", "arm64"),
        wheel: "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
        marker: "sys_platform == 'linux' and platform_machine == 'aarch64'",
        bytes: 63_200_000,
    },
];

/// The systems that the command compiles for but is not built for.
pub const CHECKED: &[&str] = &["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

impl Target {
    /// Returns the target with this name.
    ///
    /// # Errors
    ///
    /// No target has this name. The error lists the targets.
    pub fn named(name: &str) -> Result<Self> {
        let found = TARGETS.iter().find(|target| target.name == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            Error::new(format!(
                "the command is not built for `{name}`; the targets are: {}",
                names.join(", ")
            ))
        })
    }

    /// Returns the target that runs on this machine, if there is one.
    pub fn of_this_machine() -> Option<Self> {
        let arch = std::env::consts::ARCH;
        let linux = cfg!(target_os = "linux");
        let mut targets = TARGETS.iter().filter(|_| linux);
        let found = targets.find(|target| target.name.starts_with(arch));
        found.copied()
    }

    /// Returns the name of the target's npm package.
    pub fn npm_package(self) -> String {
        let (platform, arch) = self.node;
        format!("portcullis-{platform}-{arch}")
    }
}

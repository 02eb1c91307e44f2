//! A real registry on loopback: Debian's `docker-registry`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The variable for machines that have no registry and cannot install one.
const WITHOUT: &str = "PORTCULLIS_WITHOUT_REGISTRY";

/// A running registry. Ends when it is dropped, or when this process dies.
pub struct Registry {
    child: Child,
    address: String,
    dir: TempDir,
}

impl Registry {
    /// Starts a registry. If none is installed, the test fails, unless the variable says that there
    /// can be none.
    pub fn start() -> Option<Self> {
        Self::start_in(tempfile::tempdir().unwrap(), "", "")
    }

    /// Starts a registry that asks for a user and a password: `me` and `U*U`.
    pub fn private() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let users = dir.path().join("users");
        // The password is that of a test vector of bcrypt, hashed as there.
        fs::write(
            &users,
            "me:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\n",
        )
        .unwrap();
        let auth = format!(
            "auth: {{htpasswd: {{realm: test, path: {}}}}}\n",
            users.display()
        );
        Self::start_in(dir, "", &auth)
    }

    /// Starts a registry that has this certificate and key, both in PEM, and speaks HTTPS.
    pub fn with_tls(certificate: &str, key: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let (certificate_file, key_file) = (dir.path().join("tls.pem"), dir.path().join("tls.key"));
        fs::write(&certificate_file, certificate).unwrap();
        fs::write(&key_file, key).unwrap();
        let tls = format!(
            ", tls: {{certificate: {}, key: {}}}",
            certificate_file.display(),
            key_file.display()
        );
        Self::start_in(dir, &tls, "")
    }

    fn start_in(dir: TempDir, http: &str, more: &str) -> Option<Self> {
        let Some(program) = program() else {
            assert!(
                std::env::var_os(WITHOUT).is_some(),
                "`docker-registry` is not installed (Debian's package has the same name). Where it cannot be had, set \
                 {WITHOUT}=1: then what needs it is not run"
            );
            xtask::test::not_run("the registry, because `docker-registry` is not installed");
            return None;
        };
        let config = dir.path().join("config.yml");
        let text = format!(
            "version: 0.1\nlog: {{level: info, accesslog: {{disabled: true}}}}\n\
             storage: {{filesystem: {{rootdirectory: {}}}}}\nhttp: {{addr: \"127.0.0.1:0\"{http}}}\n{more}",
            dir.path().join("store").display()
        );
        fs::write(&config, text).unwrap();
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig=TERM", "--"])
            .arg(program)
            .arg("serve")
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                panic!("the registry does not start: {said}");
            };
            if let Some((_, rest)) = line.split_once("listening on ") {
                let end = rest.find(['"', ' ', ',']).unwrap_or(rest.len());
                break rest[..end].to_owned();
            }
            said.push_str(&line);
        };
        // The registry waits unless its log is read.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self {
            child,
            address,
            dir,
        })
    }

    /// Returns a name in it.
    pub fn name(&self, rest: &str) -> String {
        format!("oci://{}/{rest}", self.address)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the directory of the pushed blobs.
    pub fn store(&self) -> PathBuf {
        self.dir.path().join("store/docker/registry/v2/blobs")
    }

    /// Returns the file with a blob.
    pub fn blob(&self, digest: &str) -> PathBuf {
        let hex = digest.trim_start_matches("sha256:");
        let blobs = self.store().join("sha256");
        blobs.join(&hex[..2]).join(hex).join("data")
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).map(|dir| dir.join("docker-registry"));
    found.find(|program| program.exists())
}

/// Changes one byte of a file.
pub fn tamper(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

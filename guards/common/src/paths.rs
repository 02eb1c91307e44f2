//! Resolving paths as text.

/// The directory that paths may not leave.
#[derive(Debug)]
pub struct Jail {
    names: Vec<String>,
}

/// The place that a path leads to.
#[derive(Debug, PartialEq)]
pub enum Place {
    /// Inside.
    Inside,
    /// Outside. The text is the path that it becomes if the jail is the root.
    Outside(String),
}

impl Jail {
    /// Creates the jail of a directory. Returns `None` if its path is not absolute.
    pub fn new(dir: &str) -> Option<Self> {
        let dir = dir.strip_prefix('/')?;
        let mut names = Vec::new();
        walk(&mut names, 0, dir);
        Some(Self {
            names: names.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Returns the place that a path leads to.
    pub fn place(&self, path: &str) -> Place {
        let (start, rest) = Start::of(path);
        let leads_inside = match start {
            Start::Here => self.reaches(&self.names, rest),
            Start::Root => self.reaches(&[], rest),
            Start::Elsewhere => false,
        };
        if leads_inside {
            Place::Inside
        } else {
            Place::Outside(self.moved(rest))
        }
    }

    /// Returns whether the path is the directory itself.
    pub fn is_root_of(&self, path: &str) -> bool {
        let start: &[String] = match path.starts_with(is_slash) {
            true => &[],
            false => &self.names,
        };
        let mut names: Vec<&str> = start.iter().map(String::as_str).collect();
        walk(&mut names, 0, path);
        names.len() == self.names.len() && self.place(path) == Place::Inside
    }

    fn reaches(&self, start: &[String], rest: &str) -> bool {
        let mut names: Vec<&str> = start.iter().map(String::as_str).collect();
        walk(&mut names, 0, rest);
        names.len() >= self.names.len() && self.names.iter().zip(names).all(|(a, b)| a == b)
    }

    fn moved(&self, rest: &str) -> String {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        walk(&mut names, self.names.len(), rest);
        format!("/{}", names.join("/"))
    }
}

/// The start of a path.
enum Start {
    Here,
    Root,
    Elsewhere,
}

impl Start {
    /// Splits a path into its start and the rest.
    fn of(path: &str) -> (Self, &str) {
        let is_file = path
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("file:"));
        let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        let home = path
            .split(is_slash)
            .next()
            .is_some_and(|name| name.starts_with('~'));
        if is_file {
            (Self::Elsewhere, &path[5..])
        } else if drive {
            (Self::Elsewhere, &path[2..])
        } else if home {
            (
                Self::Elsewhere,
                path.split_once(is_slash).map_or("", |(_, rest)| rest),
            )
        } else if path.starts_with(is_slash) {
            (Self::Root, path)
        } else {
            (Self::Here, path)
        }
    }
}

fn is_slash(c: char) -> bool {
    c == '/' || c == '\\'
}

/// Follows `path` from `names`. `..` does not remove the first `floor` names.
fn walk<'a>(names: &mut Vec<&'a str>, floor: usize, path: &'a str) {
    for name in path.split(is_slash) {
        match name {
            "" | "." => {}
            ".." if names.len() > floor => {
                names.pop();
            }
            ".." => {}
            name => names.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Jail, Place};

    fn outside(path: &str) -> Place {
        Place::Outside(path.into())
    }

    #[test]
    fn paths_lead_somewhere() {
        let jail = Jail::new("/work/repo/").expect("an absolute path");
        let cases = [
            ("src/lib.rs", Place::Inside),
            ("", Place::Inside),
            ("a/../b", Place::Inside),
            ("/work/repo", Place::Inside),
            ("/work/./repo/src", Place::Inside),
            ("/work/../work/repo/x", Place::Inside),
            ("../repo/x", Place::Inside),
            ("..hidden", Place::Inside),
            ("/", outside("/work/repo")),
            ("/etc/hosts", outside("/work/repo/etc/hosts")),
            ("/work/repository", outside("/work/repo/work/repository")),
            ("..", outside("/work/repo")),
            ("../../etc/hosts", outside("/work/repo/etc/hosts")),
            ("a/../../x", outside("/work/repo/x")),
            (r"..\x", outside("/work/repo/x")),
            (r"\\server\share", outside("/work/repo/server/share")),
            ("~/.ssh/id", outside("/work/repo/.ssh/id")),
            ("~root/x", outside("/work/repo/x")),
            ("~", outside("/work/repo")),
            (r"C:\x", outside("/work/repo/x")),
            ("file:///etc/hosts", outside("/work/repo/etc/hosts")),
            ("File:etc", outside("/work/repo/etc")),
        ];
        for (path, expected) in cases {
            assert_eq!(jail.place(path), expected, "{path}");
        }
    }

    #[test]
    fn a_moved_path_is_inside() {
        let jail = Jail::new("/work/repo").expect("an absolute path");
        for path in ["/etc/hosts", "../x", "~/x", "/", r"..\..\x"] {
            let Place::Outside(moved) = jail.place(path) else {
                panic!("{path} leaves");
            };
            assert_eq!(jail.place(&moved), Place::Inside, "{moved}");
        }
    }

    #[test]
    fn the_root_holds_every_plain_path() {
        let jail = Jail::new("/").expect("an absolute path");
        assert_eq!(jail.place("/etc/hosts"), Place::Inside);
        assert_eq!(jail.place("../x"), Place::Inside);
    }

    #[test]
    fn a_jail_is_absolute() {
        assert!(Jail::new("repo").is_none());
        assert!(Jail::new("").is_none());
    }
}

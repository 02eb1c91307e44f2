//! The stages of the tests. A change to one part needs only the stage of that part, and CI runs
//! all.

/// A subset of the tests.
#[derive(Debug)]
pub struct Stage {
    /// Its name.
    pub name: &'static str,
    /// A description of the tests.
    pub about: &'static str,
    /// The arguments of each `cargo test` call.
    pub parts: &'static [&'static [&'static str]],
}

/// All stages. Together they contain every test of the workspace, which a test checks.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "unit",
        about: "the tests within the crates",
        parts: &[&["--workspace", "--lib", "--bins"]],
    },
    Stage {
        name: "doc",
        about: "the examples in the docs of the crates",
        parts: &[&["--workspace", "--doc"]],
    },
    Stage {
        name: "layout",
        about: "rooms, dependencies, pages of the book, words",
        parts: &[
            &[
                "-p",
                "portcullis",
                "-p",
                "portcullis-agent",
                "-p",
                "portcullis-store",
                "-p",
                "portcullis-bridge",
                "-p",
                "portcullis-dialects",
                "-p",
                "portcullis-mcp-proxy",
                "-p",
                "portcullis-rig",
                "-p",
                "portcullis-serve",
                "-p",
                "portcullis-telemetry",
                "-p",
                "portcullis-ui",
                "-p",
                "portcullis-restate",
                "--test",
                "rooms",
            ],
            &[
                "-p",
                "xtask",
                "--test",
                "features",
                "--test",
                "mutations",
                "--test",
                "sbom",
                "--test",
                "stages",
                "--test",
                "supply_chain",
            ],
            &[
                "-p",
                "portcullis-book",
                "--test",
                "book",
                "--test",
                "html",
                "--test",
                "words",
            ],
        ],
    },
    Stage {
        name: "features",
        about: "every choice of features that an embedder has compiles",
        parts: &[&["-p", "xtask", "--test", "combinations"]],
    },
    Stage {
        name: "packages",
        about: "the SDKs and the command as they are released, in empty environments",
        parts: &[
            &["-p", "portcullis-tests", "--test", "packages"],
            &["-p", "portcullis-cli", "--test", "installed"],
        ],
    },
    Stage {
        name: "host",
        about: "the library with real components, and the tables of the five designs",
        parts: &[&[
            "-p",
            "portcullis-tests",
            "--test",
            "end_to_end",
            "--test",
            "mappings",
            "--test",
            "conformance",
        ]],
    },
    Stage {
        name: "agent",
        about: "the agent loop, MCP servers, and the schema of agent.toml",
        parts: &[
            &["-p", "portcullis-agent", "--test", "it", "--test", "mcp"],
            &["-p", "portcullis-agent-file", "--test", "schema"],
        ],
    },
    Stage {
        name: "store",
        about: "the store, on SQLite and PostgreSQL, and the format of recordings",
        parts: &[
            &["-p", "portcullis-store", "--test", "it"],
            &["-p", "portcullis-recording", "--test", "frozen"],
        ],
    },
    Stage {
        name: "restate",
        about: "turns on many machines, with a real server",
        parts: &[&["-p", "portcullis-restate", "--test", "it"]],
    },
    Stage {
        name: "telemetry",
        about: "spans, metrics and log records, with a collector",
        parts: &[&["-p", "portcullis-telemetry", "--test", "it"]],
    },
    Stage {
        name: "cli",
        about: "the command, sessions in a browser, and alerts",
        parts: &[
            &["-p", "portcullis-cli", "--test", "cli"],
            &["-p", "portcullis-explain", "--test", "it"],
            &["-p", "portcullis-ui", "--test", "it"],
            &["-p", "portcullis-alerts", "--test", "it"],
        ],
    },
    Stage {
        name: "mcp",
        about: "the MCP proxy, with clients and servers of the official SDKs",
        parts: &[
            &["-p", "portcullis-mcp-proxy", "--test", "it"],
            &["-p", "portcullis-cli", "--test", "mcp_proxy"],
        ],
    },
    Stage {
        name: "daemon",
        about: "the daemon: its sockets, its bounds, its end, and its client",
        parts: &[&["-p", "portcullis-serve", "--test", "it"]],
    },
    Stage {
        name: "dialects",
        about: "hook events of other agents, and the real Claude Code and Codex",
        parts: &[
            &["-p", "portcullis-dialects", "--test", "samples"],
            &["-p", "portcullis-cli", "--test", "clients"],
        ],
    },
    Stage {
        name: "attack",
        about: "the attack kit, in all languages of its guests",
        parts: &[&["-p", "portcullis-tests", "--test", "attack"]],
    },
    Stage {
        name: "languages",
        about: "projects, SDKs and conformance in every language; the book's hooks",
        parts: &[
            &[
                "-p",
                "portcullis-tests",
                "--test",
                "languages",
                "--test",
                "projects",
            ],
            &["-p", "portcullis-book", "--test", "hooks"],
            &["-p", "portcullis-cli", "--test", "first_verdict"],
            &["-p", "portcullis-sdk", "--test", "imports"],
        ],
    },
    Stage {
        name: "bindings",
        about: "hooks under the agents of others: the packages for Python and Node.js, and rig",
        parts: &[
            &["-p", "portcullis-tests", "--test", "bindings"],
            &["-p", "portcullis-rig", "--test", "agent"],
        ],
    },
    Stage {
        name: "fuzz",
        about: "fuzzing from the kept inputs, and the soak test",
        parts: &[&["-p", "portcullis-tests", "--test", "fuzz", "--test", "soak"]],
    },
];

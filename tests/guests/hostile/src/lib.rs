//! What a hostile hook can do with Rust's standard library that text of WebAssembly would be long for.
//! In every odd turn it does as its configuration says; in the others it means well.

use std::sync::Mutex;

use portcullis_sdk::prelude::*;
use serde::Deserialize;

/// Held in the middle of a deed.
static LOCK: Mutex<Vec<u8>> = Mutex::new(Vec::new());

#[derive(Deserialize)]
struct Config {
    deed: String,
}

/// It does as it is told.
pub struct Hostile;

#[hook(
    id = "hostile",
    description = "Does harm, or tries to.",
    kind = "test",
    role = transform
)]
impl Hostile {
    fn pre_turn(context: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        // A lock that a trap left behind would be waited for here.
        let mut held = LOCK.lock().map_err(|e| Error::failed(e.to_string()))?;
        if context.turn % 2 == 1 {
            let config: Config = config()?;
            held.push(1);
            attack(&config.deed)?;
        }
        Ok(pre_turn::Outcome::Continue)
    }
}

fn attack(deed: &str) -> HookResult<()> {
    match deed {
        "panic-in-a-lock" => panic!("all fuel consumed by WebAssembly"),
        "panic-in-a-drop" => {
            struct Bomb;
            impl Drop for Bomb {
                fn drop(&mut self) {
                    panic!("again");
                }
            }
            let _bomb = Bomb;
            panic!("once");
        }
        "format-for-ever" => {
            let width = std::hint::black_box(60_000);
            loop {
                std::hint::black_box(format!("{:>width$}", 1));
            }
        }
        "allocate" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                // Not touched, so that it costs no fuel.
                all.push(std::hint::black_box(Vec::with_capacity(1 << 20)));
            }
        }
        "capacity-overflow" => {
            let size = std::hint::black_box(usize::MAX);
            drop(vec![0u8; size / 2]);
            Ok(())
        }
        "forge" => {
            for _ in 0..100 {
                println!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"ok":true}}}}"#);
                eprintln!("\u{1b}[2Jerror: all is lost");
            }
            Ok(())
        }
        "exit" => std::process::exit(0),
        "abort" => std::process::abort(),
        "spin-on-a-lock" => {
            // It is held already.
            drop(LOCK.lock());
            Ok(())
        }
        "sleep" => {
            std::thread::sleep(std::time::Duration::from_secs(3600));
            Ok(())
        }
        "thread" => match std::thread::Builder::new().spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        }) {
            Ok(_) => Err(Error::failed("it has a thread")),
            Err(_) => Ok(()),
        },
        "environment" => match std::env::vars().count() + std::env::args().count() {
            0 => Ok(()),
            n => Err(Error::failed(format!(
                "it sees {n} variables and arguments"
            ))),
        },
        "deep-json" => {
            let text = "[".repeat(100_000);
            let read: Result<serde_json::Value, _> = serde_json::from_str(&text);
            read.map(drop).map_err(|e| Error::failed(e.to_string()))
        }
        other => Err(Error::bad_config(format!("no deed `{other}`"))),
    }
}

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{Write, stdout};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_sdk::prelude::*;

struct MyHook;

#[hook(id = "my-hook", description = "Does what people do.")]
impl MyHook {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = match content::text().as_str() {
            "print" => {
                println!("out {}", 1);
                print!("no end");
                stdout().flush().map_err(|e| Error::failed(e.to_string()))?;
                eprintln!("err");
                String::new()
            }
            "time" => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                now.map_err(|e| Error::failed(e.to_string()))?.as_millis().to_string()
            }
            "random" => RandomState::new().hash_one(1).to_string(),
            "file" => match std::fs::read("/etc/passwd") {
                Ok(_) => "a file".to_owned(),
                Err(_) => "no file".to_owned(),
            },
            "error" => "http".parse::<u16>()?.to_string(),
            "made" => return Err(Error::failed("no more")),
            _ => panic!("boom {}", 3),
        };
        Ok(call.reject("done", said))
    }
}

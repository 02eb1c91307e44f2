//! Runs a target on its inputs, and watches it.

use std::collections::BTreeMap;
use std::env;
use std::panic;
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use portcullis_tests::resident;

use crate::corpus;
use crate::fresh::Fresh;
use crate::target::{Behaviour, Fault, Target};

/// The seed of an ordinary run.
const SEED: u64 = 0x0070_6f72_7463_756c;
/// The maximum duration of one input. Compiling a component takes seconds on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// The maximum growth of the process over all inputs, in bytes.
const GROWTH: u64 = 512 << 20;
/// The interval between progress reports of a long run.
const SAYS: Duration = Duration::from_secs(10);

/// Runs all stored inputs.
pub fn replay(name: &'static str, target: Box<dyn Target>) -> Result<(), Fault> {
    let inputs = corpus::read(name).map_err(|e| format!("the corpus of {name}: {e}"))?;
    if inputs.is_empty() {
        return Err(format!("the corpus of {name} is empty"));
    }
    let mut watched = Watched::new(target);
    for (file, input) in inputs {
        watched
            .run(input)
            .map_err(|fault| format!("corpus/{name}/{file}: {fault}"))?;
    }
    Ok(())
}

/// Runs new inputs: the given number, or for as long as `PORTCULLIS_FUZZ_SECONDS` sets.
pub fn explore(name: &'static str, target: Box<dyn Target>, inputs: u64) -> Result<(), Fault> {
    let known = corpus::read(name).unwrap_or_default();
    let seconds: Option<u64> = variable("PORTCULLIS_FUZZ_SECONDS")?;
    let seed = match (variable("PORTCULLIS_FUZZ_SEED")?, seconds) {
        (Some(seed), _) => seed,
        (None, None) => SEED,
        (None, Some(_)) => now(),
    };
    let keep = variable::<u8>("PORTCULLIS_FUZZ_KEEP")?.is_some();
    let mut watched = Watched::new(target);
    let mut tally = Tally::new(name, seed, seconds);
    for (_, input) in &known {
        let behaviour = watched.run(input.clone())?;
        tally.count(&behaviour);
    }
    let before = resident();
    let mut fresh = Fresh::new(seed, known.into_iter().map(|(_, input)| input).collect());
    while tally.goes_on(inputs) {
        let input = fresh.next();
        let behaviour = watched
            .run(input.clone())
            .map_err(|fault| stored(name, seed, &input, &fault))?;
        if tally.count(&behaviour) {
            if keep {
                corpus::keep(name, "seen", &input).map_err(|e| e.to_string())?;
            }
            fresh.learn(input);
        }
    }
    tally.print();
    match before.zip(resident()) {
        Some((before, after)) if after.saturating_sub(before) > GROWTH => Err(format!(
            "the process grew from {} to {} MiB over {} inputs of {name}, seed {seed}",
            before >> 20,
            after >> 20,
            tally.inputs
        )),
        _ => Ok(()),
    }
}

fn stored(name: &str, seed: u64, input: &[u8], fault: &str) -> Fault {
    let kept = match corpus::keep(name, "found", input) {
        Ok(path) => format!("kept as {}", path.display()),
        Err(e) => format!("could not be kept: {e}"),
    };
    format!(
        "{fault}\n  an input of {} bytes, seed {seed}; {kept}\n  again: \
         cargo test --workspace --test fuzz -- corpus::{name}",
        input.len()
    )
}

fn now() -> u64 {
    SystemTime::UNIX_EPOCH
        .elapsed()
        .map_or(SEED, |elapsed| elapsed.as_secs())
}

fn variable<T: FromStr>(name: &str) -> Result<Option<T>, Fault> {
    match env::var(name) {
        Ok(text) => match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(format!("`{name}` is a number, not `{text}`")),
        },
        Err(_) => Ok(None),
    }
}

/// A target on a thread of its own, so that a target that never returns is noticed.
struct Watched {
    inputs: SyncSender<Vec<u8>>,
    results: Receiver<Result<Behaviour, Fault>>,
}

/// The message of a panic, on any thread.
static PANICKED: Mutex<Option<String>> = Mutex::new(None);

impl Watched {
    fn new(mut target: Box<dyn Target>) -> Self {
        panic::set_hook(Box::new(|panicked| {
            let mut said = PANICKED.lock().unwrap_or_else(PoisonError::into_inner);
            said.get_or_insert_with(|| panicked.to_string());
        }));
        let (inputs, to_run) = sync_channel::<Vec<u8>>(0);
        let (ran, results) = sync_channel(0);
        thread::spawn(move || {
            for input in to_run {
                let run = panic::AssertUnwindSafe(|| target.run(&input));
                let result = panic::catch_unwind(run).unwrap_or_else(|_| Err(String::new()));
                // A panic is a fault on every thread, caught or not: the host does not panic.
                let mut said = PANICKED.lock().unwrap_or_else(PoisonError::into_inner);
                let result = said.take().map_or(result, Err);
                drop(said);
                if ran.send(result).is_err() {
                    return;
                }
            }
        });
        Self { inputs, results }
    }

    fn run(&mut self, input: Vec<u8>) -> Result<Behaviour, Fault> {
        let gone = |_| "the target's thread is gone".to_owned();
        self.inputs.send(input).map_err(gone)?;
        match self.results.recv_timeout(PATIENCE) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("it has not ended within {} s", PATIENCE.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => Err("the target's thread is gone".into()),
        }
    }
}

/// The results of the inputs so far.
struct Tally {
    name: &'static str,
    seed: u64,
    seconds: Option<u64>,
    began: Instant,
    said: Instant,
    inputs: u64,
    behaviours: BTreeMap<Behaviour, u64>,
}

impl Tally {
    fn new(name: &'static str, seed: u64, seconds: Option<u64>) -> Self {
        Self {
            name,
            seed,
            seconds,
            began: Instant::now(),
            said: Instant::now(),
            inputs: 0,
            behaviours: BTreeMap::new(),
        }
    }

    /// Returns whether there is time, or room, for another input.
    fn goes_on(&mut self, inputs: u64) -> bool {
        let Some(seconds) = self.seconds else {
            return self.inputs < inputs;
        };
        if self.said.elapsed() > SAYS {
            self.said = Instant::now();
            self.say();
        }
        self.began.elapsed() < Duration::from_secs(seconds)
    }

    /// Counts a behaviour. Returns whether it is new.
    fn count(&mut self, behaviour: &str) -> bool {
        self.inputs += 1;
        match self.behaviours.get_mut(behaviour) {
            Some(times) => {
                *times += 1;
                false
            }
            None => {
                self.behaviours.insert(behaviour.to_owned(), 1);
                true
            }
        }
    }

    fn say(&self) {
        let took = self.began.elapsed().as_secs_f64();
        eprintln!(
            "{}: {} inputs ({:.0}/s), {} behaviours, {took:.0} s, {} MiB, seed {}",
            self.name,
            self.inputs,
            self.inputs as f64 / took.max(0.001),
            self.behaviours.len(),
            resident().unwrap_or(0) >> 20,
            self.seed,
        );
    }

    /// Prints the whole table of a long run.
    fn print(&self) {
        if self.seconds.is_none() {
            return;
        }
        self.say();
        let mut rows: Vec<_> = self.behaviours.iter().collect();
        rows.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        for (behaviour, times) in rows {
            eprintln!("  {times:>9}  {behaviour}");
        }
    }
}

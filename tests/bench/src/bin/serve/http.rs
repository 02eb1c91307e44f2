//! Verdicts over HTTP. The daemon and the echo take turns with the same clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::daemon::{Place, Server, built};
use super::numbers::{Times, median};

/// The target: the verdicts a second, and the time within which 99 of 100 arrive.
const AIM: (f64, Duration) = (10_000.0, Duration::from_millis(10));

#[derive(Debug, Args)]
pub struct HttpArguments {
    /// The number of turns of each server.
    #[arg(long, default_value_t = 10)]
    rounds: u32,
    /// The length of a turn, in milliseconds.
    #[arg(long, default_value_t = 1_000)]
    turn: u64,
    /// The number of concurrent clients, each in a thread and on a connection of its own.
    #[arg(long, default_value_t = 8)]
    clients: usize,
}

/// A measured server, and its times.
struct Lane {
    name: &'static str,
    server: Server,
    times: Times,
    rates: Vec<f64>,
}

/// Prints the measurements, and returns whether the target is met.
pub fn run(arguments: &HttpArguments) -> anyhow::Result<bool> {
    let place = Place::new(1)?;
    let mut echo = std::process::Command::new(std::env::current_exe()?);
    echo.arg("echo");
    let daemon = ["serve", "--no-store", "--http", "127.0.0.1:0"];
    let daemon = place.command(&built("portcullis")?, &daemon);
    let lane = |name, command, lines| -> anyhow::Result<Lane> {
        Ok(Lane {
            name,
            server: Server::start(command, lines)?,
            times: Times::default(),
            rates: Vec::new(),
        })
    };
    let mut lanes = [
        lane("verdicts", daemon, 3)?,
        lane("echo of hyper", echo, 1)?,
    ];
    is_right(&lanes[0].server)?;
    // The first round is not counted.
    for round in 0..=arguments.rounds {
        for lane in &mut lanes {
            let (times, rate) = asked(&lane.server, arguments)?;
            if round > 0 {
                lane.times.0.extend(times);
                lane.rates.push(rate);
            }
        }
    }
    let cores = std::thread::available_parallelism()?;
    let clients = arguments.clients;
    println!(
        "{clients} clients, {} rounds, {cores} cores for servers and clients\n",
        arguments.rounds
    );
    println!("| | a second (median) | p50 | p99 |\n| --- | --- | --- | --- |");
    for lane in &mut lanes {
        let (p50, p99) = (lane.times.median(), lane.times.quantile(0.99));
        println!(
            "| {} | {:.0} | {p50:.1?} | {p99:.1?} |",
            lane.name,
            median(lane.rates.clone())
        );
    }
    let ratios = lanes[0].rates.iter().zip(&lanes[1].rates);
    let ratio = median(ratios.map(|(verdicts, echo)| verdicts / echo).collect());
    let (rate, p99) = (
        median(lanes[0].rates.clone()),
        lanes[0].times.quantile(0.99),
    );
    let kept = rate >= AIM.0 && p99 < AIM.1;
    println!(
        "\nverdicts are {ratio:.2} × as many as echoes; at least {:.0} at p99 < {:?}: {kept}",
        AIM.0, AIM.1
    );
    Ok(kept)
}

/// Returns a tool call whose name and arguments the guard reads.
fn body(tool: &str) -> String {
    let arguments = json!({"command": "rm -rf target", "timeout": 30}).to_string();
    let body = json!({
        "context": {"session-id": "bench", "agent": "bench", "turn": 1, "step": 1},
        "input": {
            "call-id": "1", "name": tool, "arguments-bytes": arguments.len(),
            "grant": {"working-dir": null, "timeout-ms": 1_000},
        },
        "views": {"tool-data": {"input": arguments}},
    });
    body.to_string()
}

fn request(server: &Server, tool: &str) -> Vec<u8> {
    let body = body(tool);
    let head = format!(
        "POST /v1/points/pre-tool-call HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        server.address,
        server.token,
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Checks that the guard refuses and continues as it must.
fn is_right(server: &Server) -> anyhow::Result<()> {
    for (tool, kind) in [("shell", "reject"), ("list", "continue")] {
        let mut stream = TcpStream::connect(server.address)?;
        stream.write_all(&request(server, tool))?;
        let mut read = Vec::new();
        let body = answered(&mut stream, &mut read)?;
        let reply: Value = serde_json::from_slice(&body)?;
        ensure!(reply["decision"]["kind"] == kind, "{tool}: {reply}");
    }
    Ok(())
}

/// Returns the times of all clients in one turn, and the rate a second.
fn asked(server: &Server, arguments: &HttpArguments) -> anyhow::Result<(Vec<Duration>, f64)> {
    let request = request(server, "list");
    let begin = Instant::now();
    let until = begin + Duration::from_millis(arguments.turn);
    let client = || -> anyhow::Result<Vec<Duration>> {
        let mut stream = TcpStream::connect(server.address)?;
        stream.set_nodelay(true)?;
        let (mut times, mut read) = (Vec::new(), Vec::new());
        while Instant::now() < until {
            let sent = Instant::now();
            stream.write_all(&request)?;
            answered(&mut stream, &mut read)?;
            times.push(sent.elapsed());
        }
        Ok(times)
    };
    let times = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..arguments.clients)
            .map(|_| scope.spawn(client))
            .collect();
        let times = clients.into_iter().map(|client| match client.join() {
            Ok(times) => times,
            Err(_) => anyhow::bail!("a client failed"),
        });
        times.collect::<anyhow::Result<Vec<_>>>()
    })?;
    let times: Vec<Duration> = times.concat();
    let rate = times.len() as f64 / begin.elapsed().as_secs_f64();
    Ok((times, rate))
}

/// Reads one response, which must have status 200, and returns its body.
fn answered(stream: &mut TcpStream, read: &mut Vec<u8>) -> anyhow::Result<Vec<u8>> {
    read.clear();
    let mut chunk = [0; 4096];
    loop {
        let count = stream.read(&mut chunk)?;
        ensure!(count > 0, "the server closed the connection");
        read.extend(chunk.get(..count).unwrap_or_default());
        let mut headers = [httparse::EMPTY_HEADER; 16];
        let mut response = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(head) = response.parse(read)? else {
            continue;
        };
        ensure!(
            response.code == Some(200),
            "{}",
            String::from_utf8_lossy(read)
        );
        let mut length = response.headers.iter();
        let length = length.find(|header| header.name.eq_ignore_ascii_case("content-length"));
        let length: usize = str::from_utf8(length.context("no content-length")?.value)?.parse()?;
        if let Some(body) = read.get(head..head + length) {
            return Ok(body.to_vec());
        }
    }
}

//! A plain hyper server that returns each request body.

use std::convert::Infallible;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, body::Incoming};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Prints its address, and serves until the process is ended.
pub fn run() -> anyhow::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            tokio::spawn(async move {
                let echo = async |request: Request<Incoming>| {
                    Ok::<_, Infallible>(Response::new(request.into_body()))
                };
                let connection = http1::Builder::new();
                let connection =
                    connection.serve_connection(TokioIo::new(stream), service_fn(echo));
                // A client that disconnects is no error.
                let _ = connection.await;
            });
        }
    })
}

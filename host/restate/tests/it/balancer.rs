//! A load balancer in front of workers that start and stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use url::Url;

/// Forwards connections to workers, one after another. Without a worker, they wait.
pub struct Balancer {
    address: SocketAddr,
    to: watch::Sender<Vec<SocketAddr>>,
    open: Arc<AtomicUsize>,
}

impl Balancer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let to = watch::Sender::new(Vec::new());
        let receiver = to.subscribe();
        let open = Arc::new(AtomicUsize::new(0));
        let count = open.clone();
        tokio::spawn(async move {
            for number in 0.. {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                tokio::spawn(forward(stream, number, receiver.clone(), count.clone()));
            }
        });
        Self { address, to, open }
    }

    pub fn url(&self) -> Url {
        Url::parse(&format!("http://{}/", self.address)).unwrap()
    }

    /// Returns the number of forwarded connections.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::Acquire)
    }

    /// Forwards to these workers from now on. Connections to other workers break.
    pub fn set(&self, workers: &[SocketAddr]) {
        self.to.send_replace(workers.to_vec());
    }
}

async fn forward(
    mut stream: TcpStream,
    number: usize,
    mut to: watch::Receiver<Vec<SocketAddr>>,
    open: Arc<AtomicUsize>,
) {
    let worker = {
        let Ok(workers) = to.wait_for(|workers| !workers.is_empty()).await else {
            return;
        };
        workers[number % workers.len()]
    };
    let Ok(mut forwarded) = TcpStream::connect(worker).await else {
        return;
    };
    stream.set_nodelay(true).unwrap();
    forwarded.set_nodelay(true).unwrap();
    open.fetch_add(1, Ordering::AcqRel);
    tokio::select! {
        _ = copy_bidirectional(&mut stream, &mut forwarded) => {}
        _ = to.wait_for(|workers| !workers.contains(&worker)) => {}
    }
    open.fetch_sub(1, Ordering::AcqRel);
}

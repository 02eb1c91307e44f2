//! What stands before workers that come and go.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use url::Url;

/// Forwards connections to one worker. Without one, they wait.
pub struct Balancer {
    address: SocketAddr,
    to: watch::Sender<Option<SocketAddr>>,
}

impl Balancer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let to = watch::Sender::new(None);
        let receiver = to.subscribe();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(forward(stream, receiver.clone()));
            }
        });
        Self { address, to }
    }

    pub fn url(&self) -> Url {
        Url::parse(&format!("http://{}/", self.address)).unwrap()
    }

    /// Forwards to this worker from now on. Connections to another one break.
    pub fn set(&self, worker: Option<SocketAddr>) {
        self.to.send_replace(worker);
    }
}

async fn forward(mut stream: TcpStream, mut to: watch::Receiver<Option<SocketAddr>>) {
    let Ok(worker) = to.wait_for(Option::is_some).await.map(|worker| *worker) else {
        return;
    };
    let Ok(mut forwarded) = TcpStream::connect(worker.unwrap()).await else {
        return;
    };
    tokio::select! {
        _ = copy_bidirectional(&mut stream, &mut forwarded) => {}
        _ = to.wait_for(|now| *now != worker) => {}
    }
}

//! Turns that survive their process.

mod changed;
mod large;
mod local;
mod resumed;
mod unsaved;

use portcullis_postgres::Server;

use self::local::{Direct, Local, OnPostgres};

/// The tests of every runtime.
mod direct {
    portcullis_parity::turns!(std::future::ready(Some(super::Direct)));
}

mod recorded {
    portcullis_parity::turns!(std::future::ready(Some(super::Local)));
    portcullis_parity::deaths!(std::future::ready(Some(super::Local)));
}

/// One after another, on one server.
#[test]
fn every_row_on_postgresql() {
    let server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            xtask::test::not_run(&format!("turns recorded in PostgreSQL: {why:#}"));
            return;
        }
    };
    let url = server.address().create("turns").unwrap();
    let postgres = OnPostgres(url.parse().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        portcullis_parity::turns!(each postgres);
        portcullis_parity::deaths!(each postgres);
    });
}

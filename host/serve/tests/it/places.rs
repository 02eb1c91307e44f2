//! The addresses that a server may listen on.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use portcullis_serve::{DaemonId, Listen, ListenError, Listening, ServeOptions};

use crate::server::{Place, start};

async fn refused(place: Listen) -> ListenError {
    Listening::bind(vec![place]).await.unwrap_err()
}

#[tokio::test]
async fn an_address_that_others_reach_must_be_allowed() {
    let place = Place::new();
    fs::create_dir(&place.dir).unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let error = refused(place.tcp(address, false)).await;
        assert!(matches!(error, ListenError::NotLoopback(_)), "{error}");
        assert!(error.to_string().contains("--allow-remote"), "{error}");
    }
    assert!(!place.daemon.token(&place.dir).exists());
    let open = Listening::bind(vec![place.tcp("0.0.0.0:0", true)]).await;
    assert_eq!(open.unwrap().addresses().len(), 1);
}

#[tokio::test]
async fn an_address_that_is_taken_is_refused_with_what_to_do() {
    let place = Place::new();
    portcullis_serve::make_directory(&place.dir).unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let error = refused(place.tcp(&address, false)).await.to_string();
    assert!(error.contains("or name another port"), "{error}");
}

#[tokio::test]
async fn one_daemon_has_the_socket_at_a_time() {
    #[cfg(target_os = "linux")]
    let own = format!("process {} serves these hooks", std::process::id());
    let server = start(ServeOptions::default()).await;
    let token = fs::read_to_string(server.place.daemon.token(&server.place.dir)).unwrap();
    let error = refused(server.place.unix()).await;
    assert!(matches!(error, ListenError::Taken { .. }), "{error}");
    #[cfg(target_os = "linux")]
    assert!(error.to_string().contains(&own), "{error}");
    // The token is still that of the first server.
    let both = vec![server.place.unix(), server.place.tcp("127.0.0.1:0", false)];
    assert!(Listening::bind(both).await.is_err());
    assert_eq!(server.get("/health").await.0, 200);
    assert_eq!(
        fs::read_to_string(server.place.daemon.token(&server.place.dir)).unwrap(),
        token
    );
    // A server that does not hold the lock, and answers.
    let place = Place::new();
    portcullis_serve::make_directory(&place.dir).unwrap();
    let _other = UnixListener::bind(place.socket()).unwrap();
    let error = refused(place.unix()).await;
    assert!(matches!(error, ListenError::Taken { .. }), "{error}");
    #[cfg(target_os = "linux")]
    assert!(error.to_string().contains(&own), "{error}");
}

#[tokio::test]
async fn a_socket_that_was_left_behind_is_replaced_and_nothing_else() {
    let place = Place::new();
    portcullis_serve::make_directory(&place.dir).unwrap();
    drop(UnixListener::bind(place.socket()).unwrap());
    assert!(place.socket().exists());
    drop(Listening::bind(vec![place.unix()]).await.unwrap());
    assert!(!place.socket().exists());
    fs::write(place.socket(), "kept").unwrap();
    let error = refused(place.unix()).await;
    assert!(matches!(error, ListenError::NotASocket(_)), "{error}");
    assert_eq!(fs::read_to_string(place.socket()).unwrap(), "kept");
}

#[tokio::test]
async fn a_directory_that_others_can_use_is_refused() {
    let place = Place::new();
    fs::create_dir(&place.dir).unwrap();
    for mode in [0o755, 0o770, 0o701] {
        fs::set_permissions(&place.dir, Permissions::from_mode(mode)).unwrap();
        let error = refused(place.unix()).await.to_string();
        assert!(error.contains("mode 0700"), "{error}");
    }
    fs::remove_dir(&place.dir).unwrap();
    let elsewhere = place.temp.path().join("elsewhere");
    portcullis_serve::make_directory(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &place.dir).unwrap();
    let error = refused(place.unix()).await.to_string();
    assert!(error.contains("directory of your own"), "{error}");
}

#[test]
fn other_hooks_and_other_settings_have_another_daemon() {
    let (one, two) = (Place::new(), Place::new());
    let id = |place: &Place, settings: &[&str]| {
        DaemonId::new(place.temp.path(), one.temp.path(), settings).unwrap()
    };
    assert_eq!(id(&one, &["a", "b"]), id(&one, &["a", "b"]));
    for other in [
        id(&two, &["a", "b"]),
        id(&one, &["ab", ""]),
        id(&one, &["a"]),
    ] {
        assert_ne!(id(&one, &["a", "b"]), other);
    }
    let (hooks, program) = (one.temp.path(), two.temp.path().join("program"));
    assert!(DaemonId::new(hooks, &program, &[]).is_err());
    std::fs::write(&program, "").unwrap();
    assert_ne!(DaemonId::new(hooks, &program, &[]).unwrap(), id(&one, &[]));
}

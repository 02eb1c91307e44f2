//! The kinds of URL schemes, all in lower case.

/// Schemes that reach servers in the ordinary way.
const WEB: &[&str] = &["http", "https", "ws", "wss"];
/// Schemes that reach files, or servers in ways that tools are tricked with.
const ODD: &[&str] = &[
    "file",
    "gopher",
    "dict",
    "ldap",
    "ldaps",
    "tftp",
    "jar",
    "netdoc",
    "ftp",
    "sftp",
    "smb",
    "phar",
    "view-source",
];
/// Other schemes in which a name of one word is a server, and not a package or a bucket.
const SERVERS: &[&str] = &[
    "amqp",
    "amqps",
    "bolt",
    "cassandra",
    "clickhouse",
    "git",
    "grpc",
    "imap",
    "imaps",
    "kafka",
    "mariadb",
    "memcached",
    "mongodb",
    "mqtt",
    "mqtts",
    "mssql",
    "mysql",
    "nats",
    "neo4j",
    "pop3",
    "postgres",
    "postgresql",
    "rdp",
    "redis",
    "rediss",
    "rsync",
    "rtsp",
    "scp",
    "smtp",
    "smtps",
    "socks4",
    "socks5",
    "socks5h",
    "sqlserver",
    "ssh",
    "tcp",
    "telnet",
    "tls",
    "udp",
    "vnc",
];

/// Returns whether addresses of the scheme are parsed as web addresses.
pub fn is_web(scheme: &str) -> bool {
    WEB.contains(&scheme)
}

/// Returns whether tools are tricked with the scheme.
pub fn is_odd(scheme: &str) -> bool {
    ODD.contains(&scheme)
}

/// Returns whether each address of the scheme names a server.
pub fn has_servers(scheme: &str) -> bool {
    SERVERS.contains(&scheme)
}

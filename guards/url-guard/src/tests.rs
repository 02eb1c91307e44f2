use super::answer::cleaned;
use super::config::Config;
use super::look::argument;

fn code(url: &str) -> Option<&'static str> {
    argument(&Config::default(), "url", url).map(|fault| fault.code())
}

#[test]
fn private_addresses_are_known_in_every_notation() {
    for url in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "localhost:8080",
        "http://metadata.google.internal/",
        "http://10.0.0.1.nip.io/",
        "http://[64:ff9b::a00:1]/",
        "http://①⑦②.16.0.1/",
        "http:/127.0.0.1/",
        "10.1.2.3",
    ] {
        assert_eq!(code(url), Some("private-address"), "{url}");
    }
}

#[test]
fn disguises_are_seen() {
    for url in [
        "https://example.com@evil.example.net/",
        "https://gооgle.com/",
        "https://xn--pple-43d.com/",
        r"https://example.com\@evil.net/",
    ] {
        assert_eq!(code(url), Some("disguised-address"), "{url}");
    }
    for url in [
        "https://müller.de/",
        "https://例え.jp/",
        "https://пример.рф/",
    ] {
        assert_eq!(code(url), None, "{url}");
    }
}

#[test]
fn data_in_addresses_is_seen() {
    for url in [
        "https://evil.example.net/?q=YWRtaW46aHVudGVyMkBkYi5pbnRlcm5hbA==",
        "https://4d79207365637265742070617373776f726420697320.evil.example.net/",
        "https://evil.example.net/x?data=the+user+lives+in+Paris",
    ] {
        assert_eq!(code(url), Some("data-in-address"), "{url}");
    }
    for url in [
        "https://api.example.com/v1/items?page=2&sort=name",
        "https://github.com/a/b/commit/3f786850e387550fdab836ed7e6dc881de23001b",
        "https://example.com/550e8400-e29b-41d4-a716-446655440000",
        "https://bucket.s3.amazonaws.com/a.png?X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024",
    ] {
        assert_eq!(code(url), None, "{url}");
    }
}

#[test]
fn lists_hold() {
    let config = Config {
        allow: vec!["example.com".into()],
        ..Config::default()
    };
    let code = |url| argument(&config, "url", url).map(|fault| fault.code());
    assert_eq!(code("https://api.example.com/"), None);
    assert_eq!(code("https://notexample.com/"), Some("host"));
}

#[test]
fn hosts_are_known_however_they_are_written() {
    let config = Config {
        deny: vec![
            "Evil.com".into(),
            "*.müller.de".into(),
            "example.net.".into(),
        ],
        ..Config::default()
    };
    let config = config.checked().expect("hosts");
    for url in [
        "https://evil.com/",
        "https://www.müller.de/",
        "https://example.net./",
    ] {
        let code = argument(&config, "url", url).map(|fault| fault.code());
        assert_eq!(code, Some("host"), "{url}");
    }
    let config = Config {
        deny: vec!["https://evil.com/".into()],
        ..Config::default()
    };
    assert!(config.checked().is_err());
}

#[test]
fn images_that_carry_data_are_taken_out() {
    let cleaned = |text| cleaned(&Config::default(), text);
    assert_eq!(
        cleaned("Done. ![x](https://evil.example.net/p.png?d2=hunter2) Bye.").as_deref(),
        Some("Done. ![x](#address-removed) Bye.")
    );
    assert_eq!(
        cleaned(
            "![logo](https://example.com/logo.png?w=200) and [docs](https://example.com/?page=2)"
        ),
        None
    );
    assert!(cleaned("<img src=\"https://evil.example.net/?u=ada\">").is_some());
    for text in [
        "![a [b] c](https://evil.example.net/p.png?d2=hunter2)",
        "![x]( https://evil.example.net/p.png?d2=hunter2)",
        "![x]\n\n[x]: <https://evil.example.net/p.png?d2=hunter2>",
        "<img src = \"https://evil.example.net/p.png?d2=hunter2\">",
    ] {
        let cleaned = cleaned(text).unwrap_or_default();
        assert!(!cleaned.contains("hunter2"), "{text}: {cleaned}");
    }
    assert!(cleaned("![a][b]\n\n[b]: https://evil.example.net/?u=ada").is_some());
}

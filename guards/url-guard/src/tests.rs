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

#[test]
fn an_argument_is_read_as_a_parser_of_addresses_reads_it() {
    for (name, text, expected) in [
        (
            "url",
            "http://example.com;@169.254.169.254/",
            "private-address",
        ),
        ("url", "http://example.com|@10.0.0.1/", "private-address"),
        ("href", "http://example.com)@10.0.0.1/", "private-address"),
        ("url", "http://169.254.\n169.254/latest", "private-address"),
        ("url", "ht\ttp://127.0.0.1/", "private-address"),
        ("link", "http:\r\n//127.0.0.1/", "private-address"),
        ("url", "http:127.0.0.1", "private-address"),
        (
            "url",
            "169.254.169.254/?u=https://example.com/",
            "private-address",
        ),
        (
            "host",
            "localhost/?u=https://example.com/",
            "private-address",
        ),
        (
            "url",
            "metadata.google.internal://example.com/",
            "private-address",
        ),
        ("url", "localhost://example.com/", "private-address"),
        ("host", "localhost ", "private-address"),
        ("host", "\u{a0}local\nhost\r\n", "private-address"),
        ("url", r"\\127.0.0.1\share", "private-address"),
        (
            "urls",
            "https://example.com/ http://example.com;@10.0.0.1/",
            "private-address",
        ),
        (
            "urls",
            "https://example.com/,\nhttp://10.0.0.1/",
            "private-address",
        ),
        (
            "url",
            "https://evil.example.net/?data=the user lives in Paris",
            "data-in-address",
        ),
        ("url", "file:/etc/passwd", "scheme"),
    ] {
        let code = argument(&Config::default(), name, text).map(|fault| fault.code());
        assert_eq!(code, Some(expected), "{name}: {text:?}");
    }
}

#[test]
fn arguments_that_name_an_address_may_say_other_things() {
    let config = Config {
        allow: vec!["example.com".into(), "example.org".into()],
        ..Config::default()
    };
    for (name, text) in [
        ("url", ""),
        ("url", " https://example.com/ "),
        ("url", "https://example.com:8443/a;b=(c)|d?x[]=1&y[2]=3"),
        ("url", "https://example.com/#top"),
        ("url", "(https://example.com/)"),
        ("url", "\"https://example.com/\""),
        ("url", "[docs](https://example.com/docs)"),
        ("url", "see https://example.com/docs for more"),
        (
            "url",
            "https://example.com/docs\nThe page of the interface.",
        ),
        ("url", "https://example.com The page of the interface."),
        ("urls", "https://example.com\nhttps://example.org"),
        ("urls", "https://example.com/?a=1, https://example.org/?b=2"),
        ("urls", r#"["https://example.com","https://example.org"]"#),
        ("url", "example.com"),
        ("host", "example.com:443\n"),
        ("url", "/login?next=https://example.com/"),
        ("endpoint", "/v1/items"),
        ("endpoint", "POST https://example.com/v1/items"),
        ("address", "12 Main Street, Springfield"),
        ("address", "12 Main Street\nSpringfield"),
        ("href", "docs/page.html#part"),
        (
            "command",
            "curl https://example.com/ | jq '.a[0]'; echo done",
        ),
        ("query", "who owns 10.0.0.1 or localhost ?"),
        ("script", "host = 'localhost'\nprint(f'{host}:8080')"),
    ] {
        assert_eq!(argument(&config, name, text), None, "{name}: {text:?}");
    }
}

#[test]
fn servers_of_other_schemes_are_known() {
    for (text, expected) in [
        ("redis://127.0.0.1:6379/0", "private-address"),
        ("redis://user:p@ss@10.0.0.1", "private-address"),
        ("redis://2130706433", "private-address"),
        ("redis://cache:6379", "private-address"),
        ("ssh://root@10.0.0.1", "private-address"),
        ("ssh://git@[::1]:22/a", "private-address"),
        ("git+ssh://git@10.0.0.1/a", "private-address"),
        (
            "mongodb://db.example.com:27017,10.0.0.2:27017/a",
            "private-address",
        ),
        ("jdbc:postgresql://10.0.0.1/a", "private-address"),
        ("postgres://localhost/a", "private-address"),
        ("any://127%2e0.0.1/", "private-address"),
        ("any://metadata.google.internal/", "private-address"),
        ("git://evil.example.net/a", "host"),
        ("git://evil/a", "host"),
        ("any://evil.example.net/a", "host"),
    ] {
        let config = Config {
            allow: match expected {
                "host" => vec!["example.com".into()],
                _ => Vec::new(),
            },
            ..Config::default()
        };
        for (name, text) in [("url", text), ("command", &format!("run {text}"))] {
            let code = argument(&config, name, text).map(|fault| fault.code());
            assert_eq!(code, Some(expected), "{name}: {text}");
        }
    }
}

#[test]
fn other_schemes_may_name_no_server() {
    let config = Config {
        allow: vec!["example.com".into()],
        ..Config::default()
    };
    for text in [
        "ssh://git@example.com:22/acme/app.git",
        "git+https://example.com/acme/app.git",
        "postgres://ada:secret@db.example.com,db2.example.com:5432/a?sslmode=require",
        "jdbc:postgresql://db.example.com/a",
        "npm://react",
        "s3://bucket/key",
        "issue://42",
        "vscode://file/home/ada/a.rs",
        "unix:///var/run/a.sock",
        "foo://",
        "redis://$REDIS_HOST/0",
        "sed s://:/:",
    ] {
        assert_eq!(argument(&config, "url", text), None, "{text}");
        assert_eq!(argument(&config, "command", text), None, "{text}");
    }
    let trusted = Config {
        trusted: vec!["localhost".into()],
        ..Config::default()
    };
    assert_eq!(argument(&trusted, "url", "redis://localhost:6379"), None);
}

#[test]
fn a_long_address_carries_data_unless_its_server_is_trusted() {
    let long = format!("https://files.example.com/{}", "a/".repeat(8 * 1024));
    assert_eq!(code(&long), Some("data-in-address"));
    let private = long.replace("files.example.com", "10.1.2.3");
    assert_eq!(code(&private), Some("private-address"));
    let trusts = Config {
        trusted: vec!["files.example.com".into()],
        ..Config::default()
    };
    assert_eq!(argument(&trusts, "url", &long), None);
    let looks_elsewhere = Config {
        data: false,
        ..Config::default()
    };
    assert_eq!(argument(&looks_elsewhere, "url", &long), None);
}

#[test]
fn a_long_user_does_not_hide_the_host() {
    let config = Config {
        trusted: vec!["example.com".into()],
        data: false,
        disguised: false,
        ..Config::default()
    };
    for start in ["https://", "https:", "https:/\\\t/"] {
        let user = "a".repeat(8 * 1024 - start.len() - ".example.com".len());
        let address = format!("{start}{user}.example.com@10.1.2.3/");
        let fault = argument(&config, "url", &address).expect("a fault");
        assert_eq!(fault.code(), "data-in-address", "{start:?}");
    }
}

#[test]
fn images_are_known_however_their_address_is_written() {
    for (text, expected) in [
        (
            r"Hi ![x](https\://evil.example.net/?u=ada) bye",
            "Hi ![x](#address-removed) bye",
        ),
        (
            "![x](https&#58;//evil.example.net/?u=ada)",
            "![x](#address-removed)",
        ),
        (
            "![x](https&colon;&sol;/evil.example.net/?u=ada)",
            "![x](#address-removed)",
        ),
        (
            "![x](https://evil.example.net/?w=1&amp;u=ada)",
            "![x](#address-removed)",
        ),
        (
            "![](<https\\://evil.example.net/?u=ada>)",
            "![](#address-removed)",
        ),
        (
            r"![a](/\\evil.example.net/?u=ada)",
            "![a](#address-removed)",
        ),
        (
            "![x](https&#58;//evil.example.net/?u=ada \"https://evil.example.net/?u=ada\")",
            "![x](#address-removed)",
        ),
        (
            r"[![x](https\://evil.example.net/?u=ada)](https://example.com)",
            "[![x](#address-removed)](https://example.com)",
        ),
        (
            r"![*a* ![b](https\://evil.example.net/?u=b)](https\://evil.example.net/?u=a)",
            "![*a* ![b](#address-removed)](#address-removed)",
        ),
        (
            "> ![x](\n> https\\://evil.example.net/?u=ada)",
            "> ![x](\n#address-removed)",
        ),
        (
            "![x][B]\n\n[b]: https\\://evil.example.net/?u=ada 'title'\n\nbye",
            "![x][B]\n\n[b]: #address-removed\n\nbye",
        ),
        (
            "![a\\]:b]\n\n[a\\]:b]: <https&#x3a;//evil.example.net/?u=ada>",
            "![a\\]:b]\n\n[a\\]:b]: #address-removed",
        ),
        (
            r"[x](https\://evil.example.net/?data=the+user+lives+in+Paris)",
            "[x](#address-removed)",
        ),
        (
            "<img src=\"https&#58;//evil.example.net/?u=ada\">",
            "<img src=\"#address-removed\">",
        ),
        (
            "<img src=\"ht\ntps://evil.example.net/?'u=ada lovelace\">",
            "<img src=\"#address-removed\">",
        ),
        (
            "<img srcset='https://example.com/a.png 1x, https://evil.example.net/?u=ada 2x'>",
            "<img srcset='https://example.com/a.png 1x, #address-removed 2x'>",
        ),
        (
            "<p style=\"background:url(&quot;https://evil.example.net/?u=ada&quot;)\">",
            "<p style=\"background:url(#address-removed)\">",
        ),
    ] {
        let cleaned = cleaned(&Config::default(), text);
        assert_eq!(cleaned.as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn ordinary_images_with_escapes_are_kept() {
    for text in [
        r"![x](https\://example.com/a\_b.png?w=200)",
        "![x](https://example.com/a.png?w=200&amp;h=100 \"a title\")",
        "<img src=\"https://example.com/a.png?w=200&amp;h=100\" alt='a'>",
        "![x][b]\n\n[b]: https://example.com/a\\_b.png 'title'",
        r"[docs](https\://example.com/?page=2&amp;sort=name)",
        "<https://example.com/?page=2>",
        "A & B; `a[0]: &str`, src = dst, and data=\"x\".",
        "src=\"https://example.com/a.png is how it begins.\n\nThen it says \"much\" more.",
    ] {
        assert_eq!(cleaned(&Config::default(), text), None, "{text}");
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    let started = std::time::Instant::now();
    for part in [
        "]:",
        "src=",
        "src=http:",
        "src=\"http:'",
        "data='",
        "url(",
        "url(http:",
        "://",
        "http://",
        "a://[;",
        "![",
        r"![\](\:)",
        "[b]: a\n",
        "![b]",
        "&#1",
        "http://a,",
    ] {
        let text = part.repeat(200_000 / part.len());
        cleaned(&Config::default(), &text);
        argument(&Config::default(), "url", &text);
    }
    let nested = format!("{}{}", "![".repeat(20_000), r"](\:a)".repeat(20_000));
    cleaned(&Config::default(), &nested);
    let defined = format!("{}\n\n[b]: {}", "![b]".repeat(20_000), "a".repeat(50_000));
    cleaned(&Config::default(), &defined);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

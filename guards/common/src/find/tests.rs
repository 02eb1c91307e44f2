use std::time::{Duration, Instant};

use super::{ALL, Finder};

/// Returns the matches in the text, as `kind=match`.
fn found(text: &str) -> Vec<String> {
    Finder::new(ALL.iter())
        .find(text)
        .into_iter()
        .map(|(kind, span)| format!("{kind}={}", &text[span]))
        .collect()
}

/// Asserts that each text has only the given match, or none if that is empty.
fn assert_found(kind: &str, cases: &[(&str, &str)]) {
    for (text, what) in cases {
        let expected = match *what {
            "" => Vec::new(),
            what => vec![format!("{kind}={what}")],
        };
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn private_keys() {
    let block = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----";
    let cut_off = "-----BEGIN PRIVATE KEY-----\nMIIB";
    assert_found(
        "private-key",
        &[
            (&format!("key:\n{block}\nthat was it"), block),
            (cut_off, cut_off),
            (
                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
                "",
            ),
        ],
    );
}

#[test]
fn web_tokens() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
    assert_found(
        "jwt",
        &[
            (&format!("jwt-{token}!"), token),
            (
                "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
                "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
            ),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", ""),
            ("x.eyJzdWIiOiIxIn0.y", ""),
        ],
    );
}

// The keys are assembled here, so that no scanner reports this file as a leak.
#[test]
fn provider_keys() {
    let github = format!("ghp_{}", "aB3".repeat(12));
    let fine_grained = format!("github_pat_{}", "aB3_".repeat(8));
    assert_found(
        "github-token",
        &[
            (&github, &github),
            (&fine_grained, &fine_grained),
            ("ghp_short", ""),
            (&format!("x{github}"), ""),
        ],
    );
    assert_found(
        "aws-key",
        &[
            ("id AKIAIOSFODNN7EXAMPLE.", "AKIAIOSFODNN7EXAMPLE"),
            ("密钥：AKIAIOSFODNN7EXAMPLE。", "AKIAIOSFODNN7EXAMPLE"),
            ("AKIAIOSFODNN7EXAMPLES", ""),
        ],
    );
    let keys = [
        format!("sk-ant-api03-{}", "aB3".repeat(9)),
        format!("sk_{}_{}", "live", "aB3".repeat(8)),
        format!("xox{}-{}", "b", "123-".repeat(4) + "abc"),
        format!("AIza{}", "aB3d5".repeat(7)),
        format!("glpat-{}", "aB3d5".repeat(4)),
        format!("npm_{}", "aB3d5e".repeat(6)),
        format!("hf_{}", "aB3d5e".repeat(6)),
        format!("SG.{}.{}", "aB3d5e".repeat(4), "aB3d5e".repeat(7)),
    ];
    for key in &keys {
        assert_found("api-key", &[(&format!("key {key}."), key)]);
    }
    assert_found(
        "api-key",
        &[
            ("sk-some-long-css-class-name-of-ours", ""),
            ("task-0123456789012345678901", ""),
        ],
    );
}

#[test]
fn bearers() {
    assert_found(
        "bearer",
        &[
            (
                "Authorization: Bearer abcdefghij0123456789==",
                "abcdefghij0123456789==",
            ),
            (
                "authorization: bearer\tabcdefghij0123456789",
                "abcdefghij0123456789",
            ),
            ("the bearer of bad news", ""),
        ],
    );
}

#[test]
fn assigned_secrets() {
    assert_found(
        "secret",
        &[
            ("password=hunter2hunter2", "hunter2hunter2"),
            ("DB_PASSWORD: 'tr0ub4dor&3'", "tr0ub4dor&3"),
            ("?token=0123abcd4567&x=1", "0123abcd4567"),
            (r#"{"api_key": "0123abcd4567"}"#, "0123abcd4567"),
            (r#"{\"api-key\": \"0123abcd4567\"}"#, "0123abcd4567"),
            (
                "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            ),
            ("password = getpass()", ""),
            ("max_tokens = 4096000000", ""),
            ("let token = Token::new(1)", ""),
            ("keyboard: qwertz105", ""),
            (r#"{"nextPageToken": "CAEQAA0123"}"#, ""),
            ("continuation_token=0123abcd4567", ""),
        ],
    );
}

#[test]
fn no_end_of_a_long_secret_stays() {
    let key = "aB3-".repeat(500);
    assert_eq!(found(&format!("sk-{key}")), [format!("api-key=sk-{key}")]);
    assert_eq!(found(&format!("token: {key}")), [format!("secret={key}")]);
}

#[test]
fn mail_addresses() {
    assert_found(
        "email",
        &[
            (
                "write to ada.lovelace+x@mail.example.org.",
                "ada.lovelace+x@mail.example.org",
            ),
            ("<ada@example.co.uk>", "ada@example.co.uk"),
            ("a@b@example.org", "b@example.org"),
            ("@media screen", ""),
            ("user@localhost", ""),
            ("git@1.2.3.4", ""),
            ("a@b..org", ""),
        ],
    );
}

#[test]
fn card_numbers() {
    assert_found(
        "credit-card",
        &[
            ("4111 1111 1111 1111", "4111 1111 1111 1111"),
            ("card 5555-5555-5555-4444, thanks", "5555-5555-5555-4444"),
            ("378282246310005", "378282246310005"),
            ("4111111111111111 12/30", "4111111111111111"),
            ("4111 1111 1111 1112", ""),
            ("0.4111111111111111", ""),
            ("41111111111111111111111", ""),
            ("1700000000000", ""),
        ],
    );
}

#[test]
fn bank_accounts() {
    assert_found(
        "iban",
        &[
            ("DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"),
            ("to GB82WEST12345698765432 please", "GB82WEST12345698765432"),
            (
                "GB82 WEST 1234 5698 7654 32 AND MORE",
                "GB82 WEST 1234 5698 7654 32",
            ),
            ("DE89 3704 0044 0532 0130 01", ""),
        ],
    );
}

#[test]
fn social_security_numbers() {
    assert_found(
        "ssn",
        &[
            ("SSN 123-45-6789.", "123-45-6789"),
            ("000-45-6789", ""),
            ("666-45-6789", ""),
            ("900-45-6789", ""),
            ("123-00-6789", ""),
            ("1-123-45-6789", ""),
            ("123-45-67890", ""),
        ],
    );
}

#[test]
fn phone_numbers() {
    assert_found(
        "phone",
        &[
            ("call +49 (30) 1234-567 now", "+49 (30) 1234-567"),
            ("+442071838750", "+442071838750"),
            ("(212) 555-0123", "(212) 555-0123"),
            ("or 212.555.0123", "212.555.0123"),
            ("1-800-555-0123", "800-555-0123"),
            ("2026-11-21 10:30:00", ""),
            ("1 + 12345678901234567890", ""),
            ("+12345678901234567890", ""),
            ("v112.155.01234", ""),
        ],
    );
}

#[test]
fn what_follows_a_phone_number_is_apart() {
    for (text, expected) in [
        (
            "+49 30 1234567 +49 30 7654321",
            &["phone=+49 30 1234567", "phone=+49 30 7654321"][..],
        ),
        ("+442071838750 442071838751", &["phone=+442071838750"]),
        (
            "+49 30 123456 4111 1111 1111 1111",
            &["phone=+49 30 123456", "credit-card=4111 1111 1111 1111"],
        ),
        (
            "+33 1 23 45 67 89 123-45-6789",
            &["phone=+33 1 23 45 67 89", "ssn=123-45-6789"],
        ),
        (
            "+49 30 1234567/212-555-0123",
            &["phone=+49 30 1234567", "phone=212-555-0123"],
        ),
        (
            "Tel: 030 901820 0171 2345678",
            &["phone=030 901820", "phone=0171 2345678"],
        ),
        (
            "Tel: 030 901820 4111 1111 1111 1111",
            &["phone=030 901820", "credit-card=4111 1111 1111 1111"],
        ),
        ("+49 30 1234567 2026-11-21", &["phone=+49 30 1234567"]),
        ("+49 30 1234567 3pm", &["phone=+49 30 1234567"]),
        // Lines of a diff, and longer numbers.
        ("+20261121 20261122 12", &[]),
        ("+12-3456-7890-1234-5678-9012", &[]),
        ("+1234567a 12", &[]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn what_is_said_is_a_secret() {
    assert_found(
        "secret",
        &[
            ("the admin password is tr0ub4dor&3, thanks", "tr0ub4dor&3"),
            ("The token is short", ""),
            ("this is 0123abcd4567", ""),
        ],
    );
}

#[test]
fn passwords_in_addresses() {
    assert_found(
        "url-password",
        &[
            ("postgres://app:hunter2@db.internal/x", "hunter2"),
            ("https://ada@localhost/x", ""),
            ("https://example.net/a:b@c", ""),
        ],
    );
}

#[test]
fn webhooks() {
    let slack = format!(
        "https://hooks.slack.com/{}/T0123ABCD/B0123ABCD/{}",
        "services",
        "aB3d".repeat(6)
    );
    assert_found("webhook", &[(&format!("post to {slack}."), &slack[8..])]);
}

#[test]
fn national_ids() {
    assert_found(
        "national-id",
        &[
            ("DNI 12345678Z", "12345678Z"),
            ("DNI 12345678A", ""),
            ("NIE X1234567L", "X1234567L"),
            ("CF RSSMRA85T10A562S", "RSSMRA85T10A562S"),
            ("CF RSSMRA85T10A562T", ""),
            ("CPF 529.982.247-25", "529.982.247-25"),
            ("CPF 529.982.247-26", ""),
            ("NINO AB123456C", "AB123456C"),
            ("personnummer 811218-9876", "811218-9876"),
            ("id 11010519491231002X", "11010519491231002X"),
            ("NIR 255081416802538", "255081416802538"),
        ],
    );
}

#[test]
fn phone_numbers_with_a_word_before_them() {
    assert_found(
        "phone",
        &[
            ("Tel: 030 901820", "030 901820"),
            ("call me on 0171 2345678", "0171 2345678"),
            ("order 0171 2345678", ""),
        ],
    );
}

#[test]
fn neighbours_are_all_found() {
    assert_eq!(
        found("ada@example.org,123-45-6789;bob@example.org"),
        [
            "email=ada@example.org",
            "ssn=123-45-6789",
            "email=bob@example.org"
        ],
    );
}

#[test]
fn no_text_takes_long() {
    let pieces = [
        "a",
        "1",
        " ",
        "a.",
        "a@",
        "eyJ-",
        ".eyJ",
        "eyJ.",
        "sk-",
        "sk-a",
        "ghp_",
        "1 ",
        "1-",
        "A0 ",
        "DE89",
        "-----BEGIN ",
        "bearer ",
        "password=",
        "token:\\",
        "+1",
        "(2",
        "xoxb-1",
        "SG.",
        "é",
        "password=example1",
        "sk-example-0123456789-",
        "hooks.slack.com/services/",
        "eyJhbGciOiJIUzI1NiJ9.",
        "-----BEGIN PRIVATE KEY-----",
        "+1 23 456 789 ",
    ];
    for piece in pieces {
        let text = piece.repeat(100_000 / piece.len());
        for accepts in [true, false] {
            let start = Instant::now();
            Finder::new(ALL.iter()).find_accepted(&text, &|_, _| accepts);
            let took = start.elapsed();
            assert!(
                took < Duration::from_secs(5),
                "{piece:?} took {took:?}, accepted: {accepts}"
            );
        }
    }
}

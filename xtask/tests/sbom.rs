//! The bill of materials names every package of the lock file.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use toml::Table;
use xtask::{root, sbom};

#[test]
fn the_bill_of_materials_names_every_locked_package() {
    let file = sbom::write(&root()).unwrap();
    let text = fs::read_to_string(file).unwrap();
    assert!(!text.contains(root().to_str().unwrap()));
    let bom: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&bom["bomFormat"], &bom["specVersion"]),
        (&"CycloneDX".into(), &"1.5".into())
    );
    let released = std::iter::once(&bom["metadata"]["component"]);
    let components = bom["components"].as_array().unwrap().iter();
    let named: BTreeSet<String> = released
        .chain(components)
        .map(|component| {
            let licence = component["licenses"][0]["expression"].as_str();
            assert!(
                licence.is_some_and(|licence| !licence.is_empty()),
                "{component}"
            );
            format!("{} {}", component["name"], component["version"])
        })
        .collect();
    let lock: Table = fs::read_to_string(root().join("Cargo.lock"))
        .unwrap()
        .parse()
        .unwrap();
    let mut digests = 0;
    for package in lock["package"].as_array().unwrap() {
        let entry = format!("{} {}", package["name"], package["version"]);
        assert!(named.contains(&entry), "{entry} is missing");
        if let Some(checksum) = package.get("checksum") {
            assert!(
                text.contains(checksum.as_str().unwrap()),
                "{entry} has no digest"
            );
            digests += 1;
        }
    }
    assert!(digests > 100);
}

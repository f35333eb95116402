//! Compiles each case twice: as it stands it is sound and must compile; with the feature `wrong` it must
//! not, for the reason that its first line gives. Only the code of an error is compared, as compilers differ
//! in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

type Codes = BTreeMap<String, BTreeSet<String>>;

/// The errors that the first line of each case announces.
fn expected() -> Codes {
    let folder = fs::read_dir(Path::new(PACKAGE).join("examples")).expect("a folder of cases");
    let mut cases = Codes::new();
    for path in folder.map(|entry| entry.expect("a readable folder").path()) {
        let text = fs::read_to_string(&path).expect("a readable case");
        let first = text.lines().next().unwrap_or_default();
        let codes = match first.strip_prefix("// error: ") {
            Some(codes) => codes.split(", ").map(String::from).collect(),
            None if first == "// compiles" => BTreeSet::new(),
            None => panic!("{path:?} does not say what is to happen"),
        };
        cases.insert(path.file_stem().expect("a name").to_string_lossy().into_owned(), codes);
    }
    cases
}

/// The errors that the compiler finds in each case.
fn found(features: &[&str]) -> Codes {
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder").into();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--examples", "--keep-going", "--locked", "--quiet", "--message-format=json"])
        .args(features)
        .arg("--target-dir")
        .arg(target)
        .current_dir(PACKAGE)
        .output()
        .expect("cargo");
    let mut codes: Codes = expected().into_keys().map(|name| (name, BTreeSet::new())).collect();
    let mut is_finished = false;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("a message of cargo's");
        is_finished |= message["reason"] == "build-finished";
        let is_error = message["message"]["level"] == "error";
        if let (true, Some(code)) = (is_error, message["message"]["code"]["code"].as_str()) {
            let name = message["target"]["name"].as_str().unwrap_or_default();
            codes.entry(name.into()).or_default().insert(code.into());
        }
    }
    assert!(is_finished, "{}", String::from_utf8_lossy(&output.stderr));
    codes
}

#[test]
fn what_is_sound_compiles_and_what_is_wrong_does_not() {
    let expected = expected();
    assert!(expected.len() > 20, "cases are missing");
    let nothing: Codes = expected.keys().map(|name| (name.clone(), BTreeSet::new())).collect();
    assert_eq!(found(&[]), nothing);
    assert_eq!(found(&["--features", "wrong"]), expected);
}

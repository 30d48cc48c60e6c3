//! What a start costs, and the page that shows everything.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::disk::Disk;
use crate::schema;

fn project() -> Disk {
    let evil = "TODO <script>alert(1)</script><img src=x onerror=alert(2)> 実装済み";
    Disk::with(&[
        ("project/AGENTS.md", &"Names of tables are plural here.\n".repeat(1300)),
        (
            "project/CLAUDE.md",
            &format!("@AGENTS.md\n@docs/gone.md\n{evil}\n[... 3 lines omitted ...]\n"),
        ),
    ])
}

#[test]
fn a_start_costs_what_it_loads() {
    let disk = project();
    let cost = disk.json(&["cost", "--json"]);
    schema::check(&disk.json(&["schema", "cost"]), &cost);
    for agent in cost["agents"].as_array().unwrap() {
        let sum: u64 = agent["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["bytes"].as_u64().unwrap())
            .sum();
        assert_eq!(agent["total"]["bytes"].as_u64(), Some(sum));
    }
    let codex: &Value =
        cost["agents"].as_array().unwrap().iter().find(|agent| agent["agent"] == "codex").unwrap();
    assert_eq!(
        (codex["total"]["bytes"].as_u64(), codex["total"]["tokens"].as_u64()),
        (Some(32_768), Some(8_192))
    );
    assert!(disk.run(&["cost"]).contains("(an estimate)"));
}

#[test]
fn the_page_is_one_file_that_nothing_in_a_text_can_steer() {
    let disk = project();
    disk.run(&["report", "--html", "page.html"]);
    let page = fs::read_to_string(disk.dir.path().join("project/page.html")).unwrap();
    assert!(page.contains("&lt;script&gt;") || !page.contains("alert(1)"));
    for never in ["<script", "<img", "http://", "https://", "onerror=alert(2)>"] {
        assert!(!page.contains(never), "{never}");
    }
    assert!(page.contains("bytes are cut off") && page.contains("memory/elision"));
}

#[test]
fn a_browser_shows_the_page() {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|told| told.status.success())
    });
    let Some(browser) = found else {
        // The check of the project installs one; elsewhere there may be none.
        use std::io::Write as _;
        let _told = writeln!(std::io::stderr(), "skipped: no Chromium here");
        return;
    };
    let disk = project();
    disk.run(&["report", "--html", "page.html"]);
    let page = disk.dir.path().join("project/page.html");
    for size in ["360,740", "1280,900"] {
        let shown = Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--dump-dom",
                &format!("--window-size={size}"),
            ])
            .arg(format!("--user-data-dir={}", disk.dir.path().join("browser").display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(
            dom.contains("id=\"findings\"")
                && dom.contains("role=\"img\"")
                && !dom.contains("<script"),
            "{size}"
        );
    }
}

//! The page of `memport report`: one file, no network, no script.
#![expect(clippy::format_push_string, reason = "a page is put together once, and reads so")]

use memory_core::grouped;
use memport_documents::{AgentExplanation, CountsDocument, FindingDocument, MemoryCut, Severity};

use super::visible;

/// Most findings of one kind that are shown.
const SHOWN: usize = 12;

const STYLE: &str = ":root{color-scheme:light dark;--fg:#1c1e21;--bg:#fff;--dim:#5c6370;--line:#d5d9e0;--good:#1a7f37;--lost:#b3261e;--hint:#0b57d0;--box:#f6f7f9}\
@media(prefers-color-scheme:dark){:root{--fg:#e6e6e6;--bg:#16181c;--dim:#9aa3b2;--line:#3a3f4a;--good:#5fd37c;--lost:#ff8a80;--hint:#8ab4f8;--box:#1f2228}}\
*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:1rem;color:var(--fg);background:var(--bg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\
h1{font-size:1.5rem}h2{font-size:1.25rem;border-bottom:1px solid var(--line)}nav a{margin-right:1rem}a{color:var(--hint)}\
a:focus-visible,summary:focus-visible{outline:3px solid var(--hint);outline-offset:2px}\
ol.chain{list-style:none;padding:0;margin:0}ol.chain>li{border:1px solid var(--line);border-radius:.4rem;background:var(--box);padding:.4rem .7rem;margin:0 0 1.1rem;position:relative}\
ol.chain>li:not(:last-child)::after{content:'↓';position:absolute;left:1rem;bottom:-1.3rem;color:var(--dim)}\
.bar{display:flex;height:.8rem;border:1px solid var(--line);border-radius:.4rem;overflow:hidden;background:var(--box);margin:.3rem 0}.bar i{background:var(--good)}.bar b{background:var(--lost)}\
.dim{color:var(--dim)}.lost,.error{color:var(--lost)}.warning{color:var(--lost)}.hint{color:var(--hint)}summary{cursor:pointer;padding:.3rem 0}code{font-size:.9em}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .5rem;border-bottom:1px solid var(--line)}";

/// The whole page.
pub(crate) fn html(
    agents: &[AgentExplanation],
    findings: &[FindingDocument],
    counts: CountsDocument,
) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
    );
    page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>memport report</title>\n<style>";
    page += STYLE;
    page += "</style>\n</head>\n<body>\n<h1>What the agents load here</h1>\n<nav>";
    for agent in agents {
        page += &format!("<a href=\"#{0}\">{0}</a>", escaped(agent.agent.title()));
    }
    page += "<a href=\"#memory\">Memory</a><a href=\"#findings\">Findings</a></nav>\n<main>\n";
    for agent in agents {
        client(&mut page, agent);
    }
    health(&mut page, counts);
    wrong(&mut page, findings);
    page + "</main>\n</body>\n</html>\n"
}

fn client(page: &mut String, agent: &AgentExplanation) {
    let title = escaped(agent.agent.title());
    *page += &format!("<section id=\"{title}\"><h2>{title}</h2>\n");
    if let Some(error) = &agent.client.error {
        *page += &format!("<p class=\"error\">It does not start here: {}</p>\n", escaped(error));
    }
    *page += &format!(
        "<p class=\"dim\">{} bytes, about {} tokens at start (an estimate), in {}</p>\n",
        grouped(agent.totals.bytes),
        grouped(agent.totals.tokens),
        escaped(&agent.cwd),
    );
    if let Some(budget) = agent.budget {
        bar(
            page,
            "Budget of the instructions",
            budget.used,
            budget.limit,
            budget.wanted.saturating_sub(budget.used),
        );
    }
    *page += "<ol class=\"chain\">\n";
    for layer in &agent.layers {
        let name = layer.path.as_deref().unwrap_or("(no file)");
        let lost = layer.cut.as_ref().map_or(0, |cut| cut.lost_bytes);
        *page += &format!(
            "<li><strong>{}</strong> <code>{}</code>",
            escaped(layer.kind.as_str()),
            escaped(name)
        );
        *page += &format!("<br><span class=\"dim\">{} bytes</span>", grouped(layer.kept.bytes));
        if lost > 0 {
            *page += &format!(" <span class=\"lost\">{} bytes are cut off</span>", grouped(lost));
            bar(page, "Loaded and cut", layer.kept.bytes, layer.kept.bytes + lost, lost);
        }
        *page += "</li>\n";
    }
    if !agent.skills.rendered.is_empty() {
        *page +=
            &format!("<li><strong>skills</strong> {} listed</li>\n", agent.skills.listed.len());
    }
    if let Some(content) = &agent.memory.content {
        let path = agent.memory.path.as_deref().unwrap_or_default();
        *page += &format!(
            "<li><strong>memory</strong> <code>{}</code><br><span class=\"dim\">{} bytes</span>",
            escaped(path),
            grouped(content.len() as u64)
        );
        if let Some(MemoryCut::Index(cut)) = &agent.memory.cut {
            let line =
                cut.first_cut_line.map(|line| format!(" from line {line} on")).unwrap_or_default();
            *page += &format!(" <span class=\"lost\">cut{line}</span>");
        }
        *page += "</li>\n";
    }
    *page += "</ol>\n";
    if !agent.omitted.is_empty() {
        *page += &format!("<details><summary>{} left out</summary><ul>\n", agent.omitted.len());
        for left in &agent.omitted {
            let path = left.path.as_deref().unwrap_or_default();
            *page +=
                &format!("<li><code>{}</code>: {}</li>\n", escaped(path), escaped(&left.message));
        }
        *page += "</ul></details>\n";
    }
    *page += "</section>\n";
}

/// A bar of what is used and what does not fit.
fn bar(page: &mut String, label: &str, used: u64, limit: u64, lost: u64) {
    let all = limit.max(used + lost).max(1);
    let share = |part: u64| u128::from(part) * 100 / u128::from(all);
    let said = format!("{label}: {} of {}", grouped(used), grouped(limit));
    *page += &format!(
        "<div class=\"bar\" role=\"img\" aria-label=\"{said}\" title=\"{said}\"><i style=\"width:{}%\"></i><b style=\"width:{}%\"></b></div>\n",
        share(used),
        share(lost),
    );
}

fn health(page: &mut String, counts: CountsDocument) {
    *page += "<section id=\"memory\"><h2>Memory</h2>\n<table>\n";
    for (name, count) in [
        ("entries", counts.entries),
        ("dated", counts.dated),
        ("too long", counts.too_long),
        ("with line numbers", counts.with_line_numbers),
        ("with progress words", counts.with_progress_words),
    ] {
        *page += &format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", grouped(count));
    }
    *page += "</table></section>\n";
}

fn wrong(page: &mut String, findings: &[FindingDocument]) {
    *page += &format!(
        "<section id=\"findings\"><h2>Findings ({})</h2>\n",
        grouped(findings.len() as u64)
    );
    let mut rest = findings;
    if rest.is_empty() {
        *page += "<p>Nothing is wrong here.</p>\n";
    }
    let mut codes: Vec<&str> = Vec::new();
    while let [first, others @ ..] = rest {
        rest = others;
        if codes.contains(&first.code.as_str()) {
            continue;
        }
        codes.push(&first.code);
        let group: Vec<_> = findings.iter().filter(|found| found.code == first.code).collect();
        let level = match first.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let is_open = if first.severity == Severity::Hint { "" } else { " open" };
        *page += &format!(
            "<details{is_open}><summary><span class=\"{level}\">{level}</span> <code>{}</code> ({})</summary><ul>\n",
            escaped(&first.code),
            group.len()
        );
        for found in group.iter().take(SHOWN) {
            let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
            let path = found.path.as_deref().unwrap_or(".");
            let excerpt = found
                .excerpt
                .as_deref()
                .map(|text| format!("<br><q>{}</q>", escaped(text)))
                .unwrap_or_default();
            *page += &format!(
                "<li><code>{}{line}</code>: {}{excerpt}</li>\n",
                escaped(path),
                escaped(&found.message)
            );
        }
        if group.len() > SHOWN {
            *page += &format!("<li class=\"dim\">and {} more</li>\n", group.len() - SHOWN);
        }
        let help = first
            .help
            .as_deref()
            .map(|help| format!("<p class=\"dim\">{}</p>", escaped(help)))
            .unwrap_or_default();
        *page += &format!("</ul>{help}</details>\n");
    }
    *page += "</section>\n";
}

/// Text that is no markup, and in which nothing is hidden.
fn escaped(text: &str) -> String {
    visible(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

//! What is wrong with what clients keep.

use memory_core::fs::OsFs;
use memory_core::{Code, Diagnostic, Severity};
use memport_documents::{DOCTOR_SCHEMA, DoctorDocument};

use crate::args::DoctorArgs;
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::Stores;
use crate::{journal, text};

/// Looks for what is wrong, in all that the clients keep and in the journal.
pub(crate) fn doctor(args: &DoctorArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let mut findings = Stores::open(&clients, &start).findings()?;
    let notice = journal::notice(&OsFs, &start.env);
    findings.extend(notice.as_ref().map(|notice| {
        Diagnostic::new(Code("memport/run-unfinished"), Severity::Warning, notice.message.clone())
            .help(notice.hint.clone())
    }));
    let document = DoctorDocument {
        schema: DOCTOR_SCHEMA,
        findings: findings.into_iter().map(Into::into).collect(),
    };
    let has_findings = !document.findings.is_empty();
    let words = |document: &_| text::doctor(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    Ok(answer.with_findings(has_findings).with_notice(notice))
}

//! What clients would load here.

use adapter_claude::{Claude, ToolUse};
use adapter_codex::Codex;
use memory_core::World;
use memory_core::fs::{OsFs, name_from_bytes};
use memport_documents::{
    AgentExplanation, DiagnosticDocument, EXPLAIN_SCHEMA, EveryAgent, Explanation, ToolUseDocument,
    from_claude, from_codex,
};

use super::steps::{steps, untouchable};
use crate::args::{ClientName, ExplainArgs};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::text::explanation_text;

/// Resolves and shows what one client, or each of them, would load.
pub(crate) fn explain(args: &ExplainArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let question = Question {
        steps: steps(args, &start.cwd)?,
        untouchable: untouchable(args, &start.cwd, &OsFs),
        args: args.client_args.iter().map(|arg| name_from_bytes(arg.as_encoded_bytes())).collect(),
        agent: args.sub_agent.clone(),
        start,
    };
    let explanation = match args.agent {
        Some(ClientName::Codex) => Explanation::One(Box::new(question.codex(&clients.codex)?)),
        Some(ClientName::Claude) => Explanation::One(Box::new(question.claude(&clients.claude)?)),
        None => {
            let mut agents =
                vec![question.codex(&clients.codex)?, question.claude(&clients.claude)?];
            agents.retain(AgentExplanation::has_something);
            Explanation::Every(EveryAgent { schema: EXPLAIN_SCHEMA, agents })
        }
    };
    let words = |explanation: &Explanation| explanation_text(explanation, output::width());
    Ok(Answer::either(args.output.format(), explanation, words))
}

/// One question, put to each client.
struct Question {
    start: Start,
    args: Vec<String>,
    steps: Vec<Vec<ToolUseDocument>>,
    agent: Option<String>,
    /// What cannot be read of the files that are to be touched.
    untouchable: Vec<DiagnosticDocument>,
}

impl Question {
    fn world(&self) -> World<'_> {
        World { fs: &OsFs, env: &self.start.env }
    }

    fn codex(&self, codex: &Codex) -> Result<AgentExplanation, Failure> {
        let query = adapter_codex::Query::new(self.start.cwd.clone()).with_args(self.args.clone());
        let query = query.with_agent(self.agent.clone());
        let found = codex.resolve(self.world(), &query)?;
        Ok(self.with_untouchable(from_codex(
            found,
            self.start.env.home.as_ref(),
            self.steps.clone(),
        )))
    }

    fn claude(&self, claude: &Claude) -> Result<AgentExplanation, Failure> {
        let query = adapter_claude::Query::new(self.start.cwd.clone())
            .with_args(self.args.clone())
            .with_steps(tool_uses(&self.steps))
            .with_agent(self.agent.clone());
        let found = claude.resolve(self.world(), &query)?;
        Ok(self.with_untouchable(from_claude(
            found,
            self.start.env.home.as_ref(),
            self.steps.clone(),
        )))
    }

    fn with_untouchable(&self, mut agent: AgentExplanation) -> AgentExplanation {
        agent.diagnostics.extend(self.untouchable.iter().cloned());
        agent
    }
}

/// The scripted steps as the library takes them.
fn tool_uses(steps: &[Vec<ToolUseDocument>]) -> Vec<Vec<ToolUse>> {
    let used = |used: &ToolUseDocument| {
        ToolUse::new(used.tool.clone(), used.input.clone())
            .with_failure(used.failed)
            .with_agent_steps(tool_uses(&used.agent_steps))
    };
    steps.iter().map(|step| step.iter().map(used).collect()).collect()
}

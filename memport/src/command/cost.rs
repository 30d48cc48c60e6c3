//! What a start of each client costs.

use memory_core::World;
use memory_core::fs::OsFs;
use memport_documents::{
    AgentCost, AgentExplanation, Amount, COST_SCHEMA, CostDocument, CostItem, EstimatorDocument,
    Saving,
};

use crate::args::CostArgs;
use crate::check::explained;
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::text;

/// Measured on indexes of real memories.
const BYTES_PER_INDEX_TOKEN: f64 = 2.6;

/// What one recall puts before the model at most, in characters.
const RECALL_CHARS: u64 = 1500;

/// Adds up what each client loads at start.
pub(crate) fn cost(args: &CostArgs, process: Process) -> Result<Answer, Failure> {
    if !args.bytes_per_token.is_finite() || args.bytes_per_token < 0.1 {
        return Err(Failure::usage(
            "a token has more bytes than that",
            "try `--bytes-per-token 4`",
        ));
    }
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let world = World { fs: &OsFs, env: &start.env };
    let estimator = EstimatorDocument {
        bytes_per_token: args.bytes_per_token,
        bytes_per_index_token: BYTES_PER_INDEX_TOKEN,
    };
    let found = explained(world, &clients, &start.cwd)?;
    let is_asked = |agent: &&AgentExplanation| args.agent.is_some() || agent.has_something();
    let agents = found.iter().filter(is_asked).map(|agent| of_agent(agent, estimator)).collect();
    let recall = amount(RECALL_CHARS, estimator.bytes_per_token);
    let document = CostDocument { schema: COST_SCHEMA, estimator, agents, recall };
    let words = |document: &_| text::cost(document, &start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

fn of_agent(agent: &AgentExplanation, estimator: EstimatorDocument) -> AgentCost {
    let mut items: Vec<_> = agent
        .layers
        .iter()
        .map(|layer| CostItem {
            kind: layer.kind.as_str().to_owned(),
            path: layer.path.clone(),
            amount: amount(layer.kept.bytes, estimator.bytes_per_token),
        })
        .collect();
    let mut more = |kind: &str, path: Option<String>, text: &str, per_token| {
        if !text.is_empty() {
            items.push(CostItem {
                kind: kind.to_owned(),
                path,
                amount: amount(text.len() as u64, per_token),
            });
        }
    };
    more("skills", None, &agent.skills.rendered, estimator.bytes_per_token);
    let index = agent.memory.content.as_deref().unwrap_or_default();
    more("memory", agent.memory.path.clone(), index, estimator.bytes_per_index_token);
    let total = items.iter().fold(Amount::default(), |sum, item| Amount {
        bytes: sum.bytes + item.amount.bytes,
        tokens: sum.tokens + item.amount.tokens,
    });
    AgentCost { agent: agent.agent, items, total, shorter_lines: saving(index) }
}

/// What is beyond the limit in the lines of an index.
fn saving(index: &str) -> Saving {
    let long = index.lines().filter_map(|line| {
        let (at, _) = line.char_indices().nth(memory_audit::MOST_INDEX_CHARS)?;
        Some((line.len() - at) as u64)
    });
    let (lines, bytes) = long.fold((0, 0), |(lines, bytes), more| (lines + 1, bytes + more));
    Saving { lines, amount: amount(bytes, BYTES_PER_INDEX_TOKEN) }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate of a size in memory"
)]
fn amount(bytes: u64, per_token: f64) -> Amount {
    Amount { bytes, tokens: (bytes as f64 / per_token).ceil() as u64 }
}

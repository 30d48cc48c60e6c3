use std::sync::Arc;

use memory_core::{AbsPath, Cut, Layer, Loaded, Outcome, Provenance, Via};
use schemars::JsonSchema;
use serde::Serialize;

use crate::omitted::OmittedDocument;
use crate::size::{Size, Tokens};
use crate::words::{Kind, Scope, TakenOut, Unit};

/// One instruction item that the model gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerDocument {
    /// What kind of text it is.
    pub kind: Kind,
    /// Where it belongs.
    pub scope: Scope,
    /// The file, as the client names it; null for text that stands in no file.
    pub path: Option<String>,
    /// The client's own heading for it, where it prints one.
    pub label: Option<String>,
    /// How the client came to look at it.
    pub via: ViaDocument,
    /// Exactly what the model gets.
    pub content: Arc<str>,
    /// The size on disk.
    pub size: Size,
    /// The size of `content`.
    pub kept: Size,
    /// What was cut off, or null when it is whole.
    pub cut: Option<CutDocument>,
    /// What of the file the client keeps to itself; blank ends that it trims
    /// are not among it.
    pub taken_out: Vec<TakenOut>,
    /// What `content` costs.
    pub tokens: Tokens,
}

/// How a client came to look at a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum ViaDocument {
    /// It looks there by itself.
    Discovered,
    /// Another file imports it.
    Imported {
        /// The importing file.
        from: String,
        /// The line of the import, counted from 1.
        line: u32,
    },
    /// Its name is one of those that stand in for the usual one.
    Fallback,
    /// A tool touched a file beside or below it.
    Nested {
        /// The touched file.
        touched: String,
    },
    /// A setting holds or names it.
    Setting {
        /// The key.
        key: &'static str,
        /// The file in which the setting stands, or null for the command line.
        from: Option<String>,
    },
    /// In a way that this release of the tool has no word for.
    Other,
}

impl From<Via> for ViaDocument {
    fn from(via: Via) -> Self {
        match via {
            Via::Discovered => Self::Discovered,
            Via::Imported { from, line } => Self::Imported { from: from.to_string(), line },
            Via::Fallback => Self::Fallback,
            Via::Nested { touched } => Self::Nested { touched: touched.to_string() },
            Via::Setting { key, from } => {
                Self::Setting { key, from: from.map(|from| from.to_string()) }
            }
            _ => Self::Other,
        }
    }
}

/// Where a text was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CutDocument {
    /// The unit of the limit that caused it.
    pub limit: Unit,
    /// The limit itself, in that unit.
    pub max: u64,
    /// The line in which the cut lies, counted from 1.
    pub at_line: u64,
    /// Bytes of the file that were kept.
    pub at_byte: u64,
    /// Bytes of the file that were lost.
    pub lost_bytes: u64,
}

impl From<Cut> for CutDocument {
    fn from(cut: Cut) -> Self {
        let Cut { limit, at_byte, at_line, lost_bytes } = cut;
        Self { limit: Unit::of(limit), max: limit.count(), at_line, at_byte, lost_bytes }
    }
}

/// Parts what a client looked at into what the model gets and what it does not,
/// both in order.
pub(crate) fn split(layers: Vec<Layer>) -> (Vec<LayerDocument>, Vec<OmittedDocument>) {
    let (mut loaded, mut omitted) = (Vec::new(), Vec::new());
    for Layer { kind, provenance, outcome } in layers {
        match outcome {
            Outcome::Loaded(text) => loaded.push(document(Kind::of(kind), provenance, text)),
            Outcome::Omitted { reason, quirk } => omitted.push(OmittedDocument {
                path: provenance.path.as_ref().map(AbsPath::to_string),
                kind: Kind::of(kind),
                scope: Scope::of(provenance.scope),
                via: provenance.via.into(),
                message: reason.to_string(),
                reason: reason.into(),
                quirk: quirk.map(|quirk| quirk.id),
            }),
        }
    }
    (loaded, omitted)
}

fn document(kind: Kind, provenance: Provenance, loaded: Loaded) -> LayerDocument {
    let kept = Size::of(&loaded.text);
    LayerDocument {
        kind,
        scope: Scope::of(provenance.scope),
        path: provenance.path.as_ref().map(AbsPath::to_string),
        label: loaded.label,
        via: provenance.via.into(),
        content: loaded.text,
        size: loaded.size.into(),
        kept,
        cut: loaded.cut.map(CutDocument::from),
        taken_out: loaded.taken_out.iter().filter_map(|part| TakenOut::of(*part)).collect(),
        tokens: Tokens::of(kept),
    }
}

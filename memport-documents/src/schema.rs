//! The schemas of all documents.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::check::CheckDocument;
use crate::comparison::DiffDocument;
use crate::cost::CostDocument;
use crate::explanation::Explanation;
use crate::list::ListDocument;
use crate::plan::{HookDocument, RelocateDocument, UndoDocument};
use crate::port::PortDocument;
use crate::quirk::QuirksDocument;
use crate::recall::{
    CandidatesDocument, IngestDocument, InjectDocument, RecallDocument, RecallShowDocument,
    StatsDocument,
};
use crate::remembered::MemoryAnswer;

/// Declares the documents: the command that prints each, and its type.
macro_rules! documents {
    ($($name:ident = $command:literal, $type:ty;)*) => {
        /// The document of one command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Document {
            $(#[doc = concat!("What `memport ", $command, "` prints.")] $name,)*
        }

        impl Document {
            /// All documents, in the order in which the commands are listed.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The command that prints it.
            pub fn command(self) -> &'static str {
                match self {
                    $(Self::$name => $command,)*
                }
            }

            /// Its JSON schema, in the dialect of 2020-12.
            pub fn schema(self) -> Schema {
                match self {
                    $(Self::$name => schema_of::<$type>(),)*
                }
            }
        }
    };
}

documents! {
    Explain = "explain", Explanation;
    List = "list", ListDocument;
    Memory = "memory", MemoryAnswer;
    Port = "port", PortDocument;
    Undo = "undo", UndoDocument;
    Check = "check", CheckDocument;
    Cost = "cost", CostDocument;
    Relocate = "relocate", RelocateDocument;
    Quirk = "quirk", QuirksDocument;
    Diff = "diff", DiffDocument;
    Recall = "recall", RecallDocument;
    RecallShow = "recall-show", RecallShowDocument;
    Ingest = "ingest", IngestDocument;
    Stats = "stats", StatsDocument;
    Inject = "inject", InjectDocument;
    Candidates = "candidates", CandidatesDocument;
    Hook = "hook", HookDocument;
}

/// The schema of what is written: a key that is always written is required,
/// also where its value may be null.
fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_says_its_own_name() {
        for document in Document::ALL {
            let text = serde_json::to_string(&document.schema()).unwrap();
            let name = match document {
                Document::Memory => "memport.show.v1".to_owned(),
                other => format!("memport.{}.v1", other.command()),
            };
            assert!(text.contains(&name), "{document:?}");
        }
    }
}

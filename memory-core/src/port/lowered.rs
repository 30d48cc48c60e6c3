//! What a target adapter makes of a bundle.

use std::sync::Arc;

use crate::fs::Content;
use crate::model::SourceFile;
use crate::path::AbsPath;
use crate::report::{Diagnostic, Loss, LossKind};

/// A bundle in the words of one client: where everything goes, and what is lost.
///
/// Nothing here looks at what stands in the way; joining it with existing files
/// is [`port`](crate::port)'s business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// The folders below which the client keeps what is placed.
    pub roots: Vec<AbsPath>,
    /// Those folders outside of the project in which the client keeps what is
    /// for this project alone, such as a memory of its own.
    pub of_project: Vec<AbsPath>,
    /// What goes where, in the order in which the client shall load it.
    pub placements: Vec<Placement>,
    /// What does not survive as it is.
    pub losses: Vec<Loss>,
    /// What a person should know beside.
    pub diagnostics: Vec<Diagnostic>,
}

impl Lowered {
    /// Places something that is made of these files of the source.
    pub fn put(&mut self, from: Vec<SourceFile>, to: Target) {
        self.placements.push(Placement { from, to });
    }

    /// Takes over losses. What is not gone stands in `kept_in` now; `None`
    /// leaves that to each loss.
    pub fn lose(&mut self, losses: Vec<Loss>, kept_in: Option<&AbsPath>) {
        self.losses.extend(losses.into_iter().map(|loss| match kept_in {
            Some(file) if loss.how != LossKind::Dropped => loss.kept_in(file),
            _ => loss,
        }));
    }
}

/// One thing and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The source's files that it is made of. The first one is given back its
    /// bytes from it when it is ported back.
    pub from: Vec<SourceFile>,
    /// Where it goes.
    pub to: Target,
}

/// Where something goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A part of a text file that may hold other parts, and text of the person.
    Section {
        /// The file.
        file: AbsPath,
        /// The part's name, unique in the file: a path that says where it
        /// comes from.
        name: String,
        /// What the target says before the text, where it applies for example;
        /// empty for nothing. It is not the source's, and stays behind when the
        /// text is ported back. It ends with a line end.
        preface: String,
        /// Its text. It stands between marks, unless it is all of the file.
        text: String,
        /// Whether it stands between marks even when it is all of the file:
        /// the client would read its first lines otherwise than they are meant.
        marked: bool,
    },
    /// A file of its own, or a link.
    Whole {
        /// Where.
        path: AbsPath,
        /// What stands there.
        content: Content,
    },
    /// Nothing: the client reads the source's file where it is.
    InPlace,
    /// A setting in a file that holds other settings.
    Setting {
        /// The file.
        file: AbsPath,
        /// Its bytes now; `None` when it is not there.
        before: Option<Arc<[u8]>>,
        /// Its bytes with the setting.
        after: Arc<[u8]>,
    },
}

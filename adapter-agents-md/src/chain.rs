//! The chain of a start folder.

use memory_core::fs::{Fs, MAX_READ, Recorder};
use memory_core::{
    AbsPath, Budget, Cut, FileSize, InstructionChain, Layer, Limit, Loaded, Omission, Outcome,
    World,
};

use crate::candidate::{Candidate, State, candidates};
use crate::read::head;
use crate::root::{MarkerErrors, find_root};
use crate::{Convention, Trim, UnreadableFiles};

/// Resolves what is read for a start folder: one file a folder, from the root
/// down to `start`.
pub fn resolve(world: World<'_>, convention: &Convention, start: &AbsPath) -> InstructionChain {
    let seen = Recorder::new(world.fs);
    let world = World { fs: &seen, env: world.env };
    let root = find_root(world, &convention.root_markers, start, MarkerErrors::Absent)
        .unwrap_or_else(|| start.clone());
    let mut chain = read_dirs(&seen, convention, &start.from_top(&root));
    chain.probes = seen.probes();
    chain
}

/// Resolves what is read of one folder alone.
pub fn resolve_dir(world: World<'_>, convention: &Convention, dir: &AbsPath) -> InstructionChain {
    let seen = Recorder::new(world.fs);
    let mut chain = read_dirs(&seen, convention, std::slice::from_ref(dir));
    chain.probes = seen.probes();
    chain
}

fn read_dirs(fs: &dyn Fs, convention: &Convention, dirs: &[AbsPath]) -> InstructionChain {
    let folders: Vec<Vec<Candidate>> =
        dirs.iter().map(|dir| candidates(fs, convention, dir)).collect();
    let limit = convention.max_bytes;
    let mut reader = Reader { fs, convention, left: limit, used: 0, wanted: 0, lost: None };
    // A file that cannot even be looked at is met before anything is read.
    reader.lost = folders.iter().find_map(|folder| reader.unlookable(folder));
    let mut layers = Vec::new();
    for folder in &folders {
        reader.folder(folder, &mut layers);
    }
    if let Some(because) = &reader.lost {
        drop_all(&mut layers, because);
    }
    let budget = limit.map(|bytes| Budget {
        limit: Limit::Bytes(bytes),
        used: if reader.lost.is_some() { 0 } else { reader.used },
        wanted: reader.wanted,
    });
    for layer in &mut layers {
        if let Outcome::Omitted { reason: Omission::OverBudget { wanted, .. }, .. } =
            &mut layer.outcome
        {
            *wanted = reader.wanted;
        }
    }
    InstructionChain { layers, budget, ..InstructionChain::default() }
}

/// Reads folder after folder within what is left of the budget.
struct Reader<'a> {
    fs: &'a dyn Fs,
    convention: &'a Convention,
    /// Bytes left, or `None` without a budget.
    left: Option<u64>,
    used: u64,
    wanted: u64,
    /// The file for which the whole chain is dropped.
    lost: Option<AbsPath>,
}

/// What reading one file led to.
enum Read {
    Loaded(Loaded),
    Blank,
    /// Nothing of it fits.
    OverBudget(u64),
    Failed(Omission),
}

impl Reader<'_> {
    /// The candidate of a folder whose mere look-up fails and drops the chain.
    fn unlookable(&self, folder: &[Candidate]) -> Option<AbsPath> {
        let last = folder.iter().find(|candidate| candidate.ends_search(self.convention))?;
        matches!(last.state, State::Failed(_)).then(|| last.path.clone())
    }

    fn folder(&mut self, folder: &[Candidate], layers: &mut Vec<Layer>) {
        let mut chosen: Option<(usize, AbsPath)> = None;
        let mut blank_at = None;
        let mut hidden = Vec::new();
        for candidate in folder {
            let path = &candidate.path;
            let outcome = match (&chosen, &candidate.state) {
                (Some((_, by)), State::File(_) | State::Failed(_)) => {
                    hidden.push(path.clone());
                    omitted(Omission::Shadowed { by: by.clone() })
                }
                (_, State::Passed(reason)) => omitted(reason.clone()),
                (None, State::Failed(error)) => omitted(Omission::Unreadable(error.clone())),
                (None, State::File(metadata)) => match self.file(path, metadata.len) {
                    Read::Loaded(loaded) => {
                        chosen = Some((layers.len(), path.clone()));
                        Outcome::Loaded(loaded)
                    }
                    Read::Failed(reason) => {
                        if candidate.ends_search(self.convention) {
                            chosen = Some((layers.len(), path.clone()));
                        }
                        omitted(reason)
                    }
                    read @ (Read::Blank | Read::OverBudget(_)) => {
                        if candidate.ends_search(self.convention) {
                            chosen = Some((layers.len(), path.clone()));
                            blank_at = matches!(read, Read::Blank).then_some(layers.len());
                        }
                        omitted(match read {
                            Read::OverBudget(bytes) => {
                                Omission::OverBudget { limit: Limit::Bytes(bytes), wanted: 0 }
                            }
                            _ => Omission::Blank,
                        })
                    }
                },
            };
            layers.push(candidate.layer(self.convention, outcome));
        }
        if let (Some(at), false) = (blank_at, hidden.is_empty())
            && let Some(layer) = layers.get_mut(at)
        {
            layer.outcome = omitted(Omission::BlankHides { hidden });
        }
    }

    fn file(&mut self, path: &AbsPath, len: u64) -> Read {
        let limit = self.convention.max_bytes.unwrap_or(u64::MAX);
        let left = self.left.unwrap_or(u64::MAX);
        if left == 0 {
            // Nothing more is opened, so that what cannot be read does no harm.
            self.wanted += len;
            return if len == 0 { Read::Blank } else { Read::OverBudget(limit) };
        }
        if len > MAX_READ && left > MAX_READ {
            return Read::Failed(Omission::TooLarge { limit: MAX_READ });
        }
        let head = match head(self.fs, path, len, left) {
            Ok(head) => head,
            Err(error) => {
                if self.convention.unreadable_files == UnreadableFiles::DropChain {
                    self.lost.get_or_insert_with(|| path.clone());
                }
                return Read::Failed(Omission::Unreadable(error));
            }
        };
        let text = String::from_utf8_lossy(&head.kept);
        let kept = head.kept.len() as u64;
        let whole = kept >= head.size.bytes;
        if text.trim().is_empty() {
            // What is blank after the cut costs nothing, so that the next file
            // still has the whole rest of the budget.
            return if whole { Read::Blank } else { self.over(limit, head.size) };
        }
        self.wanted += head.size.bytes;
        self.used += kept;
        self.left = self.left.map(|left| left.saturating_sub(kept));
        let cut = (!whole).then(|| Cut {
            limit: Limit::Bytes(limit),
            at_byte: kept,
            at_line: 1 + head.kept.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>(),
            lost_bytes: head.size.bytes - kept,
        });
        let text = match self.convention.trim {
            Trim::Keep => text.as_ref(),
            Trim::BothEnds => text.trim(),
        };
        Read::Loaded(Loaded {
            text: text.into(),
            label: None,
            size: head.size,
            cut,
            taken_out: Vec::new(),
        })
    }

    fn over(&mut self, limit: u64, size: FileSize) -> Read {
        self.wanted += size.bytes;
        Read::OverBudget(limit)
    }
}

fn omitted(reason: Omission) -> Outcome {
    Outcome::Omitted { reason, quirk: None }
}

fn drop_all(layers: &mut [Layer], because: &AbsPath) {
    for layer in layers {
        let spared = layer.provenance.path.as_ref() == Some(because);
        let was_fine = matches!(
            layer.outcome,
            Outcome::Loaded(_) | Outcome::Omitted { reason: Omission::OverBudget { .. }, .. }
        );
        if was_fine && !spared {
            layer.outcome = omitted(Omission::ChainLost { because: because.clone() });
        }
    }
}

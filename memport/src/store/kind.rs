use memory_core::MemoryKind;

/// The word for a kind of memory.
pub(super) fn word(kind: &MemoryKind) -> String {
    match kind {
        MemoryKind::User => "user",
        MemoryKind::Feedback => "feedback",
        MemoryKind::Project => "project",
        MemoryKind::Reference => "reference",
        MemoryKind::Summary => "summary",
        MemoryKind::Episode => "episode",
        MemoryKind::Other(word) => word,
        _ => "other",
    }
    .to_owned()
}

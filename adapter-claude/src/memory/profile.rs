//! What may differ between releases in auto memory, as data.

/// The limits and switches of auto memory in one release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent behaviour of a release")]
pub struct MemoryProfile {
    /// How many lines of an index load.
    pub index_lines: usize,
    /// How many UTF-16 units of an index load.
    pub index_units: usize,
    /// Whether a byte order mark may stand before the frontmatter of an index.
    pub accepts_byte_order_mark: bool,
    /// Whether an index keeps its line ends when it holds comments and none goes.
    pub keeps_line_ends: bool,
    /// Whether invisible characters are taken out of the index, and every line end
    /// becomes a line feed.
    pub removes_invisible: bool,
    /// Whether the warning about a cut says which lines are lost.
    pub tells_lost_lines: bool,
    /// Whether a missing index is written anew.
    pub rebuilds_index: bool,
    /// How many lines a rebuilt index has at most.
    pub rebuilt_lines: usize,
    /// How many UTF-16 units a rebuilt index has at most, line ends included.
    pub rebuilt_units: usize,
    /// Whether `\u0007` and other control characters stay escapes in what is written.
    pub keeps_control_escapes: bool,
    /// Whether a written topic is stamped with the time, and left alone where its
    /// frontmatter could not be laid out anew without loss.
    pub guards_writes: bool,
    /// What the writer puts between the colon of a collection's key and its line end.
    pub after_colon: &'static str,
    /// Whether the writer puts an empty collection on the line of its key.
    pub joins_empty_collections: bool,
    /// Whether the writer quotes a text that starts with a byte order mark.
    pub quotes_byte_order_mark: bool,
}

impl MemoryProfile {
    /// Auto memory of Claude Code 2.1.332.
    pub const CLAUDE_2_1_332: Self = Self {
        index_lines: 200,
        index_units: 25_000,
        accepts_byte_order_mark: true,
        keeps_line_ends: true,
        removes_invisible: true,
        tells_lost_lines: true,
        rebuilds_index: true,
        rebuilt_lines: 140,
        rebuilt_units: 17_500,
        keeps_control_escapes: true,
        guards_writes: true,
        after_colon: "",
        joins_empty_collections: true,
        quotes_byte_order_mark: true,
    };

    /// Auto memory of Claude Code 2.1.197.
    pub const CLAUDE_2_1_197: Self = Self {
        accepts_byte_order_mark: false,
        keeps_line_ends: false,
        removes_invisible: false,
        tells_lost_lines: false,
        rebuilds_index: false,
        keeps_control_escapes: false,
        guards_writes: false,
        after_colon: " ",
        joins_empty_collections: false,
        quotes_byte_order_mark: false,
        ..Self::CLAUDE_2_1_332
    };
}

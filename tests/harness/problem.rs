/// Why a case cannot be run, or what is wrong with its answer, for people.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;

/// The answer of everything that reads fixtures.
pub type Result<T> = std::result::Result<T, Problem>;

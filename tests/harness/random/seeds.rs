//! Which random projects a test makes.

use std::env;
use std::ops::Range;

use crate::Result;

/// How many projects a usual run makes.
const PROJECTS: u64 = 60;

/// The seeds of this run: the first 60, as many as `MEMPORT_RANDOM` asks for, or
/// the one that `MEMPORT_SEED` names. `MEMPORT_START` lets them begin elsewhere.
pub fn seeds() -> Result<Range<u64>> {
    first_seeds(PROJECTS)
}

/// The same for a test that is slow: the first `usual` where nothing else is asked for.
pub fn first_seeds(usual: u64) -> Result<Range<u64>> {
    if let Ok(seed) = env::var("MEMPORT_SEED") {
        let seed = seed.parse()?;
        return Ok(seed..seed + 1);
    }
    let number = |name, usual| env::var(name).map_or(Ok(usual), |number| number.parse());
    let start: u64 = number("MEMPORT_START", 0)?;
    Ok(start..start + number("MEMPORT_RANDOM", usual)?)
}

use super::apply::apply_recovered;
use super::{Applied, Journal, WritePlan};
use crate::error::Error;
use crate::fs::FsMut;

/// Plans and applies until there is nothing left to do; says what was applied.
///
/// For a folder in which other programs write at the same time. The journal's
/// lock is held from each plan to its end, so that those who use the same journal
/// wait for each other; it must not be taken in `plan`. A plan that is stale, or
/// that creates what somebody else created meanwhile, is made again.
/// After a plan was carried out `plan` is asked once more: an empty plan says
/// that what was wanted is there, and ends the loop. So `plan` must be empty
/// where there is nothing to do.
///
/// Errors with what the last of `attempts` plans met; an error of `plan` itself
/// ends the loop at once.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{Fs, MemFs};
/// use memory_core::plan::{Change, Journal, WritePlan, apply_until_done};
///
/// let fs = MemFs::from_files([("/notes/a.md", "one\n")]);
/// let root = AbsPath::new("/notes")?;
/// let file = root.join("a.md");
/// let journal = Journal::new(AbsPath::new("/state/memport")?);
/// let done = apply_until_done(&fs, &journal, 5, || {
///     let now = fs.read_up_to(&file, 1024).unwrap_or_default();
///     let mut plan = WritePlan::new([root.clone()]);
///     if !now.ends_with(b"two\n") {
///         plan.add(Change::replace(file.clone(), &now, [&now[..], b"two\n"].concat()))?;
///     }
///     Ok(plan)
/// })?;
/// assert_eq!(done.len(), 1);
/// # Ok::<(), memory_core::Error>(())
/// ```
pub fn apply_until_done(
    fs: &dyn FsMut,
    journal: &Journal,
    attempts: u32,
    mut plan: impl FnMut() -> Result<WritePlan, Error>,
) -> Result<Vec<Applied>, Error> {
    let mut done = Vec::new();
    let mut left = attempts;
    loop {
        let _lock = journal.lock(fs)?;
        // First, so that as little time as possible lies between plan and change.
        let recovered = journal.recover_and_prune(fs)?;
        let wanted = plan()?;
        if wanted.is_empty() {
            return Ok(done);
        }
        let is_last = left <= 1;
        match apply_recovered(fs, &wanted, journal, recovered) {
            Ok(applied) => done.push(applied),
            Err(Error::Stale { .. } | Error::AlreadyExists { .. }) if !is_last => {}
            Err(error) => return Err(error),
        }
        if is_last {
            return Ok(done);
        }
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::{Fs, MemFs};
    use crate::path::AbsPath;
    use crate::plan::Change;

    #[test]
    fn a_stale_plan_is_made_again() {
        let fs = MemFs::from_files([("/n/a.md", "1")]);
        let file = AbsPath::new("/n/a.md").unwrap();
        let journal = Journal::new(AbsPath::new("/j").unwrap());
        let mut asked = 0;
        let plan = |asked: &mut u32| {
            *asked += 1;
            let mut now = fs.read_up_to(&file, 99).unwrap();
            let mut plan = WritePlan::new([AbsPath::new("/n").unwrap()]);
            if !now.ends_with(b"2") {
                let wanted = [&now[..], b"2"].concat();
                if *asked == 1 {
                    now = b"what was there before".to_vec();
                }
                plan.add(Change::replace(file.clone(), &now, wanted)).unwrap();
            }
            Ok(plan)
        };
        let done = apply_until_done(&fs, &journal, 5, || plan(&mut asked)).unwrap();
        assert_eq!((done.len(), asked), (1, 3));
        assert_eq!(fs.read_up_to(&file, 99).unwrap(), b"12");
        fs.rename(&file, &AbsPath::new("/n/b.md").unwrap()).unwrap();
        let missing = apply_until_done(&fs, &journal, 1, || {
            let mut plan = WritePlan::new([AbsPath::new("/n").unwrap()]);
            plan.add(Change::replace(file.clone(), b"x", "y"))?;
            Ok(plan)
        });
        assert!(matches!(missing, Err(Error::Stale { .. })));
    }
}

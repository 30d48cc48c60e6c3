//! What memport keeps beside the files of clients, readable by its owner only.

use memory_core::fs::{Fs as _, FsMut as _, IoError, OsFs};
use memory_core::{AbsPath, Error};

/// The permission bits of what is kept.
const MODE: u32 = 0o600;

/// Keeps bytes at a path, in place of what was kept there.
pub(crate) fn keep(path: &AbsPath, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source: IoError| Error::Io { path: path.clone(), source };
    if let Some(parent) = path.parent() {
        make(&parent).map_err(failed)?;
    }
    let name = path.file_name().unwrap_or_default();
    let new = path.parent().unwrap_or_else(AbsPath::root).join(&format!(".{name}.new"));
    match OsFs.remove_file(&new) {
        Err(error) if !error.is_absence() => return Err(failed(error)),
        _ => {}
    }
    OsFs.create_file(&new, bytes, Some(MODE)).map_err(failed)?;
    OsFs.rename(&new, path).map_err(failed)
}

/// Removes what is kept in a folder but these files.
pub(crate) fn keep_only(folder: &AbsPath, files: &[&AbsPath]) -> Result<(), Error> {
    let Ok(entries) = OsFs.read_dir(folder) else { return Ok(()) };
    let names: Vec<String> = entries.flatten().map(|entry| entry.name).collect();
    for name in names {
        let path = folder.join(&name);
        if !files.contains(&&path) {
            let removed = OsFs.remove_file(&path);
            removed.map_err(|source| Error::Io { path: path.clone(), source })?;
        }
    }
    Ok(())
}

fn make(folder: &AbsPath) -> Result<(), IoError> {
    let missing = folder.ancestors().take_while(|dir| OsFs.symlink_metadata(dir).is_err());
    for dir in missing.collect::<Vec<_>>().into_iter().rev() {
        match OsFs.create_dir(&dir) {
            Err(_) if OsFs.metadata(&dir).is_ok_and(|found| found.is_dir()) => {}
            made => made?,
        }
    }
    Ok(())
}

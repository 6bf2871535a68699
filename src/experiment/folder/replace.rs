//! Files that are either the old or the new, whatever happens in between.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Writes a new file beside the old one and lets it take the old one's place once all of it is on the disk. Only the
/// holder of the folder's lock may do so: there is one name for what is not finished.
///
/// # Errors
/// [`Error::Write`] with what the system says; the old file is still there then.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let unfinished = PathBuf::from(format!("{}.new", path.display()));
    let written = write_all(&unfinished, write).and_then(|()| fs::rename(&unfinished, path));
    let failed = |source| Error::Write { path: path.into(), source };
    written.and_then(|()| sync_folder(path.parent().unwrap_or(Path::new(".")))).map_err(failed)
}

fn write_all(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, File::create(path)?);
    write(&mut output)?;
    output.into_inner()?.sync_all()
}

/// Puts a folder's names on the disk. Elsewhere than on Unix a folder cannot be opened, and the system sees to it.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, |output| output.write_all(b"old")).unwrap();
        let failed = replace(&path, |output| {
            output.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.unwrap_err().to_string().contains("the disk is full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, |output| output.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}

//! Lines of bounded length, so that no input can make the reader hold more than a few grids' worth of text.

use std::collections::VecDeque;
use std::io::{BufRead, Read};

use super::error::{Fault, Trouble};

/// The longest line that is read. The widest grid there is, 25x25 in one line of separated numbers, needs under 4 KiB.
pub(super) const LONGEST: usize = 64 * 1024;

/// One line, without its end.
#[derive(Debug)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    /// May be anything: [`Line::text`] tells whether it is text.
    pub(super) bytes: Vec<u8>,
}

impl Line {
    /// The line as text.
    pub(super) fn text(&self) -> Result<&str, Trouble> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) if !text.contains('\0') => Ok(text),
            _ => Err(Trouble::Input(not_text(self.number, &self.bytes))),
        }
    }
}

/// The lines of an input, with room to put some back.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    unread: VecDeque<Line>,
    deferred: Option<Trouble>,
    spare: Vec<u8>,
    count: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, unread: VecDeque::new(), deferred: None, spare: Vec::new(), count: 0 }
    }

    /// The next line, `None` at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<Line>, Trouble> {
        if let Some(line) = self.unread.pop_front() {
            return Ok(Some(line));
        }
        match self.deferred.take() {
            Some(trouble) => Err(trouble),
            None => self.read(),
        }
    }

    /// The next line while looking ahead: trouble looks like the end of the input, and comes when it is reached.
    pub(super) fn peek_on(&mut self) -> Option<Line> {
        let line = match self.next() {
            Ok(line) => line?,
            Err(trouble) => {
                self.deferred = Some(trouble);
                return None;
            }
        };
        if line.text().is_ok() {
            return Some(line);
        }
        self.unread.push_front(line);
        None
    }

    /// Puts lines back, the first of them to come first.
    pub(super) fn unread(&mut self, lines: impl DoubleEndedIterator<Item = Line>) {
        lines.rev().for_each(|line| self.unread.push_front(line));
    }

    /// Gives back the memory of a line that is done with.
    pub(super) fn recycle(&mut self, line: Line) {
        self.spare = line.bytes;
    }

    /// Lines read so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn read(&mut self) -> Result<Option<Line>, Trouble> {
        let mut bytes = std::mem::take(&mut self.spare);
        bytes.clear();
        let read = self.input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.count += 1;
        if bytes.pop_if(|last| *last == b'\n').is_some() {
            bytes.pop_if(|last| *last == b'\r');
        } else if read > LONGEST {
            return Err(self.too_long(&bytes)?);
        }
        if self.count == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        Ok(Some(Line { number: self.count, bytes }))
    }

    /// Skips the rest of an overlong line and says what it was.
    fn too_long(&mut self, start: &[u8]) -> Result<Trouble, Trouble> {
        if start.contains(&0) {
            return Ok(Trouble::Input(not_text(self.count, start)));
        }
        self.input.skip_until(b'\n')?;
        Ok(Fault::at(self.count, LONGEST + 1, format!("a line of more than {LONGEST} bytes"))
            .expected("a grid, which has at most 625 cells")
            .remedy("put each grid into a line of its own")
            .into())
    }
}

/// What bytes that are no text seem to be.
fn not_text(line: usize, bytes: &[u8]) -> Fault {
    let magic = match bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some(("a NumPy array", "give it a name that ends in .npy")),
        [0x1F, 0x8B, ..] | [b'P', b'K', 3, 4, ..] => Some(("a compressed file", "unpack it first")),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some(("UTF-16 text", "save it as UTF-8")),
        _ => None,
    };
    if let Some((found, remedy)) = magic {
        return Fault::at(line, 1, found).expected("text").remedy(remedy);
    }
    let (found, remedy) = if bytes.contains(&0) {
        ("binary data (a NUL byte)", "name a text file")
    } else {
        ("binary data (bytes that are not UTF-8)", "if this is text, save it as UTF-8")
    };
    let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), |text| text.len());
    let valid = String::from_utf8_lossy(&bytes[..end]);
    let column = valid.chars().take_while(|char| *char != '\0').count() + 1;
    Fault::at(line, column, found).expected("text").remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(input: &[u8]) -> Vec<(usize, String)> {
        let mut lines = Lines::new(input);
        std::iter::from_fn(|| lines.next().unwrap().map(|line| (line.number, line.text().unwrap().to_string())))
            .collect()
    }

    #[test]
    fn lines_lose_their_ends_and_the_first_its_byte_order_mark() {
        assert_eq!(
            texts(b"\xEF\xBB\xBFa\r\nb\n\nc"),
            [(1, "a".into()), (2, "b".into()), (3, "".into()), (4, "c".into())]
        );
        assert_eq!(texts(b""), []);
    }

    #[test]
    fn a_line_of_the_longest_length_is_read_and_one_byte_more_is_a_fault_after_which_reading_goes_on() {
        let mut input = vec![b'.'; LONGEST];
        input.extend(b"\nnext\n");
        assert_eq!(texts(&input)[0].1.len(), LONGEST);
        input.insert(0, b'.');
        let mut lines = Lines::new(&input[..]);
        assert!(matches!(lines.next(), Err(Trouble::Grid(Fault { line: 1, column: 65537, .. }))));
        assert_eq!(lines.next().unwrap().unwrap().text().unwrap(), "next");
    }

    #[test]
    fn lines_put_back_come_again_in_their_order() {
        let mut lines = Lines::new(&b"a\nb\nc"[..]);
        let taken = [lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()];
        lines.unread(taken.into_iter());
        let order: Vec<usize> = std::iter::from_fn(|| lines.next().unwrap().map(|line| line.number)).collect();
        assert_eq!(order, [1, 2, 3]);
    }
}

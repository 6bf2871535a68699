//! NumPy arrays, written by npyz or byte by byte.

use std::io::Read;

use npyz::WriterBuilder;
use swarmdoku::sudoku::text::{read, read_npy};
use swarmdoku::{LANES, Population, Shape};

use crate::{OPEN, shape};

const SAVE: &str = "save it again with `numpy.save`";

fn array<T: npyz::AutoSerialize + Copy>(shape: &[u64], order: npyz::Order, data: &[T]) -> Vec<u8> {
    let mut file = Vec::new();
    let options = npyz::WriteOptions::new().default_dtype().shape(shape).order(order).writer(&mut file);
    let mut writer = options.begin_nd().unwrap();
    writer.extend(data.iter().copied()).unwrap();
    writer.finish().unwrap();
    file
}

fn bytes(shape: &[u64], data: &[u8]) -> Vec<u8> {
    array(shape, npyz::Order::C, data)
}

/// A file with this dictionary, as NumPy lays it out.
fn raw(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{dictionary:<117}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[track_caller]
fn assert_error(file: &[u8], shape: Option<Shape>, expected: &str) {
    assert_eq!(read_npy("a.npy", file, shape).unwrap_err().to_string(), format!("a.npy:{expected}"));
}

/// Digits of a shape that differ from cell to cell and candidate to candidate.
fn digits(shape: Shape, len: usize) -> Vec<u8> {
    (0..len * shape.cells()).map(|at| (at * 7 + at / shape.cells()) as u8 % (shape.side() as u8 + 1)).collect()
}

#[test]
fn candidates_of_every_shape_go_into_tiles_as_they_are() {
    for shape in Shape::all() {
        for len in [1, LANES - 1, LANES, LANES + 1, 3 * LANES] {
            let digits = digits(shape, len);
            let population =
                read_npy("a", &bytes(&[len as u64, shape.cells() as u64], &digits)[..], Some(shape)).unwrap();
            let mut expected = Population::new(shape, len);
            for (slot, cells) in digits.chunks(shape.cells()).enumerate() {
                expected.set(slot, &swarmdoku::Grid::new(shape, cells).unwrap());
            }
            assert_eq!(population, expected, "{len} of {shape}");
        }
    }
}

#[test]
fn the_shape_follows_from_the_width_and_may_be_named() {
    let data = [0; 2 * 36];
    for dimensions in [&[2, 36][..], &[2, 6, 6]] {
        assert_eq!(read_npy("a", &bytes(dimensions, &data)[..], None).unwrap().shape(), shape("6x6:2x3"));
        let tall = read_npy("a", &bytes(dimensions, &data)[..], Some(shape("6x6:3x2"))).unwrap();
        assert_eq!((tall.shape(), tall.len()), (shape("6x6:3x2"), 2));
    }
}

#[test]
fn headers_of_all_versions_are_read() {
    let dictionary = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 16), }\n";
    for version in [2, 3] {
        let mut file = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        file.extend((dictionary.len() as u32).to_le_bytes());
        file.extend(dictionary.as_bytes());
        file.extend([3; 16]);
        assert_eq!(read_npy("a", &file[..], None).unwrap().get(0).to_string(), "3".repeat(16));
    }
    let error = "1:1: found an .npy file of version 4, expected version 1 to 3; save it with `numpy.save`";
    assert_error(b"\x93NUMPY\x04\x00\x00\x00", None, error);
}

#[test]
fn what_is_no_array() {
    let remedy = "expected an .npy file; save it with `numpy.save`; text needs another name";
    assert_error(b"", None, &format!("1:1: found nothing: the input is empty, {remedy}"));
    assert_error(b"53..7....", None, &format!("1:1: found something that is no NumPy array, {remedy}"));
    assert_error(b"\x93NUMPY", None, &format!("1:1: found something that is no NumPy array, {remedy}"));
    let unreadable =
        "1:1: found a header that cannot be read, expected that of an array; save it again with `numpy.save`";
    assert_error(&raw("{'descr': '|u1'}", b""), None, unreadable);
    assert_error(&raw(&"{".repeat(100), b""), None, unreadable);
    assert_error(b"\x93NUMPY\x01\x00\xFF\x00{", None, unreadable);
    let long = "1:1: found a header of 4294967295 bytes, expected one of a plain array; save it with `numpy.save`";
    assert_error(b"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{", None, long);
}

/// The digits as values of a type and in an order of memory, with -1 for empty cells where the type is signed.
fn typed(descr: &str, digits: &[u8], dimensions: &[usize], fortran: bool) -> Vec<u8> {
    let size = usize::from(descr.as_bytes()[2] - b'0');
    let value = |digit: u8| {
        let value = if digit == 0 && descr.contains('i') { -1_i64 } else { digit.into() };
        let mut bytes = value.to_le_bytes()[..size].to_vec();
        if descr.starts_with('>') {
            bytes.reverse();
        }
        bytes
    };
    let place = |index: usize| {
        let (mut left, mut place, mut stride) = (index, 0, digits.len());
        for width in dimensions.iter().rev() {
            stride /= width;
            place += left % width * stride;
            left /= width;
        }
        place
    };
    let mut ordered = digits.to_vec();
    if fortran {
        digits.iter().enumerate().for_each(|(index, digit)| ordered[place(index)] = *digit);
    }
    let shape = dimensions.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}");
    raw(&header, &ordered.into_iter().flat_map(value).collect::<Vec<u8>>())
}

#[test]
fn every_integer_type_byte_order_and_memory_order_is_read() {
    let (shape, len) = (shape("6x6"), 37);
    let digits = digits(shape, len);
    let expected = read_npy("a", &bytes(&[len as u64, 36], &digits)[..], None).unwrap();
    let mut read = 0;
    for kind in ["i", "u"] {
        for size in [1, 2, 4, 8] {
            for order in if size == 1 { &["|"][..] } else { &["<", ">", "="] } {
                for dimensions in [&[len, 36][..], &[len, 6, 6]] {
                    for fortran in [false, true] {
                        let descr = format!("{order}{kind}{size}");
                        let file = typed(&descr, &digits, dimensions, fortran);
                        assert_eq!(
                            read_npy("a", &file[..], None).unwrap(),
                            expected,
                            "{descr} {dimensions:?} {fortran}"
                        );
                        read += 1;
                    }
                }
            }
        }
    }
    assert_eq!(read, 80);
}

#[test]
fn fortran_order_is_what_npyz_writes() {
    let digits = digits(Shape::NINE, 5);
    let columns: Vec<u8> =
        (0..81).flat_map(|cell| (0..5).map(move |candidate| candidate * 81 + cell)).map(|at| digits[at]).collect();
    let file = array(&[5, 81], npyz::Order::Fortran, &columns);
    assert_eq!(read_npy("a", &file[..], None).unwrap(), read_npy("a", &bytes(&[5, 81], &digits)[..], None).unwrap());
}

#[test]
fn values_that_would_wrap_to_digits_are_refused_with_their_place() {
    let cell = "expected a digit of a 9x9 grid, 1 to 9, or 0 for an empty cell; correct it, or name another shape with --shape";
    for (descr, value, shown) in [
        ("<i8", 265, "265"),
        ("<i8", i64::MIN, "-9223372036854775808"),
        (">i4", 256 + 9, "265"),
        ("<u2", 0x0900, "2304"),
        ("<u8", -1, "18446744073709551615"),
        ("|i1", -2, "-2"),
        ("|u1", -1, "255"),
    ] {
        for (fortran, order) in [(false, "C"), (true, "Fortran")] {
            let mut file = typed(descr, &[0; 2 * 81], &[2, 9, 9], fortran);
            let size = usize::from(descr.as_bytes()[2] - b'0');
            let place = if fortran { 1 + 2 * (3 + 9 * 4) } else { 81 + 3 * 9 + 4 };
            let mut bytes = value.to_le_bytes()[..size].to_vec();
            if descr.starts_with('>') {
                bytes.reverse();
            }
            let start = file.len() - 2 * 81 * size + place * size;
            file[start..][..size].copy_from_slice(&bytes);
            let error = format!("2:32: found {shown} at array[1, 3, 4] (row 4, column 5 of its grid), {cell}");
            assert_eq!(
                read_npy("a", &file[..], None).unwrap_err().to_string(),
                format!("a:{error}"),
                "{descr} {order}"
            );
        }
    }
}

#[test]
fn an_array_is_read_wherever_a_text_is_and_a_bad_candidate_costs_itself_alone() {
    let mut digits = digits(Shape::NINE, 3);
    digits[81 + 7] = 77;
    let entries: Vec<_> = read("a", &typed(">u4", &digits, &[3, 81], true)[..], OPEN).collect();
    assert_eq!(entries.len(), 3);
    assert!(entries[1].as_ref().unwrap_err().to_string().starts_with("a:2:8: found 77 at array[1, 7]"));
    let third = entries[2].as_ref().unwrap();
    assert_eq!((third.line, third.grid.cells()), (3, &digits[162..]));
}

#[test]
fn a_square_is_one_grid_unless_it_may_be_several() {
    let digits = digits(Shape::NINE, 1);
    for fortran in [false, true] {
        let population = read_npy("a", &typed("<i8", &digits, &[9, 9], fortran)[..], None).unwrap();
        assert_eq!((population.len(), population.get(0).cells()), (1, &digits[..]));
    }
    let square = bytes(&[16, 16], &[1; 256]);
    let error = "1:1: found an array of shape (16, 16), expected either one 16x16 grid or 16 4x4 grids; name it: --shape 16x16 or --shape 4x4";
    assert_error(&square, None, error);
    assert_eq!(read_npy("a", &square[..], Some(shape("16x16"))).unwrap().len(), 1);
    assert_eq!(read_npy("a", &square[..], Some(shape("4x4"))).unwrap().len(), 16);
    let error = "1:1: found an array of shape (9, 9), 9 cells a candidate, expected 36 cells, those of a 6x6 grid (--shape); name another shape, or save one candidate a row";
    assert_error(&bytes(&[9, 9], &digits), Some(shape("6x6")), error);
}

#[test]
fn arrays_of_another_type() {
    let floats = "expected integers, not fractions; save the digits in an integer type, such as numpy.int64";
    assert_error(
        &array(&[1, 16], npyz::Order::C, &[1_f32; 16]),
        None,
        &format!("1:1: found an array of dtype '<f4', {floats}"),
    );
    let structure = "expected integers, not a structure; save the field that holds the digits, as `array['digits']`";
    let file = raw("{'descr': [('digits', '|u1', (81,))], 'fortran_order': False, 'shape': (5,), }", &[0; 405]);
    assert_error(&file, None, &format!("1:1: found an array of dtype [('digits', '|u1', (81,)..., {structure}"));
    for descr in ["<U81", "|b1", "<i3", "|O", "<m8[s]"] {
        let integers = "expected integers; save the digits in an integer type, such as numpy.int64, empty cells as 0";
        let file = raw(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (5, 16), }}"), &[]);
        assert_error(&file, None, &format!("1:1: found an array of dtype '{descr}', {integers}"));
    }
}

#[test]
fn arrays_of_another_layout() {
    let error = "1:1: found an array of shape (81,), expected N x cells, or N x n x n; for one candidate save `array.reshape(1, -1)`";
    assert_error(&bytes(&[81], &[0; 81]), None, error);
    let error = "1:1: found an array of shape (2, 9, 3, 3), expected N x cells, or N x n x n; save `array.reshape(len(array), -1)`";
    assert_error(&bytes(&[2, 9, 3, 3], &[0; 162]), None, error);
    let error = "1:1: found an array of shape (2, 80), 80 cells a candidate, expected as many as a grid has, such as 81 for 9x9; save one candidate a row; name the shape with --shape if its side has no usual blocks";
    assert_error(&bytes(&[2, 80], &[0; 160]), None, error);
    let error = "1:1: found an array of shape (2, 81), 81 cells a candidate, expected 36 cells, those of a 6x6 grid (--shape); name another shape, or save one candidate a row";
    assert_error(&bytes(&[2, 81], &[0; 162]), Some(shape("6x6")), error);
    let error = "1:1: found an array of no candidates, expected at least one; save some";
    assert_error(&bytes(&[0, 81], &[]), None, error);
}

#[test]
fn a_digit_past_the_side() {
    let mut data = digits(Shape::NINE, 40);
    data[33 * 81 + 20] = 10;
    let error = "34:21: found 10 at array[33, 20] (row 3, column 3 of its grid), expected a digit of a 9x9 grid, 1 to 9, or 0 for an empty cell; correct it, or name another shape with --shape";
    assert_error(&bytes(&[40, 81], &data), None, error);
}

#[test]
fn data_cut_short_or_followed_by_more() {
    let file = bytes(&[40, 81], &digits(Shape::NINE, 40));
    let error = format!(
        "40:80: found the end of the data after 39 candidates and 79 cells, expected 40 candidates of 81 cells, as the header says; the file is cut short: copy it again, or {SAVE}"
    );
    assert_error(&file[..file.len() - 2], None, &error);
    let error = format!(
        "40:81: found more data behind the last candidate, expected the end after 40 candidates, as the header says; the header and the data do not belong together: {SAVE}"
    );
    assert_error(&[&file[..], b"\0"].concat(), None, &error);
}

#[test]
fn memory_grows_with_the_data_and_not_with_the_header() {
    let file = raw("{'descr': '|u1', 'fortran_order': False, 'shape': (18446744073709551615, 81), }", &[1; 81]);
    let message = read_npy("a", &file[..], None).unwrap_err().to_string();
    assert!(message.starts_with("a:2:1: found the end of the data after 1 candidates and 0 cells"), "{message}");
    let file =
        raw("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 9223372036854775808, 9223372036854775808), }", &[]);
    assert!(read_npy("a", &file[..], None).is_err());
}

#[test]
fn data_that_comes_in_small_pieces_is_the_same_population() {
    struct Dripping<'a>(&'a [u8]);
    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let len = buffer.len().min(7);
            self.0.read(&mut buffer[..len])
        }
    }
    let file = bytes(&[70, 81], &digits(Shape::NINE, 70));
    assert_eq!(read_npy("a", Dripping(&file), None).unwrap(), read_npy("a", &file[..], None).unwrap());
}

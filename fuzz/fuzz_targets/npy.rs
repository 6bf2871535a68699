//! Any bytes as an array: no panic, and a population only of digits of its shape, all of them there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use swarmdoku::Shape;
use swarmdoku::sudoku::text::read_npy;

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let shape = Shape::all().nth(usize::from(*choice));
    match read_npy("fuzz", data, shape) {
        Ok(population) => {
            let cells = population.shape().cells();
            assert!(shape.is_none_or(|shape| shape == population.shape()));
            assert!(population.len() * cells <= data.len());
            let side = population.shape().side();
            for slot in 0..population.len() {
                assert!(population.get(slot).cells().iter().all(|digit| usize::from(*digit) <= side));
            }
            // Bytes in C order are the cells themselves.
            if data.windows(5).any(|text| text == b"'|u1'") && !data.windows(4).any(|text| text == b"True") {
                let body = &data[data.len() - population.len() * cells..];
                for slot in 0..population.len() {
                    assert_eq!(population.get(slot).cells(), &body[slot * cells..][..cells]);
                }
            }
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
    }
});

// Scores candidates where they lie in their tiles. The CPU twin is src/fitness/cpu/, the meaning src/fitness/oracle.rs.
//
// A tile holds 32 candidates, cell by cell; a word holds the same cell of four of them. Those four are a *quad*, and one
// invocation scores one quad, so that each load serves four candidates and neighbouring invocations read neighbouring
// words:
//
//   word 8c + q of a tile:  cell c of quad q     bits 31..24 | 23..16 | 15..8 |  7..0
//                                                lane  4q+3  |  4q+2  |  4q+1 |  4q
//
// Everything below is a `vec4<u32>` with one component for each candidate of the quad, and so reads as if there were
// one candidate. A set of digits is a mask with bit d for digit d. Bit 0 stands for an empty cell and is dropped before
// digits are counted.
//
// The host chooses the entry point: `score_any` serves every shape; `score_nine` serves 9x9 twice as fast, since it loads
// each cell once and keeps all masks in registers.

/// The shape. `score_nine` needs neither.
override BLOCK_ROWS: u32 = 3u;
override BLOCK_COLUMNS: u32 = 3u;

/// Invocations in a workgroup.
override WORKGROUP_SIZE: u32 = 64u;

/// The side: digits, and cells in a unit.
override SIDE: u32 = BLOCK_ROWS * BLOCK_COLUMNS;

/// What one dispatch works on.
struct Batch {
    /// Quads to score: eight a tile.
    quads: u32,
}

@group(0) @binding(0) var<storage, read> cells: array<u32>;
@group(0) @binding(1) var<storage, read_write> scores: array<vec4<u32>>;
@group(0) @binding(2) var<uniform> batch: Batch;

const QUADS_PER_TILE: u32 = 8u;

/// The quad of an invocation. Workgroups are folded into rows, because a dispatch is limited in each dimension.
fn quad_of(workgroup: vec3<u32>, workgroups: vec3<u32>, invocation: u32) -> u32 {
    return (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP_SIZE + invocation;
}

/// The word of a quad's first cell in tiles of so many cells.
fn first_word(quad: u32, cell_count: u32) -> u32 {
    return quad / QUADS_PER_TILE * cell_count * QUADS_PER_TILE + quad % QUADS_PER_TILE;
}

/// The digits in a word. A digit has five bits.
fn digits(word: u32) -> vec4<u32> {
    return (vec4(cells[word]) >> vec4(0u, 8u, 16u, 24u)) & vec4(31u);
}

/// The three sums in the bits of `Score`.
fn pack(rows: vec4<u32>, columns: vec4<u32>, blocks: vec4<u32>) -> vec4<u32> {
    return rows | (columns << vec4(10u)) | (blocks << vec4(20u));
}

// ---- Any shape: two walks over the cells, since the masks of all columns would not fit in registers. ----
//
// Blocks are at most five cells high or at most five wide. Where they are flat, a *strip* is a band and its *lines* are
// rows; where they are tall, a strip is a stack and its lines are columns. So a strip has at most five lines:
//
//                      segment                       one walk along the strips joins segments to the blocks and to the
//   line 0    [ . . . . | . . . . | . . . . ]        lines of a strip; a second walk, across, joins the other family
//   line 1    [ . . . . | . . . . | . . . . ]
//   line 2    [ . . . . | . . . . | . . . . ]
//               block 0 | block 1 | block 2

override LINES_ARE_ROWS: bool = BLOCK_ROWS <= BLOCK_COLUMNS;
/// Lines in a strip, and blocks in it.
override LINES: u32 = min(BLOCK_ROWS, BLOCK_COLUMNS);
/// Cells in a segment, and strips in the grid.
override SEGMENT: u32 = max(BLOCK_ROWS, BLOCK_COLUMNS);
/// Words from a cell to the next on its line, and from a line to the next.
override ALONG: u32 = select(SIDE, 1u, LINES_ARE_ROWS) * QUADS_PER_TILE;
override ACROSS: u32 = select(1u, SIDE, LINES_ARE_ROWS) * QUADS_PER_TILE;
const MAX_LINES: u32 = 5u;

/// The digits in `count` cells, `step` words apart.
fn present(first: u32, count: u32, step: u32) -> vec4<u32> {
    var mask = vec4(0u);
    for (var k = 0u; k < count; k++) {
        mask |= vec4(1u) << digits(first + k * step);
    }
    return mask;
}

/// The number of digits that a mask lacks.
fn missing(mask: vec4<u32>) -> vec4<u32> {
    let all_digits = (2u << SIDE) - 2u;
    return vec4(SIDE) - countOneBits(mask & vec4(all_digits));
}

/// Digits missing from the lines and from the blocks.
struct AlongStrips {
    lines: vec4<u32>,
    blocks: vec4<u32>,
}

/// Adds what is missing in the strip that begins at a word.
fn add_strip(sums: ptr<function, AlongStrips>, strip: u32) {
    var lines: array<vec4<u32>, MAX_LINES>;
    for (var block = 0u; block < LINES; block++) {
        var in_block = vec4(0u);
        for (var line = 0u; line < LINES; line++) {
            let segment = present(strip + line * ACROSS + block * SEGMENT * ALONG, SEGMENT, ALONG);
            in_block |= segment;
            lines[line] |= segment;
        }
        (*sums).blocks += missing(in_block);
    }
    for (var line = 0u; line < LINES; line++) {
        (*sums).lines += missing(lines[line]);
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn score_any(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let quad = quad_of(workgroup, workgroups, invocation);
    if quad >= batch.quads {
        return;
    }
    let first = first_word(quad, SIDE * SIDE);
    var sums = AlongStrips();
    for (var strip = 0u; strip < SEGMENT; strip++) {
        add_strip(&sums, first + strip * LINES * ACROSS);
    }
    var across = vec4(0u);
    for (var k = 0u; k < SIDE; k++) {
        across += missing(present(first + k * ALONG, SIDE, ACROSS));
    }
    let rows = select(across, sums.lines, LINES_ARE_ROWS);
    let columns = select(sums.lines, across, LINES_ARE_ROWS);
    scores[quad] = pack(rows, columns, sums.blocks);
}

// ---- 9x9: band by band, each cell loaded once. ----
//
// Three masks share a word, so that three units are counted by one instruction and three columns grow by one `or`:
//
//   bits 31 30 | 29 ..... 21 | 20 | 19 ..... 11 | 10 |  9 ...... 1 | 0
//          0 0 | digits 9..1 |  e | digits 9..1 |  e | digits 9..1 | e      e: a cell was empty
//              |    third mask    |   second mask    |   first mask
//
// A *trio* is three neighbouring cells of a row, one in each mask. The trios of the nine rows of a stack make its three
// columns by `or`; the trios of three rows, folded into one mask, make a block; the three trios of a row, a row.

const SECOND: vec4<u32> = vec4(10u);
const THIRD: vec4<u32> = vec4(20u);
const NINE_DIGITS: vec4<u32> = vec4(0x3FEu);
const THREE_TIMES_NINE_DIGITS: vec4<u32> = vec4(0x3FEu | 0x3FEu << 10u | 0x3FEu << 20u);
const UNITS_TIMES_NINE: vec4<u32> = vec4(81u);

/// The trio that begins at a word.
fn trio(word: u32) -> vec4<u32> {
    return (vec4(1u) << digits(word))
        | (vec4(1u << 10u) << digits(word + QUADS_PER_TILE))
        | (vec4(1u << 20u) << digits(word + 2u * QUADS_PER_TILE));
}

/// The digits in any of three masks.
fn fold(masks: vec4<u32>) -> vec4<u32> {
    return (masks | (masks >> SECOND) | (masks >> THIRD)) & NINE_DIGITS;
}

/// The number of digits in three units, each still spread over three masks.
fn count_folded(first: vec4<u32>, second: vec4<u32>, third: vec4<u32>) -> vec4<u32> {
    return countOneBits(fold(first) | (fold(second) << SECOND) | (fold(third) << THIRD));
}

/// What the bands seen so far hold: the columns' masks, a stack a word, and the digits counted in rows and in blocks.
struct Seen {
    left: vec4<u32>,
    middle: vec4<u32>,
    right: vec4<u32>,
    in_rows: vec4<u32>,
    in_blocks: vec4<u32>,
}

/// Adds the band of three rows that begins at a word.
fn add_band(seen: ptr<function, Seen>, word: u32) {
    const STACK = 3u * QUADS_PER_TILE;
    const ROW = 9u * QUADS_PER_TILE;
    let a = array(trio(word), trio(word + STACK), trio(word + 2u * STACK));
    let b = array(trio(word + ROW), trio(word + ROW + STACK), trio(word + ROW + 2u * STACK));
    let c = array(trio(word + 2u * ROW), trio(word + 2u * ROW + STACK), trio(word + 2u * ROW + 2u * STACK));
    (*seen).in_rows += count_folded(a[0] | a[1] | a[2], b[0] | b[1] | b[2], c[0] | c[1] | c[2]);
    let left = a[0] | b[0] | c[0];
    let middle = a[1] | b[1] | c[1];
    let right = a[2] | b[2] | c[2];
    (*seen).in_blocks += count_folded(left, middle, right);
    (*seen).left |= left;
    (*seen).middle |= middle;
    (*seen).right |= right;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn score_nine(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let quad = quad_of(workgroup, workgroups, invocation);
    if quad >= batch.quads {
        return;
    }
    const BAND = 27u * QUADS_PER_TILE;
    let first = first_word(quad, 81u);
    var seen = Seen();
    add_band(&seen, first);
    add_band(&seen, first + BAND);
    add_band(&seen, first + 2u * BAND);
    let in_columns = countOneBits(seen.left & THREE_TIMES_NINE_DIGITS)
        + countOneBits(seen.middle & THREE_TIMES_NINE_DIGITS)
        + countOneBits(seen.right & THREE_TIMES_NINE_DIGITS);
    scores[quad] = pack(UNITS_TIMES_NINE - seen.in_rows, UNITS_TIMES_NINE - in_columns, UNITS_TIMES_NINE - seen.in_blocks);
}

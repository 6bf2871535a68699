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
// The host chooses the entry point: `score_any` serves every shape, `score_nine` serves 9x9 with three masks a word. Both
// load each cell once and keep all masks in registers.

/// The shape. `score_nine` needs neither.
override BLOCK_ROWS: u32 = 3u;
override BLOCK_COLUMNS: u32 = 3u;

/// Invocations in a workgroup.
override WORKGROUP_SIZE: u32 = 64u;

/// The side: digits, and cells in a unit.
override SIDE: u32 = BLOCK_ROWS * BLOCK_COLUMNS;

@group(0) @binding(0) var<storage, read> cells: array<u32>;
@group(0) @binding(1) var<storage, read_write> scores: array<vec4<u32>>;

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

// ---- Any shape: band by band, each cell loaded once. ----
//
// A mask for each column and each block of a band: up to 50 of them, kept in registers. For that no array may be indexed
// by a value that is known only when the kernel runs, so the steps over columns and blocks are written out, five at a
// time for the widest shape there is. Those past the shape's own are left out when the pipeline is made, because every
// index, once these functions are inlined, is a constant, and so is the side.

const MAX_SIDE: u32 = 25u;

/// The masks of five neighbouring columns.
struct FiveColumns {
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
    d: vec4<u32>,
    e: vec4<u32>,
}

/// The masks of a band: of its blocks, and of the row that is being read.
struct Band {
    blocks: array<vec4<u32>, MAX_SIDE>,
    row: vec4<u32>,
}

/// The mask of a row's cell in a column, which joins those of its row and its block.
fn take(band: ptr<function, Band>, row_word: u32, column: u32) -> vec4<u32> {
    if column >= SIDE {
        return vec4(0u);
    }
    let cell = vec4(1u) << digits(row_word + column * QUADS_PER_TILE);
    (*band).row |= cell;
    (*band).blocks[column / BLOCK_COLUMNS] |= cell;
    return cell;
}

/// Adds a row's cells in five columns.
fn take_five(columns: ptr<function, FiveColumns>, band: ptr<function, Band>, row_word: u32, first: u32) {
    (*columns).a |= take(band, row_word, first);
    (*columns).b |= take(band, row_word, first + 1u);
    (*columns).c |= take(band, row_word, first + 2u);
    (*columns).d |= take(band, row_word, first + 3u);
    (*columns).e |= take(band, row_word, first + 4u);
}

/// The number of digits in a mask, if its unit is one of the shape's.
fn count(mask: vec4<u32>, unit: u32, units: u32) -> vec4<u32> {
    let all_digits = (2u << SIDE) - 2u;
    return select(vec4(0u), countOneBits(mask & vec4(all_digits)), unit < units);
}

/// The number of digits in five columns.
fn count_columns(columns: FiveColumns, first: u32) -> vec4<u32> {
    return count(columns.a, first, SIDE)
        + count(columns.b, first + 1u, SIDE)
        + count(columns.c, first + 2u, SIDE)
        + count(columns.d, first + 3u, SIDE)
        + count(columns.e, first + 4u, SIDE);
}

/// The number of digits in five blocks of a band.
fn count_blocks(band: ptr<function, Band>, first: u32) -> vec4<u32> {
    return count((*band).blocks[first], first, BLOCK_ROWS)
        + count((*band).blocks[first + 1u], first + 1u, BLOCK_ROWS)
        + count((*band).blocks[first + 2u], first + 2u, BLOCK_ROWS)
        + count((*band).blocks[first + 3u], first + 3u, BLOCK_ROWS)
        + count((*band).blocks[first + 4u], first + 4u, BLOCK_ROWS);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn score_any(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let quad = quad_of(workgroup, workgroups, invocation);
    if quad >= arrayLength(&scores) {
        return;
    }
    var from_0 = FiveColumns();
    var from_5 = FiveColumns();
    var from_10 = FiveColumns();
    var from_15 = FiveColumns();
    var from_20 = FiveColumns();
    var in_rows = vec4(0u);
    var in_blocks = vec4(0u);
    var word = first_word(quad, SIDE * SIDE);
    for (var bands = 0u; bands < BLOCK_COLUMNS; bands++) {
        var band = Band();
        for (var rows = 0u; rows < BLOCK_ROWS; rows++) {
            band.row = vec4(0u);
            take_five(&from_0, &band, word, 0u);
            take_five(&from_5, &band, word, 5u);
            take_five(&from_10, &band, word, 10u);
            take_five(&from_15, &band, word, 15u);
            take_five(&from_20, &band, word, 20u);
            in_rows += count(band.row, 0u, 1u);
            word += SIDE * QUADS_PER_TILE;
        }
        in_blocks += count_blocks(&band, 0u) + count_blocks(&band, 5u) + count_blocks(&band, 10u)
            + count_blocks(&band, 15u) + count_blocks(&band, 20u);
    }
    let in_columns = count_columns(from_0, 0u) + count_columns(from_5, 5u) + count_columns(from_10, 10u)
        + count_columns(from_15, 15u) + count_columns(from_20, 20u);
    let all = vec4(SIDE * SIDE);
    scores[quad] = pack(all - in_rows, all - in_columns, all - in_blocks);
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
    if quad >= arrayLength(&scores) {
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

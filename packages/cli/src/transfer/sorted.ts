/** Sorts rows of text that may be too many for memory: in pieces that are kept outside it. */
import { type Spill, spilled } from './spill.ts';

export type Row = readonly string[];
export type RowOrder = (one: Row, other: Row) => number;

const MAX_IN_MEMORY = 50_000;

/** `maxInMemory`: how many are sorted in memory. */
export async function* sortedRows(
  rows: AsyncIterable<Row>,
  compare: RowOrder,
  maxInMemory = MAX_IN_MEMORY,
): AsyncGenerator<Row> {
  const pieces: Spill[] = [];
  let held: Row[] = [];
  try {
    for await (const row of rows) {
      held.push(row);
      if (held.length < maxInMemory) continue;
      pieces.push(await spilled(fromMemory(held.sort(compare))));
      held = [];
    }
    held.sort(compare);
    if (pieces.length === 0) yield* held;
    else yield* joined([...pieces.map((piece) => piece.lines()), fromMemory(held)], compare);
  } finally {
    for (const piece of pieces) piece.close();
  }
}

async function* fromMemory(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function* joined(pieces: readonly AsyncGenerator<Row>[], compare: RowOrder): AsyncGenerator<Row> {
  const heads: { piece: AsyncGenerator<Row>; row: Row }[] = [];
  for (const piece of pieces) {
    const { done, value } = await piece.next();
    if (!done) heads.push({ piece, row: value });
  }
  for (;;) {
    let least = heads[0];
    if (least === undefined) return;
    for (const head of heads) if (compare(head.row, least.row) < 0) least = head;
    yield least.row;
    const { done, value } = await least.piece.next();
    if (done) heads.splice(heads.indexOf(least), 1);
    else least.row = value;
  }
}

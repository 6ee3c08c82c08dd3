/** Two sources with one target would leave one of them and report two: they are found before anything is done. */
import path from 'node:path';
import { UsageError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { formatRemote, type Location } from '../remote/location.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { type Row, type RowOrder, sortedRows } from './sorted.ts';

export interface Aimed {
  /** As lists and messages name it. */
  readonly source: string;
  readonly target: Location;
}

interface SharedTargetParts {
  readonly installations: Installations;
  readonly signal: AbortSignal;
}

/** Refuses if two different sources have the same target. The same pair twice does no harm. */
export async function assertDistinctTargets(
  pairs: AsyncIterable<Aimed>,
  parts: SharedTargetParts,
): Promise<void> {
  let last: Row = [];
  for await (const row of sortedRows(rowsOf(pairs, parts), inOrder)) {
    const [[target, source, text], [lastTarget, lastSource]] = [row, last];
    if (target === lastTarget && source !== lastSource) {
      const [one, other, both] = [lastSource, source, text].map((name = '') => escapeForTerminal(name));
      throw new UsageError(
        `${one} and ${other} have one target, ${both}, where only one of them could stay: nothing was done`,
      );
    }
    last = row;
  }
}

/** What identifies the target, the source, and the target as it is shown. */
async function* rowsOf(
  pairs: AsyncIterable<Aimed>,
  { installations, signal }: SharedTargetParts,
): AsyncGenerator<Row> {
  for await (const { source, target } of pairs) {
    if (signal.aborted) return;
    if (target.kind === 'pipe') yield ['-', source, '-'];
    else if (target.kind === 'local') yield [path.resolve(target.path), source, target.path];
    else {
      const { alias, bucket, key } = target;
      yield [`${installations.addressOf(alias)} ${bucket}/${key}`, source, formatRemote(target)];
    }
  }
}

const inOrder: RowOrder = ([one = '', oneSource = ''], [other = '', otherSource = '']) =>
  one === other ? compared(oneSource, otherSource) : compared(one, other);

function compared(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

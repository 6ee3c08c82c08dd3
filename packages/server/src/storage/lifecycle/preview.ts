/**
 * What a lifecycle rule would do to the objects of a bucket now, beside the other rules that the bucket has: those with a longer
 * prefix come first. It is judged by the same rule as when rules are applied; at most so many objects are read.
 */
import { Fault, type WireRecord } from '@millpond/protocol';
import { type Bucket, dueActionOf, type LifecycleRule, ruleFor } from '../buckets/index.ts';
import type { LifecycleStore, ScannedRow } from './lifecycle.store.ts';
import { rangesOf } from './ranges.ts';
import { walkedObject } from './walked-object.ts';

type Preview = WireRecord<'LifecyclePreview'>;
type Act = Preview['examples'][number]['act'];

const MAX_ROWS_READ = 100_000;
const PAGE = 1000;
const MAX_EXAMPLES = 20;

export async function previewRule(
  store: Pick<LifecycleStore, 'page'>,
  bucket: Pick<Bucket, 'id' | 'lifecycle'>,
  rule: LifecycleRule,
  cancel: AbortSignal,
  maxRead: number = MAX_ROWS_READ,
): Promise<Preview> {
  const sums = new Sums();
  const rules = rulesBeside(bucket, rule);
  const [range] = rangesOf([rule.prefix]);
  if (range === undefined) throw new Error('a prefix has a range');
  for (let { from } = range; ; ) {
    cancel.throwIfAborted();
    const rows = await store.page(bucket.id, { ...range, from }, Math.min(PAGE, maxRead - sums.read + 1));
    for (const row of rows) {
      if (sums.read === maxRead) return sums.preview(false);
      sums.add(row, actOf(rules, rule, row));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return sums.preview(true);
    from = `${last.key}\u0001`;
  }
}

/** The rules that the bucket would have: it takes the place of the one with its name or its prefix. */
function rulesBeside({ lifecycle }: Pick<Bucket, 'lifecycle'>, rule: LifecycleRule): LifecycleRule[] {
  if (lifecycle?.by === 's3')
    throw new Fault('notAllowed', {
      hint: 'S3 set the lifecycle rules of this bucket: ours apply only after those are removed',
    });
  const others = (lifecycle?.rules ?? []).filter(
    ({ name, prefix }) => name !== rule.name && prefix !== rule.prefix,
  );
  return [...others, rule];
}

function actOf(rules: readonly LifecycleRule[], rule: LifecycleRule, row: ScannedRow): Act | undefined {
  if (ruleFor(rules, row.key) !== rule) return undefined;
  const action = dueActionOf({ by: 'prefix', rules }, walkedObject(row), Number(row.now));
  return typeof action === 'number' ? (`class${action}` as Act) : action;
}

class Sums {
  read = 0;
  readonly #would = new Map<Act, { objects: number; bytes: number }>();
  readonly #examples: { key: string; act: Act }[] = [];

  add({ key, fsize }: ScannedRow, act: Act | undefined): void {
    this.read++;
    if (act === undefined) return;
    const before = this.#would.get(act) ?? { objects: 0, bytes: 0 };
    this.#would.set(act, { objects: before.objects + 1, bytes: before.bytes + Number(fsize) });
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ key, act });
  }

  preview(isWhole: boolean): Preview {
    const of = (act: Act) => this.#would.get(act) ?? { objects: 0, bytes: 0 };
    return {
      read: this.read,
      isWhole,
      examples: this.#examples,
      would: { delete: of('delete'), class1: of('class1'), class2: of('class2'), class3: of('class3') },
    };
  }
}

/**
 * Bucket rules that are lists: who may call it from a browser, what happens to old objects, which
 * changes are sent where, where missing ones come from.
 */
import type { CorsRule, EventRule, LifecycleRule } from '@millpond/client/server';
import type { Command } from 'commander';
import { UsageError } from '../exit.ts';
import { print, printRows, type Row } from '../print.ts';
import { type BucketOptions, bucketCommand, type NamedBucket, onBucket, readList } from './command.ts';

interface RuleOptions extends BucketOptions {
  readonly set?: string;
  readonly clear?: boolean;
}

interface MirrorOptions extends BucketOptions {
  readonly from?: string[];
  readonly host?: string;
  readonly clear?: boolean;
}

export function addBucketRules(parent: Command): void {
  ruleCommand(parent, 'cors', 'show and set the rules for requests from other origins').action(
    onBucket(cors),
  );
  ruleCommand(parent, 'lifecycle', 'show and set the rules for aging objects')
    .option('--preview <file>', 'set nothing: show what each rule of the list in this file would do now')
    .action(onBucket(lifecycle));
  ruleCommand(parent, 'events', 'show and set which changes of objects are sent to which URLs').action(
    onBucket(events),
  );
  bucketCommand(parent, 'mirror', 'set where missing objects are fetched from')
    .option('--from <urls...>', 'the sources; the first that has the object is used')
    .option('--host <name>', 'Host header of requests to the sources')
    .option('--clear', 'remove them all')
    .action(onBucket(mirror));
}

function ruleCommand(parent: Command, name: string, description: string): Command {
  return bucketCommand(parent, name, `${description}, as a JSON list`)
    .option('--set <file>', 'replace them with the list in this file; - is standard input')
    .option('--clear', 'remove them all');
}

async function rulesOf<T>({ set, clear }: RuleOptions): Promise<T[] | undefined> {
  if (set !== undefined && clear) throw new UsageError('give one of --set and --clear');
  if (clear) return [];
  return set === undefined ? undefined : readList<T>(set);
}

async function cors({ bucket, buckets, signal }: NamedBucket, options: RuleOptions): Promise<void> {
  const rules = await rulesOf<CorsRule>(options);
  if (rules !== undefined) await buckets.setCors(bucket, rules, { signal });
  printRules(options, await buckets.cors(bucket, { signal }));
}

/** One by one, as the API requires: rules gone from the list first, so that a name can be reused. */
async function lifecycle(
  { bucket, buckets, signal }: NamedBucket,
  options: RuleOptions & { readonly preview?: string },
): Promise<void> {
  if (options.preview !== undefined) return preview({ bucket, buckets, signal }, options.preview, options);
  const rules = await rulesOf<LifecycleRule>(options);
  if (rules !== undefined) {
    const before = new Set((await buckets.lifecycle(bucket, { signal })).map((rule) => rule.name));
    const kept = new Set(rules.map((rule) => rule.name));
    for (const old of before) if (!kept.has(old)) await buckets.removeLifecycle(bucket, old, { signal });
    for (const rule of rules)
      await (before.has(rule.name)
        ? buckets.updateLifecycle(bucket, rule, { signal })
        : buckets.addLifecycle(bucket, rule, { signal }));
  }
  printRules(options, await buckets.lifecycle(bucket, { signal }));
}

async function preview(
  { bucket, buckets, signal }: Pick<NamedBucket, 'bucket' | 'buckets' | 'signal'>,
  file: string,
  options: RuleOptions,
): Promise<void> {
  if (options.set !== undefined || options.clear)
    throw new UsageError('--preview changes nothing: give it alone');
  const found: Row[] = [];
  for (const rule of await readList<LifecycleRule>(file)) {
    const { read, isWhole, would, examples } = await buckets.previewLifecycle(bucket, rule, { signal });
    if (options.json) print(options, { rule: rule.name, read, isWhole, would, examples }, '');
    for (const [act, { objects, bytes }] of Object.entries(would))
      found.push({ rule: rule.name, act, objects, bytes, read: isWhole ? read : `${read}, not all` });
  }
  if (!options.json) printRows(options, found, ['rule', 'act', 'objects', 'bytes', 'read']);
}

async function events({ bucket, buckets, signal }: NamedBucket, options: RuleOptions): Promise<void> {
  const rules = await rulesOf<EventRule>(options);
  if (rules !== undefined) await buckets.setEventRules(bucket, rules, { signal });
  printRules(options, await buckets.eventRules(bucket, { signal }));
}

async function mirror({ bucket, buckets, signal }: NamedBucket, options: MirrorOptions): Promise<void> {
  const { from, host, clear } = options;
  if ((from === undefined) === (clear !== true)) throw new UsageError('give one of --from and --clear');
  if (from === undefined) await buckets.removeMirror(bucket, { signal });
  else await buckets.setMirror(bucket, from, { signal, ...(host === undefined ? {} : { host }) });
  const words =
    from === undefined ? 'no longer fetches anything' : `fetches missing objects from ${from.join(', ')}`;
  print(options, { bucket, mirror: from ?? [] }, `${bucket} ${words}`);
}

/** The same for all: prints a list that `--set` accepts. */
function printRules(options: BucketOptions, rules: readonly object[]): void {
  if (options.json) for (const rule of rules) print(options, rule, '');
  else process.stdout.write(`${JSON.stringify(rules, undefined, 2)}\n`);
}

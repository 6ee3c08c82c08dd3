/** Keys of the files that belong to a result: segments next to their playlist, images next to their list. */
import type { PartName } from '@millpond/jail';
import {
  checkKey,
  defaultSegmentKey,
  Fault,
  type Fop,
  formatCount,
  MAX_KEY_BYTES,
  type NamePattern,
  type Plan,
  productOf,
  renderName,
  utf8Length,
} from '@millpond/protocol';

/** By the command's own pattern, or next to the main result. */
export function partKey({ stages }: Fop, mainKey: string, { count, extension }: PartName): string {
  const pattern = patternOf(stages.at(-1));
  if (pattern === undefined || count < 0) return defaultSegmentKey(mainKey, Math.max(count, 0), extension);
  return renderName(pattern, { count: formatCount(count) });
}

/** Whether its parts have names of their own, which need not begin with that of the result. */
export function namesPartsItself({ stages }: Fop): boolean {
  return patternOf(stages.at(-1)) !== undefined;
}

/** Refuses a main key whose parts could have no valid keys. Call it before anything is made: encoding takes hours. */
export function checkPartKeys(fop: Fop, mainKey: string): void {
  const plan = fop.stages.at(-1);
  if (plan === undefined || productOf(plan) !== 'files') return;
  const bytes = utf8Length(mainKey);
  const longest = Math.max(...partsOf(plan).map((part) => utf8Length(partKey(fop, mainKey, part))));
  if (longest > MAX_KEY_BYTES) {
    const most = MAX_KEY_BYTES - (longest - bytes);
    throw new Fault('invalidArgument', {
      hint: `the key of a playlist like this may have at most ${most} bytes: those of its segments are longer`,
    });
  }
  const pattern = patternOf(plan);
  if (pattern !== undefined && isRendered(pattern, mainKey))
    throw new Fault('invalidArgument', { hint: 'the pattern gives one of the parts the key of the result' });
}

/** Checks a generated string that is to be the key of a result. */
export function checkedKey(key: string): string {
  try {
    checkKey(key);
  } catch (cause) {
    const hint = `the name of a result is not a valid key: at most ${MAX_KEY_BYTES} bytes, without NUL`;
    throw new Fault('invalidArgument', { hint, cause });
  }
  return key;
}

function patternOf(plan: Plan | undefined): NamePattern<'count'> | undefined {
  return plan !== undefined && 'pattern' in plan ? plan.pattern : undefined;
}

/** One of each kind: all possible counts have six digits. */
function partsOf(plan: Plan): readonly PartName[] {
  if (plan.command !== 'avthumb') return [{ count: 1, extension: 'jpg' }];
  if (plan.segmentType !== 'fmp4') return [{ count: 0, extension: 'ts' }];
  return [
    { count: -1, extension: 'mp4' },
    { count: 0, extension: 'm4s' },
  ];
}

function isRendered(pattern: NamePattern<'count'>, key: string): boolean {
  const [before = '', after = ''] = renderName(pattern, { count: '\0' }).split('\0');
  const count = key.slice(before.length, key.length - after.length);
  return key.startsWith(before) && key.endsWith(after) && /^[0-9]{6}$/.test(count);
}

/** How an object refers to another of its bucket in a playlist: relative, so that it works under every host of the bucket. */
export function relativeAddress(fromKey: string, toKey: string): string {
  const from = fromKey.split('/').slice(0, -1);
  const to = toKey.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  const steps = [
    ...from.slice(shared).map(() => '..'),
    ...to.slice(shared).map((segment) => encodeURIComponent(segment)),
  ].join('/');
  // A first segment with a colon would be parsed as a scheme, an empty one as a host.
  return /^[^/]*:|^\/|^$/.test(steps) ? `./${steps}` : steps;
}

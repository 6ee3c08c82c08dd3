/** The options that limit an access key, and how limits are shown. */
import { Fault, type KeyLimits, keyActions, parseKeyLimits } from '@millpond/protocol';
import type { Command } from 'commander';
import { UsageError } from './exit.ts';
import { readTime } from './option-readers.ts';

export interface LimitOptions {
  readonly bucket?: readonly string[];
  readonly prefix?: readonly string[];
  readonly may?: readonly string[];
  readonly from?: readonly string[];
  readonly until?: Date;
}

export function withLimitOptions(command: Command): Command {
  return command
    .option('--bucket <name>', 'only this bucket; may be repeated', another)
    .option('--prefix <prefix>', 'only objects whose key begins with it; may be repeated', another)
    .option('--may <actions>', `only these, with commas: ${keyActions.join(', ')}`, readList)
    .option('--from <network>', 'only from there, such as 10.0.0.0/8; may be repeated', another)
    .option('--until <time>', 'nothing from this time on, such as 2026-12-31T00:00:00Z', readTime);
}

/** Undefined if none is given. */
export function limitsOf({ bucket, prefix, may, from, until }: LimitOptions): KeyLimits | undefined {
  if ([bucket, prefix, may, from, until].every((each) => each === undefined)) return undefined;
  const given = {
    ...(bucket && { buckets: bucket }),
    ...(prefix && { prefixes: prefix }),
    ...(may && { actions: may }),
    ...(from && { networks: from }),
    ...(until && { expiresAt: Math.floor(until.getTime() / 1000) }),
  };
  try {
    return parseKeyLimits(given);
  } catch (error) {
    throw error instanceof Fault ? new UsageError(error.hint ?? error.message) : error;
  }
}

/** On one line; empty if there are none. */
export function limitsText(limits: KeyLimits | undefined): string {
  const { buckets, prefixes, actions, networks, expiresAt } = limits ?? {};
  const end = expiresAt === undefined ? undefined : [new Date(expiresAt * 1000).toISOString()];
  return Object.entries({ bucket: buckets, prefix: prefixes, may: actions, from: networks, until: end })
    .flatMap(([name, values]) => (values === undefined ? [] : [`${name} ${values.join(',') || 'none'}`]))
    .join('; ');
}

function another(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function readList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((word) => word.trim())];
}

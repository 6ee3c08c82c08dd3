/** The limits of a key, as people read them and as they write them. */
import type { KeyLimits } from '@millpond/client/session';
import { time } from '../../../lib/format.ts';

export const limitNames = ['actions', 'buckets', 'prefixes', 'networks', 'expiresAt'] as const;
export type LimitName = (typeof limitNames)[number];

/** Nothing is allowed by a list that is empty. */
export function limitWords(
  limits: KeyLimits,
): { readonly word: LimitName; readonly values: string | undefined }[] {
  const lists = (['buckets', 'prefixes', 'actions', 'networks'] as const).flatMap((word) => {
    const values = limits[word];
    return values === undefined ? [] : [{ word, values: values.join(', ') || undefined }];
  });
  const { expiresAt } = limits;
  return expiresAt === undefined ? lists : [...lists, { word: 'expiresAt', values: time(expiresAt * 1000) }];
}

/** What is written in a form: lists with commas or line breaks, the end as the browser gives it. */
export interface WrittenLimits {
  /** Those that there are. What is not here is not limited, and the form says so by its name. */
  readonly chosen: readonly LimitName[];
  readonly buckets: string;
  readonly prefixes: string;
  readonly actions: readonly string[];
  readonly networks: string;
  readonly ends: string;
}

export function writtenOf(limits: KeyLimits): WrittenLimits {
  return {
    chosen: limitNames.filter((name) => limits[name] !== undefined),
    buckets: (limits.buckets ?? []).join(', '),
    prefixes: (limits.prefixes ?? []).join('\n'),
    actions: limits.actions ?? [],
    networks: (limits.networks ?? []).join(', '),
    ends: limits.expiresAt === undefined ? '' : new Date(limits.expiresAt * 1000).toISOString().slice(0, 16),
  };
}

/** Prefixes may contain commas and spaces: they stand on lines of their own. */
export function limitsOf({ chosen, buckets, prefixes, actions, networks, ends }: WrittenLimits): KeyLimits {
  const words = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '');
  const all: Required<KeyLimits> = {
    buckets: words(buckets),
    prefixes: prefixes.split('\n').filter((line) => line !== ''),
    actions: [...actions] as Required<KeyLimits>['actions'],
    networks: words(networks),
    // Nothing from the beginning on.
    expiresAt: ends === '' ? 0 : Math.floor(Date.parse(`${ends}Z`) / 1000),
  };
  return Object.fromEntries(chosen.map((name) => [name, all[name]]));
}

/** What has to be chosen yet: nothing chosen is nothing allowed, which nobody makes a key for. */
export function missingIn(written: WrittenLimits): LimitName | 'any' | undefined {
  if (written.chosen.length === 0) return 'any';
  const limits = limitsOf(written);
  const isEmpty = (name: LimitName) =>
    name === 'expiresAt' ? written.ends === '' : limits[name]?.length === 0;
  return written.chosen.find(isEmpty);
}

/** The same for the command line. */
export function optionsOf({ buckets, prefixes, actions, networks, expiresAt }: KeyLimits): string[] {
  return [
    ...(buckets ?? []).flatMap((name) => ['--bucket', name]),
    ...(prefixes ?? []).flatMap((prefix) => ['--prefix', prefix]),
    ...(actions === undefined ? [] : ['--may', actions.join(',')]),
    ...(networks ?? []).flatMap((network) => ['--from', network]),
    ...(expiresAt === undefined ? [] : ['--until', new Date(expiresAt * 1000).toISOString()]),
  ];
}

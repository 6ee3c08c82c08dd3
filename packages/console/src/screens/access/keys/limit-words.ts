/** The limits of a key, as people read them and as they write them. */
import type { KeyLimits } from '@millpond/client/session';
import { time } from '../../../lib/format.ts';

export type LimitWord = 'buckets' | 'prefixes' | 'actions' | 'networks' | 'expiresAt';

export function limitWords(limits: KeyLimits): { readonly word: LimitWord; readonly values: string }[] {
  const lists = (['buckets', 'prefixes', 'actions', 'networks'] as const).flatMap((word) => {
    const values = limits[word];
    return values === undefined ? [] : [{ word, values: values.join(', ') }];
  });
  const { expiresAt } = limits;
  return expiresAt === undefined ? lists : [...lists, { word: 'expiresAt', values: time(expiresAt * 1000) }];
}

/** What is written in a form: lists with commas or line breaks, the end as the browser gives it. */
export interface WrittenLimits {
  readonly buckets: string;
  readonly prefixes: string;
  readonly actions: readonly string[];
  readonly networks: string;
  readonly ends: string;
}

export function writtenOf(limits: KeyLimits): WrittenLimits {
  return {
    buckets: (limits.buckets ?? []).join(', '),
    prefixes: (limits.prefixes ?? []).join('\n'),
    actions: limits.actions ?? [],
    networks: (limits.networks ?? []).join(', '),
    ends: limits.expiresAt === undefined ? '' : new Date(limits.expiresAt * 1000).toISOString().slice(0, 16),
  };
}

/** Prefixes may contain commas and spaces: they stand on lines of their own. */
export function limitsOf({ buckets, prefixes, actions, networks, ends }: WrittenLimits): KeyLimits {
  const words = (text: string) => text.split(/[\s,]+/).filter((each) => each !== '');
  const lines = prefixes.split('\n').filter((line) => line !== '');
  return {
    ...(words(buckets).length > 0 && { buckets: words(buckets) }),
    ...(lines.length > 0 && { prefixes: lines }),
    ...(actions.length > 0 && { actions: [...actions] as NonNullable<KeyLimits['actions']> }),
    ...(words(networks).length > 0 && { networks: words(networks) }),
    ...(ends !== '' && { expiresAt: Math.floor(Date.parse(`${ends}Z`) / 1000) }),
  };
}

/** The same for the command line. */
export function optionsOf({ buckets, prefixes, actions, networks, expiresAt }: KeyLimits): string[] {
  const options = [
    ...(buckets ?? []).flatMap((name) => ['--bucket', name]),
    ...(prefixes ?? []).flatMap((prefix) => ['--prefix', prefix]),
    ...(actions === undefined ? [] : ['--may', actions.join(',')]),
    ...(networks ?? []).flatMap((network) => ['--from', network]),
    ...(expiresAt === undefined ? [] : ['--until', new Date(expiresAt * 1000).toISOString()]),
  ];
  return options.length === 0 ? ['--unlimited'] : options;
}

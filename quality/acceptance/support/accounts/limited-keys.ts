/** Keys with one limit each, and what each of them allows of what calls ask. */
import { type KeyAction, type KeyLimits, keyActions } from '@millpond/protocol';
import type { Asks } from './access-matrix/index.ts';

export interface LimitedKey {
  readonly name: string;
  readonly limits: KeyLimits;
  /** The limit that its refusals name; its others always allow. */
  readonly limit: keyof KeyLimits;
  readonly allows: (asked: Asks) => boolean;
}

/** Dates with ten digits. */
const [PAST, FAR] = [1_000_000_000, 4_000_000_000];

const only = (name: string, ...actions: readonly KeyAction[]): LimitedKey => ({
  name,
  limits: { actions },
  limit: 'actions',
  allows: (asked) => asked.actions.every((action) => actions.includes(action)),
});

/** For calls on an object `k…` of this bucket. */
export function limitedKeys(bucket: string): readonly LimitedKey[] {
  return [
    ...keyActions.map((action) => only(`only ${action}`, action)),
    only('all but delete', ...keyActions.filter((action) => action !== 'delete')),
    {
      name: 'another bucket',
      limits: { buckets: ['other'] },
      limit: 'buckets',
      allows: ({ of }) => of === 'nothing',
    },
    {
      name: 'this bucket',
      limits: { buckets: [bucket] },
      limit: 'buckets',
      allows: ({ of }) => of !== 'account',
    },
    {
      name: 'another prefix',
      limits: { prefixes: ['other/', 'K', 'kk'] },
      limit: 'prefixes',
      allows: ({ of }) => of === 'nothing' || of === 'way to objects',
    },
    {
      name: 'this prefix',
      limits: { prefixes: ['other/', 'k'] },
      limit: 'prefixes',
      allows: ({ of }) => of !== 'account' && of !== 'bucket',
    },
    { name: 'the past', limits: { expiresAt: PAST }, limit: 'expiresAt', allows: () => false },
    {
      name: 'another network',
      limits: { expiresAt: FAR, networks: ['192.0.2.0/24', '2001:db8::/32'] },
      limit: 'networks',
      allows: () => false,
    },
    {
      name: 'what it has anyway',
      limits: { actions: keyActions, networks: ['0.0.0.0/0', '::/0'], expiresAt: FAR },
      limit: 'expiresAt',
      allows: () => true,
    },
  ];
}

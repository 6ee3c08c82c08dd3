/** Changes of class, and restores of what is frozen; a restore of class 2 is waited for. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Action, learn, read, type SystemUnderTest, settleByReading } from '../command.ts';
import { contentIn } from '../contents.ts';
import {
  heldAt,
  isArchive,
  isReadable,
  type Model,
  type ModelObject,
  type ObjectRef,
  spaceOf,
} from '../state.ts';
import { entryOf, pathOf, type WireResponse } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';
import { operation } from './operation.ts';

const RESTORE_TIMEOUT_MS = 20_000;
const POLL_MS = 10;

export const classChanges = fc.record({ at: place, to: fc.constantFrom(0, 1, 2, 3, 2) }).map(({ at, to }) =>
  operation({
    kind: 'chtype',
    words: `chtype ${placeWords(at)} to ${to}`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: 631 };
      const held = heldAt(model, at);
      if (held === undefined) return { status: 612 };
      if (held.type === to) return { status: 200 };
      if (!isReadable(held)) return { status: 403 };
      const after: ModelObject = { ...held, type: to, restore: 'frozen' };
      return { status: 200, atoms: [[{ at, held: after, way: 'chtype', event: 'classChanged' }]] };
    },
    target: (model) => `/chtype/${entryOf(model, at)}/type/${to}`,
  }),
);

/** What each protocol answers. */
const statuses = {
  native: { missing: 612, notArchive: 403, restored: 400, restoring: 200, begun: 200 },
  s3: { missing: 404, notArchive: 403, restored: 200, restoring: 409, begun: 202 },
};

interface RestoreRequest {
  readonly at: ObjectRef;
  readonly days: number;
  readonly by: keyof typeof statuses;
}

const request = fc.record<RestoreRequest>({
  at: place,
  days: fc.constantFrom(5, 7),
  by: fc.constantFrom('native', 'native', 's3'),
});

export const restores = request.map(
  ({ at, days, by }): Action => ({
    kind: by === 's3' ? 's3 restore' : 'restoreAr',
    words: `restore ${placeWords(at)} for ${days} days${by === 's3' ? ' by S3' : ''}`,
    predict(model) {
      const held = heldAt(model, at);
      const { missing, notArchive, restored: isRestored, restoring, begun } = statuses[by];
      if (held === undefined) return { status: missing };
      if (!isArchive(held)) return { status: notArchive };
      if (held.restore === 'restored') return { status: isRestored };
      if (held.restore !== 'frozen') return { status: restoring };
      const after: ModelObject = { ...held, restore: { askedAt: Date.now() } };
      return {
        status: begun,
        atoms: [[{ at, held: after, event: 'restoring' }]],
        after() {
          if (held.type === 2) spaceOf(model, at).objects.set(at.key, { ...held, restore: 'restored' });
        },
      };
    },
    async send(model, system) {
      const answer = await ask(model, system, { at, days, by });
      const isBegun = answer.status === statuses[by].begun;
      if (isBegun && heldAt(model, at)?.type === 2) await restored(model, system, at);
      return answer;
    },
    async settle(model, system, { atoms = [] }) {
      await settleByReading(model, system, atoms);
      if (typeof heldAt(model, at)?.restore === 'object' && heldAt(model, at)?.type === 2)
        learn(model, at, await restored(model, system, at));
    },
  }),
);

function ask(model: Model, system: SystemUnderTest, { at, days, by }: RestoreRequest): Promise<WireResponse> {
  if (by === 'native') return system.wire.signed(`/restoreAr/${entryOf(model, at)}/freezeAfterDays/${days}`);
  return system.wire.s3({
    method: 'POST',
    path: pathOf(spaceOf(model, at).name, at.key),
    query: { restore: '' },
    body: contentIn(Buffer.from(`<RestoreRequest><Days>${days}</Days></RestoreRequest>`)),
  });
}

/** What is shown once it can be read. */
async function restored(
  model: Model,
  system: SystemUnderTest,
  at: ObjectRef,
): Promise<Awaited<ReturnType<typeof read>>> {
  for (const end = Date.now() + RESTORE_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const observed = await read(model, system, at);
    if (observed?.restoreStatus === 2) return observed;
  }
  throw new Error('was not restored in time');
}

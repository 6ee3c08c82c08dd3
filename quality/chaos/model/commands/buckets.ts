/** Buckets: made, dropped, made private and public, listed, and given a rule that tells of their objects. */
import fc from 'fast-check';
import type { Action, SystemUnderTest } from '../command.ts';
import { BUCKETS, clear, type Model, type ModelBucket, spaceOf } from '../state.ts';
import { elementsIn, pathOf, type WireResponse } from '../wire.ts';
import { bucket } from './arbitrary.ts';

const anyBucket = fc.nat(BUCKETS - 1);

export const makings = fc.record({ bucket: anyBucket, byS3: fc.boolean() }).map(
  ({ bucket: number, byS3 }): Action => ({
    kind: byS3 ? 's3 make bucket' : 'make bucket',
    words: `make bucket ${number}${byS3 ? ' by S3' : ''}`,
    predict(model) {
      const space = spaceOf(model, { bucket: number });
      if (space.exists) return { status: byS3 ? 200 : 614 };
      return { status: 200, after: () => made(space, byS3) };
    },
    send: (model, system) => {
      const { name } = spaceOf(model, { bucket: number });
      return byS3
        ? system.wire.s3({ method: 'PUT', path: pathOf(name) })
        : system.wire.signed(`/mkbucketv3/${name}/region/z0`);
    },
    async settle(model, system) {
      const space = spaceOf(model, { bucket: number });
      if (space.exists) return;
      const info = await infoOf(system, space);
      // What was half made is made whole by whoever asks again.
      if (info.status === 200) made(space, byS3);
    },
  }),
);

/** What S3 makes is private. */
function made(space: ModelBucket, byS3: boolean): void {
  space.exists = true;
  space.isPrivate = byS3;
}

function infoOf(system: SystemUnderTest, { name }: ModelBucket): Promise<WireResponse> {
  return system.wire.certain(() => system.wire.signed(`/v2/bucketInfo?bucket=${name}`));
}

export const drops = fc
  .record({ bucket: anyBucket, byS3: fc.boolean() })
  .map(({ bucket: number, byS3 }): Action => {
    const send = (model: Model, system: SystemUnderTest) => {
      const { name } = spaceOf(model, { bucket: number });
      return byS3
        ? system.wire.s3({ method: 'DELETE', path: pathOf(name) })
        : system.wire.signed(`/drop/${name}`);
    };
    return {
      kind: byS3 ? 's3 drop bucket' : 'drop bucket',
      words: `drop bucket ${number}${byS3 ? ' by S3' : ''}`,
      predict(model) {
        const space = spaceOf(model, { bucket: number });
        if (!space.exists) return { status: byS3 ? 404 : 631 };
        if (space.objects.size > 0) return { status: byS3 ? 409 : 403 };
        return { status: byS3 ? 204 : 200, after: () => clear(model, number) };
      },
      send,
      /** The owner may drop again, and has to: the bucket may be closed. */
      async settle(model, system, { status, after }) {
        const answer = await system.wire.certain(() => send(model, system));
        const gone = byS3 ? 404 : 631;
        if (answer.status !== status && !(status < 300 && answer.status === gone))
          throw new Error(`dropped again, it answered ${answer.status}`);
        after?.(answer);
      },
    };
  });

export const privacies = fc.record({ bucket, isPrivate: fc.boolean() }).map(
  ({ bucket: number, isPrivate }): Action => ({
    kind: 'private',
    words: `make bucket ${number} ${isPrivate ? 'private' : 'public'}`,
    predict(model) {
      const space = spaceOf(model, { bucket: number });
      if (!space.exists) return { status: 631 };
      return {
        status: 200,
        after() {
          space.isPrivate = isPrivate;
        },
      };
    },
    send: (model, system) =>
      system.wire.signed('/private', {
        body: `bucket=${spaceOf(model, { bucket: number }).name}&private=${isPrivate ? 1 : 0}`,
      }),
    async settle(model, system) {
      const space = spaceOf(model, { bucket: number });
      if (!space.exists) return;
      const answer = await infoOf(system, space);
      space.isPrivate = (JSON.parse(answer.body.toString()) as { private: number }).private === 1;
    },
  }),
);

/** Only the sequence's own buckets are looked for: others of the account belong to other lanes. */
export const bucketLists = fc.boolean().map(
  (byS3): Action => ({
    kind: byS3 ? 's3 list buckets' : 'list buckets',
    words: `list buckets${byS3 ? ' by S3' : ''}`,
    predict: (model) => ({
      status: 200,
      check(answer) {
        const names = new Set(
          byS3 ? elementsIn(answer, 'Name') : (JSON.parse(answer.body.toString()) as string[]),
        );
        const wrong = model.spaces.find(({ name, exists }) => names.has(name) !== exists);
        return wrong && `${wrong.name} is ${wrong.exists ? 'not ' : ''}listed`;
      },
    }),
    send: (_, system) =>
      byS3 ? system.wire.s3({ method: 'GET', path: '/' }) : system.wire.signed('/buckets', { method: 'GET' }),
  }),
);

const TOLD = ['created', 'overwritten', 'deleted', 'classChanged', 'restoring'];

export const rules = bucket.map(
  (number): Action => ({
    kind: 'event rule',
    words: `set the event rule of bucket ${number}`,
    predict(model) {
      const space = spaceOf(model, { bucket: number });
      if (!space.exists) return { status: 631 };
      return {
        status: 200,
        after() {
          space.told ??= new Map();
        },
      };
    },
    send: (model, system) =>
      system.wire.signed(`/eventRules/set/${spaceOf(model, { bucket: number }).name}`, {
        body: JSON.stringify([{ name: 'all', url: system.receiver.eventUrl, events: TOLD }]),
      }),
    async settle(model, system) {
      const space = spaceOf(model, { bucket: number });
      if (!space.exists) return;
      const answer = await system.wire.certain(() =>
        system.wire.signed(`/eventRules/get/${space.name}`, { method: 'GET' }),
      );
      if (answer.body.toString().includes(system.receiver.eventUrl)) space.told ??= new Map();
    },
  }),
);

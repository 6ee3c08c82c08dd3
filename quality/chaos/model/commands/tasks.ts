/** Persistent tasks: each is waited for, and must have made its result, or left what was there. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Action, Prediction, SystemUnderTest } from '../command.ts';
import { settleByReading } from '../command.ts';
import { contentIn } from '../contents.ts';
import { heldAt, isReadable, type Model, type ModelObject, NEW, type ObjectRef, spaceOf } from '../state.ts';
import { entryOf, type WireResponse } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';

/** A killed worker's task begins again after 10 to 17 s; a busy machine takes longer. */
const END_TIMEOUT_MS = 120_000;
const POLL_MS = 30;
const RESULT_TYPE = 'application/json';

interface Submission {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
  readonly force: boolean;
}

export const tasks = fc.record<Submission>({ from: place, to: place, force: fc.boolean() }).map(
  (task): Action => ({
    kind: 'task',
    words: `task qhash of ${placeWords(task.from)} to ${placeWords(task.to)}${task.force ? ' by force' : ''}`,
    predict: (model) => predict(model, task),
    async send(model, system) {
      const answer = await submit(model, system, task);
      return answer.status === 200 ? ended(model, system, idIn(answer)) : answer;
    },
    /** A task of this source that the model has not seen is the one. */
    async settle(model, system, { atoms = [], status }) {
      const query = new URLSearchParams({
        bucket: spaceOf(model, task.from).name,
        key: task.from.key,
      }).toString();
      const answer = await system.wire.certain(() =>
        system.wire.signed(`/v1/tasks?${query}`, { method: 'GET' }),
      );
      if (answer.status !== 200) return;
      const { items } = JSON.parse(answer.body.toString()) as { items: { id: string }[] };
      const unseen = items.filter(({ id }) => !model.tasks.has(id));
      if (status === 200 ? unseen.length > 1 : unseen.length > 0)
        throw new Error(`${unseen.length} tasks came of one submission`);
      for (const { id } of unseen) await ended(model, system, id);
      await settleByReading(model, system, unseen.length === 0 ? [] : atoms);
    },
  }),
);

function predict(model: Model, { from, to, force }: Submission): Prediction {
  const source = heldAt(model, from);
  if (source === undefined) return { status: 404 };
  if (!isReadable(source)) return { status: 403 };
  if (!spaceOf(model, to).exists) return { status: 400 };
  const old = heldAt(model, to);
  const result = old === undefined || force ? resultOf(source) : old;
  return {
    status: 200,
    check: (answer) => wrongEnd(answer, result, result === old),
    atoms: result === old ? [] : [[{ at: to, held: result, way: 'process' }]],
  };
}

function resultOf({ content: { bytes, md5 } }: ModelObject): ModelObject {
  const content = contentIn(Buffer.from(JSON.stringify({ hash: md5, fsize: bytes.length })));
  return { ...NEW, content, hash: content.hash, mimeType: RESULT_TYPE, detectedType: RESULT_TYPE };
}

function submit(
  model: Model,
  system: SystemUnderTest,
  { from, to, force }: Submission,
): Promise<WireResponse> {
  const fields = {
    bucket: spaceOf(model, from).name,
    key: from.key,
    fops: `qhash/md5|saveas/${entryOf(model, to)}`,
    ...(force && { force: '1' }),
  };
  return system.wire.signed('/pfop/', { body: new URLSearchParams(fields).toString() });
}

function idIn(answer: WireResponse): string {
  return (JSON.parse(answer.body.toString()) as { persistentId: string }).persistentId;
}

/** The record of a task that has ended. */
async function ended(model: Model, system: SystemUnderTest, id: string): Promise<WireResponse> {
  model.tasks.add(id);
  const path = `/status/get/prefop?id=${id}`;
  for (const end = Date.now() + END_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const answer = await system.wire.certain(() => system.wire.plain({ method: 'GET', path, headers: {} }));
    if (answer.status !== 200) return answer;
    if ([0, 3].includes(recordIn(answer).code)) return answer;
  }
  throw new Error(`task ${id} has not ended`);
}

interface TaskRecord {
  readonly code: number;
  readonly items: readonly { readonly hash?: string; readonly error: string; readonly returnOld: number }[];
}

function recordIn(answer: WireResponse): TaskRecord {
  return JSON.parse(answer.body.toString()) as TaskRecord;
}

function wrongEnd(answer: WireResponse, { hash }: ModelObject, isOld: boolean): string | undefined {
  const { code, items } = recordIn(answer);
  const [item] = items;
  if (code !== 0) return `ended with ${code}: ${item?.error}`;
  if (item?.hash !== hash) return `the result has hash ${item?.hash} instead of ${hash}`;
  return (item.returnOld === 1) === isOld ? undefined : `returnOld is ${item.returnOld}`;
}

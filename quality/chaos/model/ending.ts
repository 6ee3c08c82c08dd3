/** The last look at a sequence: everything that the model holds is there, can be read, and nothing else is. */
import { read, type SystemUnderTest } from './command.ts';
import { wrongDownload } from './commands/reading.ts';
import { difference } from './observed.ts';
import { isReadable, type Model, type ModelBucket, type ModelObject } from './state.ts';
import { pathOf } from './wire.ts';

export async function checkEnd(model: Model, system: SystemUnderTest): Promise<void> {
  for (const [number, space] of model.spaces.entries()) {
    if (!space.exists) continue;
    await checkKeys(system, space);
    for (const [key, held] of space.objects) {
      const at = { bucket: number, key };
      const wrong = difference(held, await read(model, system, at));
      if (wrong !== undefined) throw new Error(`at the end, ${number}:${key}: ${wrong}`);
      if (isReadable(held) && !space.isPrivate) await checkBytes(system, space, key, held);
    }
    checkCallbacks(system, space);
  }
}

async function checkKeys(system: SystemUnderTest, { name, objects }: ModelBucket): Promise<void> {
  const answer = await system.wire.certain(() => system.wire.signed(`/list?bucket=${name}`));
  if (answer.status !== 200) throw new Error(`at the end, the list of ${name}: ${answer.status}`);
  const { items } = JSON.parse(answer.body.toString()) as { items: { key: string }[] };
  const [found, expected] = [items.map(({ key }) => key), [...objects.keys()]].map((keys) =>
    keys.toSorted().join(' '),
  );
  if (found !== expected) throw new Error(`at the end, ${name} holds ${found} instead of ${expected}`);
}

async function checkBytes(
  system: SystemUnderTest,
  { name }: ModelBucket,
  key: string,
  held: ModelObject,
): Promise<void> {
  const answer = await system.wire.certain(() =>
    system.wire.plain({ method: 'GET', path: pathOf(name, key), headers: {} }),
  );
  const wrong =
    answer.status === 200 ? wrongDownload(answer, held, held.content.bytes) : `GET answered ${answer.status}`;
  if (wrong !== undefined) throw new Error(`at the end, ${name}:${key}: ${wrong}`);
}

function checkCallbacks(system: SystemUnderTest, { name, callbacks: { sure, open } }: ModelBucket): void {
  const came = system.receiver.callbacks(name).length;
  if (came < sure || came > sure + open)
    throw new Error(`${came} callbacks of ${name} arrived, not ${sure} to ${sure + open}`);
}

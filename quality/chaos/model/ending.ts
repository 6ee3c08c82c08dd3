/** The last look at a sequence: everything that the model holds is there, can be read, and nothing else is. */
import { type Real, read } from './command.ts';
import { wrongDownload } from './commands/reading.ts';
import { difference } from './shown.ts';
import { type Held, isReadable, type Model, type Space } from './state.ts';
import { pathOf } from './wire.ts';

export async function checkEnd(model: Model, real: Real): Promise<void> {
  for (const [number, space] of model.spaces.entries()) {
    if (!space.exists) continue;
    await checkKeys(real, space);
    for (const [key, held] of space.objects) {
      const at = { bucket: number, key };
      const wrong = difference(held, await read(model, real, at));
      if (wrong !== undefined) throw new Error(`at the end, ${number}:${key}: ${wrong}`);
      if (isReadable(held) && !space.isPrivate) await checkBytes(real, space, key, held);
    }
    checkCallbacks(real, space);
  }
}

async function checkKeys(real: Real, { name, objects }: Space): Promise<void> {
  const answer = await real.wire.certain(() => real.wire.signed(`/list?bucket=${name}`));
  if (answer.status !== 200) throw new Error(`at the end, the list of ${name}: ${answer.status}`);
  const { items } = JSON.parse(answer.body.toString()) as { items: { key: string }[] };
  const [found, expected] = [items.map(({ key }) => key), [...objects.keys()]].map((keys) =>
    keys.toSorted().join(' '),
  );
  if (found !== expected) throw new Error(`at the end, ${name} holds ${found} instead of ${expected}`);
}

async function checkBytes(real: Real, { name }: Space, key: string, held: Held): Promise<void> {
  const answer = await real.wire.certain(() =>
    real.wire.plain({ method: 'GET', path: pathOf(name, key), headers: {} }),
  );
  const wrong =
    answer.status === 200 ? wrongDownload(answer, held, held.content.bytes) : `GET answered ${answer.status}`;
  if (wrong !== undefined) throw new Error(`at the end, ${name}:${key}: ${wrong}`);
}

function checkCallbacks(real: Real, { name, callbacks: { sure, open } }: Space): void {
  const came = real.receiver.callbacks(name).length;
  if (came < sure || came > sure + open)
    throw new Error(`${came} callbacks of ${name} arrived, not ${sure} to ${sure + open}`);
}

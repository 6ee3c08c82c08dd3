/** The parts of a packer or a compactor, one of which ends everything at a given step. */
import type { SmallHouse } from './small-house.ts';

export const packSteps = [
  'list',
  'read',
  'put',
  'after put',
  'add',
  'after add',
  'empty',
  'after empty',
] as const;
export const compactSteps = [
  'fragmented',
  'contents',
  'readAll',
  'put',
  'after put',
  'replace',
  'after replace',
] as const;
export type Step = (typeof packSteps)[number] | (typeof compactSteps)[number];

/** What a step calls, by its name. */
const CALLS: Readonly<Record<string, string>> = { list: 'waiting', read: 'bytes' };

/** `end` is called instead of the step, or right after it, when it comes for the `after + 1`st time. */
export function dyingAt(
  house: Pick<SmallHouse, 'inbox' | 'packs' | 'blobs'>,
  step: Step,
  after: number,
  end: () => void,
) {
  const isAfter = step.startsWith('after ');
  const name = isAfter ? step.slice('after '.length) : step;
  const call = CALLS[name] ?? name;
  let passed = 0;
  const dying = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key, target);
        if (typeof method !== 'function') return method;
        return async (...values: unknown[]) => {
          const isDue = key === call && passed++ === after;
          if (isDue && !isAfter) end();
          const result: unknown = await method.apply(target, values);
          if (isDue && isAfter) end();
          return result;
        };
      },
    });
  return { inbox: dying(house.inbox), packs: dying(house.packs), blobs: dying(house.blobs) };
}

/** The name of a step in lists and in the journal, and its size. */
import { formatRemote } from '../remote/location.ts';
import type { NamedStep } from './completed-steps.ts';
import { nameOf } from './journal.ts';
import type { Subject } from './outcome.ts';
import type { TransferStep } from './plan.ts';
import type { Aimed } from './shared-target.ts';

export async function* namedSteps(steps: AsyncIterable<TransferStep>): AsyncGenerator<NamedStep> {
  for await (const step of steps) {
    const subject = subjectOf(step);
    yield { step, subject, mark: markOf(step, subject) };
  }
}

export function subjectOf(step: TransferStep): Subject {
  switch (step.kind) {
    case 'up':
      return [step.file.path, formatRemote(step.to)];
    case 'in':
      return ['-', formatRemote(step.to)];
    case 'down':
      return [formatRemote(step.from), step.file];
    case 'out':
      return [formatRemote(step.from), '-'];
    case 'between':
      return [formatRemote(step.from), formatRemote(step.to)];
  }
}

export function aimOf(step: TransferStep): Aimed {
  const [source] = subjectOf(step);
  if (step.kind === 'down') return { source, target: { kind: 'local', path: step.file } };
  return { source, target: step.kind === 'out' ? { kind: 'pipe' } : step.to };
}

/** The content and its target; a pipe has no content that could be read again. */
function markOf(step: TransferStep, subject: Subject): string | undefined {
  if (step.kind === 'up') return nameOf(...filled(subject), step.file.version);
  if (step.kind === 'in' || step.kind === 'out' || step.object === undefined) return undefined;
  return nameOf(...filled(subject), step.object.hash, String(step.object.putTime));
}

function filled([source, target = '']: Subject): [string, string] {
  return [source, target];
}

export function sizeOf(step: TransferStep): number | undefined {
  if (step.kind === 'up') return step.file.size;
  return step.kind === 'in' || step.kind === 'out' ? undefined : step.object?.fsize;
}

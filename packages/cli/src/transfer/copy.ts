/** Carries the steps of a copy out: several at a time, journalled, with progress, each failure on its own. */
import { pipeline } from 'node:stream/promises';
import type { OwnUploadOptions } from '@millpond/client/server';
import { type Installations, identityOf } from '../remote/installation.ts';
import { formatRemote } from '../remote/place.ts';
import { bytesText } from '../remote/text.ts';
import { type Copied, copyUp } from './copy-up.ts';
import { type Judged, judged, type Named } from './done-before.ts';
import { nameOf, type TransferJournal } from './journal.ts';
import { Gate, runLanes } from './lanes.ts';
import type { Outcomes, Subject } from './outcome.ts';
import type { Step } from './plan.ts';
import type { Progress } from './progress.ts';

export interface CopyParts {
  readonly installations: Installations;
  readonly outcomes: Outcomes;
  readonly progress: Progress;
  readonly journal: TransferJournal;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly resume: boolean;
  readonly upload: OwnUploadOptions;
  /** Refuse to replace what is there. */
  readonly insertOnly: boolean;
}

/** Each has several parts under way, in memory. */
const LARGE_AT_A_TIME = 2;
const LARGE_BYTES = 4 * 1024 * 1024;

export class Copier {
  readonly #parts: CopyParts;
  readonly #large = new Gate(LARGE_AT_A_TIME);
  readonly bytes = { copied: 0, sent: 0, received: 0 };

  constructor(parts: CopyParts) {
    this.#parts = parts;
  }

  run(steps: AsyncIterable<Step>): Promise<void> {
    const { installations, journal, concurrency, signal } = this.#parts;
    const hashOf = ({ mark }: Named) => (mark === undefined ? undefined : journal.hashOf(mark));
    const judgedSteps = judged(namedSteps(steps), { installations, signal, hashOf });
    return runLanes(judgedSteps, concurrency, signal, (each) => this.#step(each));
  }

  /** Tells what would be copied. */
  async plan(steps: AsyncIterable<Step>): Promise<void> {
    for await (const step of steps) {
      if (this.#parts.signal.aborted) return;
      this.#parts.outcomes.planned(subjectOf(step));
    }
  }

  async #step({ step, subject, mark, isDone }: Judged): Promise<void> {
    const { outcomes, progress, journal, signal } = this.#parts;
    const [source] = subject;
    const size = sizeOf(step);
    if (isDone) {
      progress.begin(source, size)(size ?? 0);
      progress.end(source);
      outcomes.skipped(subject, 'done before');
      return;
    }
    const tell = progress.begin(source, size);
    try {
      const run = () => this.#carry(step, tell);
      const copied = await ((size ?? 0) > LARGE_BYTES ? this.#large.pass(run) : run());
      tell(copied.size);
      this.bytes.copied += copied.size;
      this.bytes.sent += copied.sent;
      this.bytes.received += copied.received ?? 0;
      if (mark !== undefined) journal.add(mark, copied.hash);
      outcomes.done(subject, { ...copied });
    } catch (error) {
      if (!signal.aborted) outcomes.failed(subject, error);
    } finally {
      progress.end(source);
    }
  }

  async #carry(step: Step, onBytes: (done: number) => void): Promise<Copied> {
    const { installations, signal, insertOnly } = this.#parts;
    const upload: OwnUploadOptions = {
      ...this.#parts.upload,
      insertOnly,
      signal,
      onProgress: ({ done }) => onBytes(done),
    };
    switch (step.kind) {
      case 'up':
        return copyUp(installations.client(step.to.alias), step.file, step.to, upload);
      case 'in':
        return installations
          .client(step.to.alias)
          .uploadStream(step.to.bucket, step.to.key, process.stdin as AsyncIterable<Buffer>, upload);
      case 'down':
        return this.#down(step, onBytes);
      case 'out': {
        const got = await installations
          .client(step.from.alias)
          .download(step.from.bucket, step.from.key, { signal });
        await pipeline(counted(got.content, onBytes), process.stdout, { end: false });
        return { size: got.size, sent: 0, received: got.size, hash: got.hash };
      }
      case 'between':
        return this.#between(step, upload);
    }
  }

  async #down({ from, file }: Step & { kind: 'down' }, onBytes: (done: number) => void): Promise<Copied> {
    const { installations, signal, resume } = this.#parts;
    const { size, hash, received } = await installations
      .client(from.alias)
      .downloadFile(from.bucket, from.key, file, { signal, resume, onProgress: ({ done }) => onBytes(done) });
    return { size, sent: 0, received, hash };
  }

  /** Within an installation no byte moves; from one to another they pass through here. */
  async #between(step: Step & { kind: 'between' }, upload: OwnUploadOptions): Promise<Copied> {
    const { installations, insertOnly, signal } = this.#parts;
    const { from, to } = step;
    const client = installations.client(from.alias);
    if (identityOf(from.alias) === identityOf(to.alias)) {
      await client.objects.copy(from, to, { force: !insertOnly, signal });
      return { size: step.object?.fsize ?? 0, sent: 0, hash: step.object?.hash ?? '' };
    }
    const got = await client.download(from.bucket, from.key, { signal });
    const mimeType = upload.mimeType ?? got.mimeType;
    const target = installations.client(to.alias);
    const sent = await target.uploadStream(to.bucket, to.key, got.content, { ...upload, mimeType });
    return { ...sent, received: got.size };
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  onBytes: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of content) {
    done += chunk.length;
    onBytes(done);
    yield chunk;
  }
}

export function summaryText(counts: Outcomes['counts'], bytes: Copier['bytes'], seconds: number): string {
  const rate = (moved: number) => `${bytesText(Math.round(moved / Math.max(seconds, 0.001)))}/s`;
  const rates = [
    ...(bytes.received > 0 ? [`${rate(bytes.received)} received`] : []),
    ...(bytes.sent > 0 ? [`${rate(bytes.sent)} sent`] : []),
  ];
  const copied = `${counts.done} copied (${bytesText(bytes.copied)}) in ${seconds.toFixed(1)} s`;
  return `${[copied, ...rates].join(', ')}; ${counts.skipped} done before, ${restText(counts)}`;
}

export function plannedText(counts: Outcomes['counts']): string {
  return `${counts.planned} would be copied; ${restText(counts)}`;
}

function restText({ leftOut, failed }: Outcomes['counts']): string {
  return `${leftOut === 0 ? '' : `${leftOut} left out, `}${failed} failed`;
}

async function* namedSteps(steps: AsyncIterable<Step>): AsyncGenerator<Named> {
  for await (const step of steps) {
    const subject = subjectOf(step);
    yield { step, subject, mark: markOf(step, subject) };
  }
}

function subjectOf(step: Step): Subject {
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

/** The content and where it goes; a pipe has none that would be there again. */
function markOf(step: Step, subject: Subject): string | undefined {
  if (step.kind === 'up') return nameOf(...filled(subject), step.file.version);
  if (step.kind === 'in' || step.kind === 'out' || step.object === undefined) return undefined;
  return nameOf(...filled(subject), step.object.hash, String(step.object.putTime));
}

function filled([source, target = '']: Subject): [string, string] {
  return [source, target];
}

function sizeOf(step: Step): number | undefined {
  if (step.kind === 'up') return step.file.size;
  return step.kind === 'in' || step.kind === 'out' ? undefined : step.object?.fsize;
}

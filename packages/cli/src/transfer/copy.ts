/** Carries out the steps of a copy: several at a time, journalled, with progress, each failure on its own. */
import { pipeline } from 'node:stream/promises';
import { MillpondError } from '@millpond/client';
import {
  type Client,
  type ObjectRecord,
  type OwnUploadOptions,
  putTimeToDate,
} from '@millpond/client/server';
import { MAX_OBJECT_DAYS, MIB, responseHeaderName } from '@millpond/protocol';
import { UsageError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { bytesText } from '../remote/text.ts';
import { checkCompleted, type Judged, type NamedStep } from './completed-steps.ts';
import { runConcurrently, Semaphore } from './concurrency.ts';
import { type Copied, uploadFile } from './copy-up.ts';
import type { TransferJournal } from './journal.ts';
import type { OutcomeReporter } from './outcome.ts';
import type { TransferStep } from './plan.ts';
import type { Progress } from './progress.ts';
import { ServerCopyRoutes } from './routes.ts';
import { namedSteps, sizeOf, subjectOf } from './step-names.ts';

export interface CopyDeps {
  readonly installations: Installations;
  readonly outcomeReporter: OutcomeReporter;
  readonly progress: Progress;
  readonly journal: TransferJournal;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly resume: boolean;
  readonly upload: OwnUploadOptions;
  /** Refuse to replace what is there. */
  readonly insertOnly: boolean;
}

/** Each keeps several parts in flight, in memory. */
const MAX_CONCURRENT_LARGE = 2;
const LARGE_BYTES = 4 * MIB;

export class Copier {
  readonly #deps: CopyDeps;
  readonly #large = new Semaphore(MAX_CONCURRENT_LARGE);
  readonly #routes: ServerCopyRoutes;
  readonly bytes = { copied: 0, sent: 0, received: 0 };

  constructor(deps: CopyDeps) {
    this.#deps = deps;
    this.#routes = new ServerCopyRoutes(deps.installations, deps.signal);
  }

  run(steps: AsyncIterable<TransferStep>): Promise<void> {
    const { installations, journal, concurrency, signal } = this.#deps;
    const hashOf = ({ mark }: NamedStep) => (mark === undefined ? undefined : journal.hashOf(mark));
    const judgedSteps = checkCompleted(namedSteps(steps), { installations, signal, hashOf });
    return runConcurrently(judgedSteps, concurrency, signal, (each) => this.#step(each));
  }

  /** Reports what would be copied. */
  async plan(steps: AsyncIterable<TransferStep>): Promise<void> {
    for await (const step of steps) {
      if (this.#deps.signal.aborted) return;
      this.#deps.outcomeReporter.planned(subjectOf(step));
    }
  }

  /** One step, whatever was done before. If something is in its way, `onInTheWay` may be called instead of failing. */
  copy(step: TransferStep, onInTheWay?: (error: PathConflictError) => void): Promise<void> {
    return this.#step({ step, subject: subjectOf(step), mark: undefined, isDone: false }, onInTheWay);
  }

  /** What need not be copied still counts towards the progress. */
  passOver(source: string, size: number | undefined): void {
    const { progress } = this.#deps;
    progress.begin(source, size)(size ?? 0);
    progress.end(source);
  }

  async #step(
    { step, subject, mark, isDone }: Judged,
    onInTheWay?: (error: PathConflictError) => void,
  ): Promise<void> {
    const { outcomeReporter, progress, journal, signal } = this.#deps;
    const [source] = subject;
    const size = sizeOf(step);
    if (isDone) {
      this.passOver(source, size);
      outcomeReporter.skipped(subject, 'done before');
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
      outcomeReporter.done(subject, { ...copied });
    } catch (error) {
      if (error instanceof PathConflictError && onInTheWay !== undefined) onInTheWay(error);
      else if (!signal.aborted) outcomeReporter.failed(subject, error);
    } finally {
      progress.end(source);
    }
  }

  async #carry(step: TransferStep, onBytes: (done: number) => void): Promise<Copied> {
    const { installations, signal, insertOnly } = this.#deps;
    const upload: OwnUploadOptions = {
      ...this.#deps.upload,
      insertOnly,
      signal,
      onProgress: ({ done }) => onBytes(done),
    };
    switch (step.kind) {
      case 'up':
        return uploadFile(installations.client(step.to.alias), step.file, step.to, upload);
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

  async #down(
    { from, file, object, isMirror, isNew }: TransferStep & { kind: 'down' },
    onBytes: (done: number) => void,
  ): Promise<Copied> {
    const { installations, signal, resume } = this.#deps;
    const options = {
      signal,
      resume,
      replace: !isNew,
      modified: isMirror && object !== undefined ? putTimeToDate(object.putTime) : undefined,
      onProgress: ({ done }: { done: number }) => onBytes(done),
    };
    const { size, hash, received } = await installations
      .client(from.alias)
      .downloadFile(from.bucket, from.key, file, options)
      .catch((error: unknown) => {
        throw explainPathConflict(file, error);
      });
    return { size, sent: 0, received, hash };
  }

  /** Within an installation no byte moves; between two, bytes pass through here. */
  async #between(step: TransferStep & { kind: 'between' }, upload: OwnUploadOptions): Promise<Copied> {
    const { installations, signal } = this.#deps;
    const { from, to } = step;
    const server = await this.#routes.serverFor(from, to, step.object);
    if (server !== undefined && (await this.#copiedBy(server, step)))
      return { size: step.object?.fsize ?? 0, sent: 0, hash: step.object?.hash ?? '' };
    const client = installations.client(from.alias);
    const object = step.object ?? (await client.objects.stat(from.bucket, from.key, { signal }));
    const got = await client.download(from.bucket, from.key, { signal });
    const target = installations.client(to.alias);
    const described = { ...upload, ...describedAs(object, upload) };
    const sent = await target.uploadStream(to.bucket, to.key, got.content, described);
    return { ...sent, received: got.size };
  }

  /** False: the target's key lacks the permission, though it sees the source. */
  async #copiedBy(server: Client, { from, to }: TransferStep & { kind: 'between' }): Promise<boolean> {
    const { installations, insertOnly, signal } = this.#deps;
    try {
      await server.objects.copy(from, to, { force: !insertOnly, signal });
      return true;
    } catch (error) {
      const isDenied = error instanceof MillpondError && (error.status === 401 || error.status === 403);
      if (!isDenied || installations.isOneKey(from.alias, to.alias)) throw error;
      this.#routes.refused(from, to);
      return false;
    }
  }
}

const DAY_SECONDS = 86_400;
/** The most that an upload can say. */

/**
 * Like the source, except for what the command itself says. Headers that only some dialects know are dropped. An upload counts its life
 * in days: it ends no earlier than the source, and at most two days later.
 */
function describedAs(object: ObjectRecord, upload: OwnUploadOptions): OwnUploadOptions {
  const { expiration, type } = object;
  const daysLeft = expiration === undefined ? undefined : (expiration - Date.now() / 1000) / DAY_SECONDS;
  const headers = Object.entries(object.responseHeaders).filter(([name]) => responseHeaderName(name));
  return {
    mimeType: upload.mimeType ?? object.mimeType,
    metadata: { ...object.metadata, ...upload.metadata },
    policy: {
      fileType: type,
      ...(daysLeft === undefined
        ? {}
        : { deleteAfterDays: Math.min(MAX_OBJECT_DAYS, Math.max(1, Math.ceil(daysLeft))) }),
      ...upload.policy,
    },
    responseHeaders: { ...Object.fromEntries(headers), ...upload.responseHeaders },
  };
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

export function summaryText(
  counts: OutcomeReporter['counts'],
  bytes: Copier['bytes'],
  seconds: number,
): string {
  return `${copiedText(counts.done, bytes, seconds)}; ${counts.skipped} done before, ${restText(counts)}`;
}

export function copiedText(count: number, bytes: Copier['bytes'], seconds: number): string {
  const rate = (moved: number) => `${bytesText(Math.round(moved / Math.max(seconds, 0.001)))}/s`;
  const rates = [
    ...(bytes.received > 0 ? [`${rate(bytes.received)} received`] : []),
    ...(bytes.sent > 0 ? [`${rate(bytes.sent)} sent`] : []),
  ];
  return [`${count} copied (${bytesText(bytes.copied)}) in ${seconds.toFixed(1)} s`, ...rates].join(', ');
}

export function plannedText(counts: OutcomeReporter['counts']): string {
  return `${counts.planned} would be copied; ${restText(counts)}`;
}

export function restText({ leftOut, failed }: OutcomeReporter['counts']): string {
  return `${leftOut === 0 ? '' : `${leftOut} left out, `}${failed} failed`;
}

/** A file where a folder is needed, or a folder where a file is. */
class PathConflictError extends UsageError {}

const CODES = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY'];

/** Explains EEXIST, ENOTDIR, EISDIR, ENOTEMPTY. */
function explainPathConflict(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'fileExists')
    return new MillpondError(
      'fileExists',
      `${file} already exists: it was just created, or this file system treats its name as equal to another (upper and lower case)`,
      { cause: error },
    );
  if (!CODES.includes(String(error.code))) return error;
  return new PathConflictError(
    `${file} cannot be written: there is a file where it needs a folder, or a folder with its name`,
    { cause: error },
  );
}

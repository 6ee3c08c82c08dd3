/**
 * Opens the inspector in the background, so that a machine where its programs are missing or slow still serves uploads and
 * downloads. What is off is logged once, with how to get it; its variables have no value.
 */
import type { Log } from '@millpond/base';
import { gauge, type Metrics, Timer } from '@millpond/base';
import { type Inspector, openInspector, SandboxUnavailableError, type VariableOff } from '@millpond/jail';
import type { Config } from '../config/config.ts';
import type { SharedSandbox } from './sandbox.ts';

export interface Inspection extends Pick<Inspector, 'inspectImage' | 'inspectMedia' | 'close'> {
  /** For processes that answer uploads; inspections wait until then. */
  start(): void;
}

export function openInspection(
  config: Config,
  shared: SharedSandbox,
  log: Log,
  metrics: Metrics,
): Inspection {
  const timer = new Timer({
    name: 'millpond_inspection_seconds',
    help: 'Duration of inspections of uploaded content',
    labels: ['kind', 'outcome'],
  });
  let off: readonly VariableOff[] = [];
  metrics.add(
    timer,
    gauge(
      { name: 'millpond_variables_off', help: 'Variables that this gateway cannot fill, though it is to' },
      () => off.length,
    ),
  );

  const opening = Promise.withResolvers<Inspector | undefined>();
  let started = false;
  let inspector: Inspector | undefined;

  async function open(): Promise<Inspector> {
    const sandbox = config.inspect ? await shared.open() : switchedOff();
    inspector = await openInspector({
      sandbox,
      log,
      ffprobe: config.ffprobe,
      deadlineMs: config.inspectDeadline,
      concurrency: config.inspectConcurrency,
      waiting: config.inspectWaiting,
      onLook: ({ kind, outcome, seconds }) => timer.observe({ kind, outcome }, seconds),
    });
    // What is off on purpose is nothing to report.
    if (!config.inspect) return inspector;
    off = inspector.off;
    for (const [reason, names] of byReason(off)) log.warn(`inspector off: ${names.join(', ')}: ${reason}`);
    return inspector;
  }

  /** Only the first inspections of a process find it still opening; they wait within their own time limit. */
  async function ready(signal: AbortSignal | undefined): Promise<Inspector | undefined> {
    if (inspector !== undefined) return inspector;
    const deadline = AbortSignal.timeout(config.inspectDeadline);
    const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    const over = new Promise<undefined>((resolve) => {
      if (either.aborted) resolve(undefined);
      either.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return Promise.race([opening.promise, over]);
  }

  return {
    start() {
      started = true;
      open().then(opening.resolve, (error: unknown) => {
        log.error({ err: error }, 'the inspector could not be opened');
        opening.resolve(undefined);
      });
    },
    inspectImage: async (source, options) => (await ready(options?.signal))?.inspectImage(source, options),
    inspectMedia: async (source, options) => (await ready(options?.signal))?.inspectMedia(source, options),
    async close() {
      const opened = started ? await opening.promise : undefined;
      await opened?.close();
    },
  };
}

function switchedOff(): SandboxUnavailableError {
  return new SandboxUnavailableError([{ problem: 'switched off', remedy: 'MILLPOND_INSPECT=true' }]);
}

function byReason(off: readonly VariableOff[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { variable, reason } of off) found.set(reason, [...(found.get(reason) ?? []), variable]);
  return found;
}

/** Runs the commands of tasks on the media engine, and names the files that belong to a result. */
import { BlobNotFoundError } from '@millpond/blobs';
import {
  type DownloadTarget,
  type MediaEngine,
  type MediaPart,
  type PartName,
  ProcessingError,
  runStages,
  StageError,
} from '@millpond/jail';
import { Fault, type Fop } from '@millpond/protocol';
import type { Tenants } from '../../../identity/accounts/index.ts';
import { partKey, relativeAddress } from '../part-keys.ts';
import { type CommandEngine, CommandError, type OutputFile } from './command-engine.ts';
import type { Sources } from './sources.ts';

export interface CommandDeps {
  /** Rejects on a machine without the sandbox or the engines. */
  readonly media: () => Promise<MediaEngine>;
  readonly sources: Sources;
  readonly tenants: Pick<Tenants, 'of'>;
}

export function createCommandEngine({ media, sources, tenants }: CommandDeps): CommandEngine {
  return {
    async withResult(fop, task, { signal, progress, clock, mainKey }, keep) {
      const engine = await media();
      // What `keep` throws is about storing, not about the command.
      let isMade = false;
      try {
        const source = await sources.pinned(task, signal);
        const job = {
          stages: fop.stages,
          source,
          further: (url: string, downloadTarget: DownloadTarget) =>
            sources.further(task, url, downloadTarget),
          tenant: await tenants.of(task.uid),
          signal,
          clock,
          onProgress: (fraction: number) => progress(100 * fraction),
          ...(mainKey === undefined
            ? {}
            : { addressOf: (part: PartName) => relativeAddress(mainKey, partKey(fop, mainKey, part)) }),
        };
        return await runStages(engine, job, ({ main, parts, warnings }) => {
          isMade = true;
          return keep([alone(main), ...parts.map((part) => beside(fop, part))], warnings);
        });
      } catch (error) {
        throw isMade ? error : toCommandError(error);
      }
    },
  };
}

/** Only failures that a retry would not change fail the item. */
function toCommandError(error: unknown): unknown {
  if (error instanceof BlobNotFoundError) return new CommandError('the bytes of a source are gone', 0);
  if (error instanceof Fault && error.status !== 599) return new CommandError(error.hint ?? error.fault, 0);
  if (!(error instanceof ProcessingError) || error.mayTryAgain || error.reason === 'aborted') return error;
  const stage = error instanceof StageError ? error.stage : 0;
  return new CommandError(error.message, stage, error.words === '' ? undefined : error.words);
}

function alone({ path, mimeType }: { path: string; mimeType: string }): OutputFile {
  return { path, mimeType, siblingKey: (mainKey) => mainKey };
}

function beside(fop: Fop, part: MediaPart): OutputFile {
  return { path: part.path, mimeType: part.mimeType, siblingKey: (mainKey) => partKey(fop, mainKey, part) };
}

/** Opens the media engine when it is first needed: with all that this machine has for it, and the reasons for what it lacks. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import {
  isSharpInstalled,
  type MediaEngine,
  type MissingEngines,
  openMediaEngine,
  probeLimits,
  type Sandbox,
  type SandboxProblem,
  SandboxUnavailableError,
} from '@millpond/jail';
import type { Config } from '../config/config.ts';
import type { SharedSandbox } from './sandbox.ts';

export interface Media {
  engine(): Promise<MediaEngine>;
  /** What the engine lacks; undefined while that is not known. */
  readonly missing: MissingEngines | undefined;
  close(): Promise<void>;
}

const INSPECT_TIMEOUT_MS = 20_000;

export function openMedia(config: Config, shared: SharedSandbox): Media {
  let opened: Promise<MediaEngine> | undefined;
  let missing: MissingEngines | undefined;
  async function open(): Promise<MediaEngine> {
    const found = await shared.open();
    const folders = await shared.folders();
    const programs =
      found instanceof SandboxUnavailableError ? withoutSandbox(found) : await missingFor(found, config);
    missing =
      folders instanceof SandboxUnavailableError ? { ...programs, files: firstOf(folders) } : programs;
    return openMediaEngine({
      folders: folders instanceof SandboxUnavailableError ? undefined : folders,
      sandbox: found instanceof SandboxUnavailableError ? undefined : found,
      missing,
      ffmpeg: config.ffmpeg,
      ffprobe: config.ffprobe,
      threads: config.mediaThreads,
      imageProcesses: config.imageProcesses,
    });
  }
  return {
    get missing() {
      return missing;
    },
    engine() {
      opened ??= open();
      return opened;
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

function withoutSandbox(reason: SandboxUnavailableError): MissingEngines {
  const problem = firstOf(reason);
  return { images: problem, media: problem };
}

function firstOf({ problems, message }: SandboxUnavailableError): SandboxProblem {
  const [problem = { problem: message, remedy: 'see docs/sandbox.md' }] = problems;
  return problem;
}

async function missingFor(sandbox: Sandbox, config: Config): Promise<MissingEngines> {
  const [ffmpeg, ffprobe] = await Promise.all([
    programProblem(sandbox, config.ffmpeg, 'MILLPOND_FFMPEG'),
    programProblem(sandbox, config.ffprobe, 'MILLPOND_FFPROBE'),
  ]);
  const [media, images] = [ffmpeg ?? ffprobe, isSharpInstalled() ? undefined : NO_SHARP];
  return { ...(images && { images }), ...(media && { media }) };
}

const NO_SHARP: SandboxProblem = {
  problem: 'the package sharp is not installed for this machine',
  remedy: 'npm install sharp, with optional dependencies',
};

async function programProblem(
  sandbox: Sandbox,
  program: string,
  setting: string,
): Promise<SandboxProblem | undefined> {
  const isThere = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  const remedy = `apt-get install ffmpeg, or name it in ${setting}`;
  if (!isThere) return { problem: `${program} is missing`, remedy };
  const limits = { ...probeLimits, wallMs: INSPECT_TIMEOUT_MS, cpuSeconds: INSPECT_TIMEOUT_MS / 1000 };
  const isRun = await sandbox.run({ program, args: ['-version'], limits }).then(
    ({ outcome, code }) => outcome === 'exited' && code === 0,
    () => false,
  );
  return isRun ? undefined : { problem: `${program} does not run in the sandbox`, remedy };
}

/**
 * What opens pictures and films on a developer's machine: where its programs are, and what is off because one is missing. Pictures
 * need nothing but our packages; films need an ffmpeg.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { EngineReport, Environment } from '@millpond/server';
import type { MissingProgram } from '../live.ts';
import { wasmPrograms } from './wasm.ts';

/** Also looked into: those of Homebrew, and what a machine's owner installed by hand. */
const OTHER_FOLDERS = ['/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'];

export interface FoundPrograms {
  readonly settings: Readonly<Record<string, string>>;
  /** Whether they are those in WebAssembly. */
  readonly isWasm: boolean;
}

/** In PATH or beside it, else in WebAssembly; if there is none, the server looks where a deployment would, and reports it. */
export async function findMediaPrograms(environment: Environment): Promise<FoundPrograms> {
  const inPath = (environment.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const folders = [...inPath, ...OTHER_FOLDERS];
  const [ffmpeg, ffprobe] = [await findIn(folders, 'ffmpeg'), await findIn(folders, 'ffprobe')];
  const native = ffmpeg !== undefined && ffprobe !== undefined ? { ffmpeg, ffprobe } : undefined;
  const found = native ?? wasmPrograms();
  if (found === undefined) return { settings: {}, isWasm: false };
  const settings = { MILLPOND_FFMPEG: found.ffmpeg, MILLPOND_FFPROBE: found.ffprobe };
  return { settings, isWasm: native === undefined && environment.MILLPOND_FFMPEG === undefined };
}

async function findIn(folders: readonly string[], name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const file = path.join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

const FILMS = 'processing of sound and video, recordings and snapshots of live streams, and video of devices';
const PICTURES = 'images by URL and in tasks, and the variables imageInfo, exif and imageAve';
const FFMPEG = {
  program: 'ffmpeg',
  off: `${FILMS}, and the variable avinfo`,
  remedy: process.platform === 'darwin' ? 'brew install ffmpeg' : 'apt-get install ffmpeg',
};

/** What is off, by what the server found. */
export function missingEngines({ missing }: EngineReport): MissingProgram[] {
  const { images, media } = missing;
  const isBoth = images !== undefined && images.problem === media?.problem;
  return [
    ...(images === undefined
      ? []
      : [
          {
            program: 'images',
            off: isBoth ? `${PICTURES}; ${FILMS}, and the variable avinfo` : PICTURES,
            reason: images.problem,
            remedy: images.remedy,
          },
        ]),
    ...(media === undefined || isBoth ? [] : [{ ...FFMPEG, reason: media.problem }]),
  ];
}

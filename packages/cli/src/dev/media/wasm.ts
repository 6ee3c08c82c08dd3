/**
 * ffmpeg in WebAssembly, if its package is installed beside the project or the command: slow, but on every system, and it can't
 * get at anything. Nothing of ours brings it: its licence is the GPL.
 */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildAtomically, cacheFolder } from '../cache.ts';

const PACKAGE = '@ffmpeg/core';
const PROGRAM = path.join(import.meta.dirname, `wasm-program${path.extname(import.meta.filename)}`);
const OWN_PACKAGE = path.join(import.meta.dirname, '../../../package.json');

export interface MediaPrograms {
  readonly ffmpeg: string;
  readonly ffprobe: string;
}

/** Programs that take the arguments of the real ones; undefined if the package is not there. */
export function wasmPrograms(): MediaPrograms | undefined {
  const core = coreFolder();
  if (core === undefined || !existsSync(PROGRAM)) return undefined;
  const scripts = { ffmpeg: script(core, 'ffmpeg'), ffprobe: script(core, 'ffprobe') };
  const digest = createHash('sha256').update(JSON.stringify(scripts)).digest('hex').slice(0, 16);
  const folder = path.join(cacheFolder(), `ffmpeg-wasm-${digest}`);
  buildAtomically(folder, (made) => {
    for (const [name, text] of Object.entries(scripts)) {
      const file = path.join(made, name);
      writeFileSync(file, text);
      chmodSync(file, 0o755);
    }
  });
  return { ffmpeg: path.join(folder, 'ffmpeg'), ffprobe: path.join(folder, 'ffprobe') };
}

function coreFolder(): string | undefined {
  for (const from of [path.join(process.cwd(), 'x'), import.meta.filename]) {
    try {
      return path.dirname(createRequire(from).resolve(PACKAGE));
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** It reads itself, the core and the folders of jobs, and writes only where it runs. */
function script(core: string, name: string): string {
  const reads = [PROGRAM, OWN_PACKAGE, path.resolve(core, '../..')]
    .map((place) => `--allow-fs-read=${quoted(place)}`)
    .join(' ');
  const node = `${quoted(process.execPath)} --permission --disable-warning=ExperimentalWarning`;
  return `#!/bin/sh
exec ${node} ${reads} --allow-fs-read="$(dirname "$PWD")" --allow-fs-write="$PWD" ${quoted(PROGRAM)} ${quoted(core)} ${name} "$@"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

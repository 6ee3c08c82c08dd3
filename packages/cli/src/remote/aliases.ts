/**
 * Installations by short names, with their access keys: one file that only its owner can read, written to a temporary
 * file and renamed.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { UsageError } from '../exit.ts';

export interface Alias {
  /** `https://example.com`, or several: `role=https://…`. */
  readonly endpoint: readonly string[];
  readonly accessKey: string;
  readonly secretKey: string;
  readonly dialect: 'svc' | 'qiniu';
}

export function aliasFile(): string {
  const folder = process.env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config');
  return path.join(folder, 'millpond', 'aliases.json');
}

export function readAliases(file = aliasFile()): Map<string, Alias> {
  let text: string;
  try {
    // 0o077: anybody else. Like ssh, we don't use keys that others could read.
    if ((statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`other users can read ${file}, which contains access keys: run chmod 600 on it`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, Alias>));
  } catch {
    throw new UsageError(`${file} is not the JSON that \`millpond alias\` writes`);
  }
}

export function writeAliases(aliases: ReadonlyMap<string, Alias>, file = aliasFile()): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomUUID()}`;
  writeFileSync(beside, `${JSON.stringify(Object.fromEntries(aliases), undefined, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

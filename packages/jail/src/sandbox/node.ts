/** What a Node program needs inside the sandbox: this process's own Node, and the module type. */
import path from 'node:path';
import type { FileMount } from './command-line.ts';

/** For the programs in the sandbox: TypeScript in a checkout, JavaScript in a package. */
export const PROGRAM_EXTENSION = path.extname(import.meta.filename);

export const nodeMount: FileMount = { source: process.execPath, target: '/app/node' };
export const packageMount: FileMount = {
  source: path.join(import.meta.dirname, '../../package.json'),
  target: '/app/package.json',
};

/** What a Node program needs inside the sandbox: this process's own Node, and the module type. */
import path from 'node:path';
import type { Mount } from './command-line.ts';

export const SANDBOXED_NODE = '/app/node';
/** For the programs in the sandbox: TypeScript in a checkout, JavaScript in a package. */
export const PROGRAM_EXTENSION = path.extname(import.meta.filename);

const PACKAGE = path.join(import.meta.dirname, '../../../package.json');

export const nodeMounts: readonly Mount[] = [
  { source: process.execPath, target: SANDBOXED_NODE },
  { source: PACKAGE, target: '/app/package.json' },
];

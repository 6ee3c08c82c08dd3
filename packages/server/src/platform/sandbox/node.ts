/** What a Node program needs inside the jail: this process's own Node, and the module type. */
import path from 'node:path';
import type { Mount } from './jail.ts';

export const JAILED_NODE = '/app/node';
/** For the programs in the jail: TypeScript in a checkout, JavaScript in a package. */
export const PROGRAM_EXTENSION = path.extname(import.meta.filename);

const PACKAGE = path.join(import.meta.dirname, '../../../package.json');

export const nodeMounts: readonly Mount[] = [
  { source: process.execPath, target: JAILED_NODE },
  { source: PACKAGE, target: '/app/package.json' },
];

/** What a Node program needs inside the jail: this process's own Node, and the modules' type. */
import path from 'node:path';
import type { Mount } from './jail.ts';

export const JAILED_NODE = '/app/node';
/** Of the programs for the jail: TypeScript in a checkout, JavaScript in a package. */
export const PROGRAM_EXTENSION = path.extname(import.meta.filename);

const PACKAGE = path.join(import.meta.dirname, '../../../package.json');

export const nodeMounts: readonly Mount[] = [
  { source: process.execPath, target: JAILED_NODE },
  { source: PACKAGE, target: '/app/package.json' },
];

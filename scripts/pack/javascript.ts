/** TypeScript to JavaScript as Node itself does it: types become spaces, so every line stays in place. */
import { stripTypeScriptTypes } from 'node:module';

const RELATIVE = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

export function toJavaScript(source: string): string {
  return namedAsJavaScript(stripTypeScriptTypes(source)).replace(/[^\S\n]+$/gm, '');
}

/** Relative imports with the file names used in the package; also for declarations. */
export function namedAsJavaScript(source: string): string {
  return source.replace(RELATIVE, '$1$2$3.js$2');
}

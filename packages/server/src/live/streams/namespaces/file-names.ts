/** Names of recordings and snapshots: a template's pattern, filled in with the facts of the file. */
import { invalidField } from '../../../platform/web/resources/index.ts';

export interface FileFacts {
  readonly namespaceId: string;
  readonly streamId: string;
  readonly startMs: number;
  readonly endMs: number;
}

const VARIABLE = /\$\{([^{}]*)\}/g;
const NAMES = ['namespaceId', 'streamId', 'startMs', 'endMs'] as const satisfies (keyof FileFacts)[];

/** Refuses a pattern that would give files of two streams, or of two moments, the same name. */
export function checkPattern(field: string, pattern: string, needed: readonly (keyof FileFacts)[]): void {
  const used = [...pattern.matchAll(VARIABLE)].map((match) => match[1] ?? '');
  const unknown = used.find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined)
    throw invalidField(`${field}: the variables are ${NAMES.map((name) => `\${${name}}`).join(', ')}`);
  for (const name of needed) {
    if (!used.includes(name)) throw invalidField(`${field} must contain \${${name}}`);
  }
  if (pattern.replaceAll(VARIABLE, '').includes('$'))
    throw invalidField(`${field} contains a $ that does not begin a variable`);
}

export function fileName(pattern: string, facts: FileFacts): string {
  return pattern.replaceAll(VARIABLE, (_whole, name: keyof FileFacts) => String(facts[name]));
}

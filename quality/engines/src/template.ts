// Fills the {{names}} of an engine's configuration file. A name without a value is an error, not an empty string.

import { readFileSync } from 'node:fs';
import { EngineError } from './fault.ts';

export function fillTemplate(path: string, values: Record<string, string | number>): string {
  return readFileSync(path, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new EngineError(`${path}: no value for ${name}`);
    return String(value);
  });
}

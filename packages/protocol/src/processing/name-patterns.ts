/**
 * Names of results that contain variables, `$(count)`: parsed once. Unlike in the upload policy an unknown variable is
 * a fault, because nobody is there to notice a wrong name.
 */

import { encodeBase64Text } from '../base64.ts';
import { MAX_KEY_BYTES } from '../limits/limits.ts';
import { decodeText, type ValueSyntax } from './value-forms.ts';

export type NamePart<Variable extends string> = string | { readonly variable: Variable };

export interface NamePattern<Variable extends string> {
  readonly source: string;
  readonly parts: readonly NamePart<Variable>[];
}

const MAX_PATTERN_BYTES = MAX_KEY_BYTES;

export interface PatternOptions<Variable extends string> {
  readonly variables: readonly Variable[];
  /** Must occur exactly once. */
  readonly required?: Variable;
}

export function encodedPattern<const Variable extends string>({
  variables,
  required,
}: PatternOptions<Variable>): ValueSyntax<NamePattern<Variable>> {
  const list = variables.map((name) => `$(${name})`).join(', ');
  return {
    form: `URL-safe Base64 of a name of at most ${MAX_PATTERN_BYTES} bytes with ${required === undefined ? 'variables' : `exactly one $(${required})`}${required !== undefined && variables.length === 1 ? '' : `; variables: ${list}`}`,
    shape: { kind: 'encoded', of: 'text' },
    read(text) {
      const source = decodeText(text, MAX_PATTERN_BYTES);
      const parts = source === undefined ? undefined : partsOf(source, variables);
      if (source === undefined || parts === undefined) return undefined;
      const uses = parts.filter((part) => typeof part !== 'string' && part.variable === required).length;
      return required !== undefined && uses !== 1 ? undefined : { source, parts };
    },
    print: ({ source }) => encodeBase64Text(source),
  };
}

function partsOf<Variable extends string>(
  source: string,
  variables: readonly Variable[],
): NamePart<Variable>[] | undefined {
  const parts: NamePart<Variable>[] = [];
  for (const [index, piece] of source.split(/\$\(([A-Za-z]+)\)/).entries()) {
    if (index % 2 === 0) {
      if (piece.includes('$(')) return undefined;
      if (piece !== '') parts.push(piece);
      continue;
    }
    const variable = variables.find((name) => name === piece);
    if (variable === undefined) return undefined;
    parts.push({ variable });
  }
  return parts;
}

export function renderName<Variable extends string>(
  pattern: NamePattern<Variable>,
  values: Readonly<Record<Variable, string>>,
): string {
  return pattern.parts.map((part) => (typeof part === 'string' ? part : values[part.variable])).join('');
}

/** `$(count)` as written: six digits, starting from 000000 or 000001. */
export function formatCount(count: number): string {
  return String(count).padStart(6, '0');
}

export const countPattern = encodedPattern({ variables: ['count'], required: 'count' });

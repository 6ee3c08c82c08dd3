/**
 * Which names take part: rules of `--include` and `--exclude`, tried in the order given. The first that matches a name,
 * or a folder on the way to it, decides. A name that no rule matches takes part, unless every rule is an inclusion.
 */
import { InvalidArgumentError } from 'commander';

export interface Rule {
  readonly kind: 'include' | 'exclude';
  readonly pattern: RegExp;
}

export class FilterRules {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  takes(name: string): boolean {
    const rule = this.#rules.find(({ pattern }) => pattern.test(name));
    if (rule !== undefined) return rule.kind === 'include';
    return this.#rules.length === 0 || this.#rules.some(({ kind }) => kind === 'exclude');
  }

  /** Whether nothing below a folder (whose name ends in `/`) can take part, so that it need not be read. */
  bars(folder: string): boolean {
    const first = this.#rules.findIndex(({ pattern }) => pattern.test(folder));
    return this.#rules.slice(0, first + 1).every(({ kind }) => kind === 'exclude') && first >= 0;
  }
}

/**
 * `*` is any text without `/`, `**` any text, `?` one character except `/`, `[a-z]` and `[!a-z]` one character of a
 * set, and a backslash escapes the next character. A pattern matches from the start of a file or folder name; with a
 * leading `/` only at the top. With a trailing `/`, it means a folder.
 */
export function parseRule(kind: Rule['kind'], glob: string): Rule {
  const isAtTop = glob.startsWith('/');
  const isFolder = glob.endsWith('/') && !glob.endsWith('\\/');
  const body = glob.slice(isAtTop ? 1 : 0, isFolder && glob.length > 1 ? -1 : undefined);
  if (body === '') throw new InvalidArgumentError('must be a pattern such as *.tmp');
  const before = isAtTop ? '^' : '^(?:.*/)?';
  try {
    return { kind, pattern: new RegExp(`${before}${expressionOf(body)}${isFolder ? '/' : '(?:/|$)'}`, 'su') };
  } catch {
    throw new InvalidArgumentError('must be a pattern such as *.tmp or [a-z]?.log');
  }
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[(!?)((?:\\.|[^\]\\])+)\]|\\(.)|(.)/gsu;

function expressionOf(glob: string): string {
  return glob.replace(
    TOKEN,
    (token, not: string, set: string | undefined, escaped?: string, plain?: string) => {
      if (token === '**/') return '(?:.*/)?';
      if (token === '**') return '.*';
      if (token === '*') return '[^/]*';
      if (token === '?') return '[^/]';
      if (set !== undefined) return `(?!/)[${not === '' ? '' : '^'}${setOf(set)}]`;
      return literal(escaped ?? plain ?? '');
    },
  );
}

function setOf(set: string): string {
  return set.replace(/\\(.)|\^/gsu, (token, escaped?: string) => {
    const character = escaped ?? token;
    return /[\\\]^-]/.test(character) ? `\\${character}` : character;
  });
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');
}

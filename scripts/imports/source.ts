/**
 * A source file as the rules see it: its code without comments and without the content of literals, the literals, and
 * its imports. A scanner with a few patterns, because the compiler in use has no API; a quote in a comment or an import
 * in a string must not be taken for code, or text planted in a test would count.
 */
export interface Literal {
  /** The position of its opening quote. */
  readonly start: number;
  readonly text: string;
}

export interface Import {
  readonly line: number;
  /** Undefined if the target is not a literal. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

export interface Source {
  /** As long as the file: comments and contents of literals are blanked. */
  readonly code: string;
  readonly literals: readonly Literal[];
  readonly imports: readonly Import[];
  lineAt(offset: number): number;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const REGULAR_EXPRESSION =
  /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\/[a-z]*/y;
const TEMPLATE_PIECE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
/** What may precede a regular expression; after anything else a slash divides. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|await|yield))\s*$/;

const IMPORT =
  /\b(?:from\s*(?<from>['"])|import\s*(?<bare>['"])|(?:import|require)\s*\(\s*(?<call>['"`](?=\s*['"`]\s*[),]))?)/g;

export function readSource(text: string): Source {
  const { code, literals } = scan(text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return { code, literals, imports: findImports(code, literals, lineAt), lineAt };
}

function scan(text: string): { code: string; literals: Literal[] } {
  const literals: Literal[] = [];
  let code = '';
  /** Templates that are open here, with the braces opened inside their current expression. */
  const open: { start: number; text: string; braces: number }[] = [];

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = code.length;
    return pattern.exec(text)?.[0];
  };
  const blank = (piece: string) => piece.replace(/[^\n]/g, ' ');
  const templatePiece = () => {
    const template = open.at(-1);
    const piece = take(TEMPLATE_PIECE);
    if (template === undefined || piece === undefined) return;
    const ends = piece.endsWith('`');
    const content = piece.slice(0, ends ? -1 : -2);
    template.text += ends ? content : `${content} `;
    code += blank(content) + (ends ? '`' : '${');
    if (!ends) return;
    literals.push({ start: template.start, text: template.text });
    open.pop();
  };

  while (code.length < text.length) {
    const character = text.charAt(code.length);
    const template = open.at(-1);
    if (character === '}' && template?.braces === 0) {
      code += '}';
      templatePiece();
      continue;
    }
    if (template !== undefined && character === '{') template.braces += 1;
    if (template !== undefined && character === '}') template.braces -= 1;
    if (character === '`') {
      open.push({ start: code.length, text: '', braces: 0 });
      code += '`';
      templatePiece();
      continue;
    }
    const comment = character === '/' ? take(COMMENT) : undefined;
    const string = character === "'" || character === '"' ? take(STRING) : undefined;
    const expression =
      character === '/' && comment === undefined && BEFORE_EXPRESSION.test(code.slice(-80))
        ? take(REGULAR_EXPRESSION)
        : undefined;
    if (string !== undefined) {
      literals.push({ start: code.length, text: string.slice(1, -1) });
      code += character + blank(string.slice(1, -1)) + character;
    } else {
      const skipped = comment ?? expression;
      code += skipped === undefined ? character : blank(skipped);
    }
  }
  return { code, literals };
}

function findImports(
  code: string,
  literals: readonly Literal[],
  lineAt: (offset: number) => number,
): Import[] {
  const textAt = new Map(literals.map((literal) => [literal.start, literal.text]));
  return [...code.matchAll(IMPORT)].map((match) => {
    const { from, bare, call } = match.groups ?? {};
    const literal = from ?? bare ?? call;
    const end = match.index + match[0].length;
    return {
      line: lineAt(match.index),
      target: literal === undefined ? undefined : textAt.get(end - 1),
      typeOnly: from !== undefined && isTypeOnly(code.slice(0, match.index)),
    };
  });
}

/** Whether the statement that ends here began with `import type` or `export type`. */
function isTypeOnly(before: string): boolean {
  const start = Math.max(before.lastIndexOf('import'), before.lastIndexOf('export'));
  return /^(?:import|export)\s+type\b(?!\s*,)/.test(before.slice(start));
}

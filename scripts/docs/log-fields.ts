/** Which fields the server's log lines have, by the source: the names in the objects that calls of the log are given. */
import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

export interface LogFields {
  /** Names that stand in the source. */
  readonly names: ReadonlySet<string>;
  /** Expressions that give more fields, as they are written. */
  readonly computed: ReadonlySet<string>;
}

const LEVELS = new Set(['debug', 'info', 'warn', 'error']);

export function logFieldsOf(source: string): LogFields {
  const names = new Set<string>();
  const computed = new Set<string>();
  const take = (given: Node | undefined): void => {
    if (given?.type === 'ObjectExpression')
      for (const property of given.properties as readonly Node[])
        if (property.type === 'SpreadElement') take(property.argument as Node);
        else names.add(nameOf(property.key as Node));
    else if (given !== undefined) computed.add(source.slice(given.start, given.end).replace(/\s+/g, ' '));
  };
  for (const node of nodesOf(parseAst(source, { lang: 'ts' }) as unknown as Node)) {
    if (node.type === 'CallExpression' && isLogCall(node.callee as Node)) {
      const [first] = node.arguments as readonly Node[];
      if (first?.type !== 'Literal' && first?.type !== 'TemplateLiteral') take(first);
    }
    for (const run of periodicRuns(node)) for (const figures of returnedBy(run)) take(figures);
  }
  return { names, computed };
}

/** `log.warn(…)`, `this.#deps.log.warn(…)`. */
function isLogCall(callee: Node): boolean {
  if (callee.type !== 'MemberExpression' || !LEVELS.has(nameOf(callee.property as Node))) return false;
  const of = callee.object as Node;
  return nameOf(of.type === 'MemberExpression' ? (of.property as Node) : of) === 'log';
}

/** What a periodic job does that says something: its figures become fields. */
function periodicRuns(node: Node): readonly Node[] {
  if (node.type === 'ObjectExpression') {
    const properties = node.properties as readonly Node[];
    const named = (name: string) =>
      properties.find(({ type, key }) => type === 'Property' && nameOf(key as Node) === name);
    const run = named('run')?.value as Node | undefined;
    return named('says') === undefined || run === undefined ? [] : [run];
  }
  const isShort = node.type === 'CallExpression' && nameOf(node.callee as Node) === 'often';
  return isShort ? [(node.arguments as readonly Node[])[2] as Node] : [];
}

function returnedBy(run: Node): readonly Node[] {
  const body = run.body as Node | undefined;
  // What is handed on, as in `{ name, says, run }`, is looked at where it is written.
  if (body === undefined) return [];
  if (body.type !== 'BlockStatement') return [body];
  return [...nodesOf(body)].flatMap(({ type, argument }) =>
    type === 'ReturnStatement' ? [argument as Node] : [],
  );
}

function nameOf({ name, value }: Node): string {
  return String(name ?? value ?? '');
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const part of Object.values(node))
    for (const child of Array.isArray(part) ? part : [part])
      if (typeof child === 'object' && child !== null && 'type' in child) yield* nodesOf(child as Node);
}

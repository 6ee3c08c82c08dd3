import { expect, test } from 'vitest';
import { readSource } from './source.ts';

/** `$` before a brace in a plain string looks like a mistake to the linter. */
const dollar = '$';

const targets = (text: string) => readSource(text).imports.map(({ target }) => target);

test('finds every form of import, over several lines too', () => {
  const text = `
import first from 'one';
import {
  second,
  type Third,
} from "two";
import type { Fourth } from 'three';
import 'four';
export { fifth } from './five.ts';
export * from './six.ts';
const seventh = await import('./seven.ts');
const eighth = await import(\`./eight.ts\`);
const ninth = require('nine');
`;
  expect(targets(text)).toEqual([
    'one',
    'two',
    'three',
    'four',
    './five.ts',
    './six.ts',
    './seven.ts',
    './eight.ts',
    'nine',
  ]);
  expect(readSource(text).imports.map(({ line }) => line)).toEqual([2, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('tells imports of types only', () => {
  const { imports } = readSource(
    "import type pg from 'a';\nimport { type pg } from 'b';\nexport type { Pool } from 'c';\nimport type, { x } from 'd';",
  );
  expect(imports.map(({ typeOnly }) => typeOnly)).toEqual([true, false, true, false]);
});

test('a computed target has no literal', () => {
  expect(
    targets(`await import(name); await import(\`./${dollar}{name}.ts\`); await import("./a" + name);`),
  ).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['a line comment', "// import a from 'a';"],
  ['a block comment', "/* import a from 'a'; */"],
  ['a string', `const text = "import a from 'a';";`],
  ['a template', "const text = `\nimport a from 'a';\n`;"],
  ['a template inside a template', `const text = \`${dollar}{\`import a from 'a'\`} import b from 'b'\`;`],
  ['a regular expression', "const form = /import a from 'a'/;"],
])('an import in %s is none, and what follows it is seen', (_name, text) => {
  expect(targets(`${text}\nimport real from 'real';`)).toEqual(['real']);
});

test.each([
  ['a quote in a regular expression', 'const quote = /[\'"`]/g;'],
  ['a slash in a class of one', 'if (/[/]/.test(a)) b();'],
  ['a division', 'const half = (a + b) / 2 / c;'],
  ['an apostrophe in a comment', "// it's\n/* it's */"],
  ['an escaped quote', "const a = 'it\\'s';"],
  ['braces in an expression of a template', `const a = \`${dollar}{{ b: { c } }.b}${dollar}{d}\`;`],
])('%s does not lead the scanner astray', (_name, text) => {
  expect(targets(`${text}\nimport real from 'real';`)).toEqual(['real']);
});

test('literals keep their text, the code keeps its length', () => {
  const text = `const a = 'one'; const b = \`two ${dollar}{c} three\`; // four`;
  const { code, literals } = readSource(text);
  expect(literals.map((literal) => literal.text)).toEqual(['one', 'two   three']);
  expect(code).toHaveLength(text.length);
  expect(code).not.toMatch(/one|two|three|four/);
  expect(code).toContain('c');
});

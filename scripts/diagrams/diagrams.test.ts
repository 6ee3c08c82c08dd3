import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { draw } from './draw.ts';

const DOCS = path.join(import.meta.dirname, '../../docs');

test('every diagram is drawn as its text says', async () => {
  const texts = (await readdir(path.join(DOCS, 'diagrams'))).filter((file) => file.endsWith('.dot'));
  expect(texts.length).toBeGreaterThan(0);
  for (const file of texts) {
    const picture = path.join(DOCS, 'pictures', file.replace(/\.dot$/, '.svg'));
    const drawn = await draw(await readFile(path.join(DOCS, 'diagrams', file), 'utf8'));
    expect(drawn, `${file}: run npm run diagrams`).toBe(await readFile(picture, 'utf8'));
  }
});

test('a mistake in a text is told', async () => {
  await expect(draw('digraph { a -> }')).rejects.toThrow(/syntax error/);
});

/** Puts the pages and their pictures where VitePress builds them from, with the files that it wants beside them. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Section } from './contents.ts';
import { PICTURE, readPage } from './page.ts';

const THEME = `import DefaultTheme from 'vitepress/theme';
import './style.css';
export default DefaultTheme;
`;

export async function stagePages(root: string, contents: readonly Section[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const page of contents.flatMap((section) => section.pages)) {
    const markdown = await readFile(path.join(root, page), 'utf8');
    const { pictures } = readPage(markdown);
    await write(folder, page.replace(/README\.md$/, 'index.md'), onSite(page, markdown));
    for (const picture of pictures) {
      const file = path.posix.join(path.posix.dirname(page), picture);
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await copyFile(path.join(root, file), path.join(folder, file));
    }
  }
  const config = path.join(import.meta.dirname, 'vitepress.ts');
  await write(folder, '.vitepress/config.mjs', `export { default } from ${JSON.stringify(config)};\n`);
  await write(folder, '.vitepress/theme/index.mjs', THEME);
  for (const name of ['style.css', 'langs.mjs'])
    await copyFile(
      path.join(import.meta.dirname, 'theme', name),
      path.join(folder, '.vitepress/theme', name),
    );
}

/** Without remarks to editors, which stand at the top; and unfound where the words of every other page are. */
function onSite(page: string, markdown: string): string {
  const text = shownByBoth(markdown.replace(/^(# .*\n\n)<!--[\s\S]*?-->\n/, '$1'));
  return UNFOUND.has(page) ? `---\nsearch: false\n---\n\n${text}` : text;
}

const UNFOUND: ReadonlySet<string> = new Set(['docs/reference/conformance.md', 'CHANGELOG.md']);

/** The one piece of HTML that pages may have, as two pictures of which style.css shows one. */
export function shownByBoth(markdown: string): string {
  return markdown.replaceAll(
    new RegExp(PICTURE, 'g'),
    (_, dark: string, alt: string, light: string) =>
      `![${alt}](${relative(light)}){.only-light}\n![${alt}](${relative(dark)}){.only-dark}`,
  );
}

/** The builder takes a bare name for that of a package. */
function relative(file: string): string {
  return file.startsWith('.') ? file : `./${file}`;
}

async function write(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

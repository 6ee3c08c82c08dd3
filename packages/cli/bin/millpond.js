#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong.
import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `millpond needs Node 24 or newer; this is ${process.versions.node}. \`npm i node@26\` installs one.\n`,
  );
  process.exit(2);
}
// A command starts in half the time when its code was read before. In the user's own folder: nobody else may write there.
module.enableCompileCache?.(
  path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'millpond'),
);
const { main } = await import('../src/main.ts');
await main(process.argv);

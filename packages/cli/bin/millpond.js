#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still say what is wrong.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `millpond needs Node 24 or newer; this is ${process.versions.node}. \`npm i node@26\` brings one.\n`,
  );
  process.exit(2);
}
const { main } = await import('../src/main.ts');
await main(process.argv);

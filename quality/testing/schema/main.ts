/** `npm run schema`: writes packages/server/schema from the migrations. Needs a PostgreSQL: `npm run engines -- up --small`. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { schemaFiles } from './schema-text.ts';

for (const [file, text] of await schemaFiles()) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`wrote ${path.relative(process.cwd(), file)}\n`);
}

/** `millpond stat`: what objects are. */
import { type ObjectRecord, operations } from '@millpond/client/server';
import type { Command } from 'commander';
import { interruptSignal } from '../../interrupt.ts';
import { nameText, type ObjectOptions, objectCommand, objectsOf, runBatches } from '../../object-command.ts';
import type { RemoteLocation } from '../../remote/location.ts';
import { escapeForTerminal, timeText } from '../../remote/text.ts';
import { classText, restoreText } from '../../storage-classes.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';

export function addStat(program: Command): void {
  objectCommand(program, 'stat', 'show size, hash, type, class, metadata and response headers of objects')
    .argument('[objects...]', '[alias]:bucket/key')
    .action(async (names: string[], options: ObjectOptions) => {
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      await runBatches(things(objectsOf(names, options, { signal, outcomeReporter })), {
        outcomeReporter,
        signal,
        operation: ({ place }) => operations.stat(place.bucket, place.key),
        told: ({ place }, data) => {
          const record = data as ObjectRecord;
          return { facts: record, text: recordText(place, record) };
        },
      });
      outcomeReporter.end();
    });
}

export async function* things(
  places: AsyncIterable<RemoteLocation>,
): AsyncGenerator<{ place: RemoteLocation }> {
  for await (const place of places) yield { place };
}

function recordText(place: RemoteLocation, record: ObjectRecord): string {
  const rows: [string, string][] = [
    ['name', nameText(place)],
    ['size', String(record.fsize)],
    ['hash', record.hash],
    ['type', escapeForTerminal(record.mimeType)],
    ['put', timeText(record.putTime)],
    ['class', classText(record.type)],
  ];
  const restore = restoreText(record);
  if (restore !== undefined) rows.push(['restore', restore]);
  if (record.status === 1) rows.push(['status', 'disabled']);
  if (record.endUser !== undefined) rows.push(['end user', escapeForTerminal(record.endUser)]);
  if (record.expiration !== undefined) rows.push(['ends', new Date(record.expiration * 1000).toISOString()]);
  for (const [name, value] of Object.entries(record.metadata))
    rows.push([`meta ${name}`, escapeForTerminal(value)]);
  for (const [name, value] of Object.entries(record.responseHeaders))
    rows.push([name, escapeForTerminal(value)]);
  const width = Math.max(10, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)} ${value}`).join('\n');
}

/** `millpond meta`: type and metadata of objects, shown or changed; a condition guards a change. */
import { type ObjectRecord, operations } from '@millpond/client/server';
import { parseCondition } from '@millpond/protocol';
import type { Command } from 'commander';
import { interruptSignal } from '../interrupt.ts';
import {
  BELOW,
  countText,
  nameText,
  type ObjectOptions,
  objectCommand,
  objectsOf,
  runBatches,
} from '../object-command.ts';
import { readMime, readPair } from '../option-readers.ts';
import { shown } from '../remote/text.ts';
import { Outcomes } from '../transfer/outcome.ts';
import { things } from './stat.ts';

interface MetaOptions extends ObjectOptions {
  readonly mime?: string;
  readonly set?: Record<string, string>;
  readonly unset?: string[];
  readonly if?: string;
}

export function addMeta(program: Command): void {
  objectCommand(program, 'meta', 'show and change type and metadata of objects')
    .argument('[objects...]', '[alias]:bucket/key')
    .option('-r, --recursive', BELOW)
    .option('--mime <type>', 'set the type; empty: that of the content', (text) =>
      text === '' ? text : readMime(text),
    )
    .option('--set <name=value>', 'set one; may be given again', readPair)
    .option('--unset <names...>', 'take away')
    .option('--if <condition>', 'only where it is so: hash=…&mime=…&fsize=…&putTime=…')
    .action(async (names: string[], options: MetaOptions) => {
      const signal = interruptSignal();
      const outcomes = new Outcomes(options);
      const isChange = options.mime !== undefined || options.set !== undefined || options.unset !== undefined;
      const change = {
        mimeType: options.mime,
        metadata: { ...options.set, ...Object.fromEntries((options.unset ?? []).map((name) => [name, ''])) },
        condition: options.if === undefined ? undefined : parseCondition(options.if),
      };
      await runBatches(things(objectsOf(names, options, { signal, outcomes })), {
        outcomes,
        signal,
        operation: ({ place }, installations) =>
          isChange
            ? installations
                .client(place.alias)
                .objects.changeMetadataOperation(place.bucket, place.key, change)
            : operations.stat(place.bucket, place.key),
        told: ({ place }, data) => {
          if (isChange) return { facts: {}, text: undefined };
          const { mimeType, metadata } = data as ObjectRecord;
          const lines = Object.entries(metadata).map(([name, value]) => `  ${name}=${shown(value)}`);
          return {
            facts: { mimeType, metadata },
            text: [`${nameText(place)}  ${shown(mimeType)}`, ...lines].join('\n'),
          };
        },
      });
      outcomes.end({}, isChange ? countText(outcomes.counts.done, 'changed') : undefined);
    });
}

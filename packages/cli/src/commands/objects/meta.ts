/**
 * `millpond meta`: shows or changes type, metadata, response headers, class, status and expiry of objects; a condition
 * can guard a change.
 */
import { type ObjectRecord, operations } from '@millpond/client/server';
import { MAX_OBJECT_DAYS, parseCondition } from '@millpond/protocol';
import { type Command, Option } from 'commander';
import { UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import {
  BELOW,
  countText,
  DRY_RUN,
  nameText,
  type ObjectOptions,
  objectCommand,
  objectsOf,
  runBatches,
  runDry,
} from '../../object-command.ts';
import { readMime, readNumber, readPair } from '../../option-readers.ts';
import type { Installations } from '../../remote/installation.ts';
import type { RemoteLocation } from '../../remote/location.ts';
import { escapeForTerminal } from '../../remote/text.ts';
import { addResponseHeaders, type ResponseHeaderOptions, responseHeadersOf } from '../../response-headers.ts';
import { CLASS_OPTION, readClass } from '../../storage-classes.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { things } from './stat.ts';

interface MetaOptions extends ObjectOptions, ResponseHeaderOptions {
  readonly mime?: string;
  readonly set?: Record<string, string>;
  readonly unset?: string[];
  readonly class?: ObjectRecord['type'];
  readonly disable?: boolean;
  readonly enable?: boolean;
  readonly deleteAfter?: number;
  readonly if?: string;
}

type Operation = (place: RemoteLocation, installations: Installations) => string;

export function addMeta(program: Command): void {
  const command = objectCommand(
    program,
    'meta',
    'show and change type, metadata, response headers, class, status and expiry of objects',
  )
    .argument('[objects...]', '[alias]:bucket/key')
    .option('-r, --recursive', BELOW)
    .option('--mime <type>', 'set the type; empty: detect it from the content', (text) =>
      text === '' ? text : readMime(text),
    )
    .option('--set <name=value>', 'set metadata; may be repeated', readPair)
    .option('--unset <names...>', 'remove metadata');
  addResponseHeaders(command, { whose: 'downloads', empty: 'empty: none' })
    .option('--class <class>', `move to another class: ${CLASS_OPTION}`, readClass)
    .addOption(new Option('--disable', 'block all reads').conflicts('enable'))
    .option('--enable', 'allow reads again')
    .option(
      '--delete-after <days>',
      'delete it after this many days; 0: keep it',
      readNumber(0, MAX_OBJECT_DAYS),
    )
    .option('--if <condition>', 'only if these match: hash=…&mime=…&fsize=…&putTime=…')
    .option(...DRY_RUN)
    .addHelpText(
      'after',
      '\n--mime, --set, --unset and the headers can be combined. Give the others one at a time: each is an operation of its own.',
    )
    .action(run);
}

async function run(names: string[], options: MetaOptions): Promise<void> {
  const change = changeOf(options);
  const signal = interruptSignal();
  const outcomeReporter = new OutcomeReporter(options);
  const objects = things(objectsOf(names, options, { signal, outcomeReporter }));
  if (options.dryRun) {
    if (change === undefined) throw new UsageError('nothing to change: --dry-run is for changes');
    await runDry(objects, { outcomeReporter, signal });
    outcomeReporter.end({}, countText(outcomeReporter.counts.planned, 'would be changed'));
    return;
  }
  const operation: Operation = change ?? (({ bucket, key }) => operations.stat(bucket, key));
  await runBatches(objects, {
    outcomeReporter,
    signal,
    operation: ({ place }, installations) => operation(place, installations),
    ...(change === undefined
      ? { told: ({ place }, data) => shownMetadata(place, data as ObjectRecord) }
      : {}),
  });
  outcomeReporter.end(
    {},
    change === undefined ? undefined : countText(outcomeReporter.counts.done, 'changed'),
  );
}

/** The one operation that is asked for: with several on one object, some could succeed and some fail. */
function changeOf(options: MetaOptions): Operation | undefined {
  const { mime: mimeType, set, unset, class: type, deleteAfter, disable } = options;
  const condition = options.if === undefined ? undefined : parseCondition(options.if);
  const changes: Operation[] = [];
  const responseHeaders = responseHeadersOf(options);
  if ([mimeType, set, unset, responseHeaders].some((given) => given !== undefined)) {
    const metadata = { ...set, ...Object.fromEntries((unset ?? []).map((name) => [name, ''])) };
    changes.push(({ alias, bucket, key }, installations) =>
      installations
        .client(alias)
        .objects.changeMetadataOperation(bucket, key, { mimeType, metadata, responseHeaders, condition }),
    );
  }
  if (disable || options.enable)
    changes.push(({ bucket, key }) => operations.changeStatus(bucket, key, disable === true, condition));
  if (condition !== undefined && (type !== undefined || deleteAfter !== undefined))
    throw new UsageError('--class and --delete-after cannot be combined with --if');
  if (type !== undefined) changes.push(({ bucket, key }) => operations.changeType(bucket, key, type));
  if (deleteAfter !== undefined)
    changes.push(({ bucket, key }) => operations.deleteAfterDays(bucket, key, deleteAfter));
  if (changes.length > 1)
    throw new UsageError(
      'give one of --class, --delete-after, --disable and --enable, or --mime, --set, --unset and headers',
    );
  return changes[0];
}

function shownMetadata(place: RemoteLocation, { mimeType, metadata, responseHeaders }: ObjectRecord) {
  const lines = Object.entries(metadata).map(([name, value]) => `  ${name}=${escapeForTerminal(value)}`);
  const headers = Object.entries(responseHeaders).map(
    ([name, value]) => `  ${name}: ${escapeForTerminal(value)}`,
  );
  return {
    facts: { mimeType, metadata, responseHeaders },
    text: [`${nameText(place)}  ${escapeForTerminal(mimeType)}`, ...lines, ...headers].join('\n'),
  };
}

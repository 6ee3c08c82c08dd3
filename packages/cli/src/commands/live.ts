/** `millpond live`: namespaces and streams, their addresses, disconnecting publishers, and recordings. */
import type { Command } from 'commander';
import { liveSources } from '../database-or-api/live.ts';
import { operatorOrUserCommand, type SourceOptions, withSource } from '../database-or-api/source.ts';
import { interruptSignal } from '../interrupt.ts';
import { readLimit, readNumber } from '../option-readers.ts';
import { print, printRows } from '../print.ts';
import { AT_OPTION, clientAt } from '../remote/installation.ts';

interface ListOptions extends SourceOptions {
  readonly limit: number;
}

interface UrlOptions {
  readonly at?: string;
  readonly expires?: number;
  readonly json?: boolean;
}

const YEAR_SECONDS = 31_536_000;

export function addLive(program: Command): void {
  const live = program
    .command('live')
    .description('show live streams, their addresses and recordings, and stop them');
  const listed = (name: string, description: string) =>
    operatorOrUserCommand(live, name, description).option(
      '--limit <n>',
      'maximum number of results',
      readLimit,
      100,
    );
  listed('namespaces', 'list namespaces of an account, newest first')
    .option('--account <email>', 'of this account; for operators')
    .action((options: ListOptions) =>
      withSource(
        options,
        liveSources,
        async (source) => {
          const rows = await source.namespaces(options.account, options.limit);
          printRows(options, rows, ['id', 'name', 'type', 'callback', 'disabled']);
        },
        'one account',
      ),
    );
  listed('streams', 'list streams of a namespace, newest first')
    .argument('<namespace>', 'id of the namespace')
    .option('--online', 'only those being published')
    .action((nsId: string, options: ListOptions & { online?: boolean }) =>
      withSource(options, liveSources, async (source) => {
        const rows = await source.streams(nsId, options.online === true, options.limit);
        printRows(options, rows, ['stream', 'online', 'starting', 'disabled', 'pushed']);
      }),
    );
  ofStream(operatorOrUserCommand(live, 'stop', 'disconnect the publisher of a stream')).action(
    (nsId: string, streamId: string, options: SourceOptions) =>
      withSource(options, liveSources, async (source) => {
        await source.stop(nsId, streamId);
        print(options, { nsId, streamId }, `nobody publishes ${streamId} now`);
      }),
  );
  ofStream(listed('records', 'list recordings of a stream, oldest first')).action(
    (nsId: string, streamId: string, options: ListOptions) =>
      withSource(options, liveSources, async (source) => {
        const rows = await source.records(nsId, streamId, options.limit);
        printRows(options, rows, ['start', 'end', 'type', 'file']);
      }),
  );
  ofStream(
    live
      .command('urls')
      .description('show where a stream is published and played; needs its owner’s access key'),
  )
    .option(...AT_OPTION)
    .option('--expires <seconds>', 'how long they are valid', readNumber(1, YEAR_SECONDS))
    .option('--json', 'one JSON object per line')
    .action(urls);
}

function ofStream(command: Command): Command {
  return command.argument('<namespace>', 'id of the namespace').argument('<stream>', 'id of the stream');
}

async function urls(nsId: string, streamId: string, options: UrlOptions): Promise<void> {
  const found = await clientAt(options.at)
    .live.streams(nsId)
    .urls(streamId, {
      signal: interruptSignal(),
      ...(options.expires === undefined ? {} : { expires: options.expires }),
    });
  print(options, found, `publish  ${found.publishUrl}\nhls      ${found.playUrls.hls}`);
}

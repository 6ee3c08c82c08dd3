/** `millpond live`: an account's namespaces and streams, who is sent away, and what was recorded. */
import type { Command } from 'commander';
import { type OperatorOptions, operatorCommand, withTools } from '../operator.ts';
import { readLimit } from '../option-readers.ts';
import { print, printRows } from '../print.ts';

interface ListOptions extends OperatorOptions {
  readonly limit: number;
}

const NEWEST = { offset: 0, isDescending: true, by: 'createdAt' } as const;
const BEGINNING = new Date(0);
const END = new Date('9999-01-01T00:00:00Z');

export function addLive(program: Command): void {
  const live = program.command('live').description('live streams');
  const listed = (name: string, description: string) =>
    operatorCommand(live, name, description)
      .argument('<email>', 'e-mail of the account')
      .option('--limit <n>', 'at most so many', readLimit, 100);

  listed('namespaces', 'namespaces of an account, newest first').action(
    async (email: string, options: ListOptions) => {
      await withTools(options, async ({ accounts, live: { namespaces } }) => {
        const { uid } = await accounts.byEmail(email);
        const { rows } = await namespaces.page(uid, { ...NEWEST, line: options.limit }, '');
        const shown = rows.map((row) => ({
          id: row.ns_id,
          name: row.name,
          type: row.access_type,
          callback: row.callback,
          disabled: row.is_disabled,
        }));
        printRows(options, shown, ['id', 'name', 'type', 'callback', 'disabled']);
      });
    },
  );
  listed('streams', 'streams of a namespace, newest first')
    .argument('<namespace>', 'id of the namespace')
    .option('--online', 'only those that are published')
    .action(async (email: string, nsId: string, options: ListOptions & { online?: boolean }) => {
      await withTools(options, async ({ accounts, live: { streams } }) => {
        const { uid } = await accounts.byEmail(email);
        const query = { ...NEWEST, line: options.limit };
        const { rows } = await streams.page(uid, nsId, query, options.online ? 'online' : 'all', '');
        const shown = rows.map((row) => ({
          stream: row.stream_id,
          online: row.is_online,
          disabled: row.is_disabled,
          pushed: row.last_pushed_at,
        }));
        printRows(options, shown, ['stream', 'online', 'disabled', 'pushed']);
      });
    });
  operatorCommand(live, 'kick', 'end whoever publishes a stream')
    .argument('<email>', 'e-mail of the account')
    .argument('<namespace>', 'id of the namespace')
    .argument('<stream>', 'id of the stream')
    .action(async (email: string, nsId: string, streamId: string, options: OperatorOptions) => {
      await withTools(options, async ({ accounts, live: { streams } }) => {
        const { uid } = await accounts.byEmail(email);
        await streams.kick(uid, { nsId, streamId });
        print(options, { nsId, streamId }, `${streamId} is published by nobody now`);
      });
    });
  listed('records', 'recordings of a stream, oldest first')
    .argument('<namespace>', 'id of the namespace')
    .argument('<stream>', 'id of the stream')
    .action(async (email: string, nsId: string, streamId: string, options: ListOptions) => {
      await withTools(options, async ({ accounts, live: { streams, records } }) => {
        const { uid } = await accounts.byEmail(email);
        await streams.owned(uid, { nsId, streamId });
        const range = { start: BEGINNING, end: END, after: BEGINNING };
        const rows = await records.inRange({ nsId, streamId }, range, options.limit);
        const shown = rows.map((row) => ({
          start: row.start_at,
          end: row.end_at,
          type: row.record_type,
          bucket: row.bucket,
          file: row.fname,
        }));
        printRows(options, shown, ['start', 'end', 'type', 'bucket', 'file']);
      });
    });
}

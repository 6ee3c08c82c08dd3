/** `millpond fetch`: files from other servers, stored by the installation itself. */
import type { Command } from 'commander';
import { UsageError } from '../../exit.ts';
import { endIfInterrupted, interruptSignal } from '../../interrupt.ts';
import { type ObjectOptions, objectCommand } from '../../object-command.ts';
import { readNumber } from '../../option-readers.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote, parseLocation, parseRemote } from '../../remote/location.ts';
import { escapeForTerminal } from '../../remote/text.ts';
import { runConcurrently } from '../../transfer/concurrency.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { type Aimed, assertDistinctTargets } from '../../transfer/shared-target.ts';
import { type Spill, spilled } from '../../transfer/spill.ts';
import { readLines } from '../../transfer/tsv.ts';

interface FetchOptions extends ObjectOptions {
  readonly host?: string;
  readonly background?: boolean;
  readonly concurrency: number;
}

export function addFetch(program: Command): void {
  objectCommand(program, 'fetch', 'store files from other servers')
    .argument('[url]', 'http://… or https://…')
    .argument('[target]', '[alias]:bucket/key; without a key the object is named by its hash')
    .option('--host <name>', 'Host header, if the URL has an IP address')
    .option('--background', 'return at once; the installation fetches and retries in the background')
    .option('--concurrency <n>', 'how many of a list at a time', readNumber(1, 64), 4)
    .action(async (url: string | undefined, target: string | undefined, options: FetchOptions) => {
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      const installations = new Installations();
      const list = options.from === undefined ? undefined : await spilled(readLines(options.from));
      if (list !== undefined)
        await assertDistinctTargets(aimed(pairs(url, target, list)), { installations, signal });
      await runConcurrently(pairs(url, target, list), options.concurrency, signal, async ([source, text]) => {
        try {
          const { alias, bucket, key } = parseRemote(text);
          const { fetches } = installations.client(alias);
          const name = key === '' ? {} : { key };
          const host = options.host === undefined ? {} : { host: options.host };
          if (options.background) {
            const begun = await fetches.start({ url: source, bucket, ...name, ...host }, { signal });
            outcomeReporter.done([source, text], begun, begun.id);
            return;
          }
          const got = await fetches.fetch(source, bucket, name.key, { ...host, signal });
          const stored = formatRemote({ alias, bucket, key: got.key });
          outcomeReporter.done(
            [source, stored],
            got,
            `${escapeForTerminal(stored)}  ${got.fsize} bytes  ${got.hash}`,
          );
        } catch (error) {
          if (!signal.aborted) outcomeReporter.failed([source, text], error);
        }
      });
      endIfInterrupted(signal);
      outcomeReporter.end();
    });
}

async function* pairs(
  url: string | undefined,
  target: string | undefined,
  list: Spill | undefined,
): AsyncGenerator<[string, string]> {
  if (url !== undefined && target !== undefined) yield [url, target];
  else if (list === undefined || url !== undefined)
    throw new UsageError('name a URL and a target, or give --from');
  if (list !== undefined) for await (const [source = '', to = ''] of list.lines()) yield [source, to];
}

/** What is named by its hash shares no name by mistake; what is no place fails by itself. */
async function* aimed(all: AsyncIterable<[string, string]>): AsyncGenerator<Aimed> {
  for await (const [source, text] of all) {
    const target = parseLocation(text);
    if (target.kind === 'remote' && target.key !== '') yield { source, target };
  }
}

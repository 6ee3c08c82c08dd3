/** `millpond mv`: moves objects within an installation; no byte moves. */
import { type ListedObject, operations } from '@millpond/client/server';
import type { Command } from 'commander';
import { UsageError } from '../../exit.ts';
import { interruptSignal } from '../../interrupt.ts';
import {
  BELOW,
  countText,
  DRY_RUN,
  type ObjectOptions,
  objectCommand,
  runBatches,
  runDry,
} from '../../object-command.ts';
import { Installations } from '../../remote/installation.ts';
import { formatRemote, parseObject, parseRemote, type RemoteLocation } from '../../remote/location.ts';
import { NestingCheck } from '../../transfer/nested.ts';
import { OutcomeReporter } from '../../transfer/outcome.ts';
import { objectsUnder, relativeTo, under } from '../../transfer/plan.ts';
import { ServerCopyRoutes } from '../../transfer/routes.ts';
import { type Aimed, assertDistinctTargets } from '../../transfer/shared-target.ts';
import { type Spill, spilled } from '../../transfer/spill.ts';
import { readLines } from '../../transfer/tsv.ts';

interface Move {
  readonly place: RemoteLocation;
  readonly to: RemoteLocation;
}

export function addMv(program: Command): void {
  objectCommand(program, 'mv', 'move objects within an installation')
    .argument('[places...]', 'source and target, [alias]:bucket/key')
    .option('-r, --recursive', `${BELOW}; the target is a folder too`)
    .option('--no-overwrite', 'fail if the target exists')
    .option(...DRY_RUN)
    .action(async (places: string[], options: ObjectOptions & { overwrite: boolean }) => {
      const signal = interruptSignal();
      const outcomeReporter = new OutcomeReporter(options);
      const list = options.from === undefined ? undefined : await spilled(readLines(options.from));
      if (list !== undefined)
        await assertDistinctTargets(aimed(movesOf(places, options, list, signal)), {
          installations: new Installations(),
          signal,
        });
      const moves = movesOf(places, options, list, signal);
      const target = ({ to }: Move) => formatRemote(to);
      if (options.dryRun) {
        await runDry(moves, { outcomeReporter, signal, target });
        outcomeReporter.end({}, countText(outcomeReporter.counts.planned, 'would be moved'));
        return;
      }
      await runBatches(moves, {
        outcomeReporter,
        signal,
        operation: ({ place, to }) => operations.move(place, to, options.overwrite),
        target,
      });
      outcomeReporter.end({}, countText(outcomeReporter.counts.done, 'moved'));
    });
}

async function* aimed(moves: AsyncIterable<Move>): AsyncGenerator<Aimed> {
  for await (const { place, to } of moves) yield { source: formatRemote(place), target: to };
}

async function* movesOf(
  places: readonly string[],
  options: ObjectOptions,
  list: Spill | undefined,
  signal: AbortSignal,
): AsyncGenerator<Move> {
  const installations = new Installations();
  const serverCopyRoutes = new ServerCopyRoutes(installations, signal);
  const pair = async (place: RemoteLocation, to: RemoteLocation, object?: ListedObject): Promise<Move> => {
    const isOne =
      installations.isOneAddress(place.alias, to.alias) ||
      (await serverCopyRoutes.serverFor(place, to, object)) !== undefined;
    if (!isOne) throw new UsageError('mv works within one installation: use cp, then rm');
    return { place, to };
  };
  if (list !== undefined) {
    for await (const [source = '', target = ''] of list.lines())
      yield await pair(parseObject(source), parseObject(target));
  }
  const [source, target, ...rest] = places;
  if (source === undefined && list !== undefined) return;
  if (source === undefined || target === undefined || rest.length > 0)
    throw new UsageError('name a source and a target, or give --from');
  const to = parseRemote(target);
  if (!options.recursive) {
    const from = parseObject(source);
    const name = from.key.slice(from.key.lastIndexOf('/') + 1);
    yield await pair(from, to.key === '' || to.key.endsWith('/') ? { ...to, key: under(to.key, name) } : to);
    return;
  }
  const from = parseRemote(source);
  const check = new NestingCheck({ installations, signal }, from, to);
  for await (const { key, object } of objectsUnder({ installations, signal }, from)) {
    await check.look(key, object);
    yield await pair({ ...from, key }, { ...to, key: under(to.key, relativeTo(from.key, key)) }, object);
  }
}

/** `millpond pipeline`: the queues of an account, how many tasks of each run at a time, and what waits there. */
import type { Command } from 'commander';
import { readNumber } from '../../option-readers.ts';
import { print } from '../../print.ts';
import { accountCommand, addOwnDelete, addOwnList, type OwnOptions, onOne } from './own-command.ts';

const COLUMNS = ['name', 'concurrency', 'running', 'waiting', 'oldest'];
const NAME = ['name', 'name of the pipeline'] as const;
/** More than any server runs: the server has the last word. */
const MAX_CONCURRENCY = 100_000;

export function addPipeline(program: Command): void {
  const pipeline = program
    .command('pipeline')
    .description('list, create, change and delete pipelines: queues of tasks');
  addOwnList(pipeline, 'list pipelines with what runs and waits in each', COLUMNS, (processing, calling) =>
    processing.pipelines(calling),
  );
  accountCommand(pipeline, 'set', 'create a pipeline, or change how many of its tasks run at a time')
    .argument(`<${NAME[0]}>`, NAME[1])
    .requiredOption('--concurrency <n>', 'tasks at a time', readNumber(1, MAX_CONCURRENCY))
    .action(async (name: string, options: OwnOptions & { concurrency: number }) => {
      const made = await onOne(name, options.at, (processing, calling) =>
        processing.putPipeline(name, options.concurrency, calling),
      );
      print(options, made, `${name}: ${made.concurrency} at a time`);
    });
  addOwnDelete(
    pipeline,
    'delete a pipeline that has no unfinished tasks',
    NAME,
    (processing, name, calling) => processing.removePipeline(name, calling),
  );
}

/** `millpond jobs`: background jobs that used up their retries, and running them again. */
import type { Command } from 'commander';
import { NotFoundError, UsageError } from '../../exit.ts';
import { type OperatorOptions, operatorCommand, withTools } from '../../operator.ts';
import { readLimit } from '../../option-readers.ts';
import { print, printRows } from '../../print.ts';
import { escapeForTerminal } from '../../remote/text.ts';

interface QueueOptions extends OperatorOptions {
  readonly queue?: string;
}

export function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('show background jobs that were given up, and retry them');
  operatorCommand(jobs, 'failed', 'list jobs that used up their retries, newest first')
    .option('--queue <name>', 'of this queue')
    .option('--limit <n>', 'maximum number of results', readLimit, 100)
    .action(async (options: QueueOptions & { limit: number }) => {
      await withTools(options, async ({ failedJobs, queues }) => {
        const rows = await failedJobs.list(options.queue, options.limit);
        if (rows.length === 0) mustBeQueue(options.queue, queues);
        const columns = ['queue', 'id', 'failedAt', 'attempts', 'data', 'reason'];
        if (options.json) for (const row of rows) print(options, row, '');
        else
          printRows(
            options,
            rows.map((row) => ({ ...row, data: JSON.stringify(row.data) })),
            columns,
          );
      });
    });
  operatorCommand(jobs, 'retry', 'retry a failed job, or all of a queue; each gets all its retries again')
    .argument('[id]', 'the job')
    .option('--queue <name>', 'all failed jobs of this queue')
    .action(async (id: string | undefined, options: QueueOptions) => {
      const { queue } = options;
      if ((id === undefined) === (queue === undefined))
        throw new UsageError('give the id of a job, or --queue');
      await withTools(options, async ({ failedJobs, queues }) => {
        if (queue !== undefined) {
          const count = await failedJobs.retryAll(queue);
          if (count === 0) mustBeQueue(queue, queues);
          print(
            options,
            { queue, count },
            `${count} ${count === 1 ? 'job' : 'jobs'} of ${escapeForTerminal(queue)} will run again`,
          );
        } else if (id !== undefined) {
          if (!(await failedJobs.retry(id)))
            throw new NotFoundError(
              `no failed job has the id ${escapeForTerminal(id)}: \`millpond jobs failed\` lists them`,
            );
          print(options, { id }, `${id} will run again`);
        }
      });
    });
}

/** Nothing was found: perhaps because the name is wrong. */
function mustBeQueue(name: string | undefined, queues: readonly string[]): void {
  if (name !== undefined && !queues.includes(name))
    throw new NotFoundError(
      `there is no queue ${escapeForTerminal(name)}; the queues are ${queues.join(', ')}`,
    );
}

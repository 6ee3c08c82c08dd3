/** `millpond pfop`: submits a processing task, and waits for it if asked. */
import type { TaskRecord } from '@millpond/client/server';
import { formatEntry } from '@millpond/protocol';
import type { Command } from 'commander';
import { ExitError, exitCodes, UsageError } from '../exit.ts';
import { endIfInterrupted, interruptSignal } from '../interrupt.ts';
import { print } from '../print.ts';
import { Installations } from '../remote/installation.ts';
import { parseObject } from '../remote/location.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { addWaitOptions, type WaitOptions } from '../remote/waiting.ts';
import { prefixNotFound } from '../report.ts';
import { waitForTask } from '../task-states.ts';

interface PfopOptions extends WaitOptions {
  readonly fops?: string;
  readonly workflow?: string;
  readonly saveAs?: string;
  readonly notify?: string;
  readonly pipeline?: string;
  readonly force?: boolean;
  readonly idle?: boolean;
  readonly json?: boolean;
}

export function addPfop(program: Command): void {
  const pfop = program
    .command('pfop')
    .description('process an object: transcode, cut, pack')
    .argument('<object>', '[alias]:bucket/key')
    .option('--fops <commands>', 'what to do, such as avthumb/mp4; several are separated by ;')
    .option('--workflow <name>', 'a workflow template to run instead of --fops')
    .option('--save-as <bucket/key>', 'where to store the result of a single command')
    .option('--notify <url>', 'URL that is notified of the result')
    .option('--pipeline <name>', 'queue')
    .option('--force', 'run even if the result already exists')
    .option('--idle', 'run when nothing else is waiting');
  addWaitOptions(pfop)
    .option('--json', 'one JSON object per line')
    .action(async (name: string, options: PfopOptions) => {
      if ((options.fops === undefined) === (options.workflow === undefined))
        throw new UsageError('give one of --fops and --workflow');
      const { alias, bucket, key } = parseObject(name);
      const { processing } = new Installations().client(alias);
      const signal = interruptSignal();
      const submission = {
        bucket,
        key,
        fops: fopsOf(options),
        workflowTemplateID: options.workflow,
        notifyURL: options.notify,
        pipeline: options.pipeline,
        force: options.force,
        idle: options.idle,
      };
      const id = await processing.submit(submission, { signal }).catch((error: unknown) => {
        throw prefixNotFound(name, error);
      });
      if (!options.wait) {
        print(options, { persistentId: id }, id);
        return;
      }
      const look = () => processing.task(id, { signal });
      const task = await waitForTask(id, look, options, signal).catch((error: unknown) => {
        endIfInterrupted(signal);
        throw error;
      });
      print(options, task, taskText(task));
      if (task.code === 3) throw new ExitError(exitCodes.partial);
    });
}

/** With the place of the result, which the API expects encoded at the end of a command. */
function fopsOf({ fops, saveAs }: PfopOptions): string | undefined {
  if (saveAs === undefined) return fops;
  const [, bucket, key] = /^:?([^/:]+)\/(.+)$/s.exec(saveAs) ?? [];
  if (bucket === undefined) throw new UsageError(`${saveAs} is not a place for a result: write bucket/key`);
  if (fops === undefined || fops.includes(';') || /\|\s*saveas\//.test(fops))
    throw new UsageError('--save-as is for one command in --fops that has no saveas yet');
  return `${fops}|saveas/${formatEntry(bucket, key)}`;
}

function taskText(task: TaskRecord): string {
  const items = task.items.map(({ cmd, desc, key, error }) => {
    const stored = key === undefined ? '' : ` → ${escapeForTerminal(key)}`;
    return `  ${escapeForTerminal(cmd)}: ${desc}${stored}${error === '' ? '' : `: ${escapeForTerminal(error)}`}`;
  });
  return [`${task.id}  ${task.desc}`, ...items].join('\n');
}

/**
 * Commands in the query of a download: `?imageView2/2/w/200|watermark/…`. Only commands that a request can wait for,
 * and without a place for the result: the answer is the result.
 */
import { utf8Length } from '../utf8.ts';
import { type CommandName, type Plan, parseCommand, printCommand, sourcesOf } from './command-registry.ts';
import { MAX_STAGES } from './grammar.ts';
import { invalidCommand, unsupportedCommand } from './parameters.ts';

export interface UrlCommands {
  /** At least one; each takes the output of the one before it. */
  readonly stages: readonly Plan[];
  /** Equal for all commands that give the same result from the same sources. */
  readonly canonical: string;
}

/** Longer than any useful command: three marks with their URLs. */
export const MAX_WORK_BYTES = 4096;
/** Images laid over, in all commands together: each is read for anyone who asks. */
const MAX_WATERMARKS_BY_URL = 10;
/** imageMogr2 operations in all commands together: on 25 megapixels each takes about a second. */
const MAX_OPERATIONS_BY_URL = 10;
/** Sum over all blurs: their time is proportional to it, and this much takes six seconds for 25 megapixels. */
const MAX_SIGMA_BY_URL = 150;

export const commandsByUrl = [
  'imageView2',
  'imageMogr2',
  'watermark',
  'imageInfo',
  'imageAve',
  'exif',
  'qhash',
  'avinfo',
  'vframe',
] as const satisfies readonly CommandName[];

export function parseUrlCommands(text: string): UrlCommands {
  if (utf8Length(text) > MAX_WORK_BYTES)
    throw invalidCommand(`the commands are longer than ${MAX_WORK_BYTES} bytes`);
  const texts = text.split('|');
  if (texts.length > MAX_STAGES)
    throw invalidCommand(`there are more than ${MAX_STAGES} commands in the pipe`);
  const stages = texts.map(parseStage);
  if (stages.flatMap(sourcesOf).length > MAX_WATERMARKS_BY_URL)
    throw invalidCommand(
      `by URL, at most ${MAX_WATERMARKS_BY_URL} overlay images are allowed, in all commands together`,
    );
  checkOperations(stages);
  return { stages, canonical: stages.map(printCommand).join('|') };
}

function checkOperations(stages: readonly Plan[]): void {
  const operations = stages.flatMap((plan) => (plan.command === 'imageMogr2' ? plan.operations : []));
  if (operations.length > MAX_OPERATIONS_BY_URL)
    throw invalidCommand(`by URL, imageMogr2 takes at most ${MAX_OPERATIONS_BY_URL} operations in total`);
  const sigmas = operations.map((each) => (each.operation === 'blur' ? each.blur.sigma : 0));
  if (sigmas.reduce((sum, sigma) => sum + sigma, 0) > MAX_SIGMA_BY_URL)
    throw invalidCommand(`by URL, the sigmas of blurs must add up to at most ${MAX_SIGMA_BY_URL}`);
}

function parseStage(text: string): Plan {
  if (text === 'saveas' || text.startsWith('saveas/'))
    throw unsupportedCommand('saveas is only for persistent processing: submit the commands as a task');
  const plan = parseCommand(text);
  if (!commandsByUrl.some((name) => name === plan.command))
    throw unsupportedCommand(`${plan.command} is only for persistent processing: submit it as a task`);
  return plan;
}

/**
 * `fops`: commands separated by `;`, each a pipe of stages separated by `|`, of which the last may be `saveas`. All of
 * it is parsed before anything is stored; any text gives commands or a Fault, nothing else.
 */
import { utf8Length } from '../utf8.ts';
import { mayRunIdle, type Plan, parseCommand, printCommand, productOf } from './command-registry.ts';
import { invalidCommand } from './parameters.ts';
import { parseSaveAs, printSaveAs, type SaveAs } from './saveas.ts';

export interface Fop {
  /** As it was written, for the status record and the default key. */
  readonly cmd: string;
  /** At least one; each takes the output of the one before it. */
  readonly stages: readonly Plan[];
  readonly saveAs: SaveAs | undefined;
}

/** Joining a thousand files takes this much. */
export const MAX_FOPS_BYTES = 256 * 1024;
export const MAX_FOPS = 50;
export const MAX_STAGES = 8;

export function parseFops(text: string): readonly Fop[] {
  if (utf8Length(text) > MAX_FOPS_BYTES) throw invalidCommand(`fops is longer than ${MAX_FOPS_BYTES} bytes`);
  const commands = text.split(';');
  if (commands.length > MAX_FOPS) throw invalidCommand(`fops has more than ${MAX_FOPS} commands`);
  return commands.map(parseFop);
}

function parseFop(cmd: string): Fop {
  const texts = cmd.split('|');
  if (texts.length > MAX_STAGES) throw invalidCommand(`a command has more than ${MAX_STAGES} stages`);
  const last = texts.at(-1) ?? '';
  const saved = isSaveAs(last);
  const commands = saved ? texts.slice(0, -1) : texts;
  if (commands.length === 0) throw invalidCommand('saveas needs a command before it');
  if (commands.some(isSaveAs)) throw invalidCommand('saveas must be last in a pipe');
  const stages = commands.map(parseCommand);
  if (stages.slice(0, -1).some((stage) => productOf(stage) === 'files'))
    throw invalidCommand('a command that creates several files must be last in a pipe');
  return { cmd, stages, saveAs: saved ? parseSaveAs(last.split('/').slice(1)) : undefined };
}

function isSaveAs(text: string): boolean {
  return text === 'saveas' || text.startsWith('saveas/');
}

/** Its one canonical form. */
export function printFop({ stages, saveAs }: Fop): string {
  return [...stages.map(printCommand), ...(saveAs === undefined ? [] : [printSaveAs(saveAs)])].join('|');
}

/** What is done, without where it goes: equal for all commands that give the same result from the same source. */
export function canonicalWork({ stages }: Fop): string {
  return stages.map(printCommand).join('|');
}

/** Idle time is for these commands only; every stage of every command must be one of them. */
export function qualifiesForIdle(fops: readonly Fop[]): boolean {
  return fops.every(({ stages }) => stages.every(mayRunIdle));
}

/** Every command, parsed: what the engines run. Nothing that a user wrote reaches them in any other way. */

import type { CommandDefinition, OutputKind } from './command.ts';
import { type ImageMogr2Plan, imageMogr2 } from './images/image-mogr.ts';
import { type ImageView2Plan, imageView2 } from './images/image-view.ts';
import {
  type AvinfoPlan,
  avinfo,
  type ExifPlan,
  exif,
  type ImageAvePlan,
  type ImageInfoPlan,
  imageAve,
  imageInfo,
  type QhashPlan,
  qhash,
} from './information.ts';
import { mistypedCommand } from './mistyped.ts';
import { type MkzipPlan, mkzip } from './mkzip.ts';
import { invalidCommand, show, unsupportedCommand } from './parameters.ts';
import { type AvconcatPlan, avconcat } from './video/avconcat.ts';
import { avthumb } from './video/avthumb.ts';
import type { AvthumbPlan } from './video/avthumb-plan.ts';
import { type ConcatPlan, concat } from './video/concat.ts';
import { PM3U8 } from './video/pm3u8.ts';
import { type VframePlan, vframe } from './video/vframe.ts';
import { type VsamplePlan, vsample } from './video/vsample.ts';
import { type WatermarkPlan, watermark } from './watermark.ts';

export type Plan =
  | VframePlan
  | VsamplePlan
  | AvthumbPlan
  | AvconcatPlan
  | AvinfoPlan
  | ImageView2Plan
  | ImageMogr2Plan
  | WatermarkPlan
  | ImageInfoPlan
  | ImageAvePlan
  | ExifPlan
  | QhashPlan
  | ConcatPlan
  | MkzipPlan;

export type CommandName = Plan['command'];

type Definitions = { readonly [Name in CommandName]: CommandDefinition<Extract<Plan, { command: Name }>> };

export const commandDefinitions: Definitions = {
  avthumb,
  vframe,
  vsample,
  avconcat,
  avinfo,
  imageView2,
  imageMogr2,
  watermark,
  imageInfo,
  imageAve,
  exif,
  qhash,
  concat,
  mkzip,
};

/** Commands of Qiniu’s that we don't offer. */
const absent = new Set(['avwatermark', 'avwatermarks', 'md2html', 'qrcode', 'odconv', 'avvod', 'p']);

function definitionOf(name: CommandName): CommandDefinition<Plan> {
  return commandDefinitions[name] as CommandDefinition<Plan>;
}

/** Includes those that are not offered here: nobody means anything else by their names. */
const commandNames: readonly string[] = [...Object.keys(commandDefinitions), PM3U8, ...absent];

/** Whether a text is meant as a command, correctly written or not. */
export function isMeantAsCommand(text: string): boolean {
  const end = text.search(/[/|]/);
  const name = end < 0 ? text : text.slice(0, end);
  return commandNames.includes(name) || meantBy(name, end >= 0) !== undefined;
}

function meantBy(name: string, hasArguments: boolean): string | undefined {
  return mistypedCommand(name, hasArguments, commandNames);
}

/** One command without pipes. */
export function parseCommand(text: string): Plan {
  const [name = '', ...segments] = text.split('/');
  if (!Object.hasOwn(commandDefinitions, name)) {
    if (name === PM3U8)
      throw unsupportedCommand('pm3u8 must be the only command, in the signed URL of a download');
    if (absent.has(name)) throw unsupportedCommand(`the command ${name} is not offered here`);
    if (name === '') throw invalidCommand('a command is empty');
    const meant = meantBy(name, true);
    throw invalidCommand(
      `there is no command ${show(name)}${meant === undefined ? '' : `: ${meant} was probably meant`}`,
    );
  }
  return definitionOf(name as CommandName).parse(segments);
}

/** Its one canonical form: equal plans give equal texts, in whatever order they were written. */
export function printCommand(plan: Plan): string {
  return [plan.command, ...definitionOf(plan.command).print(plan)].join('/');
}

export function productOf(plan: Plan): OutputKind {
  const { product } = definitionOf(plan.command);
  return typeof product === 'function' ? product(plan) : product;
}

/** URLs of what it needs besides its source, in the order in which the engine takes them. */
export function sourcesOf(plan: Plan): readonly string[] {
  return definitionOf(plan.command).sources?.(plan) ?? [];
}

export function mayRunIdle(plan: Plan): boolean {
  return definitionOf(plan.command).idle;
}

/** imageMogr2: operations on an image, in the order in which they are written. */
import type { CommandDefinition } from '../command.ts';
import { type Crop, cropForm, type Thumbnail, thumbnailForm } from '../geometry.ts';
import { invalidCommand, type Parameter, type ParameterTable, readValue, show } from '../parameters.ts';
import { flag, integer } from '../value-forms.ts';
import { type Anchor, anchor, encodedColor } from '../video/media-forms.ts';
import {
  type Blur,
  blur,
  type ImageFormat,
  imageFormat,
  type Quality,
  quality,
  type SizeLimit,
  sizeLimit,
} from './image-forms.ts';

/** Operations that change pixels, in order. A gravity applies to the crops after it. */
export type ImageOperation =
  | { readonly operation: 'auto-orient' }
  | { readonly operation: 'thumbnail'; readonly thumbnail: Thumbnail }
  | { readonly operation: 'crop'; readonly crop: Crop; readonly gravity: Anchor }
  | { readonly operation: 'rotate'; readonly degrees: number }
  | { readonly operation: 'blur'; readonly blur: Blur }
  | { readonly operation: 'sharpen' };

export interface ImageMogr2Plan {
  readonly command: 'imageMogr2';
  readonly operations: readonly ImageOperation[];
  readonly strip: boolean;
  readonly format: ImageFormat | undefined;
  readonly interlace: boolean | undefined;
  readonly quality: Quality | undefined;
  readonly sizeLimit: SizeLimit | undefined;
  readonly colors: number | undefined;
  /** For the corners that a rotation exposes; six hexadecimal digits. */
  readonly background: string | undefined;
  readonly ignoreError: boolean;
}

const MAX_OPERATIONS = 20;

const steps = {
  thumbnail: { value: thumbnailForm, meaning: 'resize' },
  gravity: { value: anchor, meaning: 'where later crops are measured from; default NorthWest' },
  crop: { value: cropForm, meaning: 'cut out a part' },
  rotate: { value: integer(1, 360), meaning: 'degrees clockwise; the canvas grows with it' },
  blur: { value: blur, meaning: 'Gaussian blur' },
  sharpen: { value: flag, meaning: '1: sharpened' },
} as const satisfies ParameterTable;

const settings = {
  format: { value: imageFormat, meaning: 'format of the result; default that of the source' },
  interlace: { value: flag, meaning: '1: progressive jpg, interlaced png' },
  quality: { value: quality, aliases: ['q'], meaning: 'quality; default 75, of avif 52' },
  'size-limit': {
    value: sizeLimit,
    meaning: 'maximum size: lower qualities are tried; with ! the source is returned if it is smaller',
  },
  colors: { value: integer(2, 256), meaning: 'number of colours of png and gif' },
  background: { value: encodedColor, meaning: 'colour of the corners that rotation uncovers; default white' },
  'ignore-error': { value: flag, meaning: '1: what cannot be processed is returned unchanged' },
} as const satisfies ParameterTable;

type SettingName = keyof typeof settings;

export const imageMogr2: CommandDefinition<ImageMogr2Plan> = {
  syntax: 'imageMogr2/auto-orient/thumbnail/<size>/gravity/<anchor>/crop/<area>/rotate/<degrees>/…',
  about: `Operations on an image in the order in which they are written, at most ${MAX_OPERATIONS}. auto-orient (rotate as the Exif data says) and strip (remove metadata) take no value; all others have one.`,
  words: ['auto-orient', 'strip'],
  steps: true,
  parameters: steps,
  more: [{ title: 'Of the result', parameters: settings }],
  differences: [
    'The radius of `blur` is not used: sigma alone decides.',
    'The place of recording is left out of the metadata, also without `strip`.',
    'In `thumbnail` and `crop` the escapes p, r and a stand for %, ^ and +, which a URL cannot contain.',
  ],
  idle: false,
  product: 'file',
  parse(segments) {
    const operations: ImageOperation[] = [];
    const found = new Map<string, unknown>();
    let gravity: Anchor = 'NorthWest';
    let strip = false;
    for (let at = 0; at < segments.length; at++) {
      const name = segments[at] ?? '';
      if (name === 'strip') strip = true;
      else if (name === 'auto-orient') operations.push({ operation: name });
      else {
        const text = segments[++at];
        if (name === 'gravity') gravity = read(name, text, steps.gravity);
        else if (Object.hasOwn(steps, name)) operations.push(...readStep(name as StepName, text, gravity));
        else readSetting(name, text, found);
      }
      if (operations.length > MAX_OPERATIONS)
        throw invalidCommand(`imageMogr2 takes at most ${MAX_OPERATIONS} operations`);
    }
    if (segments.length === 0) throw invalidCommand('imageMogr2 names no operation');
    const get = <Name extends SettingName>(name: Name) => found.get(name) as SettingValue<Name> | undefined;
    return {
      command: 'imageMogr2',
      operations,
      strip,
      format: get('format'),
      interlace: get('interlace'),
      quality: get('quality'),
      sizeLimit: get('size-limit'),
      colors: get('colors'),
      background: get('background'),
      ignoreError: get('ignore-error') ?? false,
    };
  },
  print(plan) {
    const values: Record<SettingName, unknown> = {
      ...plan,
      'size-limit': plan.sizeLimit,
      'ignore-error': plan.ignoreError || undefined,
    };
    const written = Object.entries<Parameter>(settings).flatMap(([name, { value }]) => {
      const given = values[name as SettingName];
      return given === undefined ? [] : [name, value.print(given)];
    });
    const all = [...printSteps(plan.operations), ...(plan.strip ? ['strip'] : []), ...written];
    // A command that asks for nothing still has to say something.
    return all.length === 0 ? ['ignore-error', '0'] : all;
  },
};

type SettingValue<Name extends SettingName> =
  (typeof settings)[Name] extends Parameter<infer Value> ? Value : never;
type StepName = Exclude<keyof typeof steps, 'gravity'>;

function read<Value>(name: string, text: string | undefined, row: Parameter<Value>): Value {
  return readValue(`imageMogr2: ${name}`, text, row.value);
}

function readStep(name: StepName, text: string | undefined, gravity: Anchor): ImageOperation[] {
  switch (name) {
    case 'thumbnail':
      return [{ operation: name, thumbnail: read(name, text, steps.thumbnail) }];
    case 'crop':
      return [{ operation: name, crop: read(name, text, steps.crop), gravity }];
    case 'rotate': {
      const degrees = read(name, text, steps.rotate) % 360;
      return degrees === 0 ? [] : [{ operation: name, degrees }];
    }
    case 'blur':
      return [{ operation: name, blur: read(name, text, steps.blur) }];
    case 'sharpen':
      return read(name, text, steps.sharpen) ? [{ operation: name }] : [];
  }
}

function readSetting(written: string, text: string | undefined, found: Map<string, unknown>): void {
  const name = written === 'q' ? 'quality' : written;
  const row = Object.hasOwn(settings, name) ? (settings[name as SettingName] as Parameter) : undefined;
  if (row === undefined) throw invalidCommand(`imageMogr2 has no operation ${show(written)}`);
  if (found.has(name)) throw invalidCommand(`imageMogr2: ${name} is given twice`);
  found.set(name, read(name, text, row));
}

function printSteps(operations: readonly ImageOperation[]): string[] {
  const written: string[] = [];
  let gravity: Anchor = 'NorthWest';
  for (const step of operations) {
    if (step.operation === 'crop' && step.gravity !== gravity) {
      gravity = step.gravity;
      written.push('gravity', gravity);
    }
    written.push(step.operation, ...printStepValue(step));
  }
  return written;
}

function printStepValue(step: ImageOperation): string[] {
  switch (step.operation) {
    case 'auto-orient':
      return [];
    case 'thumbnail':
      return [thumbnailForm.print(step.thumbnail)];
    case 'crop':
      return [cropForm.print(step.crop)];
    case 'rotate':
      return [String(step.degrees)];
    case 'blur':
      return [blur.print(step.blur)];
    case 'sharpen':
      return ['1'];
  }
}

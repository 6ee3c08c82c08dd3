/** What avthumb is asked to do, as its tables define it. */

import type { ParameterTable, Values } from '../parameters.ts';
import type { AvthumbFormatName } from './avthumb-formats.ts';
import {
  audioParameters,
  fileParameters,
  frameParameters,
  segmentParameters,
  videoParameters,
  watermarkParameters,
} from './avthumb-parameters.ts';

export const avthumbTable = {
  ...videoParameters,
  ...audioParameters,
  ...frameParameters,
  ...fileParameters,
  ...watermarkParameters,
} as const satisfies ParameterTable;
/** Parameters of avthumb/m3u8. */
export const segmentsTable = { ...avthumbTable, ...segmentParameters } as const satisfies ParameterTable;

export type AvthumbPlan = {
  readonly command: 'avthumb';
  readonly format: AvthumbFormatName;
} & Values<typeof segmentsTable>;

/** The input and output of a mode of the deliveries bench. */
import type { Options } from '../options.ts';
import type { Receiver } from './receiver.ts';
import type { DeliveryStage } from './stage.ts';

export type Figures = Readonly<Record<string, unknown>>;

/** `open`: opens a separate stage, which is closed with the bench. */
export type Mode = (
  options: Options,
  receiver: Receiver,
  open: () => Promise<DeliveryStage>,
) => Promise<Figures>;

/** Events kept waiting when as many as possible are to be sent. */
export const MAX_QUEUED = 1000;
export const WARM_UP_SECONDS = 3;

/** What a mode of the bench of deliveries is given, and gives. */
import type { Options } from '../options.ts';
import type { Receiver } from './receiver.ts';
import type { DeliveryStage } from './stage.ts';

export type Figures = Readonly<Record<string, unknown>>;

/** `open`: a stage of its own, which is closed with the bench. */
export type Mode = (
  options: Options,
  receiver: Receiver,
  open: () => Promise<DeliveryStage>,
) => Promise<Figures>;

/** Events that are kept waiting where as many as possible are to go out. */
export const AHEAD = 1000;
export const WARM_UP_SECONDS = 3;

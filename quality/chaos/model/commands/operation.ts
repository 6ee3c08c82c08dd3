/** Operations on an object that are a signed path, by themselves or in a batch. */
import type { Action } from '../command.ts';
import type { Model } from '../state.ts';

export interface Operation extends Action {
  /** The path. */
  target(model: Model): string;
}

export function operation(of: Omit<Operation, 'send'>): Operation {
  return { ...of, send: (model, system) => system.wire.signed(of.target(model)) };
}

/**
 * The permit to open pictures and films without a sandbox where the machine can't have one: what `millpond dev` serves is the
 * developer's own, on loopback. No other command has it, and no setting gives it.
 */
import { UnconfinedPermit } from '@millpond/server/unconfined';

export const developersPermit: UnconfinedPermit = UnconfinedPermit.make();

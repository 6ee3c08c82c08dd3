/** Copying or moving a folder into itself would never end: what arrives there is found, and copied again. */
import type { ListedObject } from '@millpond/client/server';
import { UsageFault } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { folderOf, formatRemote, type RemotePlace } from '../remote/place.ts';
import { shown } from '../remote/text.ts';
import { Routes } from './routes.ts';

/** Decides whether a copy from one folder to another may begin, before anything is done. */
export class Nesting {
  readonly #ends: { readonly from: RemotePlace; readonly to: RemotePlace };
  readonly #parts: { readonly installations: Installations; readonly signal: AbortSignal };
  #isDoubtful: boolean;

  constructor(
    parts: { readonly installations: Installations; readonly signal: AbortSignal },
    from: RemotePlace,
    to: RemotePlace,
  ) {
    this.#parts = parts;
    this.#ends = { from, to };
    const isWithin = from.bucket === to.bucket && folderOf(to.key).startsWith(folderOf(from.key));
    if (isWithin && parts.installations.isOneAddress(from.alias, to.alias)) throw this.#refusal();
    this.#isDoubtful = isWithin;
  }

  /** Two aliases may be one installation: if the target's alias also has this object of the source, they are. */
  async look(key: string, object: ListedObject): Promise<void> {
    if (!this.#isDoubtful) return;
    const { installations, signal } = this.#parts;
    const { from, to } = this.#ends;
    const routes = new Routes(installations, signal);
    if ((await routes.serverFor({ ...from, key }, to, object)) !== undefined) throw this.#refusal();
    this.#isDoubtful = false;
  }

  #refusal(): UsageFault {
    const [from, to] = [this.#ends.from, this.#ends.to].map((place) => shown(formatRemote(place)));
    return new UsageFault(
      `${to} is inside ${from}: copies would be copied again without end; give a target outside it`,
    );
  }
}

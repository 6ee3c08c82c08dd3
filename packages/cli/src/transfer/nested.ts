/** Copying or moving a folder into itself would never end: what arrives there is found, and copied again. */
import type { ListedObject } from '@millpond/client/server';
import { UsageError } from '../exit.ts';
import type { Installations } from '../remote/installation.ts';
import { folderPrefix, formatRemote, type RemoteLocation } from '../remote/location.ts';
import { escapeForTerminal } from '../remote/text.ts';
import { ServerCopyRoutes } from './routes.ts';

/** Decides whether a copy from one folder to another may begin, before anything is done. */
export class NestingCheck {
  readonly #ends: { readonly from: RemoteLocation; readonly to: RemoteLocation };
  readonly #parts: { readonly installations: Installations; readonly signal: AbortSignal };
  #isDoubtful: boolean;

  constructor(
    parts: { readonly installations: Installations; readonly signal: AbortSignal },
    from: RemoteLocation,
    to: RemoteLocation,
  ) {
    this.#parts = parts;
    this.#ends = { from, to };
    const isWithin = from.bucket === to.bucket && folderPrefix(to.key).startsWith(folderPrefix(from.key));
    if (isWithin && parts.installations.isOneAddress(from.alias, to.alias)) throw this.#refusal();
    this.#isDoubtful = isWithin;
  }

  /** Two aliases may be one installation: if the target's alias also has this object of the source, they are. */
  async look(key: string, object: ListedObject): Promise<void> {
    if (!this.#isDoubtful) return;
    const { installations, signal } = this.#parts;
    const { from, to } = this.#ends;
    const serverCopyRoutes = new ServerCopyRoutes(installations, signal);
    if ((await serverCopyRoutes.serverFor({ ...from, key }, to, object)) !== undefined) throw this.#refusal();
    this.#isDoubtful = false;
  }

  #refusal(): UsageError {
    const [from, to] = [this.#ends.from, this.#ends.to].map((place) =>
      escapeForTerminal(formatRemote(place)),
    );
    return new UsageError(
      `${to} is inside ${from}: copies would be copied again without end; give a target outside it`,
    );
  }
}

/**
 * Our calls to devices (INVITE; RFC 3261, 17.1.1 and 13.2): over UDP resent until there is any answer, given up after a time,
 * and every final answer is acknowledged, however often it comes. A device that accepts a call we have given up gets a BYE at
 * once. An answer counts only if it comes from where the call went.
 */
import { parameterOf } from './addresses.ts';
import type { ClientTransactions } from './client-transactions.ts';
import {
  type Dialog,
  dialogOf,
  formatAck,
  formatBye,
  type LocalAddress,
  newBranch,
  viaOf,
} from './dialog.ts';
import type { SipResponse } from './message.ts';
import type { Peer } from './peer.ts';
import { formatRequest, type Header } from './write.ts';

export interface Invitation {
  readonly uri: string;
  /** From, To, Call-ID, Contact and the like; Via and CSeq are added. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

export type InviteOutcome =
  | { readonly kind: 'accepted'; readonly dialog: Dialog; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'silent' };

export interface InviteOptions {
  /** Our own `host:port`. */
  readonly host: string;
  /** A call that is not accepted by then is given up. */
  readonly withinMs: number;
}

interface Call {
  readonly peer: Peer;
  readonly route: LocalAddress;
  readonly invitation: Invitation;
  readonly branch: string;
  again: NodeJS.Timeout | undefined;
  /** Undefined once it is over for the caller. */
  end: ((outcome: InviteOutcome) => void) | undefined;
  isHeard: boolean;
  /** The reply to its final answer. */
  acknowledgement: Buffer | undefined;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 4_000;
/** How long after its end answers may still come. */
const LINGER_MS = 32_000;
const MAX_TRANSACTIONS = 2_000;
const SEQUENCE = 1;

export class InviteTransactions {
  readonly #transactions: ClientTransactions;
  readonly #options: InviteOptions;
  readonly #calls = new Map<string, Call>();
  #isClosed = false;

  constructor(transactions: ClientTransactions, options: InviteOptions) {
    this.#transactions = transactions;
    this.#options = options;
  }

  /** Never rejects. An aborted signal gives up the call. */
  async invite(peer: Peer, invitation: Invitation, signal: AbortSignal): Promise<InviteOutcome> {
    if (signal.aborted || this.#isClosed || this.#calls.size >= MAX_TRANSACTIONS) return { kind: 'silent' };
    const { host, withinMs } = this.#options;
    const route = { transport: peer.transport, host };
    const branch = newBranch();
    const call: Call = {
      peer,
      route,
      invitation,
      branch,
      again: undefined,
      end: undefined,
      isHeard: false,
      acknowledgement: undefined,
    };
    this.#calls.set(branch, call);
    const outcome = await new Promise<InviteOutcome>((resolve) => {
      const giveUp = () => this.#settle(call, { kind: 'silent' });
      const patience = setTimeout(giveUp, withinMs);
      signal.addEventListener('abort', giveUp, { once: true });
      call.end = (ended) => {
        clearTimeout(patience);
        signal.removeEventListener('abort', giveUp);
        resolve(ended);
      };
      this.#send(call, FIRST_WAIT_MS);
    });
    if (outcome.kind === 'silent' && call.isHeard && !this.#isClosed) this.#cancel(call);
    setTimeout(() => this.#calls.delete(branch), LINGER_MS).unref();
    return outcome;
  }

  /** Ends an accepted call. */
  async bye(peer: Peer, dialog: Dialog): Promise<void> {
    if (this.#isClosed) return;
    const branch = newBranch();
    const route = { transport: peer.transport, host: this.#options.host };
    await this.#transactions.send(peer, formatBye(dialog, route, branch), branch);
  }

  answered(response: SipResponse, from: Peer): void {
    const call = this.#calls.get(parameterOf(response.via[0] ?? '', 'branch') ?? '');
    if (call === undefined || call.peer.address !== from.address) return;
    call.isHeard = true;
    clearTimeout(call.again);
    if (response.status < 200) return;
    if (call.acknowledgement !== undefined) call.peer.send(call.acknowledgement);
    else if (response.status < 300) this.#taken(call, response);
    else this.#refused(call, response);
  }

  get size(): number {
    return this.#calls.size;
  }

  /** No more calls are made, and nobody waits. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#calls.values()) this.#settle(call, { kind: 'silent' });
    this.#calls.clear();
  }

  #send(call: Call, wait: number): void {
    call.peer.send(this.#request(call, 'INVITE'));
    if (call.peer.transport !== 'udp') return;
    call.again = setTimeout(() => this.#send(call, Math.min(2 * wait, MAX_WAIT_MS)), wait);
  }

  #taken(call: Call, response: SipResponse): void {
    const dialog = dialogOf(response, call.invitation.uri);
    call.acknowledgement = formatAck(dialog, call.route);
    call.peer.send(call.acknowledgement);
    // Nobody waits for it any more.
    if (call.end === undefined) void this.bye(call.peer, dialog);
    else this.#settle(call, { kind: 'accepted', dialog, body: response.body });
  }

  #refused(call: Call, response: SipResponse): void {
    call.acknowledgement = this.#request(call, 'ACK', response.to);
    call.peer.send(call.acknowledgement);
    this.#settle(call, { kind: 'refused', status: response.status, reason: response.reason });
  }

  #cancel(call: Call): void {
    void this.#transactions.send(call.peer, this.#request(call, 'CANCEL'), call.branch);
  }

  #settle(call: Call, outcome: InviteOutcome): void {
    clearTimeout(call.again);
    call.end?.(outcome);
    call.end = undefined;
  }

  /** The INVITE itself, or a request of its transaction: those have no body. */
  #request({ invitation, route, branch }: Call, method: 'INVITE' | 'ACK' | 'CANCEL', to?: string): Buffer {
    const isInvite = method === 'INVITE';
    const same = ['From', 'To', 'Call-ID'];
    const headers = invitation.headers
      .filter(([name]) => isInvite || same.includes(name))
      .map(([name, value]): Header => [name, name === 'To' ? (to ?? value) : value]);
    return formatRequest({
      method,
      uri: invitation.uri,
      headers: [viaOf(route, branch), ...headers, ['CSeq', `${SEQUENCE} ${method}`]],
      ...(isInvite ? { content: { type: 'Application/SDP', body: invitation.body } } : {}),
    });
  }
}

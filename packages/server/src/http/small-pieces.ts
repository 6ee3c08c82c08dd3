/**
 * Bodies in tiny pieces: HTTP chunks, or TLS records, of a few bytes each. Whatever a piece holds, it costs the parser about 2 µs:
 * 2 MiB of chunks of one byte on the wire cost 0.7 s, as much as 700 MiB of large ones. So pieces are counted, not only bytes, for
 * every body on a listener, whether somebody reads it or it is discarded. A network that sends too many small ones is read more
 * slowly. Nothing is refused here: who is slow because of it meets the limits of time that all slow bodies have.
 *
 * The arithmetic: a full TCP segment has 536 bytes or more (the least that IPv4 promises), so a phone on the worst of lines
 * that fills its segments owes nothing, at any speed. A program that writes lines of 50 bytes as chunks sends 4,096 lines at
 * once and 10,000 a second after that: 0.5 MB/s. All connections of a network together cost at most 10,000 × 2 µs, 2 % of a
 * processor, but for the first read of each: Node takes 64 KiB from a socket at once, 10,000 chunks, which can't be stopped halfway.
 */
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork, PIECE_RATE, PieceDebt, type PieceRate, SMALL_BYTES, unmapIpv4 } from '@millpond/base';
import type { ProxyTrust } from '../platform/web/index.ts';

/** Small pieces are gathered in this much memory: as a Buffer each, 64 KiB in single bytes would take 7 MB. */
const GATHERED_BYTES = 16 * 1024;
/** Pieces of each body that are free: its request costs more than they do. */
const FREE_PIECES = 16;
const MAX_NETWORKS = 100_000;

/** One for all listeners. */
export class SmallPieces {
  readonly #trust: ProxyTrust;
  readonly #rate: PieceRate;
  readonly #ofNetworks = new Map<string, PieceDebt>();
  readonly #ofProxies = new WeakMap<Socket, PieceDebt>();
  #slowedDown = 0;

  constructor(trust: ProxyTrust, rate: PieceRate = PIECE_RATE) {
    this.#trust = trust;
    this.#rate = rate;
  }

  /** Bodies that were read more slowly. */
  get slowedDown(): number {
    return this.#slowedDown;
  }

  /** What the requests of a server are instances of. */
  requestClass(): typeof IncomingMessage {
    const debtOf = (socket: Socket) => this.#debtOf(socket);
    const count = () => {
      this.#slowedDown++;
    };
    return class extends PacedRequest {
      constructor(socket: Socket) {
        super(socket, debtOf, count);
      }
    };
  }

  #debtOf(socket: Socket): PieceDebt {
    const address = unmapIpv4(socket.remoteAddress ?? '');
    // What a proxy forwards is of many clients, and in pieces of its own making: each of its connections pays for itself.
    if (this.#trust.trusts(address)) return debtIn(this.#ofProxies, socket, this.#rate);
    const debt = debtIn(this.#ofNetworks, clientNetwork(address), this.#rate);
    if (this.#ofNetworks.size > MAX_NETWORKS) {
      const [oldest] = this.#ofNetworks.keys();
      if (oldest !== undefined) this.#ofNetworks.delete(oldest);
    }
    return debt;
  }
}

function debtIn<Key>(debts: DebtsBy<Key>, key: Key, rate: PieceRate): PieceDebt {
  const debt = debts.get(key) ?? new PieceDebt(rate);
  debts.set(key, debt);
  return debt;
}

interface DebtsBy<Key> {
  get(key: Key): PieceDebt | undefined;
  set(key: Key, debt: PieceDebt): unknown;
}

class PacedRequest extends IncomingMessage {
  readonly #debtOf: (socket: Socket) => PieceDebt;
  readonly #count: () => void;
  #smallPieces = 0;
  #debt: PieceDebt | undefined;
  #turn: NodeJS.Timeout | undefined;
  #isSlowedDown = false;
  #gathered = Buffer.alloc(0);
  #length = 0;

  constructor(socket: Socket, debtOf: (socket: Socket) => PieceDebt, count: () => void) {
    super(socket);
    this.#debtOf = debtOf;
    this.#count = count;
  }

  /** Called by the parser for every piece of the body, and with null at its end. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null || piece.length >= SMALL_BYTES) {
      this.#release();
      return super.push(piece, encoding) && this.#turn === undefined;
    }
    if (++this.#smallPieces <= FREE_PIECES) return super.push(piece, encoding);
    this.#debt ??= this.#debtOf(this.socket);
    const isTooMuch = this.#debt.add(piece.length);
    if (!isTooMuch && this.#turn === undefined) return super.push(piece, encoding);
    if (!this.#isSlowedDown) this.#count();
    this.#isSlowedDown = true;
    this.#gather(piece);
    this.#turn ??= setTimeout(() => this.#goOn(), this.#debt.nextTurn()).unref();
    // The parser stops reading the connection, once it is through with what it has read.
    return false;
  }

  /** Continues reading the connection, unless this is not its turn yet. */
  override _read(size: number): void {
    if (this.#turn === undefined) super._read(size);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#turn);
    super._destroy(error, callback);
  }

  #goOn(): void {
    this.#turn = undefined;
    if (this.destroyed) return;
    this.#release();
    super._read(0);
  }

  #gather(piece: Buffer): void {
    if (this.#length + piece.length > this.#gathered.length) {
      this.#release();
      this.#gathered = Buffer.allocUnsafeSlow(GATHERED_BYTES);
    }
    this.#gathered.set(piece, this.#length);
    this.#length += piece.length;
  }

  #release(): void {
    if (this.#length === 0) return;
    const whole = this.#gathered.subarray(0, this.#length);
    this.#gathered = Buffer.alloc(0);
    this.#length = 0;
    super.push(whole);
  }
}

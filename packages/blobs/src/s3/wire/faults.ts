/** What goes wrong on the wire, apart from errors of the operating system. */
export type WireFaultCode =
  /** The engine closed the connection before its answer was complete. */
  | 'WIRE_ENDED'
  /** A time-out: connecting, waiting for the head, or inside the body. */
  | 'WIRE_SLOW'
  | 'WIRE_NOT_HTTP'
  /** We do not accept the engine's certificate. */
  | 'WIRE_UNTRUSTED'
  /** No connection became free in time. */
  | 'WIRE_BUSY'
  | 'WIRE_CLOSED';

export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireFaultCode;

  constructor(code: WireFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

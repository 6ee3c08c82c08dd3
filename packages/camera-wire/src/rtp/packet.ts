/** RTP packets (RFC 3550), read within their bounds. */

export interface RtpPacket {
  readonly payloadType: number;
  readonly sequence: number;
  readonly ssrc: number;
  /** A view of the received bytes. */
  readonly payload: Buffer;
}

const VERSION = 2;
const HEAD_BYTES = 12;
const EXTENSION_HEAD_BYTES = 4;

/** Undefined: not RTP, or an empty packet. */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  if (first >> 6 !== VERSION) return undefined;
  let begin = HEAD_BYTES + 4 * (first & 0x0f);
  if ((first & 0x10) !== 0) {
    if (bytes.length < begin + EXTENSION_HEAD_BYTES) return undefined;
    begin += EXTENSION_HEAD_BYTES + 4 * bytes.readUInt16BE(begin + 2);
  }
  const padding = (first & 0x20) === 0 ? 0 : bytes.readUInt8(bytes.length - 1);
  if ((first & 0x20) !== 0 && padding === 0) return undefined;
  const end = bytes.length - padding;
  if (begin >= end) return undefined;
  return {
    payloadType: second & 0x7f,
    sequence: bytes.readUInt16BE(2),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(begin, end),
  };
}

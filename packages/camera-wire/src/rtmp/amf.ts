/** AMF0: the values of RTMP commands, as far as a publisher writes them. */

export type AmfValue = string | number | null | Readonly<Record<string, string | number>>;

const MARKERS = { number: 0, string: 2, object: 3, null: 5 } as const;
const END_OF_OBJECT = Buffer.of(0, 0, 9);

export function encodeAmf(...values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeValue));
}

function encodeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.of(MARKERS.null);
  if (typeof value === 'string') return Buffer.concat([Buffer.of(MARKERS.string), encodeText(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeUInt8(MARKERS.number, 0);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  const fields = Object.entries(value).flatMap(([name, field]) => [encodeText(name), encodeValue(field)]);
  return Buffer.concat([Buffer.of(MARKERS.object), ...fields, END_OF_OBJECT]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A command's name and transaction number; undefined if it is not a command. */
export function readCommand(payload: Buffer): { readonly name: string; readonly number: number } | undefined {
  if (payload.length < 3 || payload.readUInt8(0) !== MARKERS.string) return undefined;
  const end = 3 + payload.readUInt16BE(1);
  if (payload.length < end + 9 || payload.readUInt8(end) !== MARKERS.number) return undefined;
  return { name: payload.toString('latin1', 3, end), number: payload.readDoubleBE(end + 1) };
}

/** The number at the end of an answer, such as the id of a new stream. */
export function readLastNumber(payload: Buffer): number {
  const at = payload.length - 9;
  if (at < 0 || payload.readUInt8(at) !== MARKERS.number) throw new Error('the engine does not speak RTMP');
  return payload.readDoubleBE(at + 1);
}

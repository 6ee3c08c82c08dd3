/**
 * SHA-1 in plain JavaScript, for pages without Web Crypto (plain HTTP) and for synchronous hashing. It names content;
 * it protects nothing.
 */
export interface Sha1 {
  update(bytes: Uint8Array): void;
  digest(): Uint8Array<ArrayBuffer>;
}

const BLOCK = 64;

export function createSha1(): Sha1 {
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const rest = new Uint8Array(BLOCK);
  const words = new Int32Array(80);
  let length = 0;
  let held = 0;

  const update = (bytes: Uint8Array) => {
    length += bytes.length;
    let at = 0;
    if (held > 0) {
      at = Math.min(BLOCK - held, bytes.length);
      rest.set(bytes.subarray(0, at), held);
      held += at;
      if (held < BLOCK) return;
      compress(state, words, rest, 0);
      held = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) compress(state, words, bytes, at);
    rest.set(bytes.subarray(at));
    held = bytes.length - at;
  };

  return {
    update,
    digest() {
      const bits = length * 8;
      const end = new Uint8Array((held < 56 ? BLOCK : 2 * BLOCK) - held);
      end[0] = 0x80;
      const view = new DataView(end.buffer);
      view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
      view.setUint32(end.length - 4, bits >>> 0);
      update(end);
      const digest = new Uint8Array(20);
      const words20 = new DataView(digest.buffer);
      for (const [index, word] of state.entries()) words20.setInt32(index * 4, word);
      return digest;
    },
  };
}

export function sha1Of(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const running = createSha1();
  running.update(bytes);
  return running.digest();
}

function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK);
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(i * 4);
  for (let i = 16; i < 80; i++) {
    words[i] = rotated(
      (words[i - 3] ?? 0) ^ (words[i - 8] ?? 0) ^ (words[i - 14] ?? 0) ^ (words[i - 16] ?? 0),
      1,
    );
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const [mixed, constant] =
      i < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (rotated(a, 5) + mixed + e + constant + (words[i] ?? 0)) | 0;
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  for (const [index, word] of [a, b, c, d, e].entries()) state[index] = ((state[index] ?? 0) + word) | 0;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

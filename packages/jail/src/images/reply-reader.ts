/**
 * Parses the replies of an image process, as sandboxed/framing.ts describes them. The process has decoded hostile bytes and may
 * be compromised: whatever it writes, no more than the bounds is held, and anything that is no reply is reported as such.
 */
export interface RawReply {
  readonly json: string;
  readonly body: Buffer;
}

export interface ReplyReader {
  /** A reply that is now complete; 'broken' if the input cannot be one; undefined if more must come. */
  push(chunk: Buffer): RawReply | 'broken' | undefined;
}

const MAX_HEAD_BYTES = 24;

export function createReplyReader(maxJsonBytes: number, maxBodyBytes: number): ReplyReader {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted: { head: number; json: number; body: number } | undefined;

  return {
    push(chunk) {
      chunks.push(chunk);
      held += chunk.length;
      if (wanted === undefined) {
        const start = Buffer.concat(chunks);
        chunks = [start];
        const end = start.subarray(0, MAX_HEAD_BYTES).indexOf(10);
        if (end < 0) return held > MAX_HEAD_BYTES ? 'broken' : undefined;
        const [, json, body] = /^(\d{1,9}) (\d{1,10})$/.exec(start.toString('latin1', 0, end)) ?? [];
        if (json === undefined || body === undefined) return 'broken';
        wanted = { head: end + 1, json: Number(json), body: Number(body) };
        if (wanted.json > maxJsonBytes || wanted.body > maxBodyBytes) return 'broken';
      }
      const { head, json, body } = wanted;
      if (held < head + json + body) return undefined;
      // One reply per request: nothing more was asked for.
      if (held > head + json + body) return 'broken';
      const whole = Buffer.concat(chunks);
      chunks = [];
      held = 0;
      wanted = undefined;
      return { json: whole.toString('utf8', head, head + json), body: whole.subarray(head + json) };
    },
  };
}

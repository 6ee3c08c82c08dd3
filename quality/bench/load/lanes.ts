/** The kinds of work as lanes: each lane sends one request after the other, and the requested number of lanes runs. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Connection, type LoadResponse, openConnection } from './connection.ts';
import { imageLanes, sharpLanes } from './image-lanes.ts';
import { countLines } from './lines.ts';
import { hostOf, presigner } from './presign.ts';
import type {
  FormWork,
  Lane,
  Lanes,
  PartWork,
  PresignedPutWork,
  QueryWork,
  RequestWork,
  StreamWork,
  Work,
} from './work.ts';

/** URLs signed before the clock starts; more than any engine here serves. Beyond these, they are signed as needed. */
const SIGNED_AHEAD_PER_SECOND = 3000;
const SIGNED_BYTES_PER_SECOND = 2 * 1024 ** 3;

export function lanesOf(work: Work, seconds: number): Lanes {
  switch (work.kind) {
    case 'requests':
      return requestLanes(work);
    case 'stream':
      return streamLanes(work);
    case 'form':
      return formLanes(work);
    case 'parts':
      return partLanes(work);
    case 'presignedPut':
      return presignedPutLanes(work, seconds);
    case 'images':
      return imageLanes(work);
    case 'sharp':
      return sharpLanes(work);
    case 'query':
      return queryLanes(work);
  }
}

function requestLanes({ to, requests, answerBytes, follow }: RequestWork): Lanes {
  const next = inTurn(requests);
  const check = (answer: LoadResponse) => {
    if (answer.status !== 200 || (answerBytes !== undefined && answer.bytes !== answerBytes))
      throw new Error(`answered ${answer.status} with ${answer.bytes} bytes`);
  };
  return connectionLanes(async () => {
    const connection = await openConnection(to);
    if (follow === undefined) return [[connection], async () => check(await connection.send(next()))];
    const second = await openConnection(follow);
    const host = hostOf(follow);
    return [
      [connection, second],
      async () => {
        const { status, location } = await connection.send(next());
        if (location === undefined) throw new Error(`answered ${status} without a Location`);
        const target = location.slice(location.indexOf('/', 'http://'.length));
        check(await second.send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
      },
    ];
  });
}

function streamLanes({ to, request, lines }: StreamWork): Lanes {
  const lane: Lane = {
    async once() {
      const found = await countLines(to, request);
      if (found !== lines) throw new Error(`${found} lines instead of ${lines}`);
    },
    close: () => undefined,
  };
  return { open: async () => lane, close: async () => undefined };
}

function formLanes({ to, token, keyPrefix, bytes }: FormWork): Lanes {
  const body = randomBytes(bytes);
  const boundary = 'millpond-bench-0123456789';
  const field = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const fields = (key: string) =>
    `${field('token')}${token}\r\n${field('key')}${key}\r\n--${boundary}\r\n` +
    'Content-Disposition: form-data; name="file"; filename="file"\r\n' +
    'Content-Type: application/octet-stream\r\n\r\n';
  const tail = `\r\n--${boundary}--\r\n`;
  const next = newKeys(keyPrefix);
  const length = fields(next()).length + bytes + tail.length;
  const head =
    `POST / HTTP/1.1\r\nHost: ${hostOf(to)}\r\nContent-Length: ${length}\r\n` +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`;
  return connectionLanes(async () => {
    const connection = await openConnection(to);
    const once = async () => {
      await connection.send(head + fields(next()), body, tail);
    };
    return [[connection], once];
  });
}

function partLanes({ to, token, path, bytes }: PartWork): Lanes {
  const body = randomBytes(bytes);
  const authorization = `UpToken ${token}`;
  const begin = async () => {
    const url = `http://${hostOf(to)}${path}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization } });
    if (!answer.ok) throw new Error(`beginning an upload: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { uploadId: string }).uploadId;
  };
  return connectionLanes(async () => {
    const [connection, id] = [await openConnection(to), await begin()];
    let number = 0;
    const once = async () => {
      await connection.send(
        `PUT ${path}/${id}/${++number} HTTP/1.1\r\nHost: ${hostOf(to)}\r\nContent-Length: ${bytes}\r\n` +
          `Authorization: ${authorization}\r\nContent-Type: application/octet-stream\r\n\r\n`,
        body,
      );
    };
    return [[connection], once];
  });
}

function presignedPutLanes({ to, keyPrefix, bytes }: PresignedPutWork, seconds: number): Lanes {
  const body = randomBytes(bytes);
  const presign = presigner(to);
  const key = newKeys(keyPrefix);
  const headOf = () =>
    `PUT ${presign('PUT', key())} HTTP/1.1\r\nHost: ${hostOf(to)}\r\nContent-Length: ${bytes}\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const ahead = Math.min(SIGNED_AHEAD_PER_SECOND, SIGNED_BYTES_PER_SECOND / bytes) * seconds;
  const signed = Array.from({ length: Math.ceil(ahead) }, headOf);
  return connectionLanes(async () => {
    const connection = await openConnection(to);
    const once = async () => {
      await connection.send(signed.pop() ?? headOf(), body);
    };
    return [[connection], once];
  });
}

function queryLanes({ url, connections, name, text, values, rows }: QueryWork): Lanes {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const next = inTurn(values);
  const lane: Lane = {
    async once() {
      const answer = await pool.query({ name, text, values: [...next()] });
      if (answer.rows.length !== rows) throw new Error(`${answer.rows.length} rows instead of ${rows}`);
    },
    close: () => undefined,
  };
  return { open: async () => lane, close: () => pool.end() };
}

function connectionLanes(open: () => Promise<[Connection[], () => Promise<void>]>): Lanes {
  return {
    async open() {
      const [connections, once] = await open();
      return {
        once,
        close() {
          for (const connection of connections) connection.close();
        },
      };
    },
    close: async () => undefined,
  };
}

function inTurn<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = list[at++ % list.length];
    if (item === undefined) throw new Error('there is nothing to send');
    return item;
  };
}

/** All of one length, so that a request's length is known before its key; not in order, like real ones. */
function newKeys(prefix: string): () => string {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    const scattered = (Math.imul(count++, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0');
    return `${prefix}${scattered}-${run}`;
  };
}

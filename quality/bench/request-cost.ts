/** What one request costs by design, next to the measured figure. */
import type { ListForm, Options, Transport } from './options.ts';

interface Path {
  readonly ours: readonly string[];
  readonly bare: readonly string[];
}

const POINT_READ = '1 SQL point read (shared by reads of the same bucket that wait at the same time)';
const bareGet = ['1 engine GET'];
const gets: Record<Transport, Path> = {
  stream: {
    ours: [
      '0 control lookups (cached 5 s)',
      POINT_READ,
      '1 engine GET, each chunk passed on as it is read: 1 copy in, 1 out',
    ],
    bare: bareGet,
  },
  nginx: {
    ours: [
      '0 control lookups (cached 5 s)',
      POINT_READ,
      '1 presigned URL',
      '1 engine GET by nginx; no byte of the body in Node',
    ],
    bare: bareGet,
  },
  redirect: {
    ours: [
      '0 control lookups (cached 5 s)',
      POINT_READ,
      '1 presigned URL, 1 more round trip of the client',
      '1 engine GET by the client; no byte of the body in Node',
    ],
    bare: bareGet,
  },
};

const putPath: Path = {
  ours: [
    '0 control lookups (cached 5 s), 1 HMAC of the token unless it was just proven',
    'SHA-1 and CRC-32 of the body, MD5 if the engine verifies it; the first pieces of the body passed on as they arrive, others copied once',
    'up to 16 KiB: the bytes in the statement, and no engine (--small off: as the others)',
    '1 engine PUT (above 16 MiB: 1 begin, 1 PUT per 16 MiB, 1 complete; 8 MiB if memory is short)',
    '1 SQL statement, 1 WAL flush (both shared by commits to the bucket that wait at the same time)',
  ],
  bare: ['1 engine PUT'],
};
const s3PutPath: Path = {
  ours: [
    '0 control lookups (cached 5 s), 1 HMAC of the request',
    'MD5 and SHA-1 of the body; pieces of it passed on as they arrive; the engine compares the MD5 of what it gets whole',
    ...putPath.ours.slice(2),
  ],
  bare: ['1 engine PUT by the same client'],
};
const s3GetPath: Path = {
  ours: ['0 control lookups (cached 5 s), 1 HMAC of the request', ...gets.stream.ours.slice(1)],
  bare: ['1 engine GET by the same client'],
};
const partPath: Path = {
  ours: [
    '0 control lookups (cached 5 s), 1 HMAC of the token unless it was just proven',
    '1 SQL point read of the upload',
    'SHA-1 and MD5 of the part; pieces of it passed on as they arrive',
    '1 engine PUT',
    '1 SQL statement, 1 WAL flush (shared by commits at the same time)',
  ],
  bare: ['1 engine PUT'],
};
const mergedPath: Path = {
  ours: ['like a get of an object that was uploaded whole: its parts have become one engine object'],
  bare: ['the same get of an object that was uploaded whole'],
};
const statPath: Path = {
  ours: ['0 control lookups (cached 5 s), 1 HMAC of the request', POINT_READ, '1 JSON object'],
  bare: ['1 SQL point read'],
};
const listPath: Path = {
  ours: [
    '0 control lookups (cached 5 s), 1 HMAC of the request',
    '1 SQL index range (one row more than the page)',
    '1 JSON text of 1,000 records',
  ],
  bare: ['1 SQL index range'],
};

const batchPath: Path = {
  ours: ['1 HMAC of the request and its form', '1 SQL statement with 1,000 index probes', '1 JSON text'],
  bare: ['1,000 stats: 1 HMAC, 1 SQL point read and 1 JSON object each'],
};
const streamPath: Path = {
  ours: ['1 HMAC of the request', '1 SQL index range for each 1,000 keys, the next while one is sent'],
  bare: ['1 SQL index range for each 1,000 keys'],
};
const groupsPath: Path = {
  ours: ['1 HMAC of the request', '1 SQL statement with an index probe for each group, whatever it holds'],
  bare: ['1 SQL index range over all rows of the groups'],
};
const lists: Record<ListForm, Path> = { page: listPath, stream: streamPath, delimiter: groupsPath };

const deliveryPath: Path = {
  ours: [
    '1 row of the event and 1 of the queue, written with the cause; 1 more for its number in its entity',
    '1 claim for up to 256 events, 1 read of their bodies',
    '2 HMACs, 1 POST by the guarded client, 16 KiB of the answer kept',
    '1 transaction for up to 256 ends: state, attempt, next of the lane',
  ],
  bare: ['1 row', '1 claim for up to 256', '1 POST', '1 delete for up to 256'],
};

const livePath: Path = {
  ours: [
    '1 read of the stream, 1 HMAC or comparison of its key',
    '1 transaction: the stream locked, its session, its state, its event',
    'gone: the same, and 1 query every 50 ms for streams whose delay is over',
    'then like any event',
  ],
  bare: ['none'],
};
const taskPath: Path = {
  ours: [
    '0 control lookups (cached 5 s), 1 HMAC of the request, all commands parsed',
    '1 SQL point read of the source',
    '1 transaction: 1 row of the task that pins the source, 1 job with its turn, 1 WAL flush',
    'pickup: 1 query by each worker with room, at least every 100 ms',
  ],
  bare: ['1 SQL statement that inserts two rows, 1 WAL flush'],
};
const transcodePath: Path = {
  ours: [
    'pickup, 1 claim; the source copied from the blob store into the job',
    '1 ffprobe, 1 ffmpeg, 1 ffprobe of the result, each in a sandbox of its own; 1 row per second for lease and progress',
    'SHA-1 of the result as it is stored; 1 commit with the item, 1 with the end of the task',
  ],
  bare: ['the same ffmpeg command on a local file'],
};

const imagePath: Path = {
  ours: [
    '0 control lookups (cached 5 s)',
    POINT_READ,
    '1 SQL point read of the cached result (if seen in the last 30 s: none)',
    '1 engine GET of the source, read ahead of its turn; 1 image by a sandboxed process, over pipes',
    '1 engine PUT of the result, 1 row; once it is cached: 1 engine GET instead of all of this',
  ],
  bare: ['1 image by sharp, of a file in memory; once it is cached: a plain get of the same bytes'],
};

const copyPath: Path = {
  ours: [
    '1 read of the file, SHA-1 and CRC-32, 1 HMAC for its token',
    '1 form upload',
    '1 line of the journal',
  ],
  bare: ['1 form upload of bytes that are already in memory'],
};
const devStartPath: Path = {
  ours: [
    'npx, Node, and the code of the server',
    'a copy of the prepared data directory (the first time: initdb and all migrations), 1 start of PostgreSQL',
    '1 account, 1 bucket, 1 copy of the database for resets, 1 start of the server with all roles',
  ],
  bare: ['npx, Node, and the code of the server, which prints its help'],
};

const consoleListPath: Path = {
  ours: [
    'first rows: the page and its scripts (cached), 1 read of the session, 1 page of 200 rows',
    'reading on: 1 SQL index range for each 1,000 rows; 200 of these parts are held',
    'a jump: the rows in view drawn, and 1 part read again if it is not held',
  ],
  bare: ['none'],
};

function withToken({ ours: [lookups = '', ...others], bare }: Path): Path {
  return { ours: [`${lookups}, 1 HMAC of the token`, ...others], bare };
}

export function pathOf({
  name,
  way,
  list,
  signed,
}: Pick<Options, 'name' | 'way' | 'list' | 'signed'>): string {
  switch (name) {
    case 'put':
    case 'small':
      return describe(putPath);
    case 'parts':
      return describe(partPath);
    case 'merged':
      return describe(mergedPath);
    case 'get':
      return describe(signed ? withToken(gets[way]) : gets[way]);
    case 's3-put':
      return describe(s3PutPath);
    case 's3-get':
      return describe(s3GetPath);
    case 'stat':
      return describe(statPath);
    case 'list':
      return describe(lists[list]);
    case 'batch':
      return describe(batchPath);
    case 'live':
      return describe(livePath);
    case 'deliveries':
      return describe(deliveryPath);
    case 'images':
      return describe(imagePath);
    case 'cp':
      return describe(copyPath);
    case 'console-list':
      return describe(consoleListPath);
    case 'dev-start':
      return describe(devStartPath);
    case 'tasks':
      return describe(taskPath);
    case 'transcode':
      return describe(transcodePath);
    case 'supabase':
      return `put:\n${describe(s3PutPath)}\nget:\n${describe(s3GetPath)}`;
    case 'rows':
      return `put:\n${describe(putPath)}\nstat:\n${describe(statPath)}\nlist:\n${describe(listPath)}`;
  }
}

function describe({ ours, bare }: Path): string {
  const lines = (name: string, steps: readonly string[]) =>
    steps.map((step, index) => `  ${(index === 0 ? name : '').padEnd(5)} ${step}`);
  return ['one request:', ...lines('ours', ours), ...lines('bare', bare)].join('\n');
}

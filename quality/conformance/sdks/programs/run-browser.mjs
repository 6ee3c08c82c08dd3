/** The common list of calls through qiniu-js, in Chromium. What the environment holds, and what is printed: see ../programs.ts. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';

const { SDK_SOURCES, SDK_HOST, SDK_ACCESS_KEY, SDK_SECRET_KEY, SDK_BUCKET, SDK_RECEIVER } = process.env;
const CHROMIUM = '/usr/bin/chromium';
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** As the page's own server would sign it. */
function tokenOf(policy) {
  const deadline = Math.floor(Date.now() / 1000) + 3600;
  const text = Buffer.from(JSON.stringify({ scope: SDK_BUCKET, deadline, ...policy })).toString('base64');
  const encoded = text.replaceAll('+', '-').replaceAll('/', '_');
  const signature = createHmac('sha1', SDK_SECRET_KEY).update(encoded).digest('base64');
  return `${SDK_ACCESS_KEY}:${signature.replaceAll('+', '-').replaceAll('/', '_')}:${encoded}`;
}

const script = readFileSync(path.join(SDK_SOURCES, 'dist/qiniu.min.js'));
const page = '<!doctype html><meta charset="utf-8"><title>qiniu-js</title><script src="/qiniu.js"></script>';
const server = createServer(({ url }, response) => {
  const isScript = url === '/qiniu.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(isScript ? script : page);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const { version } = JSON.parse(readFileSync(path.join(SDK_SOURCES, 'package.json'), 'utf8'));
print({ sdk: 'qiniu-js', version });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const tab = await browser.newPage();
await tab.goto(`http://127.0.0.1:${server.address().port}/`);

/** `file`: bytes of random content, or a text. */
async function upload(
  row,
  name,
  { file = 'hello', key, policy = {}, extra = {}, config = {}, token },
  holds,
) {
  const given = {
    file,
    key,
    extra,
    token: token ?? tokenOf(policy),
    config: { uphost: [SDK_HOST], upprotocol: 'http', useCdnDomain: false, retryCount: 1, ...config },
  };
  const { answer, error } = await tab.evaluate(async ({ file: size, ...rest }) => {
    const bytes = typeof size === 'string' ? size : new Uint8Array(size);
    if (typeof bytes !== 'string')
      for (let from = 0; from < bytes.length; from += 65_536)
        crypto.getRandomValues(bytes.subarray(from, from + 65_536));
    const chosen = new File([bytes], '文 件.txt', { type: 'text/plain' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ error: 'no answer within 60 s' }), 60_000);
      const end = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      qiniu.upload(chosen, rest.key ?? null, rest.token, rest.extra, rest.config).subscribe({
        error: (fault) => end({ error: `${fault.name} ${fault.code ?? ''} ${fault.message}` }),
        complete: (result) => end({ answer: result }),
      });
    });
  }, given);
  const passed = await Promise.resolve(holds(answer, error)).catch(() => false);
  print({ row, name, passed, detail: passed ? '' : (error ?? JSON.stringify(answer)).slice(0, 400) });
}

const returnBody = '{"k":$(key),"x":$(x:a),"f":$(fname),"s":$(fsize)}';
const BIG = 9 * 1024 * 1024 + 7;
const has = (key) => (answer) => answer?.key === key;
await upload('form', 'upload', { key: 'js/small.txt' }, has('js/small.txt'));
await upload('form', 'upload without a key', {}, (answer) => answer?.key === answer?.hash);
await upload(
  'answers',
  'upload with variables',
  { key: 'js/é.txt', policy: { returnBody }, extra: { customVars: { 'x:a': 'vä' }, fname: 'f.txt' } },
  (answer) => answer?.k === 'js/é.txt' && answer.x === 'vä' && answer.f === 'f.txt' && answer.s === 5,
);
const callback = { callbackUrl: `${SDK_RECEIVER}/callback?js`, callbackBody: 'k=$(key)' };
await upload('answers', 'upload with a callback', { key: 'js/cb.txt', policy: callback }, async (answer) => {
  const { body } = await (await fetch(`${SDK_RECEIVER}/last`)).json();
  return answer?.seen === true && body === 'k=js%2Fcb.txt';
});
await upload(
  'parts',
  'upload in parts',
  {
    file: BIG,
    key: 'js/big.bin',
    policy: { returnBody },
    extra: { customVars: { 'x:a': 'q' } },
    config: { chunkSize: 4 },
  },
  (answer) => answer?.s === BIG && answer.x === 'q',
);
await upload(
  'parts',
  'upload in parts with MD5',
  { file: BIG, key: 'js/md5.bin', config: { chunkSize: 1, checkByMD5: true, checkByServer: true } },
  has('js/md5.bin'),
);
await upload(
  'form',
  'forceDirect of 9 MiB',
  { file: BIG, key: 'js/direct.bin', config: { forceDirect: true } },
  has('js/direct.bin'),
);
await upload(
  'form',
  'a bad token',
  { key: 'js/bad', token: tokenOf({}).replace(/:[^:]{4}/, ':AAAA') },
  (_, error) => / 401 /.test(error ?? ''),
);
await browser.close();
server.close();
print({ done: true });

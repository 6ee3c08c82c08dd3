/** The common list of calls through kodo-s3-adapter-sdk, in the mode of Qiniu's own interface. What the environment holds, and what is printed: see ../programs.ts. */
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const { SDK_SOURCES, SDK_WORK, SDK_URL, SDK_ACCESS_KEY, SDK_SECRET_KEY, SDK_BUCKET } = process.env;
// In place of a name server that knows the bucket's own host.
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.sdk.test') ? '127.0.0.1' : name, ...rest);
const load = createRequire(path.join(SDK_SOURCES, 'package.json'));
const { Qiniu } = load('./dist/qiniu');
const { Region } = load('./dist/region');
const { Uploader } = load('./dist/uploader');
const { Downloader } = load('./dist/downloader');

const REGION = 'z0';
const common = { appName: 'millpond', appVersion: '1', appNatureLanguage: 'en-US' };
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const at = (key) => ({ bucket: SDK_BUCKET, key });
const kodo = new Qiniu(SDK_ACCESS_KEY, SDK_SECRET_KEY, undefined, SDK_URL, 'millpond').mode('kodo', common);
/** What was not asked through the SDK. */
async function get(url) {
  const [response] = await once(httpGet(url), 'response');
  return text(response);
}
const allGood = (answers) => answers.every(({ error }) => error === undefined);

async function call(row, name, ask, holds = () => true) {
  let detail = '';
  try {
    const answer = await ask();
    if (!holds(answer)) detail = JSON.stringify(answer) ?? 'nothing';
  } catch (error) {
    detail = `${error.name}: ${error.message}`;
  }
  print({ row, name, passed: detail === '', detail: detail.slice(0, 400) });
}

print({ sdk: 'kodo-s3-adapter-sdk', version: load('./package.json').version });
const keys = { accessKey: SDK_ACCESS_KEY, secretKey: SDK_SECRET_KEY, ucUrl: SDK_URL, ...common };
/** What an application hands on: names of storage classes are the server's. */
let classes = [];
await call(
  'regions',
  'Region.getAll',
  () => Region.getAll(keys),
  (found) => {
    const region = found.find(({ id }) => id === REGION);
    classes = region?.storageClasses ?? [];
    kodo.storageClasses = classes;
    return region?.rsUrls.length > 0 && classes.length > 0;
  },
);
const named = (type) => classes.find(({ fileType }) => fileType === type)?.kodoName;
await call('creation', 'createBucket', () => kodo.createBucket(REGION, SDK_BUCKET));
await call(
  'regions',
  'Region.query',
  () => Region.query({ ...keys, bucketName: SDK_BUCKET }),
  ({ rsUrls }) => rsUrls.length > 0,
);
await call(
  'buckets',
  'getBucketLocation',
  () => kodo.getBucketLocation(SDK_BUCKET),
  (region) => region === REGION,
);
await call(
  'buckets',
  'listBuckets',
  () => kodo.listBuckets(),
  (found) => found.some(({ name }) => name === SDK_BUCKET),
);
await call('buckets', 'listDomains', () => kodo.listDomains(REGION, SDK_BUCKET), Array.isArray);
await call('form', 'putObject', () =>
  kodo.putObject(REGION, at('a/s.txt'), Buffer.from('hello kodo'), 's.txt', {
    metadata: { m: 'n' },
    contentType: 'text/plain',
  }),
);
await call(
  'stat',
  'isExists',
  () => kodo.isExists(REGION, at('a/s.txt')),
  (found) => found === true,
);
await call(
  'stat',
  'isExists of none',
  () => kodo.isExists(REGION, at('none')),
  (found) => found === false,
);
await call(
  'stat',
  'getObjectInfo',
  () => kodo.getObjectInfo(REGION, at('a/s.txt')),
  ({ size }) => size === 10,
);
const to = (from, key) => ({ from: at(from), to: at(key) });
await call('copy', 'copyObject', () => kodo.copyObject(REGION, to('a/s.txt', 'a/c.txt')));
await call('copy', 'moveObject', () => kodo.moveObject(REGION, to('a/c.txt', 'a/m.txt')));
await call(
  'copy',
  'copyObjects',
  () => kodo.copyObjects(REGION, [to('a/s.txt', 'a/1'), to('a/s.txt', 'a/2')]),
  allGood,
);
await call('copy', 'moveObjects', () => kodo.moveObjects(REGION, [to('a/2', 'a/3')]), allGood);
await call('list', 'deleteObjects', () => kodo.deleteObjects(REGION, SDK_BUCKET, ['a/1', 'a/3']), allGood);
await call(
  'list',
  'listObjects',
  () => kodo.listObjects(REGION, SDK_BUCKET, '', { delimiter: '/' }),
  ({ commonPrefixes }) => commonPrefixes.length === 1,
);
await call(
  'list',
  'listObjects page by page',
  async () => {
    let count = 0;
    let nextContinuationToken;
    do {
      const page = await kodo.listObjects(REGION, SDK_BUCKET, 'a/', { maxKeys: 1, nextContinuationToken });
      count += page.objects.length;
      nextContinuationToken = page.nextContinuationToken;
    } while (nextContinuationToken !== undefined);
    return count;
  },
  (count) => count === 2,
);
await call('classes', 'setObjectStorageClass', () =>
  kodo.setObjectStorageClass(REGION, at('a/m.txt'), named(1)),
);
await call(
  'classes',
  'setObjectsStorageClass',
  () => kodo.setObjectsStorageClass(REGION, SDK_BUCKET, ['a/m.txt'], named(0)),
  allGood,
);
const frozen = (name, status) =>
  call(
    'classes',
    name,
    () => kodo.getFrozenInfo(REGION, at('a/m.txt')),
    (info) => info.status === status,
  );
await frozen('getFrozenInfo', 'Normal');
await call('classes', 'setObjectStorageClass to archive', () =>
  kodo.setObjectStorageClass(REGION, at('a/m.txt'), named(2)),
);
await frozen('getFrozenInfo of archive', 'Frozen');
await call('classes', 'restoreObject', () => kodo.restoreObject(REGION, at('a/m.txt'), 2));
await frozen('getFrozenInfo of a restore', 'Unfreezing');

const host = `${SDK_BUCKET}.sdk.test:${new URL(SDK_URL).port}`;
const domain = { name: host, protocol: 'http', private: true, protected: false };
const place = { ...domain, type: 'others', apiScope: 'kodo' };
const files = { big: path.join(SDK_WORK, 'big'), again: path.join(SDK_WORK, 'again') };
const big = randomBytes(9 * 1024 * 1024 + 5);
writeFileSync(files.big, big);
await call('parts', 'Uploader.putObjectFromFile', () =>
  new Uploader(kodo).putObjectFromFile(REGION, at('big'), files.big, big.length, 'big', {
    header: { contentType: 'application/x-big', metadata: {} },
    partSize: 4 << 20,
    uploadThreshold: 4 << 20,
  }),
);
await call(
  'private',
  'getObject',
  () => kodo.getObject(REGION, at('a/s.txt'), place),
  ({ data }) => String(data) === 'hello kodo',
);
await call(
  'private',
  'getObjectURL',
  async () => get(await kodo.getObjectURL(REGION, at('a/s.txt'), place)),
  (text) => text === 'hello kodo',
);
await call(
  'private',
  'Downloader.getObjectToFile',
  async () => {
    await new Downloader(kodo).getObjectToFile(REGION, at('big'), files.again, place, {});
    return big.equals(readFileSync(files.again));
  },
  (isSame) => isSame,
);
await call('stat', 'deleteObject', () => kodo.deleteObject(REGION, at('big')));
await call('creation', 'deleteBucket', async () => {
  await kodo.createBucket(REGION, `${SDK_BUCKET}-2`);
  await kodo.deleteBucket(REGION, `${SDK_BUCKET}-2`);
});
print({ done: true });
process.exit(0);

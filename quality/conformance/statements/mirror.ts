import { statements } from '../statement.ts';

/** Mirror prefetch and mirror on miss. */
export const mirrorStatements = [
  ...statements(
    { subject: 'mirror', from: 'interface', milestone: 'objects', where: 'Endpoints 4' },
    {
      'prefetch-01':
        'POST /prefetch/<EncodedEntryURI> on a mirrored bucket stores the file of the origin: a GET returns its bytes',
      'prefetch-02': 'It overwrites an existing object of that name with the content of the origin',
      'prefetch-03':
        'It is synchronous: the answer comes after a slow origin has finished, and stat finds the object at once',
      'prefetch-04':
        'An origin that never finishes: the call ends with an error within the time-out, not with a hang',
      'prefetch-05': 'A 200 answer has an empty body',
      'prefetch-06': 'The call is served under the regional host iovip-<Region>',
      'prefetch-07':
        'The call carries form Content-Type, `X-Svc-Date` and `Svc` Authorization with an empty body and is accepted',
      'prefetch-08': 'The name asked of the origin is the key of the entry',
    },
  ),
  ...statements(
    { subject: 'mirror', from: 'interface', milestone: 'objects', where: 'Errors: Prefetch' },
    {
      'err-prefetch-01': 'A malformed request (an entry that cannot be parsed): 400',
      'err-prefetch-02': 'An invalid management credential: 401',
      'err-prefetch-03': 'A file that the origin does not have (404): 404',
      'err-prefetch-04': 'An origin that answers 500: 478',
      'err-prefetch-05': 'An origin that answers 403: 478',
      'err-prefetch-06': 'An origin that answers another 2xx than 200 (204): 478',
      'err-prefetch-07': 'A server-side failure: 599',
      'err-prefetch-08': 'Every failure body is a JSON object with `error`, a string',
    },
  ),
  ...statements(
    { subject: 'mirror', from: 'decision', milestone: 'objects', where: 'prefetch' },
    {
      'prefetch-rule-01': 'A bucket without a mirror source answers 400',
      'prefetch-rule-02': 'An origin that answers 3xx or 206, or does not answer in time, gives 478',
      'prefetch-rule-03':
        'It overwrites even an upload that came after the call began; the replaced blob stays in the trash for its grace period',
      'prefetch-rule-04': "A missing bucket and another account's bucket answer 404 with identical bodies",
      'prefetch-rule-05': 'A failed prefetch leaves an existing object of that name as it was',
      'prefetch-rule-06': 'With several mirror sources the next is asked when one fails',
    },
  ),
  ...statements(
    { subject: 'mirror', from: 'decision', milestone: 'objects', where: 'mirror on miss' },
    {
      'miss-01':
        'GET of a missing key of a mirrored bucket fetches the file, stores it and serves it with 200',
      'miss-02': 'An upload that lands meanwhile is not overwritten by the mirror fill',
      'miss-03': '20 concurrent GETs of one missing key ask the origin once',
      'miss-04': 'An origin 404 is remembered 60 s: a second GET within them does not ask the origin',
      'miss-05': 'A deleted key is not fetched again for 60 s',
      'miss-07':
        'By S3, GET, HEAD, the attributes and tags of a missing key, and a copy of it, fetch the file too; a failing origin is `ServiceUnavailable`, and one without the file `NoSuchKey`',
      'miss-06': 'No more fills run at once for a bucket than its cap allows',
    },
  ),
];

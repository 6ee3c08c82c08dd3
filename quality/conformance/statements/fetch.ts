import { statements } from '../statement.ts';

/** Fetch from a URL, at once and in the background. */
export const fetchStatements = [
  ...statements(
    { subject: 'fetch', from: 'interface', milestone: 'objects', where: 'Endpoints 1' },
    {
      'fetch-01':
        'POST /fetch/<EncodedURL>/to/<EncodedEntryURI>, signed, stores the file: a GET of the key returns its bytes',
      'fetch-02': 'The same path with `/host/<EncodedHost>` at its end is accepted and answers 200',
      'fetch-03':
        'EncodedURL is the URL-safe Base64 of the plain URL: a URL with a query and `-` `_` in its Base64 is fetched as written',
      'fetch-04':
        "An entry of the bucket alone: the answer's key equals its hash and the object is readable under that key",
      'fetch-05': "An entry of bucket and key: the answer's key is the key that was asked for",
      'fetch-06':
        'A URL with an IP address and EncodedHost: the origin receives EncodedHost in its Host header',
      'fetch-07':
        'The call carries an empty body with Content-Type application/x-www-form-urlencoded and is accepted',
      'fetch-08': 'The call without Authorization, or with a wrong signature after `Svc `, answers 401',
      'fetch-09':
        'An origin that takes 2 s to send its body: the answer comes after that, and stat finds the object as soon as it comes',
      'fetch-10':
        'An origin that never finishes its body: the call ends with an error within the time-out and stores nothing',
      'fetch-11':
        'An origin that refuses by user agent or address (403): the call ends with an error and stores nothing',
      'fetch-12': 'The call is served on the origin-download host',
      'fetch-13': 'A 200 answer has Content-Type application/json and a JSON object as its body',
    },
  ),
  ...statements(
    { subject: 'fetch', from: 'interface', milestone: 'objects', where: 'Resources: Fetch result' },
    {
      'fetch-result-01': '`fsize` in the answer is a JSON number equal to the size of the file in bytes',
      'fetch-result-02': '`hash` in the answer is a string equal to the hash that stat gives',
      'fetch-result-03': '`key` in the answer is a string: the final object name',
      'fetch-result-04': '`mimeType` in the answer is a string equal to the type that stat gives',
    },
  ),
  ...statements(
    { subject: 'fetch', from: 'interface', milestone: 'objects', where: 'Limits' },
    {
      'fetch-limit-01':
        'One file per call: a path with a second EncodedURL or a second `/to/` stores nothing and answers 400',
    },
  ),
  ...statements(
    { subject: 'fetch', from: 'decision', milestone: 'objects', where: 'fetch' },
    {
      'fetch-rule-01': 'Fetching onto an existing key overwrites it',
      'fetch-rule-02': 'An origin that answers 404 gives 404',
      'fetch-rule-03': 'An origin that answers 500, 403 or 206 gives 478',
      'fetch-rule-04':
        'A URL of another scheme than http and https, or one that cannot be parsed, answers 400 `invalid argument`, and so does an EncodedHost that is no host',
      'fetch-rule-05': 'A URL whose address is private or loopback gives 478 and opens no connection',
      'fetch-rule-06': 'An origin slower than the time-out (default 60 s, a setting) gives 478',
      'fetch-rule-07':
        'A body shorter than its Content-Length, or a chunked body cut short, gives 478 and stores nothing',
      'fetch-rule-08': 'A body over the size limit (default 5 GiB, a setting) gives 478 and stores nothing',
      'fetch-rule-09': 'A client that leaves aborts the origin download within a second and stores nothing',
      'fetch-rule-10':
        'An origin type outside the character set is never refused: the object gets the detected type',
      'fetch-rule-11': 'A failed fetch onto an existing key leaves the old object as it was',
      'fetch-rule-12':
        "A fetch into a missing bucket, or into another account's bucket, answers 631 with identical bodies",
      'fetch-rule-13': 'An EncodedURL that is not strict URL-safe Base64 answers 400 `invalid argument`',
      'fetch-rule-14': 'A store or database that is down gives 599, never 478',
      'fetch-rule-15':
        'EncodedHost changes Host and SNI only: the connection still goes to the address of the URL',
    },
  ),
  ...statements(
    { subject: 'fetch', from: 'decision', milestone: 'objects', where: 'asynchronous fetch' },
    {
      'fetch-async-01':
        'POST {api_url}/sisyphus/fetch with JSON url, bucket and key answers `id` and `wait` at once',
      'fetch-async-02':
        'GET {api_url}/sisyphus/fetch?id= answers `wait` 0 while it runs and -1 once it was processed',
      'fetch-async-03': 'When the asynchronous fetch is done the object is readable under its key',
      'fetch-async-04':
        'A failed try is repeated five times, after 5 s, 30 s, 2, 10 and 30 minutes, or with the time factor so much sooner',
      'fetch-async-05':
        'An asynchronous fetch that waits says for what (`waitingFor`): its turn, another of its account, or the next try with its time',
    },
  ),
];

import { statements } from '../statement.ts';

/** Downloads: the interface leaves them open, so all of it is decided here. */
export const downloadsStatements = [
  ...statements(
    { subject: 'downloads', from: 'decision', milestone: 'ground', where: 'download' },
    {
      'download-01':
        'GET {io_url}/<bucket>/<key> answers 200 with the bytes, Content-Length, Content-Type and a quoted ETag of the hash',
      'download-02': 'HEAD answers the same headers as GET and no body',
      'download-03': 'GET http://<bucket>.<download suffix>/<key> answers the same object',
      'download-04': 'A key with percent-encoded characters is found under its decoded bytes',
      'download-05': 'A missing key answers 404 with a JSON error and X-Reqid',
      'download-06': 'GET answers Accept-Ranges bytes and a Last-Modified that agrees with putTime',
      'download-07': 'An object of 0 bytes answers 200 with Content-Length 0',
      'download-08': 'A client that leaves in the middle of a large object stops the read from the engine',
      'range-01': '`Range: bytes=0-4` answers 206 with those 5 bytes and Content-Range',
      'range-02': '`Range: bytes=-5` answers the last 5 bytes, `bytes=5-` all from the sixth on',
      'range-03': 'A range past the end answers 416 with `Content-Range: bytes */<size>`',
      'range-04': 'A Range of another unit, or one that cannot be parsed, answers 200 with everything',
      'range-05': 'A range that crosses segments of the blob returns the right bytes',
      'if-01':
        '`If-None-Match` with the ETag, weak or in a list, answers 304 without a body; with another one 200',
      'if-02':
        '`If-Modified-Since` not older than the object answers 304, older 200; it is ignored beside If-None-Match',
      'if-03': '`If-Range` with the ETag answers 206; with another one 200 with everything',
      'attname-01': '`?attname=<name>` answers Content-Disposition attachment with that name, safely quoted',
      'private-01': 'A private bucket without token answers 401',
      'private-02':
        '`?e=<unix>&token=<AK>:<sign>` over the whole URL before `&token` answers 200, also percent-encoded and with parameters in any order',
      'private-03': 'An `e` in the past answers 401',
      'private-04': 'A token made for another key, another e or another secret answers 401',
      'private-05': 'A token signed over the http form is accepted on https and the other way round',
      'private-06': 'A token without its padding is accepted',
      'private-07': "A token of another account's key answers 401",
      'safe-01':
        'Every download carries `X-Content-Type-Options: nosniff` and a sandbox Content-Security-Policy',
      'safe-02': 'Active types (text/html, image/svg+xml) are sent as attachment on our own hosts',
      'send-01': 'Handed to nginx by `X-Accel-Redirect`: the client gets the same bytes, ranges and headers',
      'send-02':
        'With redirect to the engine switched on: passive types answer a redirect that gives the bytes, active ones are streamed',
    },
  ),
  ...statements(
    { subject: 'downloads', from: 'decision', milestone: 'objects', where: 'download' },
    {
      'download-09':
        'GET on a domain bound to the bucket answers its objects; there active types are not turned into attachments',
      'download-10': 'Making a bucket private takes effect on every gateway within 5 s',
      'download-11': 'A disabled object answers 403',
    },
  ),
  ...statements(
    {
      subject: 'downloads',
      from: 'decision',
      milestone: 'processing',
      where: 'playlists of private buckets',
    },
    {
      'pm3u8-01':
        'A signed `?pm3u8/0` on a playlist of a private bucket answers one that plays: MPEG-TS, fragmented MP4, with a key, wherever the segments are',
      'pm3u8-02': 'Playlists in it get pm3u8 themselves, and everything ends with the first one',
      'pm3u8-03':
        'URIs of the same bucket, relative or by one of its hosts, are signed by the key of the request; all else stays as it was',
      'pm3u8-04': '`prefix` leaves URIs alone whose keys do not begin with it',
      'pm3u8-05': 'URIs end with the `e` of the URL, or as `deadline` and `expires` in it say',
      'pm3u8-06': 'The URL must be signed with the command in it, in public buckets too: else 401',
      'pm3u8-07':
        'The answer is application/vnd.apple.mpegurl, no-store, whole, and by the CORS rules of the bucket',
      'pm3u8-08': 'No playlist, more than 4 MiB or 50,000 URIs, a wrong command: 400',
      'pm3u8-09': 'The library and the command line make such URLs',
    },
  ),
];

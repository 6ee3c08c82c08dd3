import { statements } from '../statement.ts';

/** Buckets: the interface names them, the calls around them are ours. */
export const bucketsStatements = [
  ...statements(
    { subject: 'buckets', from: 'interface', milestone: 'ground', where: 'What the service does 1' },
    {
      'bucket-01':
        'Objects live in named buckets: an upload names its bucket in the scope and the object is found there and in no other',
    },
  ),
  ...statements(
    { subject: 'buckets', from: 'decision', milestone: 'ground', where: 'create bucket' },
    {
      'bucket-create-01':
        'POST {uc}/mkbucketv3/<bucket>/region/<region>, signed, answers 200; an upload to it then succeeds',
      'bucket-create-02':
        'A name of 3 to 63 lower-case letters, digits and `-` is accepted; 2 or 64 characters answer 400',
      'bucket-create-03': 'Upper case, `_`, `.` or a `-` at either end in a name answer 400',
      'bucket-create-04': 'A name that one of our routes uses answers 400',
      'bucket-create-05': 'A name that exists, here or with another account, answers 614',
      'bucket-create-06': 'An unknown region answers 400',
      'bucket-create-07': 'A new bucket is public: GET of its objects needs no token',
      'bucket-create-08': 'An invalid credential answers 401 and creates nothing',
      'bucket-create-09':
        '`/private/true` behind the region makes a bucket that was never public: GET of its objects needs a token; the client and the command line make it by this one call',
    },
  ),
  ...statements(
    { subject: 'buckets', from: 'decision', milestone: 'objects', where: 'buckets' },
    {
      'bucket-02': "One bucket over the account's number answers 630 `too many buckets`",
      'bucket-03':
        'POST /drop/<bucket> of an empty bucket answers 200 and the bucket is gone; of a full one it is refused and nothing changes',
      'bucket-04': "/buckets answers the names of the caller's buckets and of nobody else",
      'bucket-05': '/v2/bucketInfo?bucket= answers region, private and the mirror source of the bucket',
      'bucket-06':
        'POST /private with private=1 makes GET without a token answer 401, with private=0 open again, within 5 s',
      'bucket-07': '/v2/domains?tbl= answers the domains bound to the bucket',
      'bucket-08':
        'POST /image/<bucket>/from/<EncodedURL> sets the mirror source, /unimage/<bucket> removes it',
      'bucket-09':
        '/setbucketquota and /getbucketquota set and show size and count; a write over it answers 403',
      'bucket-10': '/bucketTagging stores, shows and deletes tags',
      'bucket-11': '/corsRules/set and get keep the CORS rules; a download answers by them',
      'bucket-12':
        '/rules/add, update, delete and get keep lifecycle rules; their job acts on objects of the age',
      'bucket-13':
        'GET {api}/v1/usage answers bytes, objects and requests of the account, or with `bucket` of one; `millpond usage` prints them',
      'bucket-14':
        'Usage equals a full count after any mix of writes and crashes; `millpond usage recount` repairs figures that do not',
      'bucket-15':
        'POST /publish/<EncodedDomain>/from/<bucket> binds a domain that a TXT record proves, never one of our own hosts; /unpublish/<EncodedDomain> frees it',
      'bucket-16':
        '/eventRules/set/<bucket> and get keep event rules; one that could never match or be sent answers 400 and changes nothing',
      'bucket-17':
        'Every way in which an object comes, goes or changes class is sent to the rules that select it, in the order of its key',
      'bucket-18':
        'Events of objects are CloudEvents 1.0 in structured JSON, signed like other events, kept and sent again like them',
      'bucket-19':
        'What the parts of unfinished uploads take counts for the quota; completing an upload takes no more',
      'region-01':
        "GET /v4/query?ak=&bucket= without a credential answers the hosts of the bucket's region, with ttl",
      'region-02': '/v3/query and /v2/query answer the same hosts in their own shapes',
      'region-03': 'A region query for an unknown bucket answers 631',
      'region-04':
        'A region is forgotten by command once no bucket is in it and no account has it as its default; until then the refusal names what keeps it',
      'region-05': 'No bucket is made in a forgotten region; a gateway of it that starts tells it anew',
    },
  ),
];

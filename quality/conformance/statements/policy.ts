import { statements } from '../statement.ts';

/** The upload policy as the interface describes it. */
export const policyStatements = [
  ...statements(
    { subject: 'policy', from: 'interface', milestone: 'ground', where: 'Resources: Upload policy' },
    {
      'policy-scope-01': 'Scope `<bucket>`: an upload under a new key is stored',
      'policy-scope-02':
        'Scope `<bucket>`: a second upload of identical content under the same key answers success',
      'policy-scope-03': 'Scope `<bucket>`: an upload of different content under an existing key fails',
      'policy-scope-04': 'Scope `<bucket>`: after that failure the first content is still what a GET returns',
      'policy-scope-05': 'Scope `<bucket>:<key>`: an upload under that key is stored',
      'policy-scope-06': 'Scope `<bucket>:<key>`: an upload under another key is refused',
      'policy-scope-07': 'Scope `<bucket>:<key>`: an upload of different content overwrites the object',
      'policy-scope-08':
        'Scope `<bucket>:<key>` with insertOnly 1: different content under the existing key is refused, the object stays',
      'policy-scope-09': 'Scope `<bucket>:<key>` with insertOnly 1: an upload to the free key is stored',
      'policy-scope-10':
        'Scope `<bucket>:<keyPrefix>` with isPrefixalScope 1: a key that begins with the prefix is stored',
      'policy-scope-11':
        'Scope `<bucket>:<keyPrefix>` with isPrefixalScope 1: a key that does not begin with it is refused',
      'policy-scope-12':
        'Scope `<bucket>:<keyPrefix>` with isPrefixalScope 1: different content under an existing key is refused, the object stays',
      'policy-scope-13':
        'Without isPrefixalScope 1 the text after the colon is one exact key: a longer key is refused',
      'policy-scope-14':
        'An upload to a bucket that the scope does not name is impossible: the object lands in the bucket of the scope',
      'policy-insert-01': 'insertOnly 0, or no insertOnly, under `<bucket>:<key>` allows overwriting',
      'policy-deadline-01': 'An upload before `deadline` is accepted',
      'policy-deadline-02': 'An upload after `deadline` is refused and stores nothing',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'interface', milestone: 'ground', where: 'Limits' },
    {
      'policy-scope-15': 'A scope of 750 bytes is accepted',
      'policy-scope-16': 'A scope of 751 bytes is refused',
      'policy-scope-17':
        'The 750 are bytes, not characters: 251 three-byte letters after the bucket are refused',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'interface', milestone: 'uploads', where: 'Resources: Upload policy' },
    {
      'policy-scope-18':
        'A multipart upload under scope `<bucket>` with insertOnly 1 is insert-only: different content under an existing key is refused',
      'policy-scope-19':
        'A multipart upload under scope `<bucket>` without insertOnly is not insert-only: it overwrites',
      'policy-return-01': '`returnUrl`: the upload is answered by a redirect to that URL',
      'policy-return-02': '`returnBody`: the answer is that template with its variables filled in',
      'policy-callback-01': '`callbackUrl` with http: the URL is called after the upload',
      'policy-callback-02': '`callbackUrl` with https: the URL is called after the upload',
      'policy-callback-03':
        '`callbackBody` of `<item>=(<magicvar>|<xvar>)` joined by `&` arrives with every variable filled in',
      'policy-callback-04': 'Constants in `callbackBody` (`a=1&key=$(key)`) arrive as written',
      'policy-callback-05': 'Without `callbackBodyType` the callback has application/x-www-form-urlencoded',
      'policy-ops-01': 'persistentOps set and persistentNotifyUrl not set: the upload is refused',
      'policy-ops-02': 'persistentOps and persistentWorkflowTemplateID both set: the upload is refused',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'interface', milestone: 'uploads', where: 'Resources: Magic variables' },
    {
      'var-01': '`$(fname)` becomes the file name of the upload',
      'var-02': '`$(etag)` becomes the hash of the object',
      'var-03': '`$(x:<name>)` becomes the value of the form field `x:<name>`',
      'var-04': 'Two custom variables in one template are filled each from its own field',
    },
  ),
  ...statements(
    { subject: 'policy', from: 'interface', milestone: 'processing', where: 'Resources: Upload policy' },
    {
      'policy-ops-03': 'persistentOps: the commands run after a successful upload',
      'policy-ops-04': 'persistentOps with two commands separated by `;` gives a task with two items',
      'policy-ops-05': 'persistentOps with an upload that fails starts no task',
      'policy-ops-06': 'persistentType 0 gives a normal task',
      'policy-ops-07': 'persistentType 1 gives an idle-time task: its record has `type` 1',
      'policy-ops-08': 'persistentWorkflowTemplateID runs the commands of that V1 template after the upload',
      'policy-ops-09': 'persistentPipeline names the queue of a normal task: the record shows it',
      'policy-ops-10': 'An empty or absent persistentPipeline means the default queue',
      'policy-ops-11': 'persistentPipeline together with persistentType 1 is refused',
    },
  ),
];

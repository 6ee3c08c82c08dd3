import { statements } from '../statement.ts';

/** The upload callback: event, signature, failure. */
export const callbacksStatements = [
  ...statements(
    { subject: 'callbacks', from: 'interface', milestone: 'uploads', where: 'Events: Upload callback' },
    {
      'callback-01': 'An upload whose policy has callbackUrl makes one HTTP POST to that URL',
      'callback-02': 'It is sent after the upload completed: a stat made by the receiver finds the object',
      'callback-03': 'Without callbackUrl no callback is made',
      'callback-04': 'An upload that fails makes no callback',
      'callback-05': 'Without callbackBody the request body is empty',
      'callback-06': 'The Content-Type of the request is callbackBodyType',
      'callback-07': "The JSON body that the receiver answers is the body of the upload's answer",
      'callback-08':
        "A receiver that answers an error body with `error` and Content-Type application/json: its text is in the client's failure body",
    },
  ),
  ...statements(
    { subject: 'callbacks', from: 'interface', milestone: 'uploads', where: 'Authentication 5' },
    {
      'callback-sign-01': 'Authorization has the form `SvcCb <AccessKey>:<encoded_data>`',
      'callback-sign-02':
        'The AccessKey belongs to the account of the upload: its secret verifies the signature',
      'callback-sign-03':
        'With form Content-Type: HMAC-SHA1 over URL path, newline and the URL-safe Base64 of the request body verifies',
      'callback-sign-04': 'With form Content-Type: a changed body no longer verifies',
      'callback-sign-05':
        'With application/json: HMAC-SHA1 over URL path and newline, without the body, verifies',
      'callback-sign-06': 'A changed path no longer verifies',
      'callback-sign-07': 'Another secret does not verify',
      'callback-sign-08':
        'The Content-Type received equals callbackBodyType, so that a verifier can choose the rule by it',
    },
  ),
  ...statements(
    {
      subject: 'callbacks',
      from: 'interface',
      milestone: 'uploads',
      where: 'Errors: Upload callback failure',
    },
    {
      'callback-fail-01': 'A failed callback gives the client HTTP 579',
      'callback-fail-02': 'The body has `error`, whose value is a string that parses as a JSON object',
      'callback-fail-03': 'That object has `callback_url`: the URL that was called',
      'callback-fail-04': 'That object has `callback_bodyType`: the Content-Type used',
      'callback-fail-05': 'That object has `callback_body`: the body that was sent',
      'callback-fail-06': 'That object has `token`',
      'callback-fail-07': "That object has `err_code`: the callback's error code",
      'callback-fail-08': "That object has `error`: the callback's error message",
      'callback-fail-09': 'That object has `hash`: the hash of the uploaded object',
      'callback-fail-10': 'That object has `key`: the key of the uploaded object',
    },
  ),
  ...statements(
    { subject: 'callbacks', from: 'decision', milestone: 'uploads', where: 'upload callback' },
    {
      'callback-rule-01': 'After a 579 the object stays: stat finds it',
      'callback-rule-02':
        'A receiver that calls stat, chgm and delete on the same key before it answers is served without waiting',
      'callback-rule-03':
        '`callbackFetchKey` 1: the callback comes first, the object is stored under the key of its answer',
      'callback-rule-04': '`callbackFetchKey` 1 and a failed callback: no object is stored',
      'callback-rule-05': 'Several URLs separated by `;`: the next is tried when one fails, each once',
      'callback-rule-06': 'A `;` inside a URL that is not followed by http:// or https:// does not split it',
      'callback-rule-07': 'More than 5 URLs answer 400',
      'callback-rule-08': 'A receiver that hangs is given up after 10 s, all of them after 30 s: 579',
      'callback-rule-09': '200 with a JSON body is success, passed on byte for byte; 201 or 204 is a failure',
      'callback-rule-10':
        '`token` in the failure body is the token of the upload, of a form and of a resumable one',
      'callback-rule-11': '`err_code` is 0 when no answer came (refused, reset, time-out)',
      'callback-rule-12': "`error` inside is the receiver's own `error` string when it sent one",
      'callback-rule-13':
        'A crash between commit and callback leaves the object and a callback marked unsent among the deliveries; it is not sent by itself',
      'callback-rule-14': 'Every callback and its attempt is recorded with status and time',
      'callback-rule-15':
        'callbackUrl without callbackBody and with persistentOps or a workflow template answers 400 before anything is stored',
      'callback-rule-16':
        'callbackUrl without callbackBody and without either: the callback goes out with an empty body and the upload succeeds',
      'callback-rule-17':
        'A callbackUrl that points to a denied address gives 579 with err_code 0 and opens no connection',
      'callback-rule-18': '`callbackHost` is the Host header that the receiver sees',
    },
  ),
  ...statements(
    { subject: 'callbacks', from: 'decision', milestone: 'uploads', where: 'callback signature' },
    {
      'callback-sign-rule-01': 'encoded_data is URL-safe Base64 with padding of the HMAC-SHA1',
      'callback-sign-rule-02': 'The query of the callback URL is part of the signed path',
      'callback-sign-rule-03':
        'A form body is signed in its URL-safe Base64 form, with the dialect `qiniu` as it is sent; the setting MILLPOND_CALLBACK_SIGNED_BODY says otherwise for both',
      'callback-sign-rule-04':
        'The body is signed only when the type is exactly application/x-www-form-urlencoded',
      'callback-sign-rule-05': 'The access key is the one that signed the upload token',
      'callback-sign-rule-06':
        'Where the old signing is accepted, a callback URL whose path is one of our signed routes answers 400',
      'callback-sign-rule-07': 'The callback carries the Standard Webhooks headers too, and they verify',
    },
  ),
];

/** Calls on buckets, at the `uc` host. */
import { Fault } from '@millpond/protocol';
import { emptyAnswer, type Route, segmentsOf } from '../../platform/web/index.ts';
import type { Authenticate } from '../accounts/index.ts';
import type { Buckets } from './service.ts';

export function bucketRoutes(buckets: Buckets, authenticate: Authenticate): Route[] {
  return [
    {
      role: 'uc',
      methods: ['POST'],
      path: '/mkbucketv3/*',
      async handle(call) {
        const { uid } = await authenticate(call);
        const [name, word, region, ...rest] = segmentsOf(call.target);
        if (name === undefined || word !== 'region' || region === undefined || rest.length > 0) {
          throw new Fault('invalidArgument', { hint: 'the path is /mkbucketv3/<bucket>/region/<region>' });
        }
        await buckets.create(uid, name, region);
        return emptyAnswer();
      },
    },
    {
      role: 'uc',
      methods: ['POST'],
      path: '/private',
      async handle(call) {
        const { uid } = await authenticate(call);
        const form = new URLSearchParams(call.body.toString());
        const isPrivate = form.get('private');
        if (isPrivate !== '0' && isPrivate !== '1')
          throw new Fault('invalidArgument', { hint: 'private is 0 or 1' });
        await buckets.setPrivate(uid, form.get('bucket') ?? '', isPrivate === '1');
        return emptyAnswer();
      },
    },
  ];
}

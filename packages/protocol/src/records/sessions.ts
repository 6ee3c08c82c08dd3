import { flag, oneOf, record, text, time, withDescription } from './schema.ts';

export const sessionRecords = {
  Session: record({
    id: text,
    name: withDescription(text, 'who signed in, by e-mail'),
    how: oneOf(['password', 'oidc'], 'how they signed in'),
    address: withDescription(text, 'where it was used from last'),
    agent: withDescription(text, 'the browser, as it names itself'),
    begun: time,
    lastUsed: withDescription(time, 'to the minute'),
    expires: withDescription(time, 'when it ends unless it is used'),
    'accessKey?': withDescription(text, 'it has the rights of this key only'),
    current: withDescription(flag, 'it makes this call'),
  }),
  TokenGrant: record({
    id: text,
    'address?': withDescription(text, 'where its tokens were given to last'),
    begun: time,
    'renewed?': withDescription(time, 'when its refresh token was used last'),
    expires: withDescription(time, 'when it ends unless it is renewed'),
  }),
};

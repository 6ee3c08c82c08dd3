import { flag, oneOf, record, said, text, time } from './schema.ts';

export const sessionRecords = {
  Session: record({
    id: text,
    name: said(text, 'who signed in, by e-mail'),
    how: oneOf(['password', 'oidc'], 'how they signed in'),
    address: said(text, 'where it was used from last'),
    agent: said(text, 'the browser, as it names itself'),
    begun: time,
    lastUsed: said(time, 'to the minute'),
    expires: said(time, 'when it ends unless it is used'),
    'accessKey?': said(text, 'it has the rights of this key only'),
    current: said(flag, 'it makes this call'),
  }),
  TokenGrant: record({
    id: text,
    'address?': said(text, 'where its tokens were given to last'),
    begun: time,
    'renewed?': said(time, 'when its refresh token was used last'),
    expires: said(time, 'when it ends unless it is renewed'),
  }),
};

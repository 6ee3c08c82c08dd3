/** Statements about the console: sessions, signing in elsewhere, operators, and the calls that its screens are made of. */
import { type Statement, statements } from '../statement.ts';

export const consoleStatements: readonly Statement[] = [
  ...statements(
    { subject: 'console', from: 'decision', milestone: 'users', where: 'console' },
    {
      'console-01':
        'Only a process whose configuration gives a listener or a host the role `console` loads any of it',
      'console-02': 'Who is signed in is known by a cookie that no script reads and no other site sends',
      'console-03':
        'What does not come from the pages of the console itself is refused, whatever cookie it has',
      'console-04': 'No other page shows those of the console, and they run nothing from elsewhere',
      'console-05': 'Nothing that was stored runs on the origin of the console, whatever its name and type',
      'console-06':
        'Every change by the console is in the audit log with who made it and for whom, refused ones too',
    },
  ),
  ...statements(
    { subject: 'console', from: 'decision', milestone: 'users', where: 'sessions' },
    {
      'session-01': "POST /session begins a session by an account's password; tries are limited",
      'session-02':
        'A session takes the place of the signature in calls of every role; without one, none is answered',
      'session-03':
        'In a session private objects of its account are read without a signed URL, and no others',
      'session-04': "With a key's name a session has the rights of that key, and ends with it",
      'session-05': 'Sessions are listed and ended, one or all others, by calls and by command',
      'session-06': 'A new password ends all sessions of its account, and so does disabling it',
    },
  ),
  ...statements(
    { subject: 'console', from: 'decision', milestone: 'users', where: 'OpenID Connect' },
    {
      'oidc-01':
        'An e-mail that the provider has verified signs its account in, and leads to where one was and nowhere else',
      'oidc-02':
        'Rights can come from a claim: those of an operator, or of a key with limits; without them nobody signs in',
      'oidc-03': 'An unverified e-mail, one without an account and one of a disabled account are refused',
      'oidc-04':
        'Answers of another provider, to another browser, with another state or with a used code are refused',
      'oidc-05': 'Every sign-in that began is in the audit log with how it ended',
      'oidc-06':
        'A person who has joined an account is known by issuer and subject; an address that somebody else has joined by, or that another issuer knows, opens nothing',
      'oidc-07':
        'An account that a tenant made is joined by its address only if an operator invites; people of an account are listed and removed by command',
      'oidc-08':
        'Whatever a provider answers that is not its own signed word about this sign-in opens nothing',
      'oidc-09':
        'Rights that a claim gave are asked for again while a session is used: whoever lost the group is out, and so is whoever the provider stands for no longer',
    },
  ),
  ...statements(
    { subject: 'console', from: 'decision', milestone: 'users', where: 'operators' },
    {
      'operator-01':
        'GET /v1/operator/accounts finds accounts by the beginning of their e-mail, with what they store, in pages',
      'operator-02': 'An operator disables and enables an account, which is in the audit log; not their own',
      'operator-03': 'Nobody but an operator may make the calls under /v1/operator',
      'operator-04': 'An operator acts for any account, and it is written down for whom',
      'operator-05':
        'An operator is an account of its own that a command made one, whatever its address; given or taken away, open sessions follow within 5 s',
      'operator-06': 'MILLPOND_CONSOLE_OPERATORS is refused at start, with the commands to run instead',
      'overview-01':
        'GET /v1/overview says what an account has and what is under way; to operators also of all accounts',
      'overview-02':
        'GET /v1/failures lists what failed, the newest first, each with its cause and what can be done, to its account alone',
      'figures-01': 'Operators read the health of the engines, and figures of the last 30 days',
    },
  ),
  ...statements(
    { subject: 'console', from: 'decision', milestone: 'users', where: 'keys' },
    {
      'signing-01':
        'POST /v1/sign/upload-token signs a policy by the oldest root key of the caller, for an hour unless it says',
      'signing-02':
        'POST /v1/sign/download-url signs a URL of an object at a domain of its bucket, for a time and under a name',
      'signing-03': 'A key with limits signs with itself, within them, and what it signed keeps to them',
      'key-use-01': 'A key shows its note, when it was last used and from where',
      'grant-01': 'GET /v1/access-tokens lists the log-ins by password of an account, without their tokens',
      'grant-02': 'A log-in is ended, or all: their tokens are refused within 5 s, by call and command',
      'acts-01': 'GET /v1/audit shows an account its own acts and those of its children',
      'acts-02': 'An entry says who did what, from where, with which request, and how it ended',
      'acts-03': 'The log is read in pages and by filters, by call, library and command',
    },
  ),
];

import { statements } from '../statement.ts';

/** Requests that we make to addresses that users gave. */
export const outboundStatements = [
  ...statements(
    { subject: 'outbound', from: 'decision', milestone: 'uploads', where: 'outbound requests' },
    {
      'outbound-01': 'A URL of another scheme than http and https is refused without a connection',
      'outbound-02':
        'A literal 127.0.0.1, and its forms 2130706433, 0x7f.1, 017700000001 and 127.1, are refused',
      'outbound-03': 'Private ranges (10/8, 172.16/12, 192.168/16, fc00::/7) are refused',
      'outbound-04':
        'Link-local and metadata addresses (169.254/16, fe80::/10) and CGNAT (100.64/10) are refused',
      'outbound-05': 'IPv6 forms that embed a denied IPv4 address (mapped, 6to4, NAT64) are refused',
      'outbound-06': 'A name with one denied address among several is refused',
      'outbound-07':
        'The checked address is the one connected to: a name that changes between look-up and connection gains nothing',
      'outbound-08': 'A CIDR setting opens exactly its range and no other',
      'outbound-09': 'A URL to one of our own hosts, or with one of them as its Host, is refused',
      'outbound-10':
        'A callback or notification receiver that answers 302 counts as failed; the target is never asked',
      'outbound-11': 'fetch follows at most 3 redirects: a fourth gives 478',
      'outbound-12': 'A redirect to a denied address is refused at that step',
      'outbound-13':
        'An answer over the size limit, or with too many headers, ends the request with an error',
      'outbound-14': 'A receiver that accepts and never answers is given up at the total time limit',
      'outbound-15': 'callbackHost sets Host and SNI only: the connection goes to the address of callbackUrl',
      'outbound-16':
        'Outbound requests go through the configured proxy when one is set, and denied addresses stay denied',
    },
  ),
];

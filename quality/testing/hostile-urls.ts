/**
 * URLs that must never lead to a connection, whatever feature receives them. `{port}` stands for the canary's port.
 * Every one of them is 'blocked' under a guard that opens nothing, with names resolved by `hostileNames`.
 */

export interface HostileUrl {
  readonly what: string;
  readonly url: string;
}

/** For the DNS stub: what each name resolves to. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'inner.localhost': ['127.0.0.1'],
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'private.test': ['10.0.0.5'],
  'mixed.test': ['8.8.8.8', '127.0.0.1'],
  'mixed6.test': ['8.8.8.8', '2001:4860:4860::8888', '::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'zone.test': ['fe80::1%lo'],
  'unspecified.test': ['0.0.0.0'],
  'unspecified6.test': ['::'],
  'cloud.test': ['169.254.169.254'],
  'garbage.test': ['0x7f.1'],
  'xn--bcher-kva.test': ['127.0.0.1'],
};

const spellings: Readonly<Record<string, readonly string[]>> = {
  'loopback, in the spellings of IPv4': [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0X7F000001', '0x7f.0.0.1', '0x7f.1'],
    ...[
      '0177.0.0.1',
      '0177.1',
      '017700000001',
      '00000177.0.0.1',
      '0x7f.0x0.0x0.0x1',
      '0177.0x0.0.1',
      '127.0x1',
    ],
    ...['127.0.0.1.', '127.0.0.2', '127.255.255.254'],
  ],
  'loopback, in characters that become digits and dots': [
    ...['１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '０x７f.1'],
    ...['%31%32%37.0.0.1', '127%2e0%2E0.1', '127.0.0.%EF%BC%91'],
  ],
  'this network': ['0', '0.0.0.0', '0x0', '00', '0.0', '000.000.000.000', '0.1.2.3'],
  'private, shared and link-local': [
    ...['10.0.0.1', '0xa000001', '012.0.0.1', '167772161', '10.255.255.255', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '3232235521', '0xc0.0xa8.0.1', '0300.0250.0.1', '100.64.0.1', '100.127.255.255'],
    ...['169.254.1.1'],
  ],
  'reserved IPv4': [
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '198.51.100.7',
      '203.0.113.9',
      '198.18.0.1',
      '198.19.255.255',
      '192.88.99.1',
    ],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295'],
  ],
  metadata: [
    ...[
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '0xa9.0xfe.0xa9.0xfe',
      '169.254.43518',
    ],
    ...[
      '169.254.170.2',
      '169.254.170.23',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      '[fd00:ec2::254]',
    ],
    ...['metadata.google.internal', 'METADATA.Google.Internal', 'metadata.google.internal.', 'metadata.goog'],
    ...['instance-data', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fd20:ce::254]'],
  ],
  'IPv6 that is not public': [
    ...[
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[0000::0001]',
      '[::]',
      '[fe80::1]',
      '[fec0::1]',
      '[fc00::1]',
      '[fdff::1]',
    ],
    ...['[ff02::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[100::1]', '[2001:2::1]', '[2001:10::1]'],
    ...['[4000::1]', '[8000::1]'],
  ],
  'IPv4 inside IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]'],
    ...['[::ffff:10.0.0.1]', '[::ffff:0.0.0.0]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::7f00:1]'],
    ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:808:808::1]', '[2001:0:7f00:1::]'],
    ...['[2001:0:808:808:0:0:80ff:fffe]', '[2001:4860::5efe:127.0.0.1]', '[2606:4700::200:5efe:a00:1]'],
  ],
  'zone ids': ['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]'],
  'names that lead inside': [
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'localhost..',
      'inner.localhost',
      'ⓛocalhost',
      'ｌｏｃａｌｈｏｓｔ',
    ],
    ...[
      'local\u00adhost',
      'loc%61lhost',
      'loopback.test',
      'LoopBack.Test.',
      'loopback。test',
      'loopback6.test',
    ],
    ...[
      'private.test',
      'mixed.test',
      'mixed6.test',
      'mapped.test',
      'nat64.test',
      'zone.test',
      'unspecified.test',
    ],
    ...['unspecified6.test', 'cloud.test', 'garbage.test', 'bücher.test', 'xn--bcher-kva.test'],
  ],
  'user names': [
    ...['example.com@127.0.0.1', 'user:password@loopback.test', '@127.0.0.1', ':@127.0.0.1', 'a@b@127.0.0.1'],
    ...['example.com%40127.0.0.1', '127.0.0.1%2f@example.com', 'user@example.com'],
  ],
};

const whole: readonly string[] = [
  'ftp://127.0.0.1:{port}/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:{port}/_GET',
  'dict://127.0.0.1:{port}/',
  'ws://127.0.0.1:{port}/',
  'unix:/run/docker.sock',
  'http+unix://%2Frun%2Fdocker.sock/',
  'data:text/plain,x',
  'javascript:fetch(1)',
  'blob:http://127.0.0.1:{port}/',
  'view-source:http://127.0.0.1:{port}/',
  '//127.0.0.1:{port}/',
  '127.0.0.1:{port}/',
  '/relative',
  '',
  'http:127.0.0.1:{port}',
  'http:/127.0.0.1:{port}/',
  'http:///127.0.0.1:{port}/',
  'http:\\\\127.0.0.1:{port}\\',
  'http://127.0.0.1\\@example.com:{port}/',
  'http://127.0.0.1:{port}\\@example.com/',
  'http://127.0.0.1:{port}#@example.com/',
  'http://127.0.0.1:{port}?@example.com/',
  'http://127.0.0.1:0{port}/',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:{port}:{port}/',
  'HTTP://127.0.0.1:{port}/',
  'https://127.0.0.1:{port}/',
  'https://localhost:{port}/',
  ' http://127.0.0.1:{port}/',
  'http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x',
  'http://127.0.0.1:{port}/\r\nX-Injected: 1',
  'ht\ntp://127.0.0.1:{port}/',
  'http://127.0.\t0.1:{port}/',
  'http://127.0.0.1\u0000.example.com:{port}/',
  'http://[::1:{port}/',
  'http://[127.0.0.1]:{port}/',
  'http://[::ffff:127.0.0.1.]:{port}/',
  'http://127.0.0.256:{port}/',
  'http://1.2.3.4.5:{port}/',
  `http://127.0.0.1:{port}/${'a'.repeat(2100)}`,
];

export function hostileUrls(canaryPort: number): HostileUrl[] {
  const urls: HostileUrl[] = [];
  for (const [what, hosts] of Object.entries(spellings))
    for (const host of hosts) urls.push({ what, url: `http://${host}:${canaryPort}/canary` });
  for (const url of whole)
    urls.push({ what: 'the URL itself', url: url.replaceAll('{port}', String(canaryPort)) });
  return urls;
}

/** Ways to write hosts that we serve, if `ownHosts` lists those. */
export const ownHosts: ReadonlySet<string> = new Set([
  'up.millpond.test',
  'api.millpond.test:8443',
  '[fd12::7]',
]);

export const ownHostUrls: readonly string[] = [
  'http://up.millpond.test/',
  'https://up.millpond.test/',
  'http://UP.Millpond.TEST/',
  'http://up.millpond.test./',
  'http://up.millpond.test:80/',
  'http://up.millpond.test:{port}/',
  'http://u%70.millpond.test/',
  'http://ｕｐ.millpond.test/',
  'http://up。millpond。test/',
  'http://up.mill\u00adpond.test/',
  'https://api.millpond.test:8443/',
  'https://API.millpond.test.:08443/',
  'http://[FD12:0::7]:{port}/',
];

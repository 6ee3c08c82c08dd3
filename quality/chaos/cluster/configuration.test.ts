import { expect, test } from 'vitest';
import { type Address, etcdArguments, haproxyConfiguration, patroniConfiguration } from './configuration.ts';

const address = (n: number): Address => ({
  host: `10.0.0.${n}`,
  postgres: 5000 + n,
  rest: 6000 + n,
  etcd: 7000 + n,
  etcdPeers: 8000 + n,
});
const all = new Map([1, 2, 3].map((n) => [`pg${n}`, address(n)]));

test('each machine knows its own addresses and everybody’s etcd', () => {
  const place = { folder: '/f', programs: '/bin' };
  const text = patroniConfiguration('pg2', address(2), [...all.values()], place);
  expect(JSON.parse(text)).toMatchObject({
    name: 'pg2',
    restapi: { listen: '10.0.0.2:6002' },
    etcd3: { hosts: ['10.0.0.1:7001', '10.0.0.2:7002', '10.0.0.3:7003'] },
    bootstrap: { dcs: { synchronous_mode: true } },
    postgresql: { listen: '10.0.0.2:5002', data_dir: '/f/data' },
  });
  const cluster = 'pg1=http://10.0.0.1:8001,pg2=http://10.0.0.2:8002,pg3=http://10.0.0.3:8003';
  expect(etcdArguments('pg2', address(2), all, '/f')).toContain(cluster);
});

test('haproxy asks Patroni of each, and ends sessions of a primary that is none any more', () => {
  const text = haproxyConfiguration(5000, all);
  expect(text).toContain('bind 127.0.0.1:5000');
  expect(text).toContain('on-marked-down shutdown-sessions');
  expect(text).toContain('server pg3 10.0.0.3:5003 check port 6003');
});

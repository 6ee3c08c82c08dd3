// @module-tag debian
/**
 * The alert rules before Prometheus's own tool: each fires for what it is about, only in the region where it is, after its wait
 * and not before; and is silent for figures of a healthy installation.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

/** Values by series, without the label of the region; a value every minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;
interface Case {
  readonly bad: Series;
  readonly good: Series;
}

const MINUTES = 400;
/** What the rules look back, at most, in minutes. */
const MAX_WINDOW_MINUTES = 16;
const always = (value: number) => `${value}x${MINUTES}`;
const perSecond = (rate: number) => `0+${rate * 60}x${MINUTES}`;
/** Histogram of calls that take this long: all of them are in the buckets from there on. */
const taking = (metric: string, labels: string, seconds: number): Series =>
  Object.fromEntries(
    ['0.1', '0.5', '1', '2.5', '10', '+Inf'].map((le) => [
      `${metric}_bucket{${labels}le="${le}"}`,
      perSecond(Number(le.replace('+Inf', '1e9')) >= seconds ? 10 : 0),
    ]),
  );
const one = (series: string, bad: number, good: number): Case => ({
  bad: { [series]: always(bad) },
  good: { [series]: always(good) },
});
/** Requests, and among them those with this status. */
const answered = (status: string, bad: number, good: number): Case => {
  const series = (rate: number) => ({
    'millpond_request_seconds_count{status="200"}': perSecond(100),
    [`millpond_request_seconds_count{status="${status}"}`]: perSecond(rate),
  });
  return { bad: series(bad), good: series(good) };
};
const DAY = 86_400;
const GIB = 1024 ** 3;
const FILES = 'fstype="ext4",mountpoint="/var/lib/postgresql"';

const CASES: Readonly<Record<string, Case>> = {
  MillpondDown: one('up{job="millpond",instance="a:8190"}', 0, 1),
  MillpondFailingRequests: answered('599', 2, 0.5),
  MillpondSlowRequests: {
    bad: taking('millpond_request_seconds', 'route="/stat/:entry",', 1),
    good: {
      ...taking('millpond_request_seconds', 'route="/stat/:entry",', 0.1),
      ...taking('millpond_request_seconds', 'route="/:bucket/*",', 10),
    },
  },
  MillpondWaitsForDatabase: {
    bad: { 'millpond_db_waiting{pool="region"}': always(11) },
    // A burst at every third scrape, and the sender's own connections.
    good: {
      'millpond_db_waiting{pool="region"}': Array(100).fill('500 0 0').join(' '),
      'millpond_db_waiting{pool="sending"}': always(500),
    },
  },
  MillpondSlowDatabase: {
    bad: taking('millpond_statement_seconds', 'pool="region",', 2.5),
    good: taking('millpond_statement_seconds', 'pool="region",', 0.5),
  },
  MillpondEngineFails: {
    bad: {
      'millpond_engine_seconds_count{outcome="ok"}': perSecond(100),
      'millpond_engine_seconds_count{outcome="failed"}': perSecond(2),
    },
    good: {
      'millpond_engine_seconds_count{outcome="ok"}': perSecond(100),
      'millpond_engine_seconds_count{outcome="missing"}': perSecond(50),
    },
  },
  MillpondSlowEngine: {
    bad: taking('millpond_engine_seconds', 'operation="put",', 10),
    good: {
      ...taking('millpond_engine_seconds', 'operation="put",', 1),
      ...taking('millpond_engine_seconds', 'operation="read",', 10),
    },
  },
  MillpondJobsWait: {
    bad: { 'millpond_queue_oldest_seconds{queue="task"}': always(1000) },
    good: {
      'millpond_queue_oldest_seconds{queue="task"}': always(60),
      'millpond_queue_oldest_seconds{queue="task-idle"}': always(100_000),
    },
  },
  MillpondJobsGivenUp: {
    bad: { 'millpond_queue_jobs{queue="task",state="failed"}': always(1) },
    good: {
      'millpond_queue_jobs{queue="task",state="failed"}': always(0),
      'millpond_queue_jobs{queue="task",state="waiting"}': always(50),
    },
  },
  MillpondTrashStays: one('millpond_trash_oldest_seconds', 9 * DAY, 7.5 * DAY),
  MillpondSweepBehind: one('millpond_sweep_behind_seconds', 7 * 3600, 3700),
  MillpondUpkeepLate: one('millpond_periodic_overdue_seconds{periodic="trash-collect"}', 1000, 60),
  MillpondUpkeepFails: one('millpond_periodic_failed{periodic="trash-collect"}', 1, 0),
  MillpondEngineFull: {
    bad: { millpond_engine_used_bytes: always(90), millpond_engine_capacity_bytes: always(100) },
    good: { millpond_engine_used_bytes: always(500), millpond_engine_capacity_bytes: always(1000) },
  },
  MillpondCapacityUnknown: {
    bad: { 'up{job="millpond",instance="a:8190"}': always(1) },
    good: { 'up{job="millpond",instance="a:8190"}': always(1), millpond_engine_capacity_bytes: always(1) },
  },
  MillpondCertificateExpires: one('millpond_certificate_left_seconds', 13 * DAY, 20 * DAY),
  MillpondSmallObjectsNotPacked: {
    bad: { millpond_inbox_slots_waiting: always(0), millpond_inbox_bytes: always(3 * GIB) },
    good: { millpond_inbox_slots_waiting: always(1), millpond_inbox_bytes: always(GIB) },
  },
  MillpondArchiveOff: one('millpond_cold_class_fault', 1, 0),
  MillpondCallbacksFail: answered('579', 10, 2),
  MillpondEventsFail: {
    bad: {
      millpond_deliveries_failed_tries_total: perSecond(20),
      millpond_deliveries_sent_total: perSecond(10),
    },
    good: {
      millpond_deliveries_failed_tries_total: perSecond(5),
      millpond_deliveries_sent_total: perSecond(10),
    },
  },
  MillpondEventsLate: {
    bad: { millpond_deliveries_late_seconds: always(0), millpond_object_events_late_seconds: always(400) },
    good: { millpond_deliveries_late_seconds: always(10), millpond_object_events_late_seconds: always(10) },
  },
  MillpondEndpointsSuspended: one('millpond_deliveries_suspended_endpoints', 2, 0),
  MillpondEventsStuck: {
    bad: { millpond_deliveries_held: always(5), millpond_deliveries_sent_total: always(100) },
    good: { millpond_deliveries_held: always(5), millpond_deliveries_sent_total: perSecond(1) },
  },
  MillpondLooksOff: one('millpond_variables_off', 3, 0),
  MillpondMemory: one('process_resident_memory_bytes{job="millpond"}', 3e9, 1e9),
  MillpondEventLoop: one('nodejs_eventloop_lag_p99_seconds{job="millpond"}', 0.5, 0.02),
  MillpondAddressAway: one('probe_success{job="millpond-https"}', 0, 1),
  // promtool's clock begins at 0.
  MillpondAddressCertificateExpires: one(
    'probe_ssl_earliest_cert_expiry{job="millpond-https"}',
    13 * DAY,
    20 * DAY,
  ),
  MillpondCephDiskFull: {
    bad: {
      'ceph_osd_stat_bytes_used{ceph_daemon="osd.3"}': always(81),
      'ceph_osd_stat_bytes{ceph_daemon="osd.3"}': always(100),
    },
    good: {
      'ceph_osd_stat_bytes_used{ceph_daemon="osd.4"}': always(75),
      'ceph_osd_stat_bytes{ceph_daemon="osd.4"}': always(100),
      'ceph_health_detail{name="OSD_NEARFULL"}': always(0),
      'ceph_health_detail{name="OSD_DOWN"}': always(1),
    },
  },
  MillpondDiskFull: {
    bad: {
      [`node_filesystem_avail_bytes{${FILES}}`]: always(10),
      [`node_filesystem_size_bytes{${FILES}}`]: always(100),
    },
    good: {
      [`node_filesystem_avail_bytes{${FILES}}`]: always(20),
      [`node_filesystem_size_bytes{${FILES}}`]: always(100),
      'node_filesystem_avail_bytes{fstype="tmpfs",mountpoint="/run"}': always(1),
      'node_filesystem_size_bytes{fstype="tmpfs",mountpoint="/run"}': always(100),
    },
  },
};

interface Rule {
  readonly alert: string;
  readonly for: string;
}

const HERE = import.meta.dirname;
const run = promisify(execFile);
const rules = (
  parse(await readFile(path.join(HERE, 'alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
/** Debian's package `prometheus` has it; .ci/run installs it. */
const isThere = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mp-alerts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inRegion = (series: Series, region: string): Series =>
  Object.fromEntries(
    Object.entries(series).map(([name, values]) => [
      name.includes('{') ? name.replace('{', `{region="${region}",`) : `${name}{region="${region}"}`,
      values,
    ]),
  );

interface Question {
  readonly expr: string;
  readonly eval_time: string;
  readonly exp_samples?: readonly { readonly labels: string; readonly value: number }[];
}

/** Compares what each expression of a rule gives at a time; promtool prints which gives something else. */
async function expectOf(
  rule: Rule | undefined,
  series: Series,
  asked: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  const [alone, file] = [path.join(folder, 'rule.yaml'), path.join(folder, 'test.yaml')];
  await writeFile(alone, stringify({ groups: [{ name: 'one', rules: [rule] }] }));
  await writeFile(
    file,
    stringify({
      rule_files: [alone],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          ...asked,
        },
      ],
    }),
  );
  await run('promtool', ['test', 'rules', file]).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
}

const firing = (alert: string, time: string, by = ''): Question => ({
  expr: `count by (${by}) (ALERTS{alertname="${alert}",alertstate="firing"})`,
  eval_time: time,
});
const minutesOf = (wait: string) => Number(wait.slice(0, -1)) * (wait.endsWith('h') ? 60 : 1);

test('every rule has its figures here', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

describe.skipIf(!isThere)('by promtool', () => {
  test('the rules, and the configuration that scrapes what they need', async () => {
    await expect(run('promtool', ['check', 'rules', path.join(HERE, 'alerts.yaml')])).resolves.toBeTruthy();
    const file = path.join(folder, 'prometheus.yml');
    const text = await readFile(path.join(HERE, 'prometheus.yaml'), 'utf8');
    const [named = ''] = (parse(text) as { rule_files: string[] }).rule_files;
    await writeFile(file, text.replace(named, path.join(HERE, 'alerts.yaml')));
    expect((await run('promtool', ['check', 'config', file])).stdout).toContain(
      `${rules.length} rules found`,
    );
  });

  test('the questions of the dashboard', async () => {
    const { panels } = JSON.parse(await readFile(path.join(HERE, '../grafana/millpond.json'), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const file = path.join(folder, 'panels.yaml');
    const records = asked.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    await writeFile(file, stringify({ groups: [{ name: 'panels', rules: records }] }));
    expect((await run('promtool', ['check', 'rules', file])).stdout).toContain(`${asked.length} rules found`);
  });

  test.each(rules)('$alert fires, and only where it should', async (rule) => {
    const { alert } = rule;
    const { bad, good } = CASES[alert] as Case;
    const wait = minutesOf(rule.for);
    const later = `${wait + MAX_WINDOW_MINUTES}m`;
    await expectOf(
      rule,
      { ...inRegion(bad, 'z0'), ...inRegion(good, 'z1') },
      {
        promql_expr_test: [
          {
            ...firing(alert, later, 'region'),
            exp_samples: [{ labels: '{region="z0"}', value: 1 }],
          },
          // It waits first.
          firing(alert, `${wait - 1}m`),
        ],
      },
    );
    // Where there is one region, its figures have no such label.
    await expectOf(rule, bad, {
      promql_expr_test: [{ ...firing(alert, later, 'region'), exp_samples: [{ labels: '{}', value: 1 }] }],
    });
    await expectOf(rule, good, { promql_expr_test: [firing(alert, later)] });
  });

  test('a disk of Ceph is known to be full without the counters of its daemons', async () => {
    const rule = rules.find(({ alert }) => alert === 'MillpondCephDiskFull');
    const series = { 'ceph_health_detail{name="OSD_NEARFULL"}': always(1) };
    const told = { ...firing('MillpondCephDiskFull', '30m'), exp_samples: [{ labels: '{}', value: 1 }] };
    await expectOf(rule, series, { promql_expr_test: [told] });
  });

  test('what they say names the region, if there is one', async () => {
    const series = { 'millpond_queue_oldest_seconds{queue="task"}': always(1200) };
    const told = (labels: Readonly<Record<string, string>>, summary: string) => ({
      alert_rule_test: [
        {
          eval_time: '60m',
          alertname: 'MillpondJobsWait',
          exp_alerts: [
            {
              exp_labels: { severity: 'warn', queue: 'task', ...labels },
              exp_annotations: {
                summary,
                action:
                  'No worker runs them, or too few do. Add workers (`millpond work`); for tasks, more MILLPOND_MEDIA_SLOTS do too.',
                page: 'docs/alerts.md#millpondjobswait',
              },
            },
          ],
        },
      ],
    });
    const rule = rules.find(({ alert }) => alert === 'MillpondJobsWait');
    const words = 'jobs of task have waited for 20m 0s';
    await expectOf(rule, series, told({}, words));
    await expectOf(rule, inRegion(series, 'z0'), told({ region: 'z0' }, `z0: ${words}`));
  });
});

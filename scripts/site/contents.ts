/**
 * The order in which the documentation is read, and which page says the same in the other language. The build reports a page
 * that is in no section.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

export interface Section {
  readonly title: string;
  /** Paths from the project's root. */
  readonly pages: readonly string[];
  /** There are many short pages: the first one lists the others, and the list of all pages names only that. */
  readonly listsItself?: true;
}

/** The folder of the Chinese pages, as the site names their part. */
export const CHINESE = 'docs/zh-CN';

const DECISIONS = 'docs/decisions';
const decisions = readdirSync(path.join(import.meta.dirname, '../..', DECISIONS))
  .filter((name) => /^\d{3}-.*\.md$/.test(name))
  .toSorted();

export const contents: readonly Section[] = [
  {
    title: 'Start',
    pages: ['README.md', 'docs/README.md', 'docs/first-upload.md', 'docs/local.md', 'docs/examples.md'],
  },
  {
    title: 'Guides',
    pages: [
      'docs/uploads.md',
      'docs/downloads.md',
      'docs/signing.md',
      'docs/keys.md',
      'docs/sign-in.md',
      'docs/objects.md',
      'docs/buckets.md',
      'docs/metadata.md',
      'docs/archive.md',
      'docs/fetch.md',
      'docs/processing.md',
      'docs/images.md',
      'docs/live.md',
      'docs/live-devices.md',
      'docs/webhooks.md',
      'docs/events.md',
      'docs/requests.md',
      'docs/sdk.md',
      'docs/python.md',
      'docs/go.md',
      'docs/cli.md',
      'docs/console.md',
      'docs/console-screens.md',
      'docs/s3.md',
      'docs/clients.md',
      'docs/asked-for.md',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'docs/production.md',
      'docs/three-servers.md',
      'docs/operate-three-servers.md',
      'docs/kubernetes.md',
      'docs/ceph.md',
      'docs/high-availability.md',
      'docs/faults.md',
      'docs/alerts.md',
      'docs/slow.md',
      'docs/full.md',
      'docs/logs.md',
      'docs/capacity.md',
      'deploy/README.md',
      'docs/engines.md',
      'docs/small-objects.md',
      'docs/scale.md',
      'docs/regions.md',
      'docs/sandbox.md',
      'docs/outbound.md',
      'docs/performance.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/reference/calls.md',
      'docs/reference/records.md',
      'docs/reference/commands.md',
      'docs/reference/configuration.md',
      'docs/reference/chart.md',
      'docs/reference/errors.md',
      'docs/reference/upload-policy.md',
      'docs/processing-commands.md',
      'docs/reference/processing-commands.md',
      'docs/metrics.md',
      'docs/reference/database.md',
      'docs/reference/conformance.md',
    ],
  },
  {
    title: '中文',
    pages: [
      'docs/zh-CN/README.md',
      'docs/zh-CN/first-upload.md',
      'docs/zh-CN/uploads.md',
      'docs/zh-CN/downloads.md',
      'docs/zh-CN/signing.md',
      'docs/zh-CN/processing.md',
      'docs/zh-CN/webhooks.md',
      'docs/zh-CN/production.md',
    ],
  },
  {
    title: 'Project',
    pages: [
      'ARCHITECTURE.md',
      'docs/dependencies.md',
      'CONTRIBUTING.md',
      'docs/contributing/commands.md',
      'docs/contributing/adding.md',
      'docs/contributing/database.md',
      'docs/contributing/testing.md',
      'docs/contributing/measuring.md',
      'docs/contributing/releasing.md',
      'docs/contributing/chinese.md',
      'CHANGELOG.md',
      'GOVERNANCE.md',
      'CODE_OF_CONDUCT.md',
      'SECURITY.md',
    ],
  },
  {
    title: 'Decisions',
    pages: ['README.md', ...decisions].map((name) => `${DECISIONS}/${name}`),
    listsItself: true,
  },
];

export function isChinese(page: string): boolean {
  return page.startsWith(`${CHINESE}/`);
}

/**
 * The page that says the same; undefined where a page is in one language only. The first page is at the root, as hosts of
 * repositories want it.
 */
export function counterpartOf(page: string, pages: ReadonlySet<string>): string | undefined {
  const name = page.replace(/^docs\/(?:zh-CN\/)?/, '');
  const other = isChinese(page)
    ? [name === 'README.md' ? name : `docs/${name}`]
    : page === 'docs/README.md'
      ? []
      : [`${CHINESE}/${name}`];
  return other.find((candidate) => pages.has(candidate));
}

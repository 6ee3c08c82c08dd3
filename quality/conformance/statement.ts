/**
 * What a statement is: one sentence about the system that a test can show, with an id that never changes.
 * Tests name ids at the end of their titles; the runner reports which statements are shown.
 */

/** 'interface': the published interface says so. 'decision': the interface is silent and we chose. 'trap': easy to get wrong. */
type Source = 'interface' | 'decision' | 'trap';

/** The stages of the project in the order in which they are built. */
export const milestones = [
  'ground',
  'accounts',
  'uploads',
  'objects',
  'deliveries',
  'processing',
  'live',
  'users',
] as const;
export type Milestone = (typeof milestones)[number];

/** The product's features, in the order in which the table and the page show them. */
export const subjects = [
  'general',
  'authentication',
  'tokens',
  'accounts',
  'buckets',
  'policy',
  'uploads',
  'callbacks',
  'resumable',
  'downloads',
  'objects',
  'archive',
  'fetch',
  'mirror',
  'outbound',
  'processing',
  'task-status',
  'deliveries',
  'live',
  'console',
  's3',
] as const;
export type Subject = (typeof subjects)[number];

interface Heading {
  readonly subject: Subject;
  readonly from: Source;
  /** The section of the published interface, or the topic of the decision. */
  readonly where: string;
  /** The stage that builds it. */
  readonly milestone: Milestone;
}

export interface Statement extends Heading {
  readonly id: string;
  readonly text: string;
}

/** Statements under one heading: ids as keys, so that a repeated id in a group does not compile. */
export function statements(heading: Heading, texts: Readonly<Record<string, string>>): Statement[] {
  return Object.entries(texts).map(([id, text]) => ({ ...heading, id, text }));
}

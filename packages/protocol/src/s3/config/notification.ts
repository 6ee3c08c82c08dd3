/**
 * Notifications of a bucket in S3's words: a `TopicConfiguration` whose topic is the URL of a webhook. They are the event
 * rules of the interface, as far as S3's words go; what is sent is the interface's own event.
 */
import { MAX_KEY_BYTES } from '../../limits/limits.ts';
import type { CreationCause } from '../../object-events.ts';
import { utf8Length } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import { childrenOf, childText, malformed, parseXml, requiredText } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import { writeXml, type XmlChildren } from '../xml/write.ts';
import { allowOnlyChildren, neededChild, onlyChild } from './elements.ts';

export interface NotificationRule {
  readonly name: string;
  readonly url: string;
  /** Millpond event names, not S3's. */
  readonly events: readonly string[];
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
}

const MAX_RULES = 100;
const MAX_URL_LENGTH = 2048;

/** S3 knows four ways for an object to come; ours are among them. Overwriting is creating there. */
const by = (...ways: CreationCause[]) => ways.flatMap((way) => [`created.${way}`, `overwritten.${way}`]);

/** The wider before the narrower. Their events are apart, so each set of events has one spelling. */
const EVENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['s3:ObjectCreated:*', ['created', 'overwritten']],
  ['s3:ObjectCreated:Put', by('s3-put', 'form', 'fetch', 'mirror', 'process', 'record', 'snapshot')],
  ['s3:ObjectCreated:Post', by('s3-post')],
  ['s3:ObjectCreated:Copy', by('s3-copy', 'copy', 'move', 'undelete')],
  ['s3:ObjectCreated:CompleteMultipartUpload', by('s3-parts', 'parts', 'blocks')],
  ['s3:ObjectRemoved:*', ['deleted']],
  ['s3:ObjectRemoved:Delete', ['deleted.delete']],
  ['s3:ObjectRestore:*', ['restoring', 'restored', 'frozen']],
  ['s3:ObjectRestore:Post', ['restoring']],
  ['s3:ObjectRestore:Completed', ['restored']],
  ['s3:ObjectRestore:Delete', ['frozen']],
  ['s3:LifecycleExpiration:*', ['expired']],
  ['s3:LifecycleExpiration:Delete', ['expired.rule']],
  ['s3:LifecycleTransition', ['classChanged.rule']],
]);

/** `newId` names configurations without an Id. */
export function readNotification(body: Uint8Array, newId: () => string): NotificationRule[] {
  const root = parseXml(body, 'NotificationConfiguration');
  allowOnlyChildren(root, ['TopicConfiguration']);
  if (root.children.length > MAX_RULES)
    throw invalid(`A bucket may have at most ${MAX_RULES} notification configurations`);
  return root.children.map((topic) => readTopic(topic, newId));
}

function readTopic(topic: XmlElement, newId: () => string): NotificationRule {
  allowOnlyChildren(topic, ['Id', 'Topic', 'Event', 'Filter']);
  const url = neededChild(topic, 'Topic').text.trim();
  if (!/^https?:\/\//i.test(url) || url.length > MAX_URL_LENGTH)
    throw new S3Fault('InvalidArgument', {
      message: 'Unable to validate the following destination configurations',
      hint: 'Topic must be the URL of a webhook, which gets an event in the form of CloudEvents',
    });
  const events = childrenOf(topic, 'Event').flatMap(({ text }) => eventsOf(text.trim()));
  if (events.length === 0) throw malformed('TopicConfiguration has no Event');
  return {
    name: childText(topic, 'Id')?.trim() || newId(),
    url,
    events: [...new Set(events)],
    ...readFilter(onlyChild(topic, 'Filter')),
  };
}

function eventsOf(name: string): readonly string[] {
  const events = EVENTS.get(name);
  if (events === undefined)
    throw invalid(
      `The event '${name.slice(0, 64)}' is not supported for notifications; there are ${[...EVENTS.keys()].join(', ')}`,
    );
  return events;
}

function readFilter(filter: XmlElement | undefined): Pick<NotificationRule, 'prefix' | 'suffix'> {
  if (filter === undefined) return {};
  allowOnlyChildren(filter, ['S3Key']);
  const key = onlyChild(filter, 'S3Key');
  const found: { prefix?: string; suffix?: string } = {};
  for (const rule of key === undefined ? [] : childrenOf(key, 'FilterRule')) {
    const name = requiredText(rule, 'Name').trim().toLowerCase();
    const value = childText(rule, 'Value') ?? '';
    if (name !== 'prefix' && name !== 'suffix')
      throw invalid('filter rule name must be either prefix or suffix');
    if (found[name] !== undefined) throw invalid(`Cannot specify more than one ${name} rule in a filter.`);
    if (utf8Length(value) > MAX_KEY_BYTES)
      throw invalid(`Size of filter rule value cannot exceed ${MAX_KEY_BYTES} bytes in UTF-8`);
    found[name] = value;
  }
  return found;
}

/** Whether S3's words can say the rule: those of our own calls may also ask for sizes, or for events that S3 has no name for. */
export function isNotification(
  rule: NotificationRule & { readonly minSize?: number | undefined; readonly maxSize?: number | undefined },
): boolean {
  return rule.minSize === undefined && rule.maxSize === undefined && namesOf(rule.events) !== undefined;
}

/** Leaves out what S3's words can't say. */
export function writeNotification(rules: readonly NotificationRule[]): string {
  return writeXml('NotificationConfiguration', {
    TopicConfiguration: rules.filter(isNotification).map(({ name, url, events, prefix, suffix }) => {
      const filters = [
        ...(prefix === undefined ? [] : [{ Name: 'prefix', Value: prefix }]),
        ...(suffix === undefined ? [] : [{ Name: 'suffix', Value: suffix }]),
      ];
      return {
        Id: name,
        Topic: url,
        Event: namesOf(events) ?? [],
        ...(filters.length > 0 && { Filter: { S3Key: { FilterRule: filters } } }),
      } satisfies XmlChildren;
    }),
  });
}

function namesOf(events: readonly string[]): string[] | undefined {
  const left = new Set(events);
  const names: string[] = [];
  for (const [name, wanted] of EVENTS) {
    if (!wanted.every((event) => left.has(event))) continue;
    names.push(name);
    for (const event of wanted) left.delete(event);
  }
  return left.size === 0 ? names : undefined;
}

function invalid(message: string): S3Fault {
  return new S3Fault('InvalidArgument', { message });
}

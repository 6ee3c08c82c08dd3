/** Usage of accounts and buckets, and quotas. */

export { daysOf } from './days.ts';
export { createUsage, type UsageFeature } from './usage.create.ts';
export type { AccountUsage } from './usage.service.ts';

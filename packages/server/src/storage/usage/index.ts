/** Usage of accounts and buckets, and quotas. */
export { createUsage, type UsageFeature } from './create.ts';
export { daysOf } from './days.ts';
export type { AccountUsage } from './service.ts';

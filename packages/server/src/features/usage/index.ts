/** Usage of accounts and buckets, and quotas. */
export { daysOf } from './days.ts';
export { RequestCounter } from './request-counter.ts';
export { usageRoutes } from './routes.ts';
export { type AccountUsage, Usage } from './service.ts';
export { UsageStore } from './store.ts';

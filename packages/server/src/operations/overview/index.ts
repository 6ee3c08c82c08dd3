/** What operators and accounts look at first: the overview, what failed, and how the engines are. */
export { createOverview, type OverviewFeature } from './overview.create.ts';

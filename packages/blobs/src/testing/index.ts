/** For the tests of other packages. */
export { collectingSink, pattern } from './sinks.ts';

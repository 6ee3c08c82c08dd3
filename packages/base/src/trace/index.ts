/** The steps of requests: see trace.ts. */
export type { RequestFacts, TraceRecorder } from './recorder.ts';
export { type Caused, currentTrace, type Step, Trace, withoutTrace, withTrace } from './trace.ts';

/** The steps of requests: see trace.ts. */
export type { RequestFacts, TraceRecorder } from './recorder.ts';
export { currentTrace, Trace, type TraceEffects, type TraceStep, withoutTrace, withTrace } from './trace.ts';

/** The console: its pages, its sessions, and every call of the interface on its own origin. Loaded only where it is served. */
export { type ConsoleDeps, type ConsoleSettings, createConsole } from './console.create.ts';

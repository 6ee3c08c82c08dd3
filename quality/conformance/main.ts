/** `npm run conformance`, see command.ts. */
import { conformance } from './command.ts';

process.exitCode = await conformance(process.argv.slice(2));

/** All statements of the project, in no particular order; ids are unique (a test holds that). */
import type { Statement } from '../statement.ts';
import { accountsStatements } from './accounts.ts';
import { archiveStatements } from './archive.ts';
import { authenticationStatements } from './authentication.ts';
import { bucketsStatements } from './buckets.ts';
import { callbacksStatements } from './callbacks.ts';
import { consoleStatements } from './console.ts';
import { deliveriesStatements } from './deliveries.ts';
import { downloadsStatements } from './downloads.ts';
import { fetchStatements } from './fetch.ts';
import { generalStatements } from './general.ts';
import { liveStatements } from './live.ts';
import { mirrorStatements } from './mirror.ts';
import { objectsStatements } from './objects.ts';
import { objectsDecisions } from './objects-decisions.ts';
import { outboundStatements } from './outbound.ts';
import { policyStatements } from './policy.ts';
import { policyDecisions } from './policy-decisions.ts';
import { processingStatements } from './processing.ts';
import { processingDecisions } from './processing-decisions.ts';
import { resumableStatements } from './resumable.ts';
import { taskStatusStatements } from './task-status.ts';
import { tokensStatements } from './tokens.ts';
import { trapStatements } from './traps.ts';
import { uploadsStatements } from './uploads.ts';

export const allStatements: readonly Statement[] = [
  ...generalStatements,
  ...authenticationStatements,
  ...tokensStatements,
  ...accountsStatements,
  ...bucketsStatements,
  ...policyStatements,
  ...policyDecisions,
  ...uploadsStatements,
  ...callbacksStatements,
  ...resumableStatements,
  ...downloadsStatements,
  ...objectsStatements,
  ...objectsDecisions,
  ...archiveStatements,
  ...fetchStatements,
  ...mirrorStatements,
  ...outboundStatements,
  ...processingStatements,
  ...processingDecisions,
  ...taskStatusStatements,
  ...deliveriesStatements,
  ...liveStatements,
  ...consoleStatements,
  ...trapStatements,
];

/** What tests, benchmarks and fault runs share: deployments of their own, databases, and a plain client. */
export { type ArchiveRows, openArchiveRows, type RestoreTimes } from './archive-rows.ts';
export {
  createBucket,
  type FormUpload,
  hashing,
  type SignedCall,
  signedFetch,
  stat,
  uploadForm,
  uploadToken,
} from './client.ts';
export { COMMAND, type FinishedCommand, finishCommand, runCommand } from './command.ts';
export { type ControlDatabase, dumpDatabase, openControlDatabase } from './control-database.ts';
export { createDatabase, type TestDatabase } from './databases.ts';
export {
  type Account,
  createDeployment,
  type Deployment,
  type DeploymentOptions,
  freePort,
  type ServerProcess,
} from './deployment.ts';
export {
  type AddedTestEvent,
  type EventProducer,
  openEventProducer,
  type TestEvent,
  timeOrderedId,
} from './events.ts';
export { type HostileUrl, hostileNames, hostileUrls, ownHosts, ownHostUrls } from './hostile-urls.ts';
export { type DeliveryRecord, openRegionDatabase, type RegionDatabase } from './region-database.ts';
export { type Certificate, makeCertificate, type SecureServer, startSecure } from './tls.ts';

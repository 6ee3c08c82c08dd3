/** The server as the command line starts it. */
export {
  type Config,
  ConfigError,
  type Environment,
  environmentWithFile,
  isOfThisMachineOnly,
  isToolVariable,
  readConfig,
} from './config/config.ts';
export { type SettingGroup, settingGroups, settings } from './config/settings/index.ts';
export {
  type Diagnosis,
  diagnoseBlobs,
  diagnoseClock,
  diagnoseColdClass,
  diagnoseDatabase,
  diagnoseEgress,
  diagnoseMasterKeys,
  diagnosePrograms,
  diagnoseSandbox,
  sandboxProblems,
} from './diagnosis.ts';
export { deliveryJson, endpointJson, recordJson } from './events/deliveries/index.ts';
export { whoListens } from './listening.ts';
export { diagnoseDevices, diagnoseLive } from './live-diagnosis.ts';
export { ownTaskRecord, parseQueue } from './media/processing/index.ts';
export { migrateAll } from './migrate-all.ts';
export { type OperatorTools, openOperatorTools } from './operator.ts';
export { copyDatabase, createDatabase } from './platform/db/copies.ts';
export { schemaVersion } from './platform/db/migrate.ts';
export { nodeHashing } from './platform/hashing.ts';
export {
  isRtmpInstalled,
  makeRtmpFolders,
  RTMP_PACKAGES,
  RTMP_PROGRAM,
  rtmpConfiguration,
} from './rtmp-engine.ts';
export { sandboxNeeds } from './sandbox-needs.ts';
export { type EngineReport, type ProcessRole, type RunningServer, startServer } from './server.ts';

/** What tests, benchmarks and fault runs share: their own deployments, databases, and a plain client. */

export { type SparePostgres, startSparePostgres } from '@millpond/engines';
export { bundledCommand } from './bundle.ts';
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
export {
  CLOCK_JUMP,
  COMMAND,
  type FinishedCommand,
  finishCommand,
  migrationsOf,
  programOf,
  runCommand,
} from './command.ts';
export {
  type ConsoleAt,
  type ConsoleRequest,
  type ConsoleResponse,
  type ConsoleUser,
  consoleSend,
  signIn,
} from './console.ts';
export { type ControlDatabase, dumpDatabase, openControlDatabase } from './databases/control-database.ts';
export { createDatabase, type TestDatabase } from './databases/databases.ts';
export { type DeliveryRecord, openRegionDatabase, type RegionDatabase } from './databases/region-database.ts';
export {
  type Account,
  createDeployment,
  type Deployment,
  type DeploymentOptions,
  destroyDeployments,
  type ServerProcess,
} from './deployment.ts';
export {
  type Camera,
  type CameraChannel,
  type CameraOptions,
  catalogXml,
  openCamera,
  type SipServer,
  xml,
} from './devices/camera.ts';
export {
  type CameraCall,
  type CameraMedia,
  type CameraMediaOptions,
  rtpPacket,
  serveMedia,
} from './devices/camera-media.ts';
export { passDeviceSeconds } from './devices/device-registrations.ts';
export { floodTcp, floodUdp } from './devices/sip-flood.ts';
export { fuzzedSip } from './devices/sip-fuzz.ts';
export { type Sipp, type SippCamera, startSipp } from './devices/sipp.ts';
export {
  type AddedTestEvent,
  type EventProducer,
  openEventProducer,
  type TestEvent,
  timeOrderedId,
} from './events.ts';
export { type HostileUrl, hostileNames, hostileUrls, ownHosts, ownHostUrls } from './hostile-urls.ts';
export {
  type InstalledPackages,
  installPackages,
  npmSettings,
  type PackedPackages,
  packPackages,
} from './installed.ts';
export { freePort, freePorts, waitForPorts } from './ports.ts';
export {
  cpuSecondsOf,
  familyOf,
  type Memory,
  memoryOf,
  residentMiB,
  statOf,
  TICKS_PER_SECOND,
} from './processes.ts';
export { type ExposedMetric, type ExposedSample, parseExposition } from './prometheus.ts';
export { createRandom, type Random, testRandom } from './random.ts';
export { type ArchiveRows, openArchiveRows, type RestoreTimes } from './restore-clock.ts';
export { playRtmp, publishRtmp, type RtmpPublisher, type RtmpPublisherOptions } from './rtmp/rtmp-client.ts';
export { createRtmpEngine, type RtmpEngine, type RtmpEngineOptions } from './rtmp/rtmp-engine.ts';
export { installS3Programs, s3ProgramsFolder, s3ProgramsPrefix, s3ProgramVersion } from './s3/programs.ts';
export { type S3Server, startS3Server } from './s3/server.ts';
export { servedMetrics } from './served-metrics.ts';
export { type Certificate, makeCertificate, type SecureServer, startSecure } from './tls.ts';
export { type Colour, coloursOf, type Frame, framesOf, makeVideo } from './video.ts';

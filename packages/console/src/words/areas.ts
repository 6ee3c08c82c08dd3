/** The areas of the catalogue; English is where keys are made. */
import type access from './en/access.json';
import type bucketFrame from './en/bucket-frame.json';
import type bucketSettings from './en/bucket-settings.json';
import type buckets from './en/buckets.json';
import type bulk from './en/bulk.json';
import type commands from './en/commands.json';
import type common from './en/common.json';
import type deliveries from './en/deliveries.json';
import type devices from './en/devices.json';
import type fetches from './en/fetches.json';
import type live from './en/live.json';
import type objects from './en/objects.json';
import type overview from './en/overview.json';
import type pipelines from './en/pipelines.json';
import type requests from './en/requests.json';
import type signIn from './en/sign-in.json';
import type tasks from './en/tasks.json';
import type templates from './en/templates.json';
import type tokens from './en/tokens.json';
import type trash from './en/trash.json';
import type uploads from './en/uploads.json';

export interface Words {
  access: typeof access;
  'bucket-frame': typeof bucketFrame;
  'bucket-settings': typeof bucketSettings;
  buckets: typeof buckets;
  commands: typeof commands;
  bulk: typeof bulk;
  common: typeof common;
  deliveries: typeof deliveries;
  devices: typeof devices;
  fetches: typeof fetches;
  live: typeof live;
  objects: typeof objects;
  overview: typeof overview;
  pipelines: typeof pipelines;
  requests: typeof requests;
  'sign-in': typeof signIn;
  tasks: typeof tasks;
  templates: typeof templates;
  tokens: typeof tokens;
  trash: typeof trash;
  uploads: typeof uploads;
}

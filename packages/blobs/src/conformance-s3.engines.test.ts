// @module-tag ceph
import { describeS3Store } from './testing/conformance-s3.ts';

describeS3Store('s3', 'http');

/** RTMP as a publisher speaks it, and FLV, whose tags are its messages. */
export { FlvReader, type FlvTag } from './flv-reader.ts';
export { publishRtmp, type RtmpPublisher } from './publisher.ts';

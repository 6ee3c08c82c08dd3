/**
 * The S3 protocol's pure parts, for the listener: signatures, chunked bodies, checksums, XML, errors. An entry point of
 * its own, because clients of Millpond's interface need none of it.
 */
export { type S3ErrorCode, s3Errors } from './errors.ts';
export { type ErrorPlace, errorXml, S3Fault, type S3FaultOptions } from './fault.ts';
export {
  childFlag,
  childNumber,
  childOf,
  childrenOf,
  childText,
  MAX_XML_BYTES,
  malformed,
  parseXml,
  requiredText,
} from './xml/body.ts';
export { readXml, type XmlElement, XmlFault } from './xml/read.ts';
export { escapeXml, writeXml, type XmlChildren, type XmlContent } from './xml/write.ts';

/**
 * Every error code that the S3 listener answers, with its status and AWS's text: SDKs decide by code and status, and
 * people search the web for the text.
 */
export const s3Errors = {
  AccessControlListNotSupported: { status: 400, message: 'The bucket does not allow ACLs' },
  AccessDenied: { status: 403, message: 'Access Denied' },
  AccessForbidden: {
    status: 403,
    message:
      "CORSResponse: This CORS request is not allowed. This is usually because the evaluation of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
  },
  AuthorizationHeaderMalformed: {
    status: 400,
    message: 'The authorization header that you provided is not valid.',
  },
  AuthorizationQueryParametersError: {
    status: 400,
    message: 'The authorization query parameters that you provided are not valid.',
  },
  BadDigest: { status: 400, message: 'The Content-MD5 you specified did not match what we received.' },
  BadRequest: { status: 400, message: 'Bad Request' },
  BucketAlreadyExists: {
    status: 409,
    message:
      'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.',
  },
  BucketAlreadyOwnedByYou: {
    status: 409,
    message: 'Your previous request to create the named bucket succeeded and you already own it.',
  },
  BucketNotEmpty: { status: 409, message: 'The bucket you tried to delete is not empty.' },
  ConditionalRequestConflict: {
    status: 409,
    message: 'The conditional request cannot succeed due to a conflicting operation against this resource.',
  },
  EntityTooLarge: { status: 400, message: 'Your proposed upload exceeds the maximum allowed object size.' },
  EntityTooSmall: {
    status: 400,
    message: 'Your proposed upload is smaller than the minimum allowed object size.',
  },
  IncompleteBody: {
    status: 400,
    message: 'You did not provide the number of bytes specified by the Content-Length HTTP header',
  },
  InternalError: { status: 500, message: 'We encountered an internal error. Please try again.' },
  InvalidAccessKeyId: {
    status: 403,
    message: 'The AWS Access Key Id you provided does not exist in our records.',
  },
  InvalidArgument: { status: 400, message: 'Invalid Argument' },
  InvalidBucketAclWithObjectOwnership: {
    status: 400,
    message: "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
  },
  InvalidBucketName: { status: 400, message: 'The specified bucket is not valid.' },
  InvalidBucketState: {
    status: 409,
    message: 'The request is not valid with the current state of the bucket.',
  },
  InvalidChunkSizeError: {
    status: 403,
    message: 'Only the last chunk is allowed to have a size less than 8192 bytes',
  },
  InvalidDigest: { status: 400, message: 'The Content-MD5 you specified was invalid.' },
  InvalidLocationConstraint: {
    status: 400,
    message: 'The specified location-constraint is not valid',
  },
  InvalidObjectState: {
    status: 403,
    message: "The operation is not valid for the object's storage class",
  },
  InvalidPart: {
    status: 400,
    message:
      "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  },
  InvalidPartNumber: { status: 416, message: 'The requested partnumber is not satisfiable' },
  InvalidPartOrder: {
    status: 400,
    message: 'The list of parts was not in ascending order. Parts must be ordered by part number.',
  },
  InvalidPolicyDocument: {
    status: 400,
    message: 'The content of the form does not meet the conditions specified in the policy document.',
  },
  InvalidRange: { status: 416, message: 'The requested range is not satisfiable' },
  InvalidRequest: { status: 400, message: 'Invalid Request' },
  InvalidStorageClass: { status: 400, message: 'The storage class you specified is not valid' },
  InvalidTag: { status: 400, message: 'The tag provided was not a valid tag.' },
  InvalidToken: { status: 400, message: 'The provided token is malformed or otherwise invalid.' },
  InvalidURI: { status: 400, message: "Couldn't parse the specified URI." },
  KeyTooLongError: { status: 400, message: 'Your key is too long' },
  MalformedPOSTRequest: {
    status: 400,
    message: 'The body of your POST request is not well-formed multipart/form-data.',
  },
  MalformedPolicy: { status: 400, message: 'This policy contains invalid Json' },
  MalformedTrailerError: {
    status: 400,
    message:
      'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  },
  MalformedXML: {
    status: 400,
    message: 'The XML you provided was not well-formed or did not validate against our published schema',
  },
  MaxMessageLengthExceeded: { status: 400, message: 'Your request was too big.' },
  MaxPostPreDataLengthExceeded: {
    status: 400,
    message: 'Your POST request fields preceding the upload file were too large.',
  },
  MetadataTooLarge: {
    status: 400,
    message: 'Your metadata headers exceed the maximum allowed metadata size',
  },
  MethodNotAllowed: { status: 405, message: 'The specified method is not allowed against this resource.' },
  MissingContentLength: { status: 411, message: 'You must provide the Content-Length HTTP header.' },
  NoSuchBucket: { status: 404, message: 'The specified bucket does not exist' },
  NoSuchBucketPolicy: { status: 404, message: 'The bucket policy does not exist' },
  NoSuchConfiguration: { status: 404, message: 'The specified configuration does not exist.' },
  NoSuchCORSConfiguration: { status: 404, message: 'The CORS configuration does not exist' },
  NoSuchKey: { status: 404, message: 'The specified key does not exist.' },
  NoSuchLifecycleConfiguration: { status: 404, message: 'The lifecycle configuration does not exist' },
  NoSuchPublicAccessBlockConfiguration: {
    status: 404,
    message: 'The public access block configuration was not found',
  },
  NoSuchTagSet: { status: 404, message: 'The TagSet does not exist' },
  NoSuchUpload: {
    status: 404,
    message:
      'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  },
  NoSuchVersion: { status: 404, message: 'The specified version does not exist.' },
  NoSuchWebsiteConfiguration: {
    status: 404,
    message: 'The specified bucket does not have a website configuration',
  },
  NotImplemented: {
    status: 501,
    message: 'A header you provided implies functionality that is not implemented',
  },
  ObjectLockConfigurationNotFoundError: {
    status: 404,
    message: 'Object Lock configuration does not exist for this bucket',
  },
  PermanentRedirect: {
    status: 301,
    message:
      'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
  },
  PreconditionFailed: {
    status: 412,
    message: 'At least one of the pre-conditions you specified did not hold',
  },
  QuotaExceeded: { status: 403, message: 'The quota of the bucket or of its owner is used up.' },
  ReplicationConfigurationNotFoundError: {
    status: 404,
    message: 'The replication configuration was not found',
  },
  RequestTimeout: {
    status: 400,
    message:
      'Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed.',
  },
  RequestTimeTooSkewed: {
    status: 403,
    message: 'The difference between the request time and the current time is too large.',
  },
  RestoreAlreadyInProgress: { status: 409, message: 'Object restore is already in progress' },
  ServerSideEncryptionConfigurationNotFoundError: {
    status: 404,
    message: 'The server side encryption configuration was not found',
  },
  ServiceUnavailable: { status: 503, message: 'Service is unable to handle request.' },
  SignatureDoesNotMatch: {
    status: 403,
    message:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  },
  SlowDown: { status: 503, message: 'Please reduce your request rate.' },
  TooManyBuckets: {
    status: 400,
    message: 'You have attempted to create more buckets than allowed',
  },
  XAmzContentSHA256Mismatch: {
    status: 400,
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

export type S3ErrorCode = keyof typeof s3Errors;

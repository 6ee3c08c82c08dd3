/**
 * Errors of account and token calls. The body on the wire is `{"error", "error_code", "error_description"}`; the
 * descriptions are ours, the rest comes from the API's table.
 */
export const accountErrors = {
  invalidRequestMethod: {
    status: 405,
    code: 1,
    error: 'invalid_request_method',
    text: 'this call needs another request method',
  },
  invalidClient: {
    status: 400,
    code: 2,
    error: 'invalid_client',
    text: 'client_id or client_secret is invalid',
  },
  invalidToken: { status: 400, code: 3, error: 'invalid_token', text: 'the token was not issued here' },
  invalidEmail: {
    status: 400,
    code: 4,
    error: 'invalid_email',
    text: 'the e-mail address is not well formed',
  },
  invalidGrantType: {
    status: 400,
    code: 5,
    error: 'invalid_grant_type',
    text: 'grant_type is not supported',
  },
  missingParameter: {
    status: 400,
    code: 6,
    error: 'invalid_without_params',
    text: 'a required parameter is missing',
  },
  emptyParameter: { status: 400, code: 7, error: 'invalid_empty_params', text: 'a parameter is empty' },
  badRequest: { status: 400, code: 8, error: 'invalid_bad_request', text: 'the request is malformed' },
  tokenExpired: {
    status: 401,
    code: 9,
    error: 'expired_token',
    text: 'the token has expired: refresh it or log in again',
  },
  recordExists: { status: 409, code: 10, error: 'record_exists', text: 'the record already exists' },
  failedAuthentication: {
    status: 401,
    code: 11,
    error: 'failed_authentication',
    text: 'authentication failed',
  },
  failedRequest: {
    status: 417,
    code: 12,
    error: 'failed_request',
    text: 'the request failed: try again later',
  },
  unauthorizedClient: {
    status: 403,
    code: 13,
    error: 'unauthorized_client',
    text: 'this application may not do that',
  },
  recordNotFound: { status: 400, code: 14, error: 'record_not_found', text: 'there is no such record' },
  permissionDenied: {
    status: 401,
    code: 15,
    error: 'permission_denied',
    text: 'this account or key lacks the permission',
  },
  // Not in the API's table: a path that no account call has, in words that its clients know.
  noSuchCall: { status: 404, code: 8, error: 'invalid_bad_request', text: 'there is no such call' },
} as const satisfies Record<string, { status: number; code: number; error: string; text: string }>;

/**
 * Serves the contract over HTTP. An *operation* is a method and path of the contract. Its *handler* is a
 * function from the typed request to one of the contract's responses. The *caller* is the authenticated
 * sender of a request.
 */
export { basePathOf } from './base-path.ts';
export { type BodyBudget, createBodyBudget } from './body-budget.ts';
export { clientBlock, clientNetwork } from './client-network.ts';
export { acquireAllLimits, createConcurrencyLimit } from './concurrency-limit.ts';
export { hideContentType, mediaTypeOf } from './content-type.ts';
export { type ContractOperation, readContract } from './contract.ts';
export { cookieNameAndAttributes, isHttps } from './cookie-scope.ts';
export { emailProblem, isEmailAddress } from './email-address.ts';
export { createHttpServer, maxSegmentLength } from './http-server.ts';
export { deleteOldIdempotencyKeysAcrossOrganizations } from './idempotency.ts';
export {
  createInvalidCredentialLimit,
  type InvalidCredentialLimit,
  limitInvalidCredentials,
} from './invalid-credential-limit.ts';
export { jsonTextOf } from './json-text.ts';
export {
  type AgentOperations,
  type ApiRequest,
  type AuthOperations,
  type Caller,
  type ClientOperations,
  type DeploymentLimits,
  type EditContext,
  type Handler,
  type HandlerResponse,
  type Handlers,
  type KeyRole,
  type OperationId,
  type Role,
} from './operation.ts';
export { assertIfMatch, etagOf, type IfMatch } from './preconditions.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { readJsonBody } from './read-json-body.ts';
export { readSignedBody } from './read-signed-body.ts';
export { readSmallBody } from './read-small-body.ts';
export { serveContractFiles } from './serve-contract-files.ts';
export {
  authorizeKey,
  createAbortSignal,
  credentialOf,
  isAllowed,
  methodNotAllowedRoute,
  type ServeOptions,
  serveOperations,
} from './serve-operations.ts';
export { headerOf, isWithinTolerance } from './signed-headers.ts';

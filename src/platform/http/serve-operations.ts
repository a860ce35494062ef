import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { runForOrganization } from '../database/index.ts';
import { ApiError, missingCredentials } from '../errors.ts';
import { hideContentType } from './content-type.ts';
import { type ContractOperation, type InterfaceName, readContract } from './contract.ts';
import { deprecationHeaders } from './deprecation.ts';
import { fieldErrors } from './field-errors.ts';
import { type IdempotencyDeps, type Outcome, readIdempotencyKey, runIdempotently } from './idempotency.ts';
import { createLargeResponseQueue } from './large-answers.ts';
import { linkToNext, openCursor, toCursorError } from './list-cursor.ts';
import type { ApiRequest, Caller, OperationId, Role } from './operation.ts';
import { etagOf, readIfMatch } from './preconditions.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { type BodyDeps, readBody } from './request-body.ts';
import { readParameters } from './request-parameters.ts';

export interface ServeOptions {
  /**
   * Returns the caller according to the current state of the database, or `null` if the request has no
   * credentials. Throws `unauthenticated` for invalid credentials.
   */
  authenticate(request: FastifyRequest): Promise<Caller | null>;
  /** Requests per minute for one credential. 0 means no limit. */
  requestsPerMinute: number;
  /** Path of the base URL, for `Location` headers. Empty by default. */
  basePath?: string;
  /**
   * True in tests: a response that violates the contract becomes a 500 error that describes the violation.
   */
  validateResponses: boolean;
  stopping: AbortSignal;
  bodies: BodyDeps;
  idempotency: IdempotencyDeps;
}

const roleRanks: Record<Role, number> = { viewer: 1, member: 2, admin: 3, owner: 4 };
/** Methods for which a path gets a route. GET includes HEAD. */
const allMethods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

/** Rate limits by server. All interfaces of a server share its limit, so each credential has a single bucket. */
const rateLimits = new WeakMap<FastifyInstance, RateLimit>();

/** Serves the operations of one interface according to its contract. */
export function serveOperations(
  app: FastifyInstance,
  interfaceName: InterfaceName,
  handlers: Partial<Record<OperationId, unknown>>,
  options: ServeOptions,
  contract = readContract(interfaceName),
): void {
  const requestLimit = limitOf(app, options.requestsPerMinute);
  const largeAnswers = createLargeResponseQueue();
  // A search can scan a whole table, so limit the searches of each organization to keep database connections
  // available.
  const searches = createLargeResponseQueue();
  const methodsByPath = new Map<string, HTTPMethods[]>();

  for (const operation of contract) {
    const announced = operation.deprecation && deprecationHeaders(operation.deprecation);
    const handler = handlerOf(handlers, operation.operationId);
    if (!handler) throw new Error(`no handler for operation ${operation.operationId}`);
    methodsByPath.set(operation.path, [...(methodsByPath.get(operation.path) ?? []), operation.method]);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: hideContentType,
      handler: async (request, reply) => {
        // Set the headers first, so that errors have them, too.
        if (announced) void reply.headers(announced);
        const caller = await authorize(operation, request, reply, options.authenticate, requestLimit);
        const parameters = readParameters(operation, request);
        const cursor = operation.takesCursor ? openCursor(operation, parameters) : null;
        const { path } = parameters;
        const query = cursor ? { ...parameters.query, cursor } : parameters.query;
        const ifMatch = operation.takesIfMatch ? readIfMatch(request.headers['if-match']) : null;
        const idempotencyKey = operation.takesIdempotencyKey
          ? readIdempotencyKey(request.headers['idempotency-key'])
          : null;
        const body = await readBody(operation, request, reply, caller, path, options.bodies);
        let signal: AbortSignal | undefined;
        try {
          const turns = operation.hasLargeResponse ? largeAnswers : 'q' in query ? searches : null;
          if (turns && caller) await turns.takeTurn(caller.organizationId, reply);
          const apiRequest: AnyRequest = {
            path,
            query,
            body: body.value,
            ifMatch,
            caller,
            requestId: request.id,
            http: { request, reply },
            // Create the signal lazily, because most handlers finish before a caller could disconnect.
            get signal() {
              return (signal ??= createAbortSignal(reply, options.stopping));
            },
          };
          const work = async () =>
            idempotencyKey === null
              ? handler(apiRequest)
              : respondOnce(operation, apiRequest, idempotencyKey, handlers, options.idempotency);
          // Don't count system callers toward an organization, because agents of the installation send the
          // results of all organizations.
          const answer = await (caller && !caller.isSystem
            ? runForOrganization(caller.organizationId, work)
            : work());
          if (answer === 'streamed') return reply.hijack();
          const next = cursor && linkToNext(operation, parameters, request, cursor, options.basePath ?? '');
          if (next !== null) void reply.header('link', next);
          return send(operation, answer, reply, options);
        } catch (error) {
          throw (cursor && toCursorError(error, cursor)) ?? error;
        } finally {
          body.release();
        }
      },
    });
  }
  for (const [path, methods] of methodsByPath)
    app.route(methodNotAllowedRoute(path.replaceAll(/\{(\w+)\}/g, ':$1'), methods));
}

/** Returns a route that responds to all other methods with a 405. */
export function methodNotAllowedRoute(url: string, methods: readonly HTTPMethods[]): RouteOptions {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return {
    method: allMethods.filter((method) => !methods.includes(method)),
    url,
    handler: () => {
      throw new ApiError('method_not_allowed', `Allowed methods: ${allow}.`, { headers: { allow } });
    },
  };
}

/**
 * Authorizes a request of a route outside the contract, like an operation that only API keys with at least
 * this role can call. The request counts toward the same rate limit as calls to operations.
 */
export async function authorizeKey(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  role: Role,
  { authenticate, requestsPerMinute }: Pick<ServeOptions, 'authenticate' | 'requestsPerMinute'>,
): Promise<Caller> {
  const access: Access = {
    security: ['ApiKey'],
    isOpen: false,
    isOpenWithoutTwoFactor: false,
    role,
    keyRoles: [],
  };
  const caller = await authorize(access, request, reply, authenticate, limitOf(app, requestsPerMinute));
  if (caller === null) throw missingCredentials();
  return caller;
}

/** Access to an operation, as the contract defines it. */
type Access = Pick<ContractOperation, 'security' | 'isOpen' | 'isOpenWithoutTwoFactor' | 'role' | 'keyRoles'>;

function limitOf(app: FastifyInstance, requestsPerMinute: number): RateLimit {
  const limit = rateLimits.get(app) ?? createRateLimit(requestsPerMinute);
  rateLimits.set(app, limit);
  return limit;
}

/**
 * Checks authentication, the rate limit, and the role, in this order. Returns `null` only if the operation
 * works without credentials.
 */
async function authorize(
  operation: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: ServeOptions['authenticate'],
  requestLimit: RateLimit,
): Promise<Caller | null> {
  if (operation.security.length === 0) return null;
  const caller = await authenticate(request);
  if (!caller && operation.isOpen) return null;
  if (!caller) throw missingCredentials();

  if (caller.via !== 'embedded_agent' && requestLimit.perMinute > 0) {
    const { remaining, resetSeconds, retryAfterSeconds } = requestLimit.take(credentialOf(caller));
    void reply.header('ratelimit-policy', `"default";q=${requestLimit.perMinute};w=60`);
    void reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
    if (retryAfterSeconds > 0) throw new ApiError('rate_limited', undefined, { retryAfterSeconds });
  }

  if (caller.via === 'api_key' && !operation.security.includes('ApiKey'))
    throw new ApiError('login_required');
  if (caller.via === 'login' && !operation.security.includes('BearerToken')) {
    throw new ApiError('unauthenticated', 'This requires an API key.');
  }
  if (caller.via === 'deployment_token' && !operation.security.includes('DeploymentToken'))
    throw new ApiError('forbidden', 'The token of a trust can only report deployments.');
  if (caller.isTwoFactorMissing && !operation.isOpenWithoutTwoFactor)
    throw new ApiError('two_factor_required');
  if (!isAllowed(operation, caller))
    throw new ApiError('forbidden', `This requires ${requiredRoles(operation)}.`);
  return caller;
}

/**
 * Runs an operation at most once for an `Idempotency-Key`. A repeat gets the status of the first response with
 * the current state of the resource.
 *
 * @throws ApiError 409 if the resource can't be returned: the response had a secret, the contract has no
 * operation that returns it, or it was deleted.
 */
async function respondOnce(
  operation: ContractOperation,
  request: AnyRequest,
  key: string,
  handlers: Partial<Record<OperationId, unknown>>,
  deps: IdempotencyDeps,
): Promise<AnyAnswer> {
  const { caller, path, query, body, ifMatch, requestId } = request;
  const { operationId, successStatus } = operation;
  const run = handlerOf(handlers, operationId);
  if (!run || caller === null) throw new Error(`${operationId} can't take an Idempotency-Key`);
  const pathId = typeof path['id'] === 'number' ? path['id'] : null;
  const outcome = await runIdempotently(
    deps,
    {
      organizationId: caller.organizationId,
      credential: credentialOf(caller),
      key,
      operationId,
      content: { operationId, path, query, body, ifMatch },
      requestId,
      resourceId: pathId,
      successStatus,
    },
    async () => notStreamed(operationId, await run(request)),
    (answer) => outcomeOf(answer, pathId),
  );
  if ('result' in outcome) return outcome.result;

  const { status, resourceId } = outcome.repeated;
  const { readBy } = operation;
  const read = readBy && handlerOf(handlers, readBy);
  const before = 'The request with this Idempotency-Key was completed before,';
  const next = 'Send a new Idempotency-Key to run the request again.';
  if (resourceId === null) throw new ApiError('already_completed');
  const extra = { resource_id: resourceId };
  if (!read) {
    const detail = `${before} and its response can't be returned again. The ID of its resource is ${resourceId}. ${next}`;
    throw new ApiError('already_completed', detail, { extra });
  }
  const reread = { ...request, path: { id: resourceId }, query: {}, body: undefined, ifMatch: null };
  try {
    const { body: current } = notStreamed(readBy, await read(reread));
    return { status, body: current };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    const detail = `${before} and its resource ${resourceId} has been deleted since. ${next}`;
    throw new ApiError('already_completed', detail, { extra });
  }
}

/** Finds the ID of the resource in the body, in the `Location` of a body without it, or in the path. */
function outcomeOf({ status, body, headers }: AnyAnswer, pathId: number | null): Outcome {
  const { id } = (body ?? {}) as { id?: unknown };
  if (typeof id === 'number') return { status, resourceId: id };
  const located = /\/(\d+)$/.exec(String(headers?.['location'] ?? ''))?.[1];
  return { status, resourceId: located === undefined ? pathId : Number(located) };
}

export function credentialOf({ apiKeyId, userId, deploymentLimits }: Caller): string {
  if (deploymentLimits) return `trust ${deploymentLimits.trustId}`;
  return apiKeyId === null ? `user ${userId}` : `key ${apiKeyId}`;
}

function requiredRoles({ role, keyRoles }: Pick<ContractOperation, 'role' | 'keyRoles'>): string {
  return [`the ${role} role`, ...keyRoles.map((each) => `an API key with the ${each} role`)].join(' or ');
}

/** True if the caller's role can use the operation. */
export function isAllowed(
  operation: Pick<ContractOperation, 'role' | 'keyRoles'>,
  caller: Pick<Caller, 'role'>,
): boolean {
  if (caller.role === 'agent' || caller.role === 'reporter') return operation.keyRoles.includes(caller.role);
  return roleRanks[caller.role] >= roleRanks[operation.role];
}

/** A request whose parameters and body are valid for its operation. */
interface AnyRequest extends Omit<ApiRequest<'updateRule'>, 'path' | 'query' | 'body' | 'caller'> {
  path: Readonly<Record<string, unknown>>;
  query: object;
  body: unknown;
  caller: Caller | null;
}

/** A handler of any operation. Each gets only requests of its operation. */
type AnyHandler = (request: AnyRequest) => Promise<AnyAnswer | 'streamed'>;

function handlerOf(
  handlers: Partial<Record<OperationId, unknown>>,
  operationId: OperationId,
): AnyHandler | undefined {
  return handlers[operationId] as AnyHandler | undefined;
}

function notStreamed(operationId: OperationId, answer: AnyAnswer | 'streamed'): AnyAnswer {
  if (answer === 'streamed') throw new Error(`${operationId} streams its response, so it can't be repeated`);
  return answer;
}

interface AnyAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
}

function send(
  operation: ContractOperation,
  answer: AnyAnswer,
  reply: FastifyReply,
  { validateResponses, basePath = '' }: ServeOptions,
): FastifyReply {
  if (validateResponses) checkResponse(operation, answer);
  void reply.status(answer.status);
  if (hasRevision(answer.body)) void reply.header('etag', etagOf(answer.body));
  if (answer.headers) void reply.headers(answer.headers);
  const location =
    answer.headers?.['location'] ?? (answer.status === 201 ? locationOf(operation, answer.body) : null);
  if (typeof location === 'string') void reply.header('location', `${basePath}${location}`);
  if (answer.body === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

/**
 * Returns the path of a created resource. If the ID isn't a field of the body, the handler sets the header
 * instead.
 */
function locationOf({ createdPath }: ContractOperation, body: unknown): string | null {
  const id = (body as { id?: unknown } | undefined)?.id;
  return createdPath === null || typeof id !== 'number' ? null : createdPath.replace('{id}', String(id));
}

/** True if the response is a resource with a revision. Lists have revisions only in their items. */
function hasRevision(body: unknown): body is { revision: number } {
  return typeof (body as { revision?: unknown } | undefined)?.revision === 'number';
}

function checkResponse(operation: ContractOperation, answer: AnyAnswer): void {
  const response = operation.response(answer.status);
  if (!response)
    throw new Error(`${operation.operationId} returned ${answer.status}, which the contract doesn't list`);
  if (response.isEmpty !== (answer.body === undefined)) {
    throw new Error(
      `${operation.operationId} returned ${answer.status} ${response.isEmpty ? 'with' : 'without'} a body`,
    );
  }
  if (response.isEmpty) return;
  const validate = response.validate();
  if (!validate(JSON.parse(JSON.stringify(answer.body)))) {
    const errors = fieldErrors(validate.errors ?? []).map((error) => `${error.field} ${error.message}`);
    throw new Error(
      `${operation.operationId} returned ${answer.status}, which violates the contract: ${errors.join('; ')}`,
    );
  }
}

/**
 * Returns a signal that is aborted if the caller disconnects before the response is complete or the server
 * stops. Listeners are removed when the response closes.
 */
export function createAbortSignal(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const { raw } = reply;
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (stopping.aborted || raw.destroyed || raw.socket?.destroyed) {
    abort();
    return controller.signal;
  }
  stopping.addEventListener('abort', abort, { once: true });
  raw.once('close', () => {
    stopping.removeEventListener('abort', abort);
    if (!raw.writableFinished) abort();
  });
  return controller.signal;
}

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { ApiError } from '../errors.ts';
import { type ContractOperation, fieldErrors, type InterfaceName, readContract } from './contract.ts';
import { maxAgentBodyBytes, maxBodyBytes } from './body-limits.ts';
import type { ApiRequest, Caller, Handler, OperationId, Role } from './operation.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { readBody, readParameters } from './request-values.ts';

export interface ServeOptions {
  /** Finds out who asks, from the database of this moment. Throws `unauthenticated`; null when no credentials were sent. */
  authenticate(request: FastifyRequest): Promise<Caller | null>;
  /** Requests per minute for one credential; 0: no limit, also none on wrong keys. */
  requestsPerMinute: number;
  /** In tests: an answer that the contract does not describe becomes a 500 that says so. */
  validateResponses: boolean;
  stopping: AbortSignal;
}

const roleRanks: Record<Role, number> = { viewer: 1, member: 2, admin: 3, owner: 4 };
const allMethods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
/** Wrong keys from one address before it has to wait. */
const wrongKeysPerMinute = 300;

/** Serves the operations of one interface as its contract describes them. */
export function serveOperations(
  app: FastifyInstance,
  interfaceName: InterfaceName,
  handlers: Partial<Record<OperationId, unknown>>,
  options: ServeOptions,
): void {
  const requestLimit = createRateLimit(options.requestsPerMinute);
  const wrongKeyLimit = createRateLimit(options.requestsPerMinute === 0 ? 0 : wrongKeysPerMinute);
  const methodsByPath = new Map<string, HTTPMethods[]>();

  for (const operation of readContract(interfaceName)) {
    const handler = handlers[operation.operationId] as Handler<OperationId> | undefined;
    if (!handler) throw new Error(`no handler for operation ${operation.operationId}`);
    methodsByPath.set(operation.path, [...(methodsByPath.get(operation.path) ?? []), operation.method]);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: interfaceName === 'agent' ? maxAgentBodyBytes : maxBodyBytes,
      handler: async (request, reply) => {
        const caller = await admit(operation, request, reply, { ...options, requestLimit, wrongKeyLimit });
        const { path, query } = readParameters(operation, request);
        const body = await readBody(operation, request);
        const answer = await handler({
          path,
          query,
          body,
          caller,
          requestId: request.id,
          http: { request, reply },
          // Made only for those who look: most handlers are done before anybody could leave.
          get signal() {
            return abortedWith(request, options.stopping);
          },
        } as ApiRequest<OperationId>);
        if (answer === 'streamed') return reply.hijack();
        return send(operation, answer as AnyAnswer, reply, options);
      },
    });
  }
  for (const [path, methods] of methodsByPath) {
    const allow = methods.join(', ');
    app.route({
      method: allMethods.filter((method) => !methods.includes(method)),
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: () => {
        throw new ApiError('method_not_allowed', `This path answers ${allow}.`, { headers: { allow } });
      },
    });
  }
}

interface Admission extends ServeOptions {
  requestLimit: RateLimit;
  wrongKeyLimit: RateLimit;
}

/** Authentication, the role and the rate limit, in this order; null only where no credentials are needed. */
async function admit(
  operation: ContractOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, requestLimit, wrongKeyLimit }: Admission,
): Promise<Caller | null> {
  if (operation.security.length === 0) return null;
  if (wrongKeyLimit.isExhausted(request.ip)) {
    throw new ApiError('rate_limited', 'Too many wrong credentials came from this address.', { retryAfterSeconds: 60 });
  }
  const caller = await authenticate(request).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unauthenticated') wrongKeyLimit.take(request.ip);
    throw error;
  });
  if (!caller && operation.isOpen) return null;
  if (!caller) throw new ApiError('unauthenticated');

  const credential = caller.apiKeyId === null ? `user ${caller.userId}` : `key ${caller.apiKeyId}`;
  if (caller.via !== 'embedded_agent' && requestLimit.perMinute > 0) {
    const { remaining, resetSeconds, retryAfterSeconds } = requestLimit.take(credential);
    void reply.header('ratelimit-policy', `"default";q=${requestLimit.perMinute};w=60`);
    void reply.header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
    if (retryAfterSeconds > 0) throw new ApiError('rate_limited', undefined, { retryAfterSeconds });
  }

  if (caller.via === 'api_key' && !operation.security.includes('ApiKey')) throw new ApiError('login_required');
  if (!isAllowed(operation, caller)) throw new ApiError('forbidden', `This needs the role ${operation.role}.`);
  return caller;
}

function isAllowed(operation: ContractOperation, caller: Caller): boolean {
  if (caller.role === 'agent' || caller.role === 'reporter') return operation.keyRoles.includes(caller.role);
  return roleRanks[caller.role] >= roleRanks[operation.role];
}

interface AnyAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
}

function send(operation: ContractOperation, answer: AnyAnswer, reply: FastifyReply, { validateResponses }: ServeOptions): FastifyReply {
  if (validateResponses) checkAnswer(operation, answer);
  void reply.status(answer.status);
  if (answer.headers) void reply.headers(answer.headers);
  if (answer.body === undefined) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
}

function checkAnswer(operation: ContractOperation, answer: AnyAnswer): void {
  const response = operation.response(answer.status);
  if (!response) throw new Error(`${operation.operationId} answered ${answer.status}, which the contract does not list`);
  if (response.isEmpty !== (answer.body === undefined)) {
    throw new Error(`${operation.operationId} answered ${answer.status} ${response.isEmpty ? 'with' : 'without'} a body`);
  }
  if (response.isEmpty) return;
  const validate = response.validate();
  if (!validate(JSON.parse(JSON.stringify(answer.body)))) {
    const errors = fieldErrors(validate.errors ?? []).map((error) => `${error.field} ${error.message}`);
    throw new Error(`${operation.operationId} answered ${answer.status} against the contract: ${errors.join('; ')}`);
  }
}

function abortedWith(request: FastifyRequest, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  request.raw.once('close', () => {
    if (request.raw.destroyed && !request.raw.complete) gone.abort();
  });
  request.socket.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, stopping]);
}

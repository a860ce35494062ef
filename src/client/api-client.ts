import createClient from 'openapi-fetch';
import type { operations as AgentOperations } from '../generated/agent-api.ts';
import type { operations as AuthOperations } from '../generated/auth-api.ts';
import type { operations as ClientOperations } from '../generated/client-api.ts';
import { basePaths, operations } from '../generated/operations.ts';
import { ApiCallError, invalidResponseError, noResponseError, responseError } from './api-call-error.ts';

interface Operations extends ClientOperations, AgentOperations, AuthOperations {}

export interface ApiClientOptions {
  /** Scheme, host, port, and path before `/api`. If empty, requests go to the origin of the page. */
  baseUrl: string;
  /** API key, sent as `X-API-Key`. */
  apiKey?: string;
  /**
   * Token, sent as `Authorization: Bearer`. Either the access token of a login or the token of the embedded
   * agent.
   */
  token?: string;
  /** Headers sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Timeout for requests without their own `timeoutMs`. Default: 60 s. */
  timeoutMs?: number;
  /** Aborts all requests, which then reject with the reason of the signal. */
  signal?: AbortSignal;
}

/** @template Allowed The operations that can be called. By default, all of them. */
export interface ApiClient<Allowed extends ApiOperationId = ApiOperationId> {
  /**
   * Calls an operation of the contract and resolves with the response body, which is undefined for a 204.
   * Throws ApiCallErrors.
   */
  call<Id extends Allowed>(operationId: Id, ...input: Input<Id>): Promise<ResponseBody<Id>>;
  /** Calls an operation and resolves with the status, the headers, and the body of the response. */
  send<Id extends Allowed>(operationId: Id, ...input: Input<Id>): Promise<ApiResponse<Id>>;
  /**
   * Like `send`, for input that the compiler can't check, such as the fields of a file. The server validates it.
   */
  sendUnchecked<Id extends Allowed>(operationId: Id, input?: UncheckedInput): Promise<ApiResponse<Id>>;
}

/**
 * ID of an operation. Excludes the event stream, which pages read with a browser API instead of this client.
 */
export type ApiOperationId = Exclude<keyof Operations, 'streamEvents'>;

export interface ApiResponse<Id extends ApiOperationId> {
  status: number;
  headers: Headers;
  body: ResponseBody<Id>;
}

/**
 * Creates a client with a typed call for every operation of the contract. The client has no connection and no
 * state.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const headers = {
    ...options.headers,
    ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  // `Input` and `ResponseBody` have the types of the contract, so the paths here are untyped. Redirects aren't
  // followed, because they could send the key to another server.
  const fetcher = createClient<AnyPaths>({ headers, redirect: 'manual' });

  async function sendUnchecked<Id extends ApiOperationId>(
    operationId: Id,
    call: UncheckedInput = {},
  ): Promise<ApiResponse<Id>> {
    const { method, path, interface: side } = operations[operationId];
    const timeout = AbortSignal.timeout(call.timeoutMs ?? options.timeoutMs ?? 60_000);
    const aborting = [call.signal, options.signal].filter((signal) => signal !== undefined);
    const compressedBody = call.gzip === true ? await gzip(call.body) : null;
    const { data, error, response } = await fetcher
      .request(method.toLowerCase() as 'get', `${basePaths[side]}${path}`, {
        baseUrl,
        params: { path: call.path, query: call.query },
        signal: aborting.length > 0 ? AbortSignal.any([...aborting, timeout]) : timeout,
        headers: { ...call.headers, ...(compressedBody && { 'content-encoding': 'gzip' }) },
        ...(call.body !== undefined && { body: call.body }),
        ...(compressedBody && { bodySerializer: () => compressedBody }),
      })
      .catch((cause: unknown) => {
        for (const signal of aborting) signal.throwIfAborted();
        throw cause instanceof SyntaxError
          ? invalidResponseError(baseUrl, cause)
          : noResponseError(baseUrl, cause);
      });
    // Report a redirect as a missing response, because browsers hide its target.
    if (response.type === 'opaqueredirect') throw noResponseError(baseUrl, undefined);
    if (!response.ok) throw responseError(response, error);
    if (data === undefined && response.status !== 204) throw invalidResponseError(baseUrl);
    // The body isn't validated here, because the server's tests check every response against the contract.
    return { status: response.status, headers: response.headers, body: data as ResponseBody<Id> };
  }

  return clientOf(sendUnchecked);
}

/** Returns a client whose calls all go through the given function. */
export function clientOf(sendUnchecked: ApiClient['sendUnchecked']): ApiClient {
  return {
    sendUnchecked,
    send: (operationId, ...[input]) => sendUnchecked(operationId, input),
    call: async (operationId, ...[input]) => (await sendUnchecked(operationId, input)).body,
  };
}

export { ApiCallError };

async function gzip(body: unknown): Promise<ArrayBuffer> {
  const plain = new Blob([JSON.stringify(body)]).stream();
  return new Response(plain.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

type ParametersOf<Id extends ApiOperationId> = Operations[Id] extends { parameters: infer P } ? P : never;
type InputField<Name extends string, Value> = [NonNullable<Value>] extends [never]
  ? unknown
  : undefined extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };
type JsonBody<B> = B extends { content: { 'application/json': infer Body } } ? Body : never;

type InputOf<Id extends ApiOperationId> = InputField<
  'path',
  ParametersOf<Id> extends { path?: infer P } ? P : never
> &
  InputField<'query', ParametersOf<Id> extends { query?: infer Q } ? Q | undefined : never> &
  (Operations[Id] extends { requestBody: infer B }
    ? { body: JsonBody<B> }
    : Operations[Id] extends { requestBody?: infer B }
      ? InputField<'body', JsonBody<NonNullable<B>> | undefined>
      : unknown) & {
    headers?: Readonly<Record<string, string>>;
    /** Aborts the request, which then rejects with the reason of the signal. */
    signal?: AbortSignal;
    timeoutMs?: number;
    /** True to compress the body. The server accepts this only for task results. */
    gzip?: boolean;
  };

/** Arguments of a call. Operations without required input accept a call without arguments. */
type Input<Id extends ApiOperationId> = {} extends InputOf<Id> ? [input?: InputOf<Id>] : [input: InputOf<Id>];

type SuccessStatus = 200 | 201 | 202 | 204;
type ResponseBody<Id extends ApiOperationId> = Operations[Id] extends { responses: infer R }
  ? { [Status in keyof R & SuccessStatus]: BodyOf<R[Status]> }[keyof R & SuccessStatus]
  : never;
type BodyOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined;

export interface UncheckedInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  timeoutMs?: number;
  gzip?: boolean;
}

interface AnyPaths {
  [path: string]: {
    get: {
      parameters: { path?: Record<string, unknown>; query?: Record<string, unknown> };
      requestBody?: { content: { 'application/json': unknown } };
      responses: { 200: { content: { 'application/json': unknown } } };
    };
  };
}

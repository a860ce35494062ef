import type { FastifyReply, FastifyRequest } from 'fastify';
import type { operations as AgentOperations } from '../../generated/agent-api.ts';
import type { operations as AuthOperations } from '../../generated/auth-api.ts';
import type { bodyDefaults } from '../../generated/body-defaults.ts';
import type { operations as ClientOperations, Schemas } from '../../generated/client-api.ts';
import type { IfMatch } from './preconditions.ts';

export type { AgentOperations, AuthOperations, ClientOperations };
export interface Operations extends ClientOperations, AgentOperations, AuthOperations {}
export type OperationId = keyof Operations;

export type Role = 'viewer' | 'member' | 'admin' | 'owner';
/** Roles that only keys have: each opens a few operations and nothing else. */
export type KeyRole = 'agent' | 'reporter';

/** What a key limits its agents to; null: no limit. */
export interface AgentLimits {
  capabilities: readonly string[] | null;
  credentialNames: readonly string[] | null;
}

/**
 * Who sent the request, after authentication. The organization and the role are those at the time of the request, so a
 * member or key that has lost a right can't use it in the next one.
 */
export interface Caller {
  organizationId: number;
  /** A login, a key, or the embedded agent, which has no credential that could be issued. */
  via: 'login' | 'api_key' | 'embedded_agent';
  role: Role | KeyRole;
  actor: Schemas['Actor'];
  userId: number | null;
  apiKeyId: number | null;
  /** What the key limits its agents to; absent: nothing is limited. */
  agentLimits?: AgentLimits;
  /** The login that an access token came from, and with which it ends. */
  loginId: string | null;
  /** A key of the organization Global: what it creates is readable by every organization. */
  isSystem: boolean;
  /** The session can't access the organization until the user has set up two-factor authentication. */
  isTwoFactorMissing: boolean;
}

type ParametersOf<Id extends OperationId> = Operations[Id] extends { parameters: infer P } ? P : never;
type PathOf<Id extends OperationId> = ParametersOf<Id> extends { path: infer P } ? P : Record<string, never>;
type QueryOf<Id extends OperationId> =
  ParametersOf<Id> extends { query?: infer Q }
    ? [NonNullable<Q>] extends [never]
      ? Record<string, never>
      : WithPage<NonNullable<Q>>
    : Record<string, never>;
/** The defaults of the contract are filled in. */
type WithPage<Q> = 'limit' extends keyof Q
  ? Omit<Q, 'limit' | 'offset'> & { limit: number; offset: number }
  : Q;
/** The defaults of the contract are filled in. */
type BodyOf<Id extends OperationId> = Operations[Id] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? Id extends keyof typeof bodyDefaults
    ? B & (typeof bodyDefaults)[Id]
    : B
  : Operations[Id] extends { requestBody?: { content: { 'application/json': infer B } } }
    ? B | undefined
    : undefined;

type SuccessStatus = 200 | 201 | 202 | 204;
type ContentOf<R> = R extends { content: { 'application/json': infer C } } ? C : undefined;
type ResponsesOf<Id extends OperationId> = Operations[Id] extends { responses: infer R } ? R : never;

/** What a handler may answer: a status of the contract with its body. Errors are thrown. */
export type Answer<Id extends OperationId> = {
  [Status in keyof ResponsesOf<Id> & SuccessStatus]: ContentOf<ResponsesOf<Id>[Status]> extends undefined
    ? { status: Status; headers?: Record<string, string | string[]> }
    : {
        status: Status;
        body: ContentOf<ResponsesOf<Id>[Status]>;
        headers?: Record<string, string | string[]>;
      };
}[keyof ResponsesOf<Id> & SuccessStatus];

export interface ApiRequest<Id extends OperationId> {
  path: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  /** Also `null` in operations that don't support it. */
  ifMatch: IfMatch;
  /** Null only in operations that need no credentials. */
  caller: Id extends keyof AuthOperations ? Caller | null : Caller;
  requestId: string;
  /** Aborted when the caller is gone or the server stops. */
  signal: AbortSignal;
  /** For what is not JSON: cookies, addresses, streams. */
  http: { request: FastifyRequest; reply: FastifyReply };
}

/** What an edit needs from a request, in addition to its path and body. Changes that nobody requested have no request ID. */
export type EditContext = Pick<ApiRequest<'updateRule'>, 'caller' | 'ifMatch'> & { requestId: string | null };

/** `'streamed'`: the handler has taken over the reply itself. */
export type Handler<Id extends OperationId> = (request: ApiRequest<Id>) => Promise<Answer<Id> | 'streamed'>;
export type Handlers<Ids extends OperationId> = { [Id in Ids]: Handler<Id> };

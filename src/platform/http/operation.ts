import type { FastifyReply, FastifyRequest } from 'fastify';
import type { operations as AgentOperations } from '../../generated/agent-api.ts';
import type { operations as AuthOperations } from '../../generated/auth-api.ts';
import type { bodyDefaults } from '../../generated/body-defaults.ts';
import type { operations as ClientOperations, Schemas } from '../../generated/client-api.ts';
import type { PageCursor } from '../database/index.ts';
import type { IfMatch } from './preconditions.ts';

export type { AgentOperations, AuthOperations, ClientOperations };
export interface Operations extends ClientOperations, AgentOperations, AuthOperations {}
export type OperationId = keyof Operations;

export type Role = 'viewer' | 'member' | 'admin' | 'owner';
/** Roles that only keys can have. Each allows only a few operations. */
export type KeyRole = 'agent' | 'reporter';

/** Restrictions that a key imposes on its agents. `null` means no restriction. */
export interface AgentLimits {
  capabilities: readonly string[] | null;
  credentialNames: readonly string[] | null;
}

/** Deployments that the token of a trust can report, as patterns. */
export interface DeploymentLimits {
  trustId: number;
  services: readonly string[];
  environments: readonly string[];
}

/**
 * The authenticated sender of a request. The organization and the role are determined for each request, so a member or
 * key that has lost a permission can't use it in the next one.
 */
export interface Caller {
  organizationId: number;
  /**
   * Authentication method: a login, a key, the token of a trust, which can only report deployments, or the embedded
   * agent, which has no credential that could be issued.
   */
  via: 'login' | 'api_key' | 'deployment_token' | 'embedded_agent';
  role: Role | KeyRole;
  actor: Schemas['Actor'];
  userId: number | null;
  apiKeyId: number | null;
  /** Restrictions that the key imposes on its agents. Absent if the key has none. */
  agentLimits?: AgentLimits;
  /** Restrictions of the token of a trust. Absent for other callers. */
  deploymentLimits?: DeploymentLimits;
  /** ID of the login that issued the access token. The token is valid only as long as this login. */
  loginId: string | null;
  /** True for a key of the Global organization. All organizations can read the resources that it creates. */
  isSystem: boolean;
  /**
   * True if the session can't access the organization until the user has set up two-factor authentication.
   */
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
/** Query type in which the contract's defaults are filled in and the cursor is read. */
type WithPage<Q> = 'limit' extends keyof Q
  ? Omit<Q, 'limit' | 'offset' | 'cursor'> & { limit: number; offset: number; cursor: PageCursor }
  : Q;
/** Bodies of the JSON media types that the operation accepts. */
type JsonOf<Content> = Content[keyof Content & `application/${string}json`];
/** Body type in which the contract's defaults are filled in. */
type BodyOf<Id extends OperationId> = Operations[Id] extends { requestBody: { content: infer Content } }
  ? Id extends keyof typeof bodyDefaults
    ? JsonOf<Content> & (typeof bodyDefaults)[Id]
    : JsonOf<Content>
  : Operations[Id] extends { requestBody?: { content: infer Content } }
    ? JsonOf<Content> | undefined
    : undefined;

type SuccessStatus = 200 | 201 | 202 | 204;
type ContentOf<R> = R extends { content: { 'application/json': infer C } } ? C : undefined;
type ResponsesOf<Id extends OperationId> = Operations[Id] extends { responses: infer R } ? R : never;

/** Result of a handler: a success status of the contract with its body. Errors are thrown. */
export type HandlerResponse<Id extends OperationId> = {
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
  /** The parsed `If-Match` header. `null` in operations that don't support it. */
  ifMatch: IfMatch;
  /** The authenticated caller. `null` only in operations that don't require credentials. */
  caller: Id extends keyof AuthOperations ? Caller | null : Caller;
  requestId: string;
  /** Aborted when the caller disconnects or the server stops. */
  signal: AbortSignal;
  /** The raw request and reply, for data other than JSON: cookies, addresses, streams. */
  http: { request: FastifyRequest; reply: FastifyReply };
}

/**
 * The parts of a request that an edit requires in addition to its path and body. Automatic changes have no
 * request ID.
 */
export type EditContext = Pick<ApiRequest<'updateRule'>, 'caller' | 'ifMatch'> & { requestId: string | null };

/** A function that serves an operation. It returns `'streamed'` if it has written the reply itself. */
export type Handler<Id extends OperationId> = (
  request: ApiRequest<Id>,
) => Promise<HandlerResponse<Id> | 'streamed'>;
export type Handlers<Ids extends OperationId> = { [Id in Ids]: Handler<Id> };

import { randomBytes } from 'node:crypto';
import {
  ApiCallError,
  type ApiClient,
  type ApiResponse,
  createApiClient,
} from '../../src/client/api-client.ts';
import type { Role } from '../../src/platform/http/index.ts';
import type { SharedTestServer } from '../helpers/test-server.ts';

/** A logged-in person, with everything that an attack requires. */
export interface Person {
  email: string;
  password: string;
  userId: number;
  organizationId: number;
  /** ID of the membership in the organization above. */
  memberId: number;
  token: string;
  refreshToken: string;
  /** API client with the access token. */
  api: ApiClient;
}

/**
 * Environment that makes the server trust the client addresses that the functions in this file send in
 * `X-Forwarded-For`. Each request without a session has a new address.
 */
export const trustedProxyEnvironment = { PACEKEEPER_TRUSTED_PROXIES: '127.0.0.1' };

/** Returns functions that act for people, using only the API. The server must run with `trustedProxyEnvironment`. */
export function createPeople(server: Pick<SharedTestServer, 'url'>) {
  const anonymous = () => anonymousClient(server.url);
  const people = {
    newAddress,

    async logIn({ email, password }: { email: string; password: string }): Promise<Person> {
      const answer = await anonymous().send('login', { body: { email, password } });
      return personOf(server.url, { email, password }, answer);
    },

    /** Invites an email address and returns the token of the link. */
    async invite(inviter: ApiClient, email: string, role: Role): Promise<string> {
      const { accept_url } = await inviter.call('inviteMember', { body: { email, role } });
      return tokenOf(accept_url);
    },

    /** Creates an account that joins with an invitation. */
    async join(inviter: ApiClient, role: Role, email: string = newAddress()): Promise<Person> {
      const password = randomBytes(12).toString('hex');
      const token = await people.invite(inviter, email, role);
      const body = { token, name: `A ${role}`, password };
      const answer = await anonymous().send('acceptInvitation', { body });
      const person = personOf(server.url, { email, password }, answer);
      const { items } = await inviter.call('listMembers', { query: { q: email } });
      return { ...person, memberId: items[0]!.id };
    },

    async resetToken(issuer: ApiClient, memberId: number): Promise<string> {
      const { reset_url } = await issuer.call('createMemberResetLink', { path: { id: memberId } });
      return tokenOf(reset_url);
    },

    /** Sets a password with a reset link and returns the status. */
    useResetToken: (token: string, newPassword: string) =>
      statusOf(anonymous().call('resetPassword', { body: { token, new_password: newPassword } }), 204),

    /** Accepts an invitation as a new person and returns the status. */
    useInvitation: (token: string) =>
      statusOf(
        anonymous().call('acceptInvitation', {
          body: { token, name: 'Eve', password: 'a long password' },
        }),
      ),

    /** True if the server accepts an API key, regardless of its role. */
    keyWorks: async (apiKey: string) =>
      (await statusOf(createApiClient({ baseUrl: server.url, apiKey }).call('listRules'))) !== 401,
  };

  return people;
}

function personOf(
  url: string,
  login: { email: string; password: string },
  { body, headers }: ApiResponse<'login'>,
): Person {
  return {
    ...login,
    userId: body.user.id,
    organizationId: body.organization.id,
    memberId: 0,
    token: body.access_token,
    refreshToken: refreshTokenOf(headers)!,
    api: createApiClient({ baseUrl: url, token: body.access_token }),
  };
}

export function anonymousClient(baseUrl: string): ApiClient {
  const address = `10.${[...randomBytes(3)].join('.')}`;
  return createApiClient({ baseUrl, headers: { 'x-forwarded-for': address } });
}

function newAddress(): string {
  return `${randomBytes(8).toString('hex')}@example.org`;
}

/** Returns the status of a call, or of its error. */
export async function statusOf(call: Promise<unknown>, success = 200): Promise<number | null> {
  return call.then(
    () => success,
    (error: unknown) => refusalOf(error).status,
  );
}

/** Returns the error of a call that must fail. */
export async function callError(call: Promise<unknown>): Promise<ApiCallError> {
  return call.then(() => {
    throw new Error('the call was let in');
  }, refusalOf);
}

function refusalOf(error: unknown): ApiCallError {
  if (error instanceof ApiCallError) return error;
  throw error;
}

export function tokenOf(url: string): string {
  return url.slice(url.indexOf('#token=') + '#token='.length);
}

export function refreshTokenOf(headers: Headers): string | null {
  for (const cookie of headers.getSetCookie()) {
    const [, value] = /^pacekeeper_refresh=([^;]+)/.exec(cookie) ?? [];
    if (value) return value;
  }
  return null;
}

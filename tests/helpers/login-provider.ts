import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { atEndOfFile } from './end-of-file.ts';

/** A user account at the login provider. */
export interface ProviderAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: readonly string[];
  [claim: string]: unknown;
}

export interface LoginProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accounts by the name that is entered on the login page. Tests can change them. */
  accounts: Map<string, ProviderAccount>;
  /** Name of the account that is logged in without the login page; null shows the page. */
  loginAs: string | null;
  /** Replaces the signing keys, which simulates a key rotation. The provider signs with the first key. */
  setKeys(keys: JWK[]): void;
  keys: JWK[];
  /** Modifies the responses of the token endpoint, or null to leave them unchanged. */
  tamper: ((answer: TokenResponse) => Promise<TokenResponse>) | null;
  /**
   * Response that the token endpoint returns to every request without processing it, or null. Unlike with `tamper`, no
   * token is used up.
   */
  refusal: TokenResponse | null;
  /** Grant types of the requests to the token endpoint, in order. */
  grants: string[];
  /** False if the provider responds with status 503 to every request. */
  isUp: boolean;
  /**
   * True if the ID token omits profile claims and only the userinfo endpoint returns them, as the
   * specification defines for the code flow.
   */
  hasThinTokens: boolean;
  /**
   * Follows the redirects of a login URL with a separate cookie jar, and returns the URL that redirects back
   * to the server.
   */
  followLogin(url: string): Promise<URL>;
}

export interface TokenResponse {
  status: number;
  body: Record<string, unknown>;
}

export interface LoginProviderOptions {
  /** Returns the redirect URIs of the servers, in the form `/sso/<id>/callback`. */
  redirectUris: () => string[];
  client?: Partial<ClientMetadata>;
}

export async function createSigningKey(kid: string, alg = 'RS256'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

const firstKey = createSigningKey('first');

/**
 * Starts a real OpenID Connect provider on loopback. Its login page asks only for a name.
 *
 * @param options.redirectUris Called on the first request, when the URLs of the servers are known.
 */
export async function startLoginProvider(options: LoginProviderOptions): Promise<LoginProvider> {
  let handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (!self.isUp) return void response.writeHead(503).end();
    handler ??= start();
    const { pathname } = new URL(request.url ?? '/', self.issuer);
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(pathname) ?? [];
    if (uid !== undefined) return void interact(request, response);
    if (pathname === '/token' && self.refusal) {
      response.writeHead(self.refusal.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(self.refusal.body));
    }
    if (pathname === '/token') interceptTokens(response);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const self: LoginProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'pacekeeper',
    clientSecret: 'a secret of the client',
    accounts: new Map(),
    loginAs: null,
    keys: [await firstKey],
    setKeys(keys) {
      self.keys = keys;
      handler = undefined;
    },
    tamper: null,
    refusal: null,
    grants: [],
    isUp: true,
    hasThinTokens: false,
    followLogin,
  };
  return self;

  function start() {
    provider = new Provider(self.issuer, configuration());
    const callback = provider.callback();
    return (request: IncomingMessage, response: ServerResponse) => void callback(request, response);
  }

  function configuration(): Configuration {
    return {
      clients: [
        {
          client_id: self.clientId,
          client_secret: self.clientSecret,
          redirect_uris: options.redirectUris(),
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          backchannel_logout_uri: `${new URL(options.redirectUris()[0]!).origin}/sso/corp/logout`,
          backchannel_logout_session_required: true,
          post_logout_redirect_uris: options
            .redirectUris()
            .map((uri) => `${new URL(uri).origin}/login?logged_out=yes`),
          ...options.client,
        },
      ],
      adapter: createAdapter(stored),
      jwks: { keys: self.keys as never },
      cookies: { keys: ['a key for cookies'] },
      claims: {
        openid: ['sub', 'hd'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
      conformIdTokenClaims: self.hasThinTokens,
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { enabled: true },
        backchannelLogout: { enabled: true },
        revocation: { enabled: true },
      },
      pkce: { required: () => true },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      ttl: {
        Session: 86_400,
        Grant: 86_400,
        Interaction: 600,
        AccessToken: 600,
        IdToken: 3_600,
        RefreshToken: 86_400,
      },
      async findAccount(_ctx, id) {
        const account = [...self.accounts.values()].find(({ sub }) => sub === id);
        return account && { accountId: id, claims: async () => account as JWTPayload & { sub: string } };
      },
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client!.clientId,
          accountId: ctx.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile groups offline_access');
        await grant.save();
        return grant;
      },
    };
  }

  /** Serves the login page, and completes the login when the name is known. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let name = self.loginAs;
    if (name === null && request.method === 'POST') {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      name = new URLSearchParams(text).get('name');
    }
    if (name === null) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(
        '<!doctype html><title>Provider</title><form method="post"><label>Name <input name="name"></label><button>Continue</button></form>',
      );
      return;
    }
    const account = self.accounts.get(name);
    const result = account
      ? { login: { accountId: account.sub } }
      : { error: 'access_denied', error_description: 'unknown person' };
    await provider!.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  function interceptTokens(response: ServerResponse): void {
    const chunks: Buffer[] = [];
    const { end, writeHead } = response;
    let head: unknown[] = [];
    response.writeHead = ((...given: unknown[]) => {
      head = given;
      return response;
    }) as typeof response.writeHead;
    response.end = ((chunk?: unknown) => {
      if (chunk !== undefined) chunks.push(Buffer.from(chunk as Buffer));
      void (async () => {
        let answer: TokenResponse = {
          status: typeof head[0] === 'number' ? head[0] : response.statusCode,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}'),
        };
        if (self.tamper) answer = await self.tamper(answer);
        const text = JSON.stringify(answer.body);
        response.removeHeader('content-length');
        writeHead.call(response, answer.status, { 'content-type': 'application/json' });
        end.call(response, text, 'utf8');
      })();
      return response;
    }) as typeof response.end;
  }

  async function followLogin(start: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(start);
    for (let hops = 0; hops < 10; hops++) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`${url.pathname} returned ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
      if (url.origin !== self.issuer) return url;
    }
    throw new Error('too many redirects');
  }
}

/** Storage of the providers. It survives a rotation of their keys. */
const stored = new Map<string, { payload: Record<string, unknown>; expiresAt: number }>();

function createAdapter(storage: typeof stored) {
  return class MemoryAdapter {
    readonly #model: string;
    constructor(model: string) {
      this.#model = model;
    }
    #key(id: string) {
      return `${this.#model}:${id}`;
    }
    async upsert(id: string, payload: Record<string, unknown>, expiresIn: number) {
      storage.set(this.#key(id), { payload, expiresAt: performance.now() + expiresIn * 1_000 });
    }
    async find(id: string) {
      return storage.get(this.#key(id))?.payload;
    }
    async findByUid(uid: string) {
      return [...storage].find(
        ([key, { payload }]) => key.startsWith(`${this.#model}:`) && payload['uid'] === uid,
      )?.[1].payload;
    }
    async findByUserCode(): Promise<undefined> {}
    async consume(id: string) {
      const entry = storage.get(this.#key(id));
      if (entry) entry.payload['consumed'] = 1;
    }
    async destroy(id: string) {
      storage.delete(this.#key(id));
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, { payload }] of storage) if (payload['grantId'] === grantId) storage.delete(key);
    }
  };
}

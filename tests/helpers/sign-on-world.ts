import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import type { LoginProvider } from './login-provider.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { SharedTestServer } from './test-server.ts';

/**
 * Writes a file for `PACEKEEPER_OIDC_FILE` with the given providers.
 * @returns The path of the file.
 */
export function writeProviderFile(
  providers: Readonly<
    Record<
      string,
      { provider: Pick<LoginProvider, 'issuer' | 'clientId' | 'clientSecret'>; settings?: object }
    >
  >,
): string {
  const file = path.join(temporaryFolder(), `${randomBytes(4).toString('hex')}.yaml`);
  const list = Object.entries(providers).map(([id, { provider, settings }]) => ({
    id,
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    scopes: ['openid', 'email', 'profile', 'groups'],
    ...settings,
  }));
  writeFileSync(file, stringify({ providers: list }));
  return file;
}

/**
 * A browser session without a page. It stores cookies as browsers do, but doesn't follow redirects
 * automatically.
 */
export class TestBrowserSession {
  readonly #server: Pick<SharedTestServer, 'url'>;
  readonly cookies = new Map<string, string>();
  /** Names of the cookies that requests from other sites don't contain. */
  readonly #strict = new Set<string>();

  constructor(server: Pick<SharedTestServer, 'url'>) {
    this.#server = server;
  }

  async request(
    url: string | URL,
    {
      method = 'GET',
      body,
      origin,
      isFromOtherSite = false,
    }: { method?: string; body?: unknown; origin?: string; isFromOtherSite?: boolean } = {},
  ): Promise<{ status: number; location: URL | null; body: Record<string, unknown>; text: string }> {
    const target = new URL(url, this.#server.url);
    const sent = [...this.cookies].filter(([name]) => !isFromOtherSite || !this.#strict.has(name));
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      headers: {
        cookie: sent.map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method !== 'GET' && { origin: origin ?? this.#server.url }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
      if (/SameSite=Strict/i.test(cookie)) this.#strict.add(name);
    }
    const location = response.headers.get('location');
    const text = await response.text();
    return {
      status: response.status,
      location: location === null ? null : new URL(location, target),
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
      text,
    };
  }

  /**
   * Starts a login and completes it at the provider.
   * @returns The callback URL, which hasn't been requested yet.
   */
  async beginSignOn(provider: LoginProvider, id = 'corp', next = '/'): Promise<URL> {
    const { location } = await this.request(`/sso/${id}/login?next=${encodeURIComponent(next)}`);
    return provider.followLogin(location!.href);
  }

  /**
   * Performs the complete login.
   * @returns The final URL of the browser, and the error code if the login failed.
   */
  async signOn(
    provider: LoginProvider,
    id = 'corp',
    next = '/',
  ): Promise<{ end: URL; error: string | null }> {
    const answer = await this.beginSignOn(provider, id, next);
    const { location } = await this.request(answer);
    return { end: location!, error: location!.searchParams.get('sso_error') };
  }

  /** True if the cookies authenticate a user. */
  async isLoggedIn(): Promise<boolean> {
    return (await this.request('/api/v1/auth/me')).status === 200;
  }

  async me(): Promise<{
    user: { id: number; email: string; name: string };
    organizations: { id: number; role: string }[];
  }> {
    return (await this.request('/api/v1/auth/me')).body as never;
  }

  /**
   * Refreshes the session.
   * @returns The HTTP status.
   */
  async refresh(): Promise<number> {
    return (await this.request('/api/v1/auth/refresh', { method: 'POST' })).status;
  }

  /**
   * Logs in with a password.
   * @returns The HTTP status.
   */
  async logIn({ email, password }: { email: string; password: string }): Promise<number> {
    return (await this.request('/api/v1/auth/login', { method: 'POST', body: { email, password } })).status;
  }

  hasSession(): boolean {
    return this.cookies.has('pacekeeper_session') || this.cookies.has('pacekeeper_refresh');
  }
}

import { createRemoteJWKSet, errors as joseErrors, customFetch as joseFetch, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { countValues } from '../../../domain/json/count-values.ts';
import { type Claims, findClaim } from '../../../domain/sign-on/provider-claims.ts';
import type { OutboundClient } from '../../../platform/outbound/index.ts';
import {
  isClientRejected,
  issuerMismatchError,
  isUnreachable,
  toSignOnError,
  withSignOnErrors,
} from './explain-provider-error.ts';
import type { ProviderSettings } from './provider-file.ts';
import { SignOnError } from './sign-on-error.ts';

/**
 * Verified response of a provider about a person. The signature, issuer, audience, times, and nonce are
 * checked.
 */
export interface ProviderResponse {
  issuer: string;
  subject: string;
  claims: Claims;
  /** Refresh token of the provider; null if it issued none. */
  refreshToken: string | null;
  /** ID of the provider's session; null if the provider doesn't send one. */
  sessionId: string | null;
}

export interface AuthorizationChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A logout that a provider sent. At least one of `subject` and `sessionId` is set. */
export interface ProviderLogout {
  issuer: string;
  subject: string | null;
  sessionId: string | null;
}

export interface ProviderConnection {
  settings: ProviderSettings;
  /**
   * URL to which the provider redirects browsers. Each provider has a different URL, so that a response from
   * one provider can't be presented as that of another.
   */
  redirectUri: string;
  authorizationUrl(checks: AuthorizationChecks): Promise<URL>;
  /** @param query Query of the URL to which the provider redirected the browser. */
  exchange(query: URLSearchParams, checks: AuthorizationChecks): Promise<ProviderResponse>;
  /** Confirms the person with a refresh token. Null if the provider no longer accepts it. */
  refresh(refreshToken: string, subject: string): Promise<ProviderResponse | null>;
  /**
   * Returns the URL that also logs the browser out at the provider. Null if the provider has no such URL. The
   * URL contains the client ID but no ID token of the person, because browsers store URLs.
   */
  logoutUrl(): Promise<URL | null>;
  /** Verifies the token of a back-channel logout. Null if the token isn't valid. */
  readLogoutToken(token: string): Promise<ProviderLogout | null>;
  /** Reads the provider's metadata and keys, for `doctor`. */
  check(): Promise<void>;
}

export interface ConnectionDeps {
  outbound: Pick<OutboundClient, 'request'>;
  /** Base URL of this server. */
  baseUrl: string;
}

/**
 * Limits of one request to a provider. The largest responses are sets of keys, and tokens of people in
 * hundreds of groups. The libraries parse them in the server's thread, which takes at most 10 ms within these
 * limits.
 */
const timeoutMs = 10_000;
const maxBytes = 256 * 1024;
const jsonLimits = { values: 20_000, members: 10_000, depth: 50 };
/**
 * Cache durations of a provider's metadata and of a failure to read it. Failures are cached too, because
 * anyone can start a login, which reads the metadata.
 */
const keepMs = 10 * 60_000;
const keepFailureMs = 5_000;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export function createProviderConnection(
  settings: ProviderSettings,
  { outbound, baseUrl }: ConnectionDeps,
): ProviderConnection {
  const redirectUri = `${baseUrl}/sso/${settings.id}/callback`;
  const fetchGuarded = guardedFetch(outbound);
  // The outbound guard decides which hosts can be reached without TLS. If the issuer uses TLS, all other URLs of the
  // provider must use it too.
  const isPlain = new URL(settings.issuer).protocol === 'http:';
  const execute = isPlain ? [oidc.allowInsecureRequests] : [];
  let kept: { at: number; metadata: Promise<oidc.ServerMetadata>; hasFailed: boolean } | undefined;

  function readMetadata(): Promise<oidc.ServerMetadata> {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.at;
    if (kept !== undefined && age < (kept.hasFailed ? keepFailureMs : keepMs)) return kept.metadata;
    const metadata = oidc
      .discovery(new URL(settings.issuer), settings.clientId, undefined, oidc.None(), {
        [oidc.customFetch]: fetchGuarded,
        execute,
        timeout: timeoutMs / 1_000,
      })
      .then((configuration) => {
        const found = configuration.serverMetadata();
        // Identities are stored with the issuer, so it must exactly match the configured one.
        if (found.issuer !== settings.issuer) throw issuerMismatchError(settings.issuer, found.issuer);
        return found;
      });
    const entry = { at: performance.now(), metadata, hasFailed: false };
    metadata.catch(() => (entry.hasFailed = true));
    kept = entry;
    return metadata;
  }

  let keptKeys: { uri: string; keys: ReturnType<typeof createRemoteJWKSet> } | undefined;

  /**
   * Returns the keys of the provider from a cache. Without the cache, anyone could make the server fetch keys
   * by sending tokens. For an unknown key, the cache fetches the keys again, but only after a pause.
   */
  function keysAt(uri: string): ReturnType<typeof createRemoteJWKSet> {
    if (keptKeys?.uri !== uri) {
      const url = new URL(uri);
      if (url.protocol !== 'https:' && !isPlain)
        throw new SignOnError('response_invalid', 'the keys have no https:// URL');
      const options = { [joseFetch]: fetchGuarded, timeoutDuration: timeoutMs };
      keptKeys = { uri, keys: createRemoteJWKSet(url, options) };
    }
    return keptKeys.keys;
  }

  /**
   * Creates a configuration for each login, so that the provider's keys are current and rotated keys work
   * immediately.
   */
  async function connect(): Promise<oidc.Configuration> {
    const metadata = await readMetadata();
    const configuration = new oidc.Configuration(
      metadata,
      settings.clientId,
      settings.clientSecret === null ? {} : { client_secret: settings.clientSecret },
      clientAuthentication(settings, metadata),
    );
    configuration[oidc.customFetch] = fetchGuarded;
    configuration.timeout = timeoutMs / 1_000;
    // Without this call, the library wouldn't verify the signature of a token that was received over TLS.
    oidc.enableNonRepudiationChecks(configuration);
    if (isPlain) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  /**
   * Returns the claims of the ID token, and adds the user information if the token lacks a required claim.
   */
  async function answerOf(
    configuration: oidc.Configuration,
    tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    expectedSubject: string | null,
  ): Promise<ProviderResponse> {
    const idClaims = tokens.claims();
    const subject = idClaims?.sub ?? expectedSubject;
    if (subject === null || (expectedSubject !== null && subject !== expectedSubject))
      throw new SignOnError('response_invalid', 'another subject');
    const needed = [settings.groupsClaim, settings.emailClaims[0]!, ...Object.keys(settings.requiredClaims)];
    const isComplete = idClaims && needed.every((name) => findClaim(idClaims, name) !== undefined);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more =
      isComplete || !hasUserInfo ? {} : await readUserInfo(configuration, tokens.access_token, subject);
    const sessionId = idClaims?.['sid'];
    return {
      issuer: settings.issuer,
      subject,
      claims: { ...more, ...idClaims },
      refreshToken: tokens.refresh_token ?? null,
      sessionId: typeof sessionId === 'string' ? sessionId.slice(0, 500) : null,
    };
  }

  async function readUserInfo(
    configuration: oidc.Configuration,
    accessToken: string,
    subject: string,
  ): Promise<Claims> {
    try {
      return await oidc.fetchUserInfo(configuration, accessToken, subject);
    } catch (error) {
      // At the user information endpoint, the challenge is about the person's token, not about the client's
      // credentials.
      if (!(error instanceof oidc.WWWAuthenticateChallengeError)) throw error;
      throw new SignOnError(
        'response_invalid',
        `the user information requires more: ${toSignOnError(error).reason}`,
      );
    }
  }

  /**
   * Checks the client's credentials by sending a refresh token that doesn't exist. Providers authenticate the
   * client first, so any error about something else means that the credentials are accepted.
   */
  async function checkClient(): Promise<void> {
    const configuration = await connect();
    if (settings.clientSecret === null || configuration.serverMetadata().token_endpoint === undefined) return;
    try {
      await oidc.refreshTokenGrant(configuration, 'a refresh token that does not exist');
    } catch (error) {
      if (isClientRejected(error) || isUnreachable(error)) throw error;
    }
  }

  return {
    settings,
    redirectUri,

    async authorizationUrl({ state, nonce, codeVerifier }) {
      return withSignOnErrors(async () => {
        const url = oidc.buildAuthorizationUrl(await connect(), {
          ...settings.parameters,
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
        if (url.protocol !== 'https:' && !(isPlain && url.protocol === 'http:'))
          throw new SignOnError('response_invalid', 'the authorization endpoint has no https:// URL');
        return url;
      });
    },

    async exchange(query, { state, nonce, codeVerifier }) {
      return withSignOnErrors(async () => {
        const url = new URL(redirectUri);
        url.search = query.toString();
        const configuration = await connect();
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return answerOf(configuration, tokens, null);
      });
    },

    async refresh(refreshToken, subject) {
      return withSignOnErrors(async () => {
        const configuration = await connect();
        try {
          const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
          return await answerOf(configuration, tokens, subject);
        } catch (error) {
          const isRefused =
            error instanceof oidc.ResponseBodyError && error.status < 500 && error.status !== 429;
          if (isRefused && !isClientRejected(error)) return null;
          throw error;
        }
      });
    },

    async logoutUrl() {
      return withSignOnErrors(async () => {
        const configuration = await connect();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        return oidc.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: `${baseUrl}/login?logged_out=yes`,
        });
      });
    },

    async readLogoutToken(token) {
      const { jwks_uri: jwksUri, id_token_signing_alg_values_supported: listed } =
        await withSignOnErrors(readMetadata);
      if (jwksUri === undefined) return null;
      const keys = keysAt(jwksUri);
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: settings.issuer,
          audience: settings.clientId,
          algorithms: (listed ?? ['RS256']).filter((name) => /^(RS|PS|ES|Ed)/.test(name)),
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: '10 min',
          clockTolerance: 60,
        });
        const { events, sub, sid } = payload;
        const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
        // An ID token must not be accepted as a logout token.
        if (!isLogout || payload['nonce'] !== undefined) return null;
        const subject = typeof sub === 'string' ? sub : null;
        const sessionId = typeof sid === 'string' ? sid : null;
        return subject === null && sessionId === null
          ? null
          : { issuer: settings.issuer, subject, sessionId };
      } catch (error) {
        if (error instanceof joseErrors.JOSEError) return null;
        throw toSignOnError(error);
      }
    },

    async check() {
      kept = undefined;
      await withSignOnErrors(async () => {
        const { jwks_uri: jwksUri } = (await connect()).serverMetadata();
        if (jwksUri === undefined) throw new SignOnError('response_invalid', 'it has no jwks_uri');
        const response = await fetchGuarded(jwksUri);
        if (!response.ok) throw new SignOnError('response_invalid', `its keys returned ${response.status}`);
        await checkClient();
      });
    },
  };
}

/**
 * Returns the configured authentication method, or one that the provider supports. Prefers the default of the
 * specification.
 */
function clientAuthentication(
  { clientSecret: secret, clientAuthentication: chosen }: ProviderSettings,
  metadata: oidc.ServerMetadata,
): oidc.ClientAuth {
  if (secret === null || chosen === 'none') return oidc.None();
  if (chosen === 'client_secret_basic') return oidc.ClientSecretBasic(secret);
  if (chosen === 'client_secret_post') return oidc.ClientSecretPost(secret);
  if (chosen === 'client_secret_jwt') return oidc.ClientSecretJwt(secret);
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic') || !supported.includes('client_secret_post')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

/**
 * Returns a `fetch` function that uses the outbound guard. Size and time are limited, and redirects aren't
 * followed.
 */
function guardedFetch(outbound: Pick<OutboundClient, 'request'>) {
  return async (url: string, options: { method?: string; headers?: unknown; body?: unknown } = {}) => {
    const { method = 'GET', headers, body } = options;
    const {
      status,
      headers: given,
      body: bytes,
    } = await outbound.request({
      url,
      purpose: 'source',
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      timeoutMs,
      maxBytes,
    });
    // If the body explains an error, drop the `WWW-Authenticate` challenge. Otherwise, the library would
    // report the challenge, which is less useful than the body.
    const isExplained = method === 'POST' && /json/i.test(String(given['content-type']));
    const dropped = isExplained
      ? /^(content-encoding|content-length|www-authenticate)$/
      : /^(content-encoding|content-length)$/;
    const responseHeaders = Object.entries(given).filter(([name]) => !dropped.test(name));
    if (!isReadable(bytes))
      throw new SignOnError('response_invalid', 'the answer has too many values or is nested too deeply');
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? Buffer.from(bytes) : null, {
      status,
      headers: responseHeaders as [string, string][],
    });
  };
}

/** Token parts up to this length are cheap to parse, whatever they contain. */
const minTokenPartLength = 1_000;

/** True if parsing the response and the tokens in it is cheap. */
function isReadable(bytes: Uint8Array): boolean {
  const tokens = Buffer.from(bytes)
    .toString('latin1')
    .split(/[^\w.-]/)
    .filter((word) => word.includes('.'))
    .flatMap((word) => word.split('.').filter((part) => part.length > minTokenPartLength))
    .map((part) => Buffer.from(part, 'base64url'));
  return [bytes, ...tokens].every((json) => countValues(json, jsonLimits).exceeded === null);
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acknowledgeAlert } from '../../domain/alerts/alert-actions.ts';
import type { Actor } from '../../domain/audit/actor.ts';
import { problemText } from '../../domain/templates/event-message.ts';
import { capitalized } from '../../domain/text/capitalized.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { basePathOf, type Caller } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log.ts';
import { createRateLimitedLog } from '../../platform/log-sparingly.ts';
import type { TokenSigner } from '../../platform/secrets/index.ts';
import { type Authenticator, checkOrigin } from '../accounts/index.ts';
import { type AlertRow, actOnAlert, findAlert } from '../alerts/index.ts';
import { alertConfigAccess } from '../monitoring/index.ts';
import { type AcknowledgeTarget, readAcknowledgeToken } from '../notifications/index.ts';
import {
  acknowledgeForm,
  describeAlert,
  type Html,
  html,
  pageHeaders,
  renderPage,
} from './acknowledge-page-html.ts';
import { readLinkRequirements } from './acknowledge-page-queries.ts';

export interface AcknowledgePageDeps {
  db: Database;
  log: Log;
  acknowledgeSigner: TokenSigner;
  authenticate: Authenticator['authenticate'];
  config: Pick<Config, 'baseUrl'>;
}

interface AckPage {
  status: number;
  title: string;
  body: Html;
}

const linkActor: Actor = { type: 'link', id: null, name: 'Acknowledge link' };
const path = '/ack/:token';

/**
 * Serves `/ack/<token>`, the links in messages. Mail scanners follow links, so opening a link changes
 * nothing. The button on the page acknowledges the alert. The token authorizes the acknowledgment, unless its
 * channel requires a login. Tokens are never logged: log entries contain the pattern of the route.
 */
export function serveAcknowledgePage(app: FastifyInstance, parts: AcknowledgePageDeps): void {
  const warn = createRateLimitedLog(parts.log);
  void app.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => {
      const page = pageOfError(error);
      if (page.status >= 500)
        warn({ err: error, requestId: request.id, route: path }, 'acknowledge link request failed');
      return send(reply, page);
    });
    pages.get(path, async (request, reply) => send(reply, await showAlert(parts, request)));
    pages.post(path, async (request, reply) => send(reply, await acknowledge(parts, request)));
    pages.route({
      method: ['OPTIONS', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      handler: async (request, reply) => {
        void reply.header('allow', 'GET, HEAD, POST');
        if (request.method === 'OPTIONS') return reply.status(204).send();
        return send(reply, {
          status: 405,
          title: 'Not supported',
          body: html`<p>Open the link from the message in a browser.</p>`,
        });
      },
    });
  });
}

async function showAlert(parts: AcknowledgePageDeps, request: FastifyRequest): Promise<AckPage> {
  const found = await readLink(parts, request);
  if ('status' in found) return found;
  const { alert, login } = found;
  const done = alreadyHandledPage(alert, login);
  if (done) return done;
  return {
    status: 200,
    title: `Acknowledge ${alert.alert_config_name}?`,
    body: html`<p>${capitalized(alert.severity)}: ${problemText({ ...alert, config_name: alert.alert_config_name })}. Acknowledging shows your team that you're working on it, and stops reminders.</p>
${describeAlert(alert)}
${acknowledgeForm}`,
  };
}

async function acknowledge(parts: AcknowledgePageDeps, request: FastifyRequest): Promise<AckPage> {
  // Forms on other sites are rejected even if they contain a valid token. The origin may be absent, because only
  // browsers always send one.
  checkOrigin(request, parts.config.baseUrl, { mayBeAbsent: true });
  const found = await readLink(parts, request);
  if ('status' in found) return found;
  const { target, alert, login } = found;
  const done = alreadyHandledPage(alert, login);
  if (done) return done;
  const actor = login?.actor ?? linkActor;
  const deps = { ...parts, configs: alertConfigAccess };
  try {
    await actOnAlert(deps, target.organizationId, target.alertId, (state, _config, now) =>
      acknowledgeAlert(state, actor, now.getTime()),
    );
  } catch (error) {
    // The alert can be resolved or deleted after it was read. The page then shows the current state.
    if (!(error instanceof ApiError) || (error.code !== 'conflict' && error.code !== 'not_found'))
      throw error;
    const now = await findAlert(parts.db, target.organizationId, target.alertId);
    return (now && alreadyHandledPage(now, login)) ?? alertNotFound;
  }
  return {
    status: 200,
    title: 'Acknowledged',
    body: html`<p>Alert acknowledged. You can close this page.</p>\n${describeAlert(alert)}`,
  };
}

/**
 * Returns the alert of the link and the logged-in member of its organization, or the error page if the link
 * can't be used.
 */
async function readLink(
  parts: AcknowledgePageDeps,
  request: FastifyRequest,
): Promise<AckPage | { target: AcknowledgeTarget; alert: AlertRow; login: Caller | null }> {
  const { db, acknowledgeSigner, config } = parts;
  const { token } = request.params as { token: string };
  // Tokens that Pacekeeper didn't sign are rejected without a database query. No token has expired at time 0,
  // so this verifies only the signature.
  const signed = readAcknowledgeToken(acknowledgeSigner, token, new Date(0));
  if (!signed.ok) return unknownLink;
  const { organizationId, alertId, channelId } = signed.target;
  const { now, needsLogin } = await readLinkRequirements(db, organizationId, channelId);
  if (!readAcknowledgeToken(acknowledgeSigner, token, now).ok) return expiredLink;

  const login = await findLogin(parts, request);
  if (needsLogin) {
    const basePath = config.baseUrl === null ? '' : basePathOf(config.baseUrl);
    if (!login)
      return loginNeeded(
        { token, basePath },
        request.method === 'GET' || request.method === 'HEAD' ? 200 : 401,
      );
    if (login.organizationId !== organizationId) return otherOrganization;
    if (login.isTwoFactorMissing) return twoFactorNeeded(basePath);
    if (login.role === 'viewer') return notAllowed;
  }
  const alert = await findAlert(db, organizationId, alertId);
  if (!alert) return alertNotFound;
  const isOfOrganization = login?.organizationId === organizationId && !login.isTwoFactorMissing;
  return { target: signed.target, alert, login: isOfOrganization ? login : null };
}

/** Returns the user who is logged in with this browser. Other credentials are only valid in the API. */
async function findLogin(
  { authenticate }: AcknowledgePageDeps,
  request: FastifyRequest,
): Promise<Caller | null> {
  try {
    const caller = await authenticate(request);
    return caller?.via === 'login' ? caller : null;
  } catch (error) {
    // An invalid login, or a request that could come from another site, is treated as logged out.
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}

/**
 * Returns a page if the alert is already resolved or acknowledged. The page names people only to members of
 * their organization, because anyone can have the link.
 */
function alreadyHandledPage(alert: AlertRow, login: Caller | null): AckPage | null {
  if (alert.resolved_at !== null) {
    return {
      status: 200,
      title: 'Alert already resolved',
      body: html`<p>There's nothing to acknowledge.</p>\n${describeAlert(alert)}`,
    };
  }
  if (alert.acknowledged_at === null) return null;
  const by = alert.acknowledged_by_type === 'link' || login === null ? null : alert.acknowledged_by_name;
  return {
    status: 200,
    title: 'Already acknowledged',
    body: html`<p>${by ?? 'Someone'} acknowledged this alert at ${alert.acknowledged_at.toISOString().slice(0, 16).replace('T', ' ')} UTC.</p>
${describeAlert(alert)}`,
  };
}

function loginNeeded({ token, basePath }: { token: string; basePath: string }, status: number): AckPage {
  const next = encodeURIComponent(`/ack/${token}`);
  return {
    status,
    title: 'Log in to acknowledge',
    body: html`<p>This channel requires you to log in before acknowledging alerts.</p>
<p><a class="button" href="${basePath}/login?next=${next}">Log in</a></p>`,
  };
}

const twoFactorNeeded = (basePath: string): AckPage => ({
  status: 403,
  title: 'Two-factor authentication required',
  body: html`<p>Your organization requires two-factor authentication. <a href="${basePath}/">Set it up</a>, then open this link again.</p>`,
});

const unknownLink: AckPage = {
  status: 404,
  title: 'Invalid link',
  body: html`<p>Check that you copied the whole link, or open the alert in Pacekeeper.</p>`,
};

const expiredLink: AckPage = {
  status: 410,
  title: 'Link expired',
  body: html`<p>Acknowledge links work for 7 days. Open the alert in Pacekeeper instead.</p>`,
};

const alertNotFound: AckPage = {
  status: 410,
  title: 'Alert deleted',
  body: html`<p>There's nothing to acknowledge.</p>`,
};

const otherOrganization: AckPage = {
  status: 403,
  title: 'Wrong organization',
  body: html`<p>This alert belongs to another organization. Switch to it in Pacekeeper, then open the link again.</p>`,
};

const notAllowed: AckPage = {
  status: 403,
  title: 'Permission denied',
  body: html`<p>Your role is read-only. Ask a member of your organization to acknowledge this alert.</p>`,
};

function pageOfError(error: unknown): AckPage {
  if (error instanceof ApiError && error.status === 403) {
    return {
      status: 403,
      title: 'Request blocked',
      body: html`<p>Open the link from the original message and use the button on that page.</p>`,
    };
  }
  return {
    status: 503,
    title: 'Temporarily unavailable',
    body: html`<p>Nothing changed. Try again in a minute.</p>`,
  };
}

function send(reply: FastifyReply, { status, title, body }: AckPage): FastifyReply {
  return reply.status(status).headers(pageHeaders).send(renderPage(title, body));
}

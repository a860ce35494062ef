import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { clientBlock, type Handlers } from '../../../platform/http/index.ts';
import { createOneTimeToken, parseOneTimeToken } from '../../../platform/secrets/index.ts';
import { auditPerson } from '../people/audit-person.ts';
import { copyLimits, findLimitedSession } from '../people/limited-session-queries.ts';
import { lockUser } from '../people/user-queries.ts';
import { auditLogin } from '../sessions/audit-login.ts';
import { type SessionClient, sessionClientOf } from '../sessions/client-of-session.ts';
import { type IssuedLogin, issueLogin } from '../sessions/issue-login.ts';
import { readRefreshCookie } from '../sessions/login-cookies.ts';
import { type LoginParts, requireLogin, sendLoginResponse } from '../sessions/login-parts.ts';
import { organizationOfFamily } from '../sessions/refresh-token-queries.ts';
import { requirePresentedToken } from '../sessions/require-presented-token.ts';

type DeviceOperations = 'startDeviceLogin' | 'claimDeviceLogin' | 'getDeviceLogin' | 'approveDeviceLogin';

const lifetimeSeconds = 10 * 60;
const intervalSeconds = 3;
/** Maximum number of pending logins, in total and for each network, because anyone can start one. */
const maxWaiting = 10_000;
const maxWaitingOfClient = 50;
/** Letters of a code. Vowels are excluded to avoid words, and similar letters to avoid confusion. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/**
 * Handlers for logins of programs on machines without a browser (as in RFC 8628): the program shows a code,
 * and a person who is logged in approves it. The program gets a separate session with the limits of the
 * session that approved it.
 */
export function deviceLoginHandlers(parts: LoginParts): Handlers<DeviceOperations> {
  const { db, loginTokens, baseUrl, limits, guessing } = parts;
  return {
    async startDeviceLogin({ http }) {
      limits.take(http.request);
      const { token, digest } = createOneTimeToken();
      const userCode = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
      const client = { ...sessionClientOf(http.request), block: clientBlock(http.request.ip) };
      await insertDeviceLogin(db, digest, userCode, client);
      const shown = showCode(userCode);
      return {
        status: 200,
        body: {
          device_code: token,
          user_code: shown,
          verification_url: `${baseUrl}/device?code=${shown}`,
          expires_in: lifetimeSeconds,
          interval: intervalSeconds,
        },
      };
    },

    async claimDeviceLogin({ body, http, requestId }) {
      const digest = parseOneTimeToken(body.device_code);
      if (!digest) throw notFound();
      if (!(await findDeviceLogin(db, digest))) {
        guessing.countInvalid(http.request);
        throw notFound();
      }
      limits.takeOfLogin(digest.toString('base64url'));
      const client = sessionClientOf(http.request);
      const login = await transaction(db, async (tx): Promise<IssuedLogin | 'waiting'> => {
        const row = await findDeviceLogin(tx, digest);
        if (!row) throw notFound();
        const { user_id: userId, organization_id: organizationId, approved_family_id: approvedBy } = row;
        if (userId === null || organizationId === null || approvedBy === null) return 'waiting';
        const user = await lockUser(tx, userId);
        const { numDeletedRows } = await tx
          .deleteFrom('device_logins')
          .where('device_code_hash', '=', digest)
          .executeTakeFirst();
        // If two requests claim the login at the same time, only the first one succeeds.
        if (!user || numDeletedRows !== 1n || !(await isSessionActive(tx, approvedBy))) throw notFound();
        const newFamilyId = randomUUID();
        await copyLimits(tx, approvedBy, newFamilyId, { isReplaced: false });
        const issued = await issueLogin(tx, loginTokens, user, { organizationId, client, newFamilyId });
        if (!issued) throw notFound();
        await auditLogin(tx, user, { method: 'program' }, requestId);
        return issued;
      });
      if (login === 'waiting') return { status: 202, body: { interval: intervalSeconds } };
      return sendLoginResponse(http.reply, login, baseUrl);
    },

    async getDeviceLogin({ caller, query }) {
      const { user } = await requireLogin(db, caller);
      limits.takeOfUser(user.id);
      const row = await findWaiting(db, query.user_code);
      if (!row) throw notFound();
      return {
        status: 200,
        body: {
          user_code: showCode(row.user_code),
          address: row.address,
          user_agent: row.user_agent,
          created_at: row.created_at.toISOString(),
          expires_at: row.expires_at.toISOString(),
        },
      };
    },

    async approveDeviceLogin({ caller, body, http, requestId }) {
      const { user, organizationId, loginId } = await requireLogin(db, caller);
      limits.takeOfUser(user.id);
      await requirePresentedToken(
        parts,
        { userId: user.id, loginId },
        readRefreshCookie(http.request, baseUrl),
      );
      await transaction(db, async (tx) => {
        const result = await tx
          .updateTable('device_logins')
          .set({ user_id: user.id, organization_id: organizationId, approved_family_id: loginId })
          .where('user_code', '=', readCode(body.user_code))
          .where('user_id', 'is', null)
          .where(sql<boolean>`expires_at > pacekeeper_now()`)
          .executeTakeFirst();
        if (result.numUpdatedRows !== 1n) throw notFound();
        const actor = { type: 'user', id: user.id, name: user.name } as const;
        await auditPerson(tx, user, { action: 'member.program_login_approved', actor, requestId });
      });
      return { status: 204 };
    },
  };
}

async function insertDeviceLogin(
  db: Database,
  digest: Buffer,
  userCode: string,
  client: SessionClient & { block: string },
): Promise<void> {
  await sql`DELETE FROM device_logins WHERE expires_at <= pacekeeper_now()`.execute(db);
  const result = await sql`
    INSERT INTO device_logins (device_code_hash, user_code, address, client_block, user_agent, expires_at)
    SELECT ${digest}, ${userCode}, ${client.address}, ${client.block}, ${client.userAgent},
      pacekeeper_now() + make_interval(secs => ${lifetimeSeconds})
    WHERE (SELECT count(*) FROM device_logins) < ${maxWaiting}
      AND (SELECT count(*) FROM device_logins WHERE client_block = ${client.block}) < ${maxWaitingOfClient}
    ON CONFLICT DO NOTHING`.execute(db);
  if (result.numAffectedRows !== 1n)
    throw new ApiError('unavailable', 'Too many logins are waiting for approval. Try again in a minute.', {
      retryAfterSeconds: 60,
    });
}

async function findDeviceLogin(db: Database | Tx, digest: Buffer) {
  return db
    .selectFrom('device_logins')
    .select(['user_id', 'organization_id', 'approved_family_id'])
    .where('device_code_hash', '=', digest)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .executeTakeFirst();
}

async function findWaiting(db: Database, userCode: string) {
  return db
    .selectFrom('device_logins')
    .select(['user_code', 'address', 'user_agent', 'created_at', 'expires_at'])
    .where('user_code', '=', readCode(userCode))
    .where('user_id', 'is', null)
    .where(sql<boolean>`expires_at > pacekeeper_now()`)
    .executeTakeFirst();
}

/** True if the session that approved a login has neither ended nor reached its limits. */
async function isSessionActive(tx: Tx, familyId: string): Promise<boolean> {
  if ((await organizationOfFamily(tx, familyId)) === undefined) return false;
  return !((await findLimitedSession(tx, familyId))?.is_check_due ?? false);
}

function showCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a code that a user entered. */
function readCode(text: string): string {
  return text.replaceAll(/[^a-z]/gi, '').toUpperCase();
}

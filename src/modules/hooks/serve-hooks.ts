import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import {
  type BodyBudget,
  createRateLimit,
  type InvalidCredentialLimit,
  readSignedBody,
} from '../../platform/http/index.ts';
import type { Sandbox } from '../../platform/sandbox/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import {
  findHookAcrossOrganizations,
  type HookToVerify,
  recordHookDelivery,
  recordLastEvent,
} from './hook-queries.ts';
import { secretContext } from './hook-secret.ts';
import { triggerHookedJobs } from './hooked-jobs.ts';
import { readNamesInSandbox } from './read-names.ts';
import { deliveryKeys, isAuthentic, type ReceivedHook } from './verify-hook.ts';

export interface ServeHooksDeps {
  db: Database;
  secretBox: SecretBox;
  sandbox: Sandbox;
  guessing: InvalidCredentialLimit;
  bodyBudget: BodyBudget;
  config: Pick<Config, 'rateLimitPerMinute'>;
}

const maxBytes = 1024 * 1024;

const startsNothing =
  'The event started no jobs: no enabled job reads a repository or artifact that it names. Check the kind of the hook and the URLs of the jobs.';

/**
 * Maximum number of events per minute for one hook. Even a burst of pushes stays below it, and further events
 * add no information.
 */
const eventsPerMinute = 600;

/**
 * Serves `POST /hooks/<id>`. The ID isn't a secret: without the hook's secret, a sender gets the same
 * response as for an ID that doesn't exist, although response times can differ.
 */
export function serveHooks(app: FastifyInstance, deps: ServeHooksDeps): void {
  const limit = createRateLimit(deps.config.rateLimitPerMinute > 0 ? eventsPerMinute : 0);
  app.post('/hooks/:id', async (request, reply) => {
    const body = await readSignedBody(request, reply, deps.bodyBudget, maxBytes);
    try {
      const { id } = request.params as { id: string };
      const { token } = request.query as { token?: unknown };
      const received: ReceivedHook = {
        headers: request.headers,
        token: typeof token === 'string' ? token : null,
        body: body.bytes,
      };
      const hook = await authenticate(deps, id, received, request);
      const { retryAfterSeconds } = limit.take(`${hook.organizationId}/${hook.id}`);
      if (retryAfterSeconds > 0)
        throw new ApiError('rate_limited', 'Too many events for this hook. Try again shortly.', {
          retryAfterSeconds,
        });
      const { jobs, isKnown } = await apply(deps, hook, received);
      const nothing = !isKnown && jobs === 0 ? { detail: startsNothing } : {};
      return await reply.status(202).send({ duplicate: isKnown, jobs, ...nothing });
    } finally {
      body.release();
    }
  });
}

async function authenticate(
  { db, secretBox, guessing }: ServeHooksDeps,
  publicId: string,
  received: ReceivedHook,
  request: FastifyRequest,
): Promise<HookToVerify> {
  const isPossible = /^[\w-]{22}$/u.test(publicId);
  const { hook, now } = await findHookAcrossOrganizations(db, isPossible ? publicId : '');
  const secret =
    hook === null
      ? randomBytes(32).toString('base64url')
      : secretBox.openText(hook.secretSealed, secretContext(hook.organizationId, hook.id));
  if (isAuthentic(hook?.kind ?? 'github', secret, received, now) && hook !== null) return hook;
  guessing.countInvalid(request);
  throw new ApiError('unauthenticated', 'Unknown hook or invalid secret.');
}

async function apply(
  { db, sandbox }: ServeHooksDeps,
  hook: HookToVerify,
  received: ReceivedHook,
): Promise<{ jobs: number; isKnown: boolean }> {
  const names = await readNamesInSandbox(sandbox, hook, received);
  if (names === null) throw invalidField('body', 'must be an event in JSON');
  return transaction(db, async (tx) => {
    if (!(await recordHookDelivery(tx, hook, deliveryKeys(hook.kind, received))))
      return { jobs: 0, isKnown: true };
    const jobs = await triggerHookedJobs(tx, hook.organizationId, names);
    await recordLastEvent(tx, hook, jobs);
    return { jobs, isKnown: false };
  });
}

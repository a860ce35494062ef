import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import { changeTopic, dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { triggerDueRows } from '../../../platform/due-rows/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit } from '../../audit/index.ts';
import { readLimit } from '../../settings/index.ts';
import { dueSilencedAlertsTable } from '../deliveries/plan/silenced-alerts.ts';
import { checkReferences } from '../rules/notification-rule-edits.ts';
import { lockNotificationLimits } from '../rules/notification-rule-queries.ts';
import {
  countOpenSilences,
  deleteSilence,
  findSilenceById,
  insertSilence,
  lockSilence,
  readNow,
  type SilenceRow,
  type SilenceValues,
  updateSilence,
} from './silence-queries.ts';

/**
 * Maximum number of different patterns in silences that haven't ended. The number is limited, because all
 * patterns must stay compiled: compiling one takes milliseconds.
 */
const maxPatterns = 100;
const dayMs = 86_400_000;
/** Maximum duration of a silence, which is a leap year. */
const maxDurationMs = 366 * dayMs;

type CreateBody = Schemas['CreateSilenceRequest'];
type UpdateBody = Schemas['UpdateSilenceRequest'];

/** Edits silences in the transaction of the caller. Bodies must have passed `checkLabelMatchers`. */
export const silenceEdits = {
  async create(
    tx: Tx,
    context: EditContext,
    { starts_at, ends_at, ...body }: Required<Omit<CreateBody, 'starts_at'>> & Pick<CreateBody, 'starts_at'>,
  ): Promise<SilenceRow> {
    const { organizationId, actor } = context.caller;
    await checkReferences(tx, organizationId, { rule_ids: body.rule_ids });
    await lockNotificationLimits(tx, organizationId);
    const now = await readNow(tx);
    const startsAt = starts_at === undefined ? now : new Date(starts_at);
    const values = {
      ...body,
      rule_ids: [...new Set(body.rule_ids)],
      starts_at: startsAt < now ? now : startsAt,
      ends_at: new Date(ends_at),
    };
    checkSilence(values, now);
    const id = await insertSilence(tx, organizationId, values, actor);
    await checkLimits(tx, organizationId);
    const row = (await findSilenceById(tx, organizationId, id))!;
    await recordEdit(tx, context, 'silence', { after: toAuditFields(row) });
    publishChanges(tx, organizationId, 'silence', [id], 'created');
    publishAlerts(tx, organizationId);
    return row;
  },

  async update(tx: Tx, context: EditContext, id: number, body: UpdateBody): Promise<SilenceRow> {
    const { organizationId } = context.caller;
    if (body.label_matchers) await lockNotificationLimits(tx, organizationId);
    const before = await lockSilence(tx, organizationId, id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    if (before.status === 'ended') {
      throw new ApiError('conflict', 'The silence has ended. Create a new one.');
    }
    const added = body.rule_ids?.filter((ruleId) => !before.rule_ids.includes(ruleId));
    await checkReferences(tx, organizationId, { rule_ids: added });
    const changes = toChanges(body, before);
    checkSilence({ ...before, ...changes }, before.now, before);
    await updateSilence(tx, organizationId, id, changes);
    if (body.label_matchers) await checkLimits(tx, organizationId);
    const after = (await findSilenceById(tx, organizationId, id))!;
    await recordEdit(tx, context, 'silence', {
      before: toAuditFields(before),
      after: toAuditFields(after),
    });
    await reportAgain(tx, organizationId, before);
    publishChanges(tx, organizationId, 'silence', [id], 'updated');
    return after;
  },

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId } = context.caller;
    const row = await lockSilence(tx, organizationId, id);
    if (!row) throw notFound();
    assertIfMatch(context, row);
    await deleteSilence(tx, organizationId, id);
    await recordEdit(tx, context, 'silence', { before: toAuditFields(row) });
    await reportAgain(tx, organizationId, row);
    publishChanges(tx, organizationId, 'silence', [id], 'deleted');
  },
};

/**
 * Compares deferred alerts with all silences again, because the changed silence may no longer match them.
 * The transaction holds the lock of the silence, so all alerts that the silence deferred are already
 * stored.
 */
async function reportAgain(tx: Tx, organizationId: number, before: SilenceRow): Promise<void> {
  if (before.status === 'active') {
    await triggerDueRows(tx, dueSilencedAlertsTable, sql`organization_id = ${organizationId}`);
    wake(tx, dueTopic(dueSilencedAlertsTable.name));
  }
  publishAlerts(tx, organizationId);
}

/**
 * Publishes a change to all alerts of the organization, because alerts show their matching silence and the
 * affected alerts aren't known here.
 */
function publishAlerts(tx: Tx, organizationId: number): void {
  wake(tx, changeTopic(organizationId, 'alert', null));
}

/** @throws ApiError 409 if the silences just written exceed a limit. */
async function checkLimits(tx: Tx, organizationId: number): Promise<void> {
  const { silences, patterns } = await countOpenSilences(tx, organizationId);
  const maxOpen = await readLimit(tx, 'limits.silences');
  if (silences > maxOpen) {
    throw new ApiError(
      'conflict',
      `An organization can have at most ${maxOpen} silences that haven't ended (limits.silences). End or delete one first.`,
    );
  }
  if (patterns > maxPatterns) {
    throw new ApiError(
      'conflict',
      `The silences of an organization that haven't ended can use ${maxPatterns} different patterns (=~ and !~). ` +
        'Use = or !=, combine patterns (a|b), or end or delete a silence first.',
    );
  }
}

function toChanges(body: UpdateBody, before: SilenceRow): Partial<SilenceValues> {
  const { label_matchers, severities, reason, rule_ids, starts_at, ends_at } = body;
  const endsAt = ends_at === undefined ? undefined : new Date(ends_at);
  const startsAt = starts_at === undefined ? undefined : new Date(starts_at);
  const isStartedNow = before.status === 'scheduled' && startsAt !== undefined && startsAt < before.now;
  const isEndedNow = before.status === 'active' && endsAt !== undefined && endsAt <= before.now;
  return {
    ...(label_matchers && { label_matchers }),
    ...(severities && { severities }),
    ...(reason !== undefined && { reason }),
    ...(rule_ids && { rule_ids: [...new Set(rule_ids)] }),
    ...(startsAt && { starts_at: isStartedNow ? before.now : startsAt }),
    ...(endsAt && { ends_at: isEndedNow ? before.now : endsAt }),
  };
}

/** @throws ApiError 400 for constraints that the API specification can't express. */
function checkSilence(silence: SilenceValues, now: Date, before?: SilenceRow): void {
  const { label_matchers, rule_ids, severities, starts_at, ends_at } = silence;
  if (label_matchers.length === 0 && rule_ids.length === 0 && severities.length === 0) {
    throw invalidField(
      'label_matchers',
      'is required, unless rule_ids or severities are given. To silence all alerts, list all severities.',
    );
  }
  const hasStarted = before?.status === 'active';
  if (hasStarted && starts_at.getTime() !== before.starts_at.getTime())
    throw invalidField('starts_at', "can't change after the silence has started");
  if (starts_at.getTime() > now.getTime() + maxDurationMs)
    throw invalidField('starts_at', 'must be at most a year from now');
  if (!hasStarted && ends_at <= now) throw invalidField('ends_at', 'must be in the future');
  if (!hasStarted && ends_at <= starts_at) throw invalidField('ends_at', 'must be after starts_at');
  if (ends_at.getTime() - starts_at.getTime() > maxDurationMs)
    throw invalidField('ends_at', 'must be at most a year after starts_at');
}

/** Adds a name to a silence, because audit log entries contain the names of resources. */
function toAuditFields(row: SilenceRow): Schemas['Silence'] & { name: string } {
  return { ...toSilence(row), name: row.reason };
}

export function toSilence(row: SilenceRow): Schemas['Silence'] {
  const { created_by_type, created_by_id, created_by_name, now: _now, ...rest } = row;
  return {
    ...rest,
    created_by: { type: created_by_type, id: created_by_id, name: created_by_name },
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

import { type RawBuilder, sql } from 'kysely';
import {
  isDue,
  isDueWithinOrganization,
  organizationsWithDueRows,
} from '../../../../platform/due-rows/index.ts';
import { batchLimitSql } from '../model/channel-row.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import type { InFlightTracker } from './in-flight.ts';

/**
 * Number of longest-waiting channels among which the organizations take turns. If more channels are due, the
 * first channels of every organization are considered too.
 */
const maxCandidates = 2_000;

/**
 * Selects the channels to claim next, as a condition on `notification_channels`. Organizations take turns,
 * and none exceeds its capacity. Channels without capacity aren't selected. Otherwise, each time one of a
 * thousand slow deliveries ends, claiming and releasing such channels would cost two writes per channel.
 *
 * The query takes 3 ms with 100,000 due channels, and 45 ms if all of them belong to an organization without capacity.
 */
export function isNextToClaim(inFlight: InFlightTracker, count: number): RawBuilder<unknown> {
  if (inFlight.capacity === 0) return sql`false`;
  const capacities = inFlight.remainingCapacities();
  const full = capacities
    .filter(({ capacity }) => capacity === 0)
    .map(({ organizationId }) => organizationId);
  const { perOrganization } = inFlight.limits;
  const wanted = batchLimitSql(inFlight.limits);
  const candidate = sql`
    SELECT organization_id, id, due_at, ${wanted} AS wanted FROM notification_channels
    WHERE id <> ALL(${inFlight.channelIds}::bigint[])`;
  const organizations = organizationsWithDueRows(
    { ...dueChannelsTable, turnOf: 'organization_id' },
    { limit: inFlight.limits.total, turns: { except: full } },
  );
  return sql`(organization_id, id) IN (
    WITH oldest AS MATERIALIZED (
      ${candidate} AND ${isDue} AND organization_id <> ALL(${full}::bigint[])
      ORDER BY due_at LIMIT ${sql.lit(maxCandidates)}
    ), taking_turns AS MATERIALIZED (
      SELECT id FROM (${organizations}) AS known
      WHERE (SELECT count(*) FROM oldest) = ${sql.lit(maxCandidates)}
    )
    SELECT organization_id, id
    FROM (
      SELECT placed.*, sum(wanted) OVER (ORDER BY before_in_organization, due_at, placed.id) - wanted AS before_in_all
      FROM (
        SELECT due.*, sum(wanted) OVER (PARTITION BY organization_id ORDER BY due_at, id) - wanted AS before_in_organization
        FROM (
          SELECT * FROM oldest
          UNION
          SELECT first_ones.* FROM taking_turns CROSS JOIN LATERAL (
            ${candidate} AND ${isDueWithinOrganization} AND organization_id = taking_turns.id
            ORDER BY due_at LIMIT ${sql.lit(perOrganization)}
          ) AS first_ones
        ) AS due
      ) AS placed
      LEFT JOIN unnest(
        ${capacities.map(({ organizationId }) => organizationId)}::bigint[], ${capacities.map(({ capacity }) => capacity)}::bigint[]
      ) AS known (organization_id, room) USING (organization_id)
      WHERE before_in_organization < coalesce(known.room, ${sql.lit(perOrganization)})
    ) AS in_turn
    WHERE before_in_all < ${inFlight.capacity}
    ORDER BY before_in_all
    LIMIT ${sql.lit(count)})`;
}

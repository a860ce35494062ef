import { type RawBuilder, sql } from 'kysely';
import { isPerAlertPreset, presetIds } from '../../../../domain/templates/presets.ts';
import { createsTickets } from '../tickets/ticket-queries.ts';

/** A channel `c` whose receiver has a ticket or an incident for each alert: it gets each event on its own. */
export const neverCombines: RawBuilder<boolean> = sql<boolean>`
  (${createsTickets} OR c.preset IN (${sql.join(presetIds.filter(isPerAlertPreset).map((id) => sql.lit(id)))}))`;

import { type RawBuilder, sql } from 'kysely';
import { isPerAlertPreset, presetIds } from '../../../../domain/templates/presets.ts';
import { createsTickets } from '../model/ticket-queries.ts';

/**
 * True if the receiver of channel `c` opens or closes an item for each alert, such as a ticket or an incident, so the
 * channel sends each event individually.
 */
export const neverCombines: RawBuilder<boolean> = sql<boolean>`
  (${createsTickets} OR c.closing_path_sealed IS NOT NULL OR c.preset IN (${sql.join(presetIds.filter(isPerAlertPreset).map((id) => sql.lit(id)))}))`;

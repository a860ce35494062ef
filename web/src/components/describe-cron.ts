import cronstrue from 'cronstrue';
import { parseCron } from '../../../src/domain/scheduling/cron-expression.ts';
import { nextRun } from '../../../src/domain/scheduling/cron-schedule.ts';

/**
 * Description of a cron expression, or an error. This module loads lazily, because its dependencies are
 * needed only to display schedules.
 */
export type DescribedCron = { ok: true; text: string; next: Date | null } | { ok: false; message: string };

/**
 * Describes a cron expression and returns the time of its next run, or returns the same error message as the
 * server.
 */
export function describeCron(expression: string, timeZone: string, now: Date): DescribedCron {
  const parsed = parseCron(expression);
  if (!parsed.ok) return parsed;
  const text = cronstrue.toString(parsed.cron.normalized, { use24HourTimeFormat: true, verbose: false });
  return { ok: true, text, next: nextRun(expression, timeZone, now) };
}
